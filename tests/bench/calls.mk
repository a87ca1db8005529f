# SPDX-License-Identifier: Apache-2.0
# The costs of a call, from C and from Python.

CALLS_COST := $(B)/tests/bench/calls_cost
$(eval $(call c_program,$(CALLS_COST),tests/bench/calls/cost.c,$(DRV_PUBLIC) -Itests/bench/calls,$(LIBTERN_A)))
CALLS_BEAT := $(B)/tests/bench/calls_first_beat
$(eval $(call c_program,$(CALLS_BEAT),tests/bench/calls/first_beat.c tests/bench/rtl/lab.c,$(DRV_PUBLIC) -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/bench/rtl -Itests/bench/calls,$(B)/lib/libtern.a $(SIM_LIBS)))
$(CALLS_BEAT): $(B)/fw/tern-fw.elf
CALLS_MARK := $(B)/tests/bench/calls_mark.so
$(eval $(call c_shared,$(CALLS_MARK),tests/bench/calls/mark.c,,))
CALLS_NEEDS := $(CALLS_COST) $(CALLS_BEAT) $(CALLS_MARK) $(if $(PYTHON_CFLAGS),$(TERN_PY)) $(TERN_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
tests/bench/calls/calls.sh tests/system/python/call_costs.sh: $(CALLS_NEEDS)
BENCHES += tests/bench/calls/calls.sh

# ---- streams of calls that services make, recorded and played through tables of several sizes
CALLS_RECORD := tests/bench/calls/record.c
CALLS_WRAP   := -Xlinker --wrap=tern_post -Xlinker --wrap=tern_post_for
CALLS_INC    := $(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos -Itests/system/driver -Itests/bench/calls
$(eval $(call c_program,$(B)/tests/bench/calls_record_heap,$(CALLS_RECORD) $(addprefix tests/system/driver/,heap_patterns.c heap_yard.c) $(addprefix tests/system/rig/,rig.c rig_sim.c) \
    $(addprefix tests/system/chaos/,plan.c numbers.c),$(CALLS_INC) -Isim -Isim/net -Isim/host -Ihw-model/model,\
    $(B)/lib/libtern.a $(SIM_LIBS) -Xlinker --wrap=tern_doorbell -Xlinker --wrap=tern_doorbell_inline $(CALLS_WRAP)))
$(eval $(call c_program,$(B)/tests/bench/calls_record_cache,$(CALLS_RECORD) $(addprefix tests/system/driver/,caches_linear.c pool_rig.c) $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(CALLS_INC) -Itests/tools/linear,$(LIBTERN_A) $(B)/tests/tools/liblinear.a $(CALLS_WRAP)))
$(eval $(call c_program,$(B)/tests/bench/calls_record_dag,$(CALLS_RECORD) $(addprefix tests/system/driver/,dags.c dag_rig.c pool_rig.c) $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(CALLS_INC) $(call drv_roots,services/dag),$(LIBTERN_A) $(JANSSON_LIBS) $(CALLS_WRAP)))
$(eval $(call c_program,$(B)/tests/bench/calls_replay,tests/bench/calls/replay.c $(addprefix tests/bench/,rtl/lab.c lines.c svg.c),$(DRV_PUBLIC) -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/bench/rtl -Itests/bench -Itests/bench/calls,\
    $(B)/lib/libtern.a $(SIM_LIBS) -Xlinker --wrap=tern_desc_post -lm))
tests/bench/calls/ratio.sh: $(B)/tests/system/dag_functions.so $(addprefix $(B)/tests/bench/calls_,record_heap record_cache record_dag replay) $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
BENCHES += tests/bench/calls/ratio.sh
