# SPDX-License-Identifier: Apache-2.0

dag-peers: $(TERN_BIN) $(B)/fw/tern-fw.elf ## empty tasks by `tern dag`, GNU make and Dask on this machine: TASKS=10000
	@B=$(B) sh tests/bench/dag/peers.sh

.PHONY: dag-peers

# The overhead of a node, by patterns of Task Bench, beside a central scheduler.
$(eval $(call c_program,$(B)/tests/bench/dag_metg,$(addprefix tests/bench/dag/,dag_metg.c central.c) \
    $(addprefix tests/system/driver/,dag_rig.c pool_rig.c) $(addprefix tests/system/chaos/,child.c plan.c) tests/system/rig/rig.c,\
    $(DRV_PUBLIC) -Itests/bench/dag -Itests/system/rig -Itests/system/chaos -Itests/system/driver,$(LIBTERN_A)))
$(B)/tests/bench/dag_metg: | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf

dag-metg: $(B)/tests/bench/dag_metg ## round trips for a node of a graph, by patterns of Task Bench: 64 nodes on soft, 8 on rtl
	$(Q)TIER=soft $< && TIER=rtl $<

.PHONY: dag-metg
