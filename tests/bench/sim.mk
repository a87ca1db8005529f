# SPDX-License-Identifier: Apache-2.0
# The speed of the simulator with every node busy.

BENCH_SIM := $(B)/tests/bench/nodes
$(eval $(call c_program,$(BENCH_SIM),tests/bench/sim/nodes.c $(TRAFFIC_SRC),$(TRAFFIC_INC),\
    $(B)/lib/libtern.a $(SIM_LIBS)))
$(BENCH_SIM): | $(B)/fw/tern-fw.elf
BENCHES += $(BENCH_SIM)
