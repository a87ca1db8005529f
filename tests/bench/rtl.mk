# SPDX-License-Identifier: Apache-2.0
# Benchmarks that run driver, firmware and chip in one process.

BENCH_RTL_INC := -Ihost-driver/include -Ihw-model/abi -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/bench/rtl -Ihost-driver/data/slabs -Ihost-driver/data/tasks
define rtl_bench
$(call c_program,$(B)/tests/bench/$(1),$(addprefix tests/bench/rtl/,$(1).c figures.c lab.c),$(BENCH_RTL_INC),\
    $(B)/lib/libtern.a $(SIM_LIBS))
$(B)/tests/bench/$(1): $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/$(1)
endef
$(eval $(call rtl_bench,put))
$(eval $(call rtl_bench,atomic))
$(eval $(call rtl_bench,read))
$(eval $(call rtl_bench,beside))
$(eval $(call rtl_bench,lookup))
$(eval $(call rtl_bench,alloc))
$(eval $(call rtl_bench,sets))
$(eval $(call rtl_bench,tasks))
$(eval $(call rtl_bench,messages))

# ---- gates that hold on every machine: they are in cycles of the simulated clock ----
# Each benchmark takes less than 20 CPU seconds.
define rtl_bars
$(B)/tests/bench/bars/$(1)_bars: $(this_fragment) | $(B)/tests/bench/$(1)
	$$(call say,BARS,$$@) mkdir -p $$(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nexec sh tests/bench/rtl/bench_bars.sh %s\n' $(1) > $$@ && chmod +x $$@
TESTS_check += $(B)/tests/bench/bars/$(1)_bars
endef
$(foreach b,put atomic read beside lookup alloc sets tasks messages,$(eval $(call rtl_bars,$(b))))

# Gets of caches beside other ways to the same bytes.
BENCH_CACHES := $(B)/tests/bench/caches
$(eval $(call c_program,$(BENCH_CACHES),tests/bench/rtl/caches.c tests/bench/rtl/figures.c tests/bench/rtl/lab.c tests/system/driver/heap_yard.c \
    $(addprefix tests/system/rig/,rig.c rig_sim.c),$(BENCH_RTL_INC) -Itests/bench -Itests/system/rig -Itests/system/driver,\
    $(B)/lib/libtern.a $(SIM_LIBS) -Xlinker --wrap=tern_doorbell -Xlinker --wrap=tern_doorbell_inline))
$(BENCH_CACHES): $(B)/fw/tern-fw.elf
BENCHES += $(BENCH_CACHES)
bench-caches: $(BENCH_CACHES) ## cycles of gets of a cache, beside reads and a call that a host answers
	$(Q)$<

# Heaps beside other ways to allocate.
BENCH_HEAPS := $(B)/tests/bench/heaps
$(eval $(call c_program,$(BENCH_HEAPS),tests/bench/rtl/heaps.c tests/bench/rtl/figures.c tests/bench/rtl/lab.c tests/bench/lines.c tests/bench/svg.c tests/system/driver/heap_yard.c \
    $(addprefix tests/system/rig/,rig.c rig_sim.c),$(BENCH_RTL_INC) -Itests/bench -Itests/system/rig -Itests/system/driver,\
    $(B)/lib/libtern.a $(SIM_LIBS) -Xlinker --wrap=tern_doorbell -Xlinker --wrap=tern_doorbell_inline -lm))
$(BENCH_HEAPS): $(B)/fw/tern-fw.elf
BENCHES += $(BENCH_HEAPS)
bench-heaps: $(BENCH_HEAPS) ## allocations of 1 to 64 clients in four ways, and a plot in build/bench/heaps.svg
	$(Q)mkdir -p $(B)/bench && $< $(B)/bench/heaps.svg

.PHONY: bench-heaps bench-caches
