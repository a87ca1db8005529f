# SPDX-License-Identifier: Apache-2.0
#
# Runs the soft core in lockstep with its golden model on random programs.

LOCKSTEP     := $(B)/core/lockstep
LOCKSTEP_DIR := tests/core/golden
LOCKSTEP_LIB := $(B)/core/liblockstep.a

$(eval $(call c_archive,$(LOCKSTEP_LIB),$(addprefix $(LOCKSTEP_DIR)/,\
    golden.c golden_op.c golden_rvc.c golden_csr.c generate.c generate_corner.c layout.c \
    coverage.c lockstep.c lockstep_main.c),-I$(LOCKSTEP_DIR)))
$(eval $(call v_program,$(LOCKSTEP),lockstep_bench,\
    $(CORE_RTL) $(CORE_RVFI) $(LOCKSTEP_DIR)/lockstep_bench.sv,$(LOCKSTEP_LIB),\
    --main --timing -DTERN_RVFI))

# Verilator's makefile does not depend on the archive, so remove its program when that changes.
$(LOCKSTEP): $(LOCKSTEP).relink
$(LOCKSTEP).relink: $(LOCKSTEP_LIB)
	$(Q)mkdir -p $(@D) && rm -f $(LOCKSTEP) && touch $@

TESTS_rtl += $(LOCKSTEP)

LOCKSTEP_LONG ?= 100000000

lockstep-long: $(LOCKSTEP) ## LOCKSTEP_LONG random instructions on the core and its golden model
	$(Q)$(LOCKSTEP) +instructions=$(LOCKSTEP_LONG) +seed=1000000

core-coverage: $(LOCKSTEP) ## prints what the random instructions of the core have met
	$(Q)$(LOCKSTEP) +table

.PHONY: lockstep-long core-coverage

# ---- the netlist beside the core ----
# Compares the outputs of netlist and core in every cycle of 1000 programs. Compiled with less
# optimisation: compilation takes longer than the run.
LOCKSTEP_GATE   := $(B)/core/lockstep_gate
LOCKSTEP_GATE_V := $(B)/synth/core_beside.v

$(LOCKSTEP_GATE_V): $(CORE_GATE_V) $(this_fragment)
	$(Q)sed 's/^module tern_core(/module tern_core_gate(/' $< > $@

$(eval $(call v_program,$(LOCKSTEP_GATE),lockstep_bench,\
    $(CORE_RTL) $(CORE_RVFI) $(LOCKSTEP_GATE_V) $(LOCKSTEP_DIR)/lockstep_bench.sv,$(LOCKSTEP_LIB),\
    --main --timing -DTERN_RVFI -DTERN_GATE -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT \
    -MAKEFLAGS OPT_FAST=-O1))

$(LOCKSTEP_GATE): $(LOCKSTEP_GATE).relink
$(LOCKSTEP_GATE).relink: $(LOCKSTEP_LIB)
	$(Q)mkdir -p $(@D) && rm -f $(LOCKSTEP_GATE) && touch $@

TESTS_check += $(LOCKSTEP_GATE)

# ---- deliberate faults in the core ----------
MUTANTS := $(B)/core/core_mutants
MUTANTS_NEEDS := $(LOCKSTEP) $(B)/core/test_core_directed $(CORE_ELFRUN) $(CORE_ELFS) $(CORE_EXIT)

# Without an argument: the quick ones, as a test.
$(MUTANTS): $(this_fragment) hw-model/core.mk | $(MUTANTS_NEEDS)
	$(Q)printf '#!/bin/sh\nLOCKSTEP_LIB="%s" CORE_SOURCES="%s" \\\n    exec sh %s "$${@:-quick}"\n' \
	    '$(LOCKSTEP_LIB)' '$(CORE_RTL) $(CORE_RVFI)' tests/core/mutants/mutants.sh > $@ && chmod +x $@
TESTS_check += $(MUTANTS)

mutants: $(MUTANTS) $(MUTANTS_NEEDS) ## puts faults into the core, which its tests must find
	$(Q)B=$(B) $(MUTANTS) all

.PHONY: mutants
