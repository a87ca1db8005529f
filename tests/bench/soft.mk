# SPDX-License-Identifier: Apache-2.0
# The soft tier's speed compared with that of rtl.

BENCH_SOFT := $(B)/tests/bench/speed
$(eval $(call c_program,$(BENCH_SOFT),tests/bench/soft/speed.c tests/bench/rtl/lab.c,$(BENCH_RTL_INC),\
    $(B)/lib/libtern.a $(SIM_LIBS)))
$(BENCH_SOFT): $(B)/fw/tern-fw.elf
BENCHES += $(BENCH_SOFT)
