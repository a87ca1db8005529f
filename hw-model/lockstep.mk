# SPDX-License-Identifier: Apache-2.0
#
# The soft core beside its golden model: random programs in lock-step.

LOCKSTEP     := $(B)/core/lockstep
LOCKSTEP_DIR := tests/core/golden
LOCKSTEP_LIB := $(B)/core/liblockstep.a

$(eval $(call c_archive,$(LOCKSTEP_LIB),$(addprefix $(LOCKSTEP_DIR)/,\
    golden.c golden_op.c golden_rvc.c golden_csr.c generate.c layout.c lockstep.c \
    lockstep_main.c),-I$(LOCKSTEP_DIR)))
$(eval $(call v_program,$(LOCKSTEP),lockstep_bench,\
    $(CORE_RTL) $(CORE_RVFI) $(LOCKSTEP_DIR)/lockstep_bench.sv,$(LOCKSTEP_LIB),\
    --main --timing -DTERN_RVFI))

# Verilator's makefile does not know that the archive changed: nothing is left to keep.
$(LOCKSTEP): $(LOCKSTEP).relink
$(LOCKSTEP).relink: $(LOCKSTEP_LIB)
	$(Q)mkdir -p $(@D) && rm -f $(LOCKSTEP) && touch $@

TESTS_rtl += $(LOCKSTEP)

LOCKSTEP_LONG ?= 100000000

lockstep-long: $(LOCKSTEP) ## runs LOCKSTEP_LONG random instructions on the core and its golden model
	$(Q)$(LOCKSTEP) +instructions=$(LOCKSTEP_LONG) +seed=1000000

.PHONY: lockstep-long
