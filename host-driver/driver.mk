# SPDX-License-Identifier: Apache-2.0
# The host driver: libtern, the `tern` command, the example, installation.

# --- the floors of the library, each with the folders that it may include from (tests/check/floors.def)
# drv_floor,FOLDER,FILES,ROOTS: sets OBJS_driver/FOLDER
drv_floor = $(eval $(call c_objects,driver/$(1),$(addprefix host-driver/$(1)/,$(2)),$(3)))
drv_roots = $(addprefix -Ihost-driver/,$(1))

DRV_PUBLIC := -Ihost-driver/include -Ihw-model/abi
DRV_DEVICE := $(DRV_PUBLIC) $(call drv_roots,transport core/device)
DRV_QUEUE  := $(DRV_DEVICE) $(call drv_roots,core/queue)
DRV_OP     := $(DRV_QUEUE) $(call drv_roots,core/op)
# All internal headers, for tests.
DRV_CORE_INC := $(DRV_OP) $(call drv_roots,core core/pair core/group)

$(call drv_floor,transport,client.c message.c stream.c bells.c,-Ihw-model/abi)
$(call drv_floor,core/device,admin.c cqring.c device.c events.c fork.c logtext.c names.c region.c registers.c shared.c stats.c wait.c,$(DRV_DEVICE))
$(call drv_floor,core/queue,chain.c completion.c counter.c cq.c format.c places.c post.c ring.c rq.c sq.c steps.c work.c,$(DRV_QUEUE))
$(call drv_floor,core/op,atomic.c chase.c checkin.c linked.c prepared.c put.c read.c remote_get.c tree.c,$(DRV_OP))
$(call drv_floor,core/pair,inbox.c pair.c pair_end.c pair_nic.c pair_post.c,$(DRV_OP))
$(call drv_floor,core/group,arena.c box.c group.c rendezvous.c,$(DRV_OP))
$(call drv_floor,data/slabs,grace.c slabs.c slabs_sweep.c,$(DRV_PUBLIC))
$(call drv_floor,data/table,crc.c lookup.c siphash.c table.c table_change.c table_layout.c table_posts.c table_shared.c table_sweep.c,$(DRV_PUBLIC) $(call drv_roots,data/slabs))
$(call drv_floor,data/tasks,task_words.c tasks.c tasks_push.c tasks_run.c tasks_wait.c tasks_sweep.c,$(DRV_PUBLIC) $(call drv_roots,data/slabs))
$(call drv_floor,services/pool,admit.c deaths.c ground.c join.c keeper.c keys.c lookers.c member.c move.c pool.c serve.c,$(DRV_PUBLIC))
$(call drv_floor,services/alloc,alloc.c async.c blocks.c classes.c fast.c free.c give.c heap.c literal.c look.c ops.c owner.c places.c steps.c stock.c sweep.c tail.c words.c,$(DRV_PUBLIC))

$(call drv_floor,services/call,calls.c flat.c known.c objects.c plan.c prepare.c table.c,$(DRV_PUBLIC))

$(call drv_floor,services/cache,big.c delta.c evict.c get.c gets.c load.c map.c need.c open.c renew.c request.c ring.c room.c samples.c server.c set.c update.c wait.c walk.c,$(DRV_PUBLIC))

$(call drv_floor,services/collective,by_tree.c combine.c first.c go.c join_tree.c member.c memory.c parts.c post.c send.c team.c,$(DRV_PUBLIC))

$(call drv_floor,services/dag,areas.c attempt.c base.c broadcast.c check.c claim.c command.c draw.c fans.c graph.c joins.c library.c makefile.c operate.c publish.c ready.c record.c rounds.c run.c space.c status.c text.c trace.c wfformat.c work.c,$(DRV_PUBLIC))

LIBTERN_A  := $(B)/lib/libtern.a
LIBTERN_SO := $(B)/lib/libtern.so

LIBTERN_FLOORS := transport $(addprefix core/,device queue op pair group) $(addprefix data/,slabs table tasks) $(addprefix services/,pool alloc call cache dag collective)
LIBTERN_OBJS := $(foreach floor,$(LIBTERN_FLOORS),$(OBJS_driver/$(floor)))

