# SPDX-License-Identifier: Apache-2.0
#
# System tests that also run on the soft tier, with the same expectations. Each is a separate
# program that selects it by its environment (tests/system/rig/rig_tier.h).

SOFT_TESTS := \
    tests/chaos/chaos \
    tests/chaos/calls \
    tests/chaos/refused \
    tests/chaos/core_reset \
    tests/chaos/power_cycle \
    tests/chaos/function_reset \
    tests/system/sim_lost_writes \
    tests/hostile/hostile_process \
    tests/hostile/hostile_peer \
    tests/accept/bad_input \
    tests/accept/bad_atomics \
    tests/accept/bad_reads \
    tests/accept/bad_lookups \
    tests/accept/shared_nic \
    tests/accept/wire \
    tests/system/driver_puts \
    tests/system/driver_groups \
    tests/system/driver_collectives \
    tests/system/driver_rendezvous \
    tests/system/driver_gets \
    tests/system/driver_atomics \
    tests/system/driver_allocs \
    tests/system/driver_tasks \
    tests/system/driver_tasks_once \
    tests/system/driver_lookups \
    tests/system/driver_shared_table \
    tests/system/driver_shared_sets \
    tests/system/driver_reads \
    tests/system/driver_pairs \
    tests/system/driver_pairs_apart \
    tests/system/driver_chains \
    tests/system/driver_in_flight \
    tests/system/driver_works \
    tests/system/driver_posts \
    tests/system/driver_posts_killed \
    tests/system/driver_call_cache \
    tests/system/driver_pools \
    tests/system/driver_pools_kept \
    tests/system/driver_heaps \
    tests/system/driver_pauses \
    tests/system/driver_drain \
    tests/system/driver_heap_laws \
    tests/system/driver_gaps \
    tests/system/driver_cache_ratio \
    tests/system/driver_cache_time \
    tests/system/driver_cache_maps \
    tests/system/driver_cache_outage \
    tests/system/driver_heap_patterns \
    tests/system/driver_heap_nodes \
    tests/system/driver_outage \
    tests/system/driver_caches \
    tests/system/driver_caches_kept \
    tests/system/driver_caches_linear \
    tests/system/driver_dags \
    tests/system/driver_dags_deaths \
    tests/system/driver_dags_fans \
    tests/system/driver_dags_makespan \
    tests/system/driver_caches_torn \
    tests/system/driver_weak_hash \
    tests/system/sim_node \
    tests/system/sim_daemon \
    tests/system/sim_torus \
    tests/system/sim_flood \
    tests/system/torus_faults \
    tests/system/torus_soak \
    tests/system/torus_lost \
    tests/system/torus_checkin \
    tests/system/torus_rendezvous \
    tests/system/torus_messages \
    tests/system/torus_failures \
    tests/system/torus_linear \
    tests/system/torus_ends \
    tests/system/torus_chains \
    tests/system/torus_tree \
    tests/system/torus_collectives

# soft_test,PROGRAM: the path of its program on soft, and the rule that makes it.
soft_test = $(B)/tests/soft/soft_$(notdir $(1))
define soft_script
$(call soft_test,$(1)): $(2) $(this_fragment)
	$$(call say,SOFT,$$@) mkdir -p $$(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nTIER=soft exec %s\n' $(2) > $$@ && chmod +x $$@
TESTS_system += $(call soft_test,$(1))
endef

$(foreach t,$(SOFT_TESTS),$(eval $(call soft_script,$(t),$(B)/$(t))))
$(eval $(call soft_script,transfers,tests/system/demo/transfers.sh))
$(eval $(call soft_script,bcast,tests/system/demo/bcast.sh))
$(eval $(call soft_script,lock,tests/system/demo/lock.sh))
$(eval $(call soft_script,table,tests/system/demo/table.sh))
$(eval $(call soft_script,alloc,tests/system/demo/alloc.sh))
$(eval $(call soft_script,dag,tests/system/demo/dag.sh))
$(eval $(call soft_script,collective,tests/system/demo/collective.sh))
$(eval $(call soft_script,first_steps,tests/system/demo/first_steps.sh))
$(eval $(call soft_script,examples,tests/system/driver/examples.sh))
$(eval $(call soft_script,tour,tests/system/demo/tour.sh))
$(eval $(call soft_script,cached,tests/system/cached/cached.sh))
$(eval $(call soft_script,python,tests/system/python/module.sh))
$(eval $(call soft_script,demo_cache,tests/system/demo/cache.sh))

TESTS_system += tests/system/demo/soft_demo.sh
tests/system/demo/soft_demo.sh: $(DEMO_NEEDS)

SOFT_RING := $(B)/tests/system/soft_ring
$(eval $(call c_program,$(SOFT_RING),tests/system/soft/soft_ring.c $(addprefix tests/system/rig/,rig.c rig_sim.c),-Itests/system/rig -Ihost-driver/include -Ihw-model/abi -Isim \
    -Isim/net -Isim/host -Ihw-model/model,$(B)/lib/libtern.a $(SIM_LIBS)))
$(SOFT_RING): | $(B)/fw/tern-fw.elf
TESTS_system += $(SOFT_RING)

SOFT_BOXES := $(B)/tests/system/soft_boxes
$(eval $(call c_program,$(SOFT_BOXES),tests/system/soft/soft_boxes.c $(addprefix tests/system/rig/,rig.c rig_sim.c),-Itests/system/rig -Ihost-driver/include -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue \
    -Ihost-driver/transport -Ihw-model/abi -Isim -Isim/net -Isim/host -Ihw-model/model,$(B)/lib/libtern.a $(SIM_LIBS)))
$(SOFT_BOXES): | $(B)/fw/tern-fw.elf
TESTS_system += $(SOFT_BOXES)
$(eval $(call soft_script,bug,tests/example/bug/bug.sh))
