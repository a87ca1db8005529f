# SPDX-License-Identifier: Apache-2.0
#
# tern: one make for the whole tree.
#
# Every folder has a fragment that names its files; none calls make again. All output goes to
# build/. `make help` lists all goals.

.DEFAULT_GOAL := all

include build.mk

# The fragments.  tests/tests.mk comes last: it needs the full lists.
FRAGMENTS := $(filter-out tests/tests.mk,$(sort $(wildcard \
    hw-model/*.mk hw-model/*/*.mk hw-model/*/*/*.mk fw/*.mk fw/*/*.mk linker/*.mk \
    host-driver/*.mk host-driver/*/*.mk sim/*.mk sim/*/*.mk tests/*.mk tests/*/*.mk)))
include $(FRAGMENTS)
include $(wildcard tests/tests.mk)

all: $(ALL) ## builds the firmware, the verilated node, the simulator and the driver

clean: ## removes everything that was built
	$(Q)rm -rf $(if $(filter-out $(CURDIR),$(ROOT)),$(dir $(ROOT))) $(B)

# Prints the `target: ## text` comments of all makefiles.
help: ## lists these goals
	@echo "make TARGET [VARIABLE=value ...]"
	@echo
	@awk -f tests/tools/help.awk Makefile build.mk $(FRAGMENTS) $(wildcard tests/tests.mk)
	@echo
	@echo "V=1 shows the commands. Output is in $(B)/."

.PHONY: all clean help

# Dependencies on headers, which the compilers wrote; the macros collect the files.
-include $(wildcard $(sort $(DEPFILES)))

# Counts the steps by a dry run; the dry run itself counts none.
ifeq ($(DRY_RUN)$(V)$(TERN_COUNTS),0)
ifneq ($(filter-out clean help,$(GOALS)),)
STEPS_EXPECTED := $(filter-out 0,$(shell TERN_COUNTS=1 $(MAKE) -n -k --no-print-directory $(GOALS) 2> /dev/null | \
    grep -c "^printf '%s %-7s"))
endif
endif