$(LIBTERN_A): $(LIBTERN_OBJS)
	$(call say,AR,$@) mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

# The library exports exactly what the installed headers declare.
LIBTERN_MAP := $(B)/lib/libtern.map
PUBLIC_HEADERS := $(wildcard host-driver/include/tern/*.h)
$(LIBTERN_MAP): host-driver/exports.sh $(PUBLIC_HEADERS) hw-model/abi/tern_abi.h
	$(call say,MAP,$@) mkdir -p $(@D) && { echo 'TERN_0 { global:'; \
	    CC='$(CC)' sh host-driver/exports.sh $(PUBLIC_HEADERS) | sed 's/$$/;/'; echo 'local: *; };'; } > $@

$(LIBTERN_SO): $(LIBTERN_OBJS) $(LIBTERN_MAP)
	$(call say,LD,$@) mkdir -p $(@D) && $(CC) $(LDFLAGS) -shared -Wl,-soname,libtern.so.0 \
	    -Wl,--version-script=$(LIBTERN_MAP) -o $@ $(LIBTERN_OBJS) $(JANSSON_LIBS)

# The version of the library and of the command, which pkg-config also reports.
TERN_VERSION := $(shell sed -n "s/^Version: //p" host-driver/tern.pc.in)

TERN_BIN := $(B)/bin/tern
DRV_TOOLS := $(addprefix host-driver/tools/, tern.c tool.c cache.c collective.c tree_of_puts.c dag.c dag_run.c show.c put.c probe.c send_file.c \
               recv_file.c bcast_file.c lock.c table.c alloc.c run.c asker.c owner.c top.c top_row.c doctor.c peer.c filemsg.c payload.c outgoing.c progress.c sha256.c)
$(eval $(call c_program,$(TERN_BIN),$(DRV_TOOLS),$(DRV_PUBLIC) -Ihost-driver/tools -DTERN_VERSION_TEXT=\"$(TERN_VERSION)\",$(LIBTERN_A) $(CRYPTO_LIBS) $(JANSSON_LIBS)))

driver: $(LIBTERN_A) $(LIBTERN_SO) $(TERN_BIN) ## the host driver library and the tern command
ALL += $(LIBTERN_A) $(LIBTERN_SO) $(TERN_BIN)

# ---- the demo
DEMO_REPORT := $(B)/bin/demo-report
$(eval $(call c_program,$(DEMO_REPORT),host-driver/tools/demo_report.c,-Ihw-model/abi,$(JANSSON_LIBS)))

# A simulator in the same process gives the figures in cycles, so that they do not depend on a
# scheduler.
DEMO_CYCLES := $(B)/bin/demo-cycles
$(eval $(call c_program,$(DEMO_CYCLES),host-driver/tools/demo/cycles.c,$(DRV_PUBLIC) -Ihost-driver/tools -Isim -Isim/node -Isim/net -Isim/host -Ihw-model/model,$(LIBTERN_A) $$(SIM_LIBS)))
# Given by name because their variables are not yet set when make reads this.
$(DEMO_CYCLES): $(addprefix $(B)/lib/,libternsim.a libternsoft.a libternmodel.a libternmodel6.a libternmodel-board.a libternmodel-tree.a) $(B)/fw/native/libfw.a $(B)/fw/libelfimage.a

DEMO_NEEDS := $(TERN_BIN) $(DEMO_CYCLES) $(DEMO_REPORT) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
FILE  ?= $(B)/fw/tern-fw.elf
NODES ?= 4
TIER  ?= rtl

demo: $(DEMO_NEEDS) ## moves a file over a ring of NICs, then to all of a torus, takes a lock everywhere, looks keys up, adds up on all nodes [FILE=path] [NODES=n] [BUFFER=bytes] [TIER=rtl or soft]
	$(Q)B=$(B) TIER=$(TIER) sh host-driver/tools/demo.sh '$(FILE)' '$(NODES)' '$(BUFFER)'
	$(Q)B=$(B) TIER=$(TIER) sh host-driver/tools/demo_bcast.sh '$(FILE)'
	$(Q)B=$(B) TIER=$(TIER) sh host-driver/tools/demo_lock.sh
	$(Q)B=$(B) TIER=$(TIER) sh host-driver/tools/demo_table.sh
	$(Q)B=$(B) TIER=$(TIER) sh host-driver/tools/demo_collective.sh

# ---- the examples
EXAMPLES := put get message pair atomic lookup broadcast allreduce cache one_host dag
$(foreach e,$(EXAMPLES),$(eval $(call c_program,$(B)/examples/$(e),examples/$(e).c,$(DRV_PUBLIC),$(LIBTERN_A))))
ALL += $(EXAMPLES:%=$(B)/examples/%)
TESTS_system += tests/system/driver/examples.sh
tests/system/driver/examples.sh: $(EXAMPLES:%=$(B)/examples/%) $(TERN_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf

# ---- man pages: of the command from its own help, of the functions from the headers' comments
MAN := $(B)/man/man1/tern.1 $(B)/man/man3/tern.3
$(B)/man/man1/tern.1: host-driver/tools/man1.sh host-driver/tools/exits.def $(TERN_BIN) $(B)/bin/tern-sim $(B)/bin/tern-bridge $(B)/bin/tern-profile
	$(call say,MAN,$@) mkdir -p $(@D) && B=$(B) sh host-driver/tools/man1.sh > $@
$(B)/man/man3/tern.3: host-driver/tools/man3.awk $(wildcard host-driver/include/tern/*.h)
	$(call say,MAN,$@) rm -rf $(@D) && mkdir -p $(@D) && \
	awk -v dir=$(@D) -v version='tern $(TERN_VERSION)' -f $(filter-out %tern.h,$^) host-driver/include/tern/tern.h
ALL += $(MAN)

# ---- installation
# The part of the contract for applications, as enumerators that grep finds.
LIBTERN_ABI := $(B)/lib/include/tern_abi.h
$(LIBTERN_ABI): $(B)/abi/abigen
	$(call say,ABI,$@) mkdir -p $(@D) && $(B)/abi/abigen h > $@
ALL += $(LIBTERN_ABI)

PREFIX ?= /usr/local

# All build products that host-driver/tools/install.sh copies.
INSTALLED := $(MAN) $(LIBTERN_A) $(LIBTERN_SO) $(LIBTERN_ABI) $(TERN_BIN) $(B)/bin/tern-sim $(B)/bin/tern-bridge $(B)/bin/tern-profile $(B)/bin/tern-cached \
             $(addprefix $(B)/fw/,tern-fw.elf tern-fw.img tern-fw-lean.elf tern-fw-lean.img)

install: $(INSTALLED) ## installs below PREFIX=folder (/usr/local)
	$(Q)B=$(B) sh host-driver/tools/install.sh '$(DESTDIR)' '$(PREFIX)'

# The tour of README on rtl; `make test` types it on soft.
tour: tests/system/demo/tour.sh ## types the tour of README into a shell [TIER=rtl or soft]
	$(Q)B=$(B) TIER=$(TIER) sh tests/system/demo/tour.sh

.PHONY: driver demo install tour

# ---- unit tests
DRV_TEST_INC := $(DRV_CORE_INC) $(call drv_roots,data/slabs data/table data/tasks) -Itests/unit/driver
$(eval $(call c_program,$(B)/tests/unit/driver_rings,tests/unit/driver/driver_rings.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_client,tests/unit/driver/driver_client.c tests/unit/driver/fake_nic.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_tools,$(addprefix host-driver/tools/,filemsg.c progress.c sha256.c top_row.c) tests/unit/driver/driver_tools.c,$(DRV_PUBLIC) -Ihost-driver/tools,$(LIBTERN_A) $(CMOCKA_LIBS) $(CRYPTO_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_group,tests/unit/driver/driver_group.c tests/unit/driver/fake_nic.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_taskwords,tests/unit/driver/driver_taskwords.c tests/unit/driver/fake_nic.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_table,tests/unit/driver/driver_table.c,$(DRV_PUBLIC) $(call drv_roots,data/table),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_sweep,tests/unit/driver/driver_sweep.c,$(DRV_PUBLIC),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_heap_sweep,tests/unit/driver/driver_heap_sweep.c $(addprefix host-driver/services/,alloc/sweep.c alloc/classes.c pool/lookers.c),\
    $(DRV_PUBLIC) $(call drv_roots,services/alloc services/pool),$(LIBTERN_A) $(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/driver_heap_sweep
$(eval $(call c_program,$(B)/tests/unit/driver_dag_rounds,tests/unit/driver/driver_dag_rounds.c host-driver/services/dag/rounds.c,\
    $(DRV_PUBLIC) $(call drv_roots,services/dag),$(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/driver_dag_rounds
$(eval $(call c_program,$(B)/tests/unit/driver_calls,tests/unit/driver/driver_calls.c tests/unit/driver/fake_nic.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS) -Xlinker --wrap=tern_desc_post))
TESTS_unit += $(B)/tests/unit/driver_sweep $(B)/tests/unit/driver_calls
TESTS_unit += $(B)/tests/unit/driver_rings $(B)/tests/unit/driver_table $(B)/tests/unit/driver_client \
              $(B)/tests/unit/driver_tools $(B)/tests/unit/driver_group $(B)/tests/unit/driver_taskwords

# ---- system tests: file transfers, and puts of all kinds
TESTS_system += tests/system/demo/transfers.sh tests/system/demo/first_steps.sh tests/system/demo/cycles.sh tests/system/demo/alloc.sh tests/system/demo/dag.sh tests/system/demo/collective.sh
TESTS_system += tests/system/driver/install.sh tests/system/driver/growth.sh
# The tour uses all build products.
tests/system/demo/tour.sh: all
tests/system/demo/cycles.sh: $(DEMO_CYCLES) $(B)/fw/tern-fw.elf
DRV_TEST_NEEDS := $(INSTALLED) $(DEMO_CYCLES)
tests/system/demo/transfers.sh tests/system/demo/bcast.sh tests/system/demo/lock.sh tests/system/demo/table.sh tests/system/demo/alloc.sh tests/system/demo/dag.sh tests/system/demo/collective.sh tests/system/demo/first_steps.sh tests/system/demo/tour.sh tests/system/driver/install.sh tests/system/driver/growth.sh: $(DRV_TEST_NEEDS)

DRV_PUTS := $(B)/tests/system/driver_puts
$(eval $(call c_program,$(DRV_PUTS),tests/system/driver/driver_puts.c,$(DRV_PUBLIC) -Itests/system/rig -Ihw-model/model -Isim -Isim/node -Isim/net -Isim/host,$(LIBTERN_A) $$(SIM_CHECKED_LIBS)))
# Given by name because their variables are not yet set when make reads this.
$(DRV_PUTS): $(addprefix $(B)/lib/,libternsim.a libternsoft.a libternmodel-checked.a libternmodel6-checked.a libternmodel-board.a libternmodel-tree.a) $(B)/fw/native/libfw.a $(B)/fw/libelfimage.a
$(DRV_PUTS): $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_PUTS)

# Hosts in processes of their own at all nodes of a torus 2x2x2.
DRV_GROUPS := $(B)/tests/system/driver_groups
$(eval $(call c_program,$(DRV_GROUPS),tests/system/driver/groups.c tests/system/chaos/child.c tests/system/rig/rig.c,\
    $(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_GROUPS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_GROUPS)

# The same for rendezvous, at the nodes of a ring.
DRV_RENDEZVOUS := $(B)/tests/system/driver_rendezvous
$(eval $(call c_program,$(DRV_RENDEZVOUS),tests/system/driver/rendezvous.c tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_RENDEZVOUS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_RENDEZVOUS)

# The same for remote gets.
DRV_GETS := $(B)/tests/system/driver_gets
$(eval $(call c_program,$(DRV_GETS),tests/system/driver/gets.c tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_GETS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_GETS)

# The same for atomic operations.
DRV_ATOMICS := $(B)/tests/system/driver_atomics
$(eval $(call c_program,$(DRV_ATOMICS),tests/system/driver/atomics.c tests/system/driver/keeper.c tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_ATOMICS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_ATOMICS)

# Memory from which all nodes allocate.
DRV_ALLOCS := $(B)/tests/system/driver_allocs
$(eval $(call c_program,$(DRV_ALLOCS),tests/system/driver/allocs.c tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) $(call drv_roots,data/slabs) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_ALLOCS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_ALLOCS)

# Task queues: one by one, and all at once.
define drv_tasks
$(call c_program,$(B)/tests/system/driver_$(1),$(addprefix tests/system/driver/,$(1).c tasks_rig.c) tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) $(call drv_roots,data/tasks data/slabs) -Itests/system/rig -Itests/system/chaos -Itests/system/driver,$(LIBTERN_A))
$(B)/tests/system/driver_$(1): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(B)/tests/system/driver_$(1)
endef
$(eval $(call drv_tasks,tasks))
$(eval $(call drv_tasks,tasks_once))

# A table that all nodes change.
DRV_SHARED_SETS := $(B)/tests/system/driver_shared_sets
$(eval $(call c_program,$(DRV_SHARED_SETS),tests/system/driver/shared_sets.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_SHARED_SETS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_SHARED_SETS)

# The same for chains.
DRV_CHAINS := $(B)/tests/system/driver_chains
$(eval $(call c_program,$(DRV_CHAINS),tests/system/driver/chains.c tests/system/driver/keeper.c tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_CHAINS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_CHAINS)

# The same for reads.
DRV_READS := $(B)/tests/system/driver_reads
$(eval $(call c_program,$(DRV_READS),tests/system/driver/reads.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_READS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_READS)

# Queue pairs.
DRV_PAIRS := $(B)/tests/system/driver_pairs
$(eval $(call c_program,$(DRV_PAIRS),tests/system/driver/pairs.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_PAIRS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_PAIRS)

# The same between hosts in processes of their own.
DRV_PAIRS_APART := $(B)/tests/system/driver_pairs_apart
$(eval $(call c_program,$(DRV_PAIRS_APART),tests/system/driver/pairs_apart.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_PAIRS_APART): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_PAIRS_APART)

# Chases and lookups in tables.
DRV_LOOKUPS := $(B)/tests/system/driver_lookups
$(eval $(call c_program,$(DRV_LOOKUPS),tests/system/driver/lookups.c tests/system/rig/rig.c,\
    $(DRV_PUBLIC) -Itests/system/rig,$(LIBTERN_A)))
$(DRV_LOOKUPS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_LOOKUPS)

# A table between hosts in processes of their own.
DRV_SHARED_TABLE := $(B)/tests/system/driver_shared_table
$(eval $(call c_program,$(DRV_SHARED_TABLE),tests/system/driver/shared_table.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_SHARED_TABLE): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_SHARED_TABLE)

# System calls of a post.
DRV_POSTS := $(B)/tests/system/driver_posts
$(eval $(call c_program,$(DRV_POSTS),tests/system/driver/posts.c tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig,$(LIBTERN_A)))
$(DRV_POSTS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_POSTS)

# Either side is killed while posted writes go through shared memory.
DRV_POSTS_KILLED := $(B)/tests/system/driver_posts_killed
$(eval $(call c_program,$(DRV_POSTS_KILLED),tests/system/driver/posts_killed.c $(addprefix tests/system/chaos/,child.c plan.c numbers.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_POSTS_KILLED): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_POSTS_KILLED)

# Operations of several steps defined by an application.
DRV_WORKS := $(B)/tests/system/driver_works
$(eval $(call c_program,$(DRV_WORKS),tests/system/driver/works.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_WORKS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_WORKS)

# Calls through a call cache.
DRV_CALL_CACHE := $(B)/tests/system/driver_call_cache
$(eval $(call c_program,$(DRV_CALL_CACHE),tests/system/driver/call_cache.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_CALL_CACHE): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_CALL_CACHE)

# Operations of several steps, many of them in flight.
DRV_IN_FLIGHT := $(B)/tests/system/driver_in_flight
$(eval $(call c_program,$(DRV_IN_FLIGHT),tests/system/driver/in_flight.c $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_IN_FLIGHT): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_IN_FLIGHT)

# Teams and collective operations.
DRV_COLLECTIVES := $(B)/tests/system/driver_collectives
$(eval $(call c_program,$(DRV_COLLECTIVES),tests/system/driver/collectives.c tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos,$(LIBTERN_A)))
$(DRV_COLLECTIVES): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_COLLECTIVES)

# The same with the tree network.
define collectives_tree
$(1): $(DRV_COLLECTIVES) $(this_fragment)
	$$(call say,TEST,$$@) mkdir -p $$(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nTIER=$(2) exec %s tree\n' $(DRV_COLLECTIVES) > $$@ && chmod +x $$@
TESTS_system += $(1)
endef
$(eval $(call collectives_tree,$(B)/tests/system/driver_collectives_tree,rtl))
$(eval $(call collectives_tree,$(B)/tests/soft/soft_driver_collectives_tree,soft))

# Pools, and the services on them.  driver_pool_test,NAME,MORE FILES
define driver_pool_test
$(call c_program,$(B)/tests/system/driver_$(1),$(addprefix tests/system/driver/,$(1).c pool_rig.c $(2)) tests/system/chaos/child.c \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos -Itests/system/driver $(call drv_roots,services/cache),$(LIBTERN_A))
$(B)/tests/system/driver_$(1): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(B)/tests/system/driver_$(1)
endef
$(eval $(call driver_pool_test,pools))
$(eval $(call driver_pool_test,pools_kept))
$(eval $(call driver_pool_test,heaps))
$(eval $(call driver_pool_test,caches))
$(eval $(call driver_pool_test,caches_kept))
$(eval $(call driver_pool_test,cache_outage))
$(eval $(call driver_pool_test,caches_torn,../chaos/plan.c))
# Graphs of tasks.
define driver_dag_test
$(call c_program,$(B)/tests/system/driver_$(1),$(addprefix tests/system/driver/,$(1).c dag_rig.c pool_rig.c $(2)) $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) $(call drv_roots,services/dag) -Itests/system/rig -Itests/system/chaos -Itests/system/driver,$(LIBTERN_A) $(3))
$(B)/tests/system/driver_$(1): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(B)/tests/system/driver_$(1)
endef
$(eval $(call driver_dag_test,dags,,$(JANSSON_LIBS)))
$(eval $(call c_shared,$(B)/tests/system/dag_functions.so,tests/system/driver/dag_functions.c,$(DRV_PUBLIC) -fPIC))
$(B)/tests/system/driver_dags: | $(B)/tests/system/dag_functions.so
$(eval $(call driver_dag_test,dags_deaths,pauses_hook.c,-Xlinker --wrap=tern_doorbell -Xlinker --wrap=tern_doorbell_inline))
$(eval $(call driver_dag_test,dags_fans,))
$(eval $(call driver_dag_test,dags_makespan,))
# On soft alone: the clock of the test is simulated, and the tier has no part in it.
TESTS_system := $(filter-out %/driver_dags_makespan,$(TESTS_system))
# On soft alone: on rtl the first waits for many leases of six seconds, and the second needs many.
TESTS_system := $(filter-out %/driver_caches_kept %/driver_caches_torn,$(TESTS_system))

# Clients that stop at each boundary of their messages, which the linker wraps.
# driver_pauses_test,NAME,MORE FILES
define driver_pauses_test
$(call c_program,$(B)/tests/system/driver_$(1),$(addprefix tests/system/driver/,$(1).c pauses_hook.c pauses_server.c pauses_work.c pauses_things.c $(2)) \
    tests/system/driver/pool_rig.c $(addprefix tests/system/chaos/,child.c plan.c numbers.c) tests/system/rig/rig.c,\
    $(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos -Itests/system/driver,\
    $(LIBTERN_A) -Xlinker --wrap=tern_doorbell -Xlinker --wrap=tern_doorbell_inline)
$(B)/tests/system/driver_$(1): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(B)/tests/system/driver_$(1)
endef
$(eval $(call driver_pauses_test,pauses,pauses_client.c))
$(eval $(call driver_pauses_test,outage))
