# SPDX-License-Identifier: Apache-2.0
#
# Tests of failures during puts, with every host in a process of its own.

CHAOS     := $(B)/tests/chaos/chaos
CHAOS_SRC := $(addprefix tests/system/chaos/,chaos.c numbers.c plan.c child.c actors.c bystander.c watcher.c others.c)
$(eval $(call c_program,$(CHAOS),$(CHAOS_SRC) tests/system/rig/rig.c,$(ACCEPT_INC) -Itests/system/chaos,$(ACCEPT_LIBS)))
$(CHAOS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(CHAOS)

# Each run is one seed; a failure prints how to repeat it.
SEED ?= 1
KILLS ?= 1000
KILLS_RTL ?= 20
chaos: $(CHAOS) ## kills hosts at random: KILLS=1000 on soft, KILLS_RTL=20 on rtl, SEED=1
	@if TIER=soft $(CHAOS) --kills $(KILLS) --seed $(SEED) --progress 50 && \
	    TIER=rtl $(CHAOS) --kills $(KILLS_RTL) --seed $(SEED) --progress 2; \
	then echo "chaos: PASS: $(KILLS) kills on soft, $(KILLS_RTL) on rtl, seed $(SEED)"; \
	else echo "chaos: FAIL: seed $(SEED)"; exit 1; fi

.PHONY: chaos

CALLS := $(B)/tests/chaos/calls
$(eval $(call c_program,$(CALLS),tests/system/calls/calls.c tests/system/chaos/child.c tests/system/rig/rig.c,\
    $(ACCEPT_INC) -Itests/system/chaos,$(ACCEPT_LIBS)))
$(CALLS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(CALLS)
TESTS_check += tests/check/calls.sh

REFUSED := $(B)/tests/chaos/refused
$(eval $(call c_program,$(REFUSED),tests/system/calls/refused.c tests/system/chaos/child.c tests/system/rig/rig.c,\
    $(ACCEPT_INC) -Itests/system/chaos,$(ACCEPT_LIBS)))
$(REFUSED): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(REFUSED)

CORE_RESET := $(B)/tests/chaos/core_reset
$(eval $(call c_program,$(CORE_RESET),tests/system/reset/core_reset.c tests/system/rig/rig.c,\
    $(ACCEPT_INC) -Isim -Isim/net -Isim/host -Ihw-model/model,$(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(CORE_RESET): | $(B)/fw/tern-fw.elf $(B)/fw/tern-fw-hang.elf
TESTS_system += $(CORE_RESET)

POWER_CYCLE := $(B)/tests/chaos/power_cycle
$(eval $(call c_program,$(POWER_CYCLE),tests/system/reset/power_cycle.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    $(ACCEPT_INC) -Isim -Isim/net -Isim/host -Ihw-model/model,$(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(POWER_CYCLE): | $(B)/fw/tern-fw.elf
TESTS_system += $(POWER_CYCLE)

FUNCTION_RESET := $(B)/tests/chaos/function_reset
$(eval $(call c_program,$(FUNCTION_RESET),tests/system/reset/function_reset.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    $(ACCEPT_INC) -Isim -Isim/net -Isim/host -Ihw-model/model,$(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(FUNCTION_RESET): | $(B)/fw/tern-fw.elf
TESTS_system += $(FUNCTION_RESET)
