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

# Posted writes: driver.mk has the program.
posts-killed: $(B)/tests/system/driver_posts_killed ## kills posters and simulators while they share memory: KILLS=1000 on soft, KILLS_RTL=20 on rtl, SEED=1
	@TIER=soft $< --kills $(KILLS) --seed $(SEED) && TIER=rtl $< --kills $(KILLS_RTL) --seed $(SEED)

.PHONY: posts-killed

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

# Members of a pool: driver.mk has the program.
PAUSES ?= 1000
PAUSES_RTL ?= 5
pauses: $(B)/tests/system/driver_pauses ## pauses and kills members of a pool: PAUSES=1000 of each on soft, PAUSES_RTL=5 on rtl, SEED=1
	@if TIER=soft $< --pauses $(PAUSES) --kills $(PAUSES) --seed $(SEED) && \
	    TIER=rtl $< --pauses $(PAUSES_RTL) --kills $(PAUSES_RTL) --seed $(SEED); \
	then echo "pauses: PASS: $(PAUSES) of each on soft, $(PAUSES_RTL) on rtl, seed $(SEED)"; \
	else echo "pauses: FAIL: seed $(SEED)"; exit 1; fi

DEATHS ?= 134
DEATHS_RTL ?= 4
deaths: $(B)/tests/system/driver_dags_deaths ## kills and pauses workers of graphs: DEATHS=134 graphs on soft, DEATHS_RTL=4 on rtl, three victims each
	@if TIER=soft ROUNDS=$(DEATHS) $< && TIER=rtl ROUNDS=$(DEATHS_RTL) $<; \
	then echo "deaths: PASS: $(DEATHS) graphs on soft, $(DEATHS_RTL) on rtl"; \
	else echo "deaths: FAIL"; exit 1; fi

.PHONY: deaths pauses

# What is behind the check of a key when it is released: the pool's own functions, one step at a time.
DRAIN := $(B)/tests/system/driver_drain
$(eval $(call c_program,$(DRAIN),tests/system/driver/drain.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    -Itests/system/rig -Ihost-driver/include -Ihost-driver/services/pool -Ihw-model/abi -Isim -Isim/net -Isim/host -Ihw-model/model,\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(DRAIN): | $(B)/fw/tern-fw.elf
TESTS_system += $(DRAIN)

# A heap, its server and its members in one process.  heap_yard_test,NAME,MORE FILES,LINKER FLAGS
define heap_yard_test
$(call c_program,$(B)/tests/system/driver_$(1),$(addprefix tests/system/driver/,$(1).c heap_yard.c $(2)) $(addprefix tests/system/rig/,rig.c rig_sim.c) \
    $(addprefix tests/system/chaos/,plan.c numbers.c),-Itests/system/rig -Itests/system/chaos -Itests/system/driver -Ihost-driver/include -Ihw-model/abi -Isim -Isim/net -Isim/host -Ihw-model/model,\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS) -Xlinker --wrap=tern_doorbell -Xlinker --wrap=tern_doorbell_inline $(3))
$(B)/tests/system/driver_$(1): | $(B)/fw/tern-fw.elf
TESTS_system += $(B)/tests/system/driver_$(1)
endef
$(eval $(call heap_yard_test,heap_laws))
$(eval $(call heap_yard_test,heap_patterns))

PATTERNS ?= 1000000
PATTERNS_RTL ?= 1000
patterns: $(B)/tests/system/driver_heap_patterns ## allocates by known patterns: PATTERNS=1000000 operations of each on soft, PATTERNS_RTL=1000 on rtl, SEED=1
	@if TIER=soft $< --operations $(PATTERNS) --seed $(SEED) && \
	    TIER=rtl $< --operations $(PATTERNS_RTL) --seed $(SEED); \
	then echo "patterns: PASS: $(PATTERNS) operations of each on soft, $(PATTERNS_RTL) on rtl, seed $(SEED)"; \
	else echo "patterns: FAIL: seed $(SEED)"; exit 1; fi

.PHONY: patterns
$(eval $(call heap_yard_test,heap_nodes))

# A table whose hash is weak, against one of the test's own.
WEAK_HASH := $(B)/tests/system/driver_weak_hash
$(eval $(call c_program,$(WEAK_HASH),tests/system/driver/weak_hash.c $(addprefix tests/system/rig/,rig.c rig_sim.c) \
    $(addprefix tests/system/chaos/,plan.c numbers.c),-Itests/system/rig -Itests/system/chaos -Ihost-driver/include -Ihw-model/abi -Isim -Isim/net -Isim/host -Ihw-model/model,\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(WEAK_HASH): | $(B)/fw/tern-fw.elf
TESTS_system += $(WEAK_HASH)

WEAK ?= 100000
weak-hash: $(WEAK_HASH) ## changes a table whose hash is weak: WEAK=100000 operations on soft, SEED=1
	@if TIER=soft $< --operations $(WEAK) --seed $(SEED); \
	then echo "weak-hash: PASS: $(WEAK) operations on soft, seed $(SEED)"; \
	else echo "weak-hash: FAIL: seed $(SEED)"; exit 1; fi

.PHONY: weak-hash

# Its clock is the test's own.
$(eval $(call heap_yard_test,gaps,,-Xlinker --wrap=clock_gettime))

# Eviction of caches, by the simulator's clock.
$(eval $(call heap_yard_test,cache_ratio,,-Xlinker --wrap=clock_gettime -lm))

# On soft alone: the evictions of a run take minutes on rtl.
TESTS_system := $(filter-out %/driver_cache_ratio,$(TESTS_system))

# Promises of a cache in time, by the same clock.
$(eval $(call heap_yard_test,cache_time,,-Xlinker --wrap=clock_gettime -Xlinker --wrap=time))

REQUESTS ?= 10000
eviction: $(B)/tests/system/driver_cache_ratio ## hit ratio of a cache beside exact models: REQUESTS=10000 of each cluster on soft, SEED=1
	@TIER=soft $< --requests $(REQUESTS) --seed $(SEED)

# Changes of a map, told to many clients.
CACHE_MAPS := $(B)/tests/system/driver_cache_maps
$(eval $(call c_program,$(CACHE_MAPS),tests/system/driver/cache_maps.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    -Itests/system/rig -Ihost-driver/include -Ihw-model/abi -Isim -Isim/net -Isim/host -Ihw-model/model,\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS) -Xlinker --wrap=clock_gettime))
$(CACHE_MAPS): | $(B)/fw/tern-fw.elf
TESTS_system += $(CACHE_MAPS)

cache-maps: $(CACHE_MAPS) ## packets of a change of a cache's map, for 1 to 26 clients on 3x3x3 nodes: TIER=rtl or soft
	@TIER=$(TIER) $< 26

.PHONY: eviction cache-maps
