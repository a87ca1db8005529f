# SPDX-License-Identifier: Apache-2.0
# What a call costs, from C and from Python.

CALLS_COST := $(B)/tests/bench/calls_cost
$(eval $(call c_program,$(CALLS_COST),tests/bench/calls/cost.c,$(DRV_PUBLIC) -Itests/bench/calls,$(LIBTERN_A)))
CALLS_BEAT := $(B)/tests/bench/calls_first_beat
$(eval $(call c_program,$(CALLS_BEAT),tests/bench/calls/first_beat.c tests/bench/rtl/lab.c,$(DRV_PUBLIC) -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/bench/rtl -Itests/bench/calls,$(B)/lib/libtern.a $(SIM_LIBS)))
$(CALLS_BEAT): $(B)/fw/tern-fw.elf
CALLS_MARK := $(B)/tests/bench/calls_mark.so
$(eval $(call c_shared,$(CALLS_MARK),tests/bench/calls/mark.c,,))
CALLS_NEEDS := $(CALLS_COST) $(CALLS_BEAT) $(CALLS_MARK) $(if $(PYTHON_CFLAGS),$(TERN_PY)) $(TERN_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
tests/bench/calls/calls.sh tests/system/python/cost.sh: $(CALLS_NEEDS)
BENCHES += tests/bench/calls/calls.sh
