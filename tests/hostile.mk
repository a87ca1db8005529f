# SPDX-License-Identifier: Apache-2.0
#
# Isolation: a hostile process on a NIC, a hostile end point on its links.

HOSTILE_PROCESS     := $(B)/tests/hostile/hostile_process
HOSTILE_PROCESS_SRC := $(addprefix tests/system/hostile/,process.c forger.c rioter.c lair.c victim.c holder.c memory.c) \
                       $(addprefix tests/system/chaos/,numbers.c plan.c child.c bystander.c watcher.c others.c) tests/system/rig/rig.c
$(eval $(call c_program,$(HOSTILE_PROCESS),$(HOSTILE_PROCESS_SRC),\
    $(ACCEPT_INC) -Itests/system/chaos -Itests/system/hostile,$(ACCEPT_LIBS)))
$(HOSTILE_PROCESS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(HOSTILE_PROCESS)

HOSTILE_PEER     := $(B)/tests/hostile/hostile_peer
HOSTILE_PEER_SRC := $(addprefix tests/system/hostile/,peer.c end_point.c holder.c memory.c) \
                    $(addprefix tests/system/chaos/,numbers.c plan.c) $(addprefix tests/system/rig/,rig.c rig_sim.c)
$(eval $(call c_program,$(HOSTILE_PEER),$(HOSTILE_PEER_SRC),\
    $(ACCEPT_INC) -Itests/system/chaos -Itests/system/hostile -Isim -Isim/net -Isim/host -Ihw-model/model,\
    $(ACCEPT_LIBS) $(SIM_CHECKED_LIBS)))
$(HOSTILE_PEER): | $(B)/fw/tern-fw.elf
TESTS_system += $(HOSTILE_PEER)

# Each run is one seed; a failure prints how to repeat it.
RIOTS ?= 1500
RIOTS_RTL ?= 12
BATCHES ?= 30000
BATCHES_RTL ?= 100
hostile: $(HOSTILE_PROCESS) $(HOSTILE_PEER) ## a hostile process and a hostile end point: RIOTS=1500 BATCHES=30000 on soft, RIOTS_RTL=12 BATCHES_RTL=100 on rtl, SEED=1
	@if TIER=soft $(HOSTILE_PROCESS) --rounds $(RIOTS) --seed $(SEED) --progress 100 && \
	    TIER=rtl $(HOSTILE_PROCESS) --rounds $(RIOTS_RTL) --seed $(SEED) --progress 4 && \
	    TIER=soft $(HOSTILE_PEER) --batches $(BATCHES) --seed $(SEED) && \
	    TIER=rtl $(HOSTILE_PEER) --batches $(BATCHES_RTL) --seed $(SEED); \
	then echo "hostile: PASS: $(RIOTS) rounds and $(BATCHES) batches on soft, $(RIOTS_RTL) and $(BATCHES_RTL) on rtl, seed $(SEED)"; \
	else echo "hostile: FAIL: seed $(SEED)"; exit 1; fi

.PHONY: hostile
