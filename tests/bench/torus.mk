# SPDX-License-Identifier: Apache-2.0
# Throughput of the network of a torus of rtl nodes.

BENCH_TORUS_INC := $(BENCH_RTL_INC) -Itests/bench -Itests/bench/torus
$(eval $(call c_program,$(B)/tests/bench/traffic,tests/bench/torus/traffic.c tests/bench/torus/yard.c \
    tests/bench/lines.c tests/bench/svg.c,$(BENCH_TORUS_INC),$(B)/lib/libtern.a $(SIM_LIBS) -lm))
$(B)/tests/bench/traffic: | $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/traffic

$(eval $(call c_program,$(B)/tests/bench/incast,tests/bench/torus/incast.c tests/bench/torus/yard.c,$(BENCH_TORUS_INC),\
    $(B)/lib/libtern.a $(SIM_LIBS) -lm))
$(B)/tests/bench/incast: | $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/incast

$(eval $(call c_program,$(B)/tests/bench/idle,tests/bench/sim/idle.c tests/bench/torus/yard.c,$(BENCH_TORUS_INC),\
    $(B)/lib/libtern.a $(SIM_LIBS)))
$(B)/tests/bench/idle: | $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/idle

$(foreach b,bcast depth,$(eval $(call c_program,$(B)/tests/bench/$(b),tests/bench/torus/$(b).c \
    tests/bench/torus/yard.c tests/bench/torus/crowd.c,$(BENCH_TORUS_INC),$(B)/lib/libtern.a $(SIM_LIBS))))
$(B)/tests/bench/bcast $(B)/tests/bench/depth: | $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/bcast $(B)/tests/bench/depth

$(eval $(call c_program,$(B)/tests/bench/rendezvous,tests/bench/torus/rendezvous.c \
    tests/bench/torus/path.c tests/bench/torus/forms.c tests/bench/torus/meeting.c tests/bench/torus/yard.c,$(BENCH_TORUS_INC),$(B)/lib/libtern.a $(SIM_LIBS)))
$(B)/tests/bench/rendezvous: | $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/rendezvous

# ---- the same set-up for tests: faults on the wires, and incast ----
TORUS_TEST_INC := $(BENCH_TORUS_INC) -Itests/system/rig
$(foreach t,torus_faults torus_soak torus_lost torus_checkin torus_rendezvous torus_ends,$(eval $(call c_program,$(B)/tests/system/$(t),tests/system/torus/$(t).c \
    tests/bench/torus/yard.c tests/bench/torus/crowd.c tests/system/rig/rig.c,$(TORUS_TEST_INC),\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS))))
$(eval $(call c_program,$(B)/tests/system/torus_messages,tests/system/torus/torus_messages.c \
    tests/bench/torus/forms.c tests/bench/torus/meeting.c tests/bench/torus/yard.c tests/system/rig/rig.c,$(TORUS_TEST_INC),\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(eval $(call c_program,$(B)/tests/system/torus_failures,tests/system/torus/torus_failures.c \
    tests/system/torus/rooms.c tests/bench/torus/yard.c tests/system/rig/rig.c,$(TORUS_TEST_INC) -Itests/system/torus,\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(eval $(call c_program,$(B)/tests/system/torus_linear,tests/system/torus/torus_linear.c \
    tests/bench/torus/yard.c tests/system/rig/rig.c,$(TORUS_TEST_INC) -Itests/tools/linear,\
    $(B)/tests/tools/liblinear.a $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(eval $(call c_program,$(B)/tests/system/torus_chains,tests/system/torus/torus_chains.c \
    tests/bench/torus/yard.c tests/system/rig/rig.c,$(TORUS_TEST_INC) -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/transport,\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(eval $(call c_program,$(B)/tests/system/torus_rest,tests/system/torus/torus_rest.c \
    tests/bench/torus/yard.c tests/system/rig/rig.c tests/system/rig/rig_sim.c,$(TORUS_TEST_INC),\
    $(B)/lib/libtern.a $(SIM_LIBS)))
# The tree network, with 64 bits and in the full configuration; this program has no other models.
$(eval $(call c_program,$(B)/tests/system/torus_tree,tests/system/torus/torus_tree.c \
    tests/bench/torus/yard.c tests/system/rig/rig.c,$(TORUS_TEST_INC) -Ihw-model/model,\
    $(B)/lib/libtern.a $(call sim_libs,$(MODEL_FULLTREE) $(MODEL_TREE))))
$(B)/tests/system/torus_tree_full: $(B)/tests/system/torus_tree $(this_fragment)
	$(call say,TEST,$@) mkdir -p $(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nTIER=rtl MODEL=fulltree exec %s\n' $< > $@ && chmod +x $@
TESTS_system += $(B)/tests/system/torus_tree_full
$(B)/tests/system/torus_tree_31: $(B)/tests/system/torus_tree $(this_fragment)
	$(call say,TEST,$@) mkdir -p $(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nTIER=rtl exec %s 31\n' $< > $@ && chmod +x $@
TESTS_system += $(B)/tests/system/torus_tree_31
# The same operations with the tree network, on the torus alone and by puts, in one run.
$(eval $(call c_program,$(B)/tests/system/torus_collectives,tests/system/torus/torus_collectives.c host-driver/tools/tree_of_puts.c \
    hw-model/model/tern_model.c tests/bench/torus/yard.c tests/system/rig/rig.c,$(TORUS_TEST_INC) -Ihost-driver/tools '-DTERN_MODEL_KINDS=&tern_model_kind_tree_2',\
    $(B)/lib/libtern.a $(call sim_libs,$(MODEL_TREE))))
$(B)/tests/system/torus_collectives_31: $(B)/tests/system/torus_collectives $(this_fragment)
	$(call say,TEST,$@) mkdir -p $(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nTIER=rtl exec %s 31\n' $< > $@ && chmod +x $@
TESTS_system += $(B)/tests/system/torus_collectives_31
TORUS_TESTS := $(addprefix $(B)/tests/system/,torus_faults torus_soak torus_lost torus_checkin torus_rendezvous torus_messages torus_failures torus_linear torus_ends torus_chains torus_rest torus_tree torus_collectives)
$(TORUS_TESTS): | $(B)/fw/tern-fw.elf
TESTS_system += $(TORUS_TESTS)

soak-torus: $(B)/tests/system/torus_soak ## 20 M node-cycles of broadcasts, puts and messages at once
	$(Q)$< 20000000

soak-faults: $(B)/tests/system/torus_faults ## 200 seeds of faults on wires
	$(Q)$< 200

depth-long: $(B)/tests/bench/depth ## latency of 8-byte broadcasts to 8 to 512 nodes: half an hour
	$(Q)mkdir -p $(B)/bench && TERN_PATIENCE=3600 $< long

soak-failures: $(B)/tests/system/torus_failures ## 2000 seeds of failures of puts with a handshake on soft, 40 on rtl
	$(Q)TIER=soft $< 2000
	$(Q)$< 40

.PHONY: soak-torus soak-faults depth-long soak-failures
