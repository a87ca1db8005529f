# SPDX-License-Identifier: Apache-2.0
#
# The simulator: a library, and the daemon in three builds: fast, with checked chips for tests, and
# with waveforms.

SIM_INC   := -Ihw-model/abi -Ihw-model/model -Isim -Isim/debug -Isim/node -Isim/soft -Isim/net -Isim/host -Ifw/tools
SIM_FLAGS := $(SIM_INC) -D_GNU_SOURCE

# The code that serves a client uses neither the model nor a socket, so its tests need neither.
SIM_HOST_SRC := $(addprefix sim/host/,nic.c client.c requests.c bells.c dma_table.c pci_config.c apart.c)
SIM_WIRE_SRC := $(addprefix sim/net/,net.c packets.c torus.c wire.c) sim/scenario.c
SIM_DEBUG_SRC := $(addprefix sim/debug/,hart.c rsp.c gdb.c describe.c gdbserver.c)
SIM_SRC      := $(SIM_HOST_SRC) $(SIM_WIRE_SRC) sim/host/server.c sim/node/hostport.c sim/turns.c \
                sim/net/span.c sim/net/far.c sim/node/node.c sim/node/rest.c sim/node/probe.c $(SIM_DEBUG_SRC) sim/timing.c sim/firmware.c sim/sim.c sim/events.c \
                sim/measure.c sim/report.c sim/retire.c sim/crew.c sim/shares.c sim/state.c

SIM_LIB    := $(B)/lib/libternsim.a
SIM_DAEMON := $(B)/bin/tern-sim
SIM_TRACED := $(B)/bin/tern-sim-traced
SIM_CHECKED := $(B)/bin/tern-sim-checked

$(eval $(call c_archive,$(SIM_LIB),$(SIM_SRC),$(SIM_FLAGS)))

# The soft tier: models of the blocks, and the firmware compiled natively.
SOFT_SRC := $(addprefix sim/soft/,node.c core.c registers.c sys.c bar.c prefetch.c key.c ops.c tx.c atomic.c \
              rx.c writes.c link.c tree.c unicast.c packet.c)
SOFT_LIB := $(B)/lib/libternsoft.a
$(eval $(call c_archive,$(SOFT_LIB),$(SOFT_SRC),$(SIM_FLAGS) -Ifw/hal/native -Ifw/boot))

TESTS_check += tests/check/native_state.sh
tests/check/native_state.sh: $(FW_NATIVE) $(SOFT_LIB)

# What a program that uses the library links with: sim_libs,MODEL LIBRARIES
sim_libs = $(SIM_LIB) $(SOFT_LIB) $(FW_NATIVE) $(1) $(B)/fw/libelfimage.a $(JANSSON_LIBS) $(MODEL_LIBS) $(Z_LIBS) $(CRYPTO_LIBS)

# Retire traces are compressed, states are hashed. System tests use the checked libraries.
SIM_LIBS         := $(call sim_libs,$(MODEL_LIB) $(MODEL_SIX) $(MODEL_BOARD) $(MODEL_TREE))
SIM_CHECKED_LIBS := $(call sim_libs,$(MODEL_CHECKED) $(MODEL_SIX_CHECKED) $(MODEL_BOARD) $(MODEL_TREE))
SIM_FST_LIBS     := $(call sim_libs,$(MODEL_FST) $(MODEL_SIX_FST))

SIM_DAEMON_SRC := $(addprefix sim/daemon/,main.c boot.c options.c)
SIM_DAEMON_FLAGS := $(SIM_FLAGS) -Isim/daemon -Ihost-driver/tools
$(eval $(call c_program,$(SIM_DAEMON),$(SIM_DAEMON_SRC),$(SIM_DAEMON_FLAGS),$(SIM_LIBS)))
$(eval $(call c_program,$(SIM_CHECKED),$(SIM_DAEMON_SRC),$(SIM_DAEMON_FLAGS),$(SIM_CHECKED_LIBS)))
$(eval $(call c_program,$(SIM_TRACED),$(SIM_DAEMON_SRC),$(SIM_DAEMON_FLAGS),$(SIM_FST_LIBS)))

# A simulator without the chip's models, whose compilation takes long, for users of the soft tier:
# the list of kinds is empty.
SIM_SOFT := $(B)/bin/tern-sim-soft
$(eval $(call c_program,$(SIM_SOFT),$(SIM_DAEMON_SRC) hw-model/model/tern_model.c,$(SIM_DAEMON_FLAGS) -DTERN_MODEL_KINDS= -Wno-type-limits,\
    $(SIM_LIB) $(SOFT_LIB) $(FW_NATIVE) $(B)/fw/libelfimage.a $(JANSSON_LIBS) $(Z_LIBS) $(CRYPTO_LIBS)))

sim: $(SIM_DAEMON) $(B)/fw/tern-fw.elf ## builds the simulator
sim-traced: $(SIM_TRACED) $(B)/fw/tern-fw.elf ## builds the simulator that can write waveforms

# For a simulation that runs with --gdb PORT; node N is at PORT + N.
PORT ?= 3333
gdb: $(FW_ELF) ## starts gdb at the firmware of a node of `tern sim --gdb 3333` [PORT=3333]
	gdb-multiarch $(FW_ELF) -ex 'target remote localhost:$(PORT)'
.PHONY: gdb

ALL += $(SIM_DAEMON)

.PHONY: sim sim-traced

# ---- tests ----
SIM_TEST_INC := $(SIM_FLAGS) -Itests/unit/sim -Itests/system/rig
SIM_T_CLIENT := $(B)/tests/unit/sim_client
SIM_T_WIRE   := $(B)/tests/unit/sim_wire

$(eval $(call c_program,$(SIM_T_CLIENT),tests/unit/sim/sim_client.c tests/unit/sim/fake_bar.c \
    $(SIM_HOST_SRC),$(SIM_TEST_INC),$(JANSSON_LIBS) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(SIM_T_WIRE),tests/unit/sim/sim_wire.c sim/node/hostport.c \
    $(SIM_WIRE_SRC),$(SIM_TEST_INC),$(CMOCKA_LIBS)))
SIM_T_ROUTER := $(B)/tests/unit/soft_router
$(eval $(call c_program,$(SIM_T_ROUTER),tests/unit/sim/soft_router.c $(addprefix sim/soft/,link.c packet.c) \
    $(SIM_WIRE_SRC),$(SIM_TEST_INC),$(CMOCKA_LIBS)))
SIM_T_WALK := $(B)/tests/unit/soft_walk
$(eval $(call c_program,$(SIM_T_WALK),tests/unit/sim/soft_walk.c $(SIM_WIRE_SRC),\
    $(SIM_TEST_INC),$(SOFT_LIB) $(FW_NATIVE) $(CMOCKA_LIBS)))
SIM_T_BOOT := $(B)/tests/unit/soft_boot
$(eval $(call c_program,$(SIM_T_BOOT),tests/unit/sim/soft_boot.c $(SIM_WIRE_SRC),\
    $(SIM_TEST_INC),$(SOFT_LIB) $(FW_NATIVE) $(CMOCKA_LIBS)))
SIM_T_SPAN := $(B)/tests/unit/sim_span
$(eval $(call c_program,$(SIM_T_SPAN),tests/unit/sim/sim_span.c sim/net/span.c sim/net/far.c \
    $(SIM_WIRE_SRC),$(SIM_TEST_INC),$(CMOCKA_LIBS) -lpthread))
TESTS_unit += $(SIM_T_CLIENT) $(SIM_T_WIRE) $(SIM_T_ROUTER) $(SIM_T_WALK) $(SIM_T_BOOT) $(SIM_T_SPAN)

SIM_SYS_INC := $(SIM_FLAGS) -Itests/system/sim -Itests/system/rig
SIM_T_NODE  := $(B)/tests/system/sim_node

$(eval $(call c_program,$(SIM_T_NODE),tests/system/sim/sim_node.c tests/system/sim/attach.c,\
    $(SIM_SYS_INC),$(SIM_CHECKED_LIBS) $(CMOCKA_LIBS)))
TESTS_system += $(SIM_T_NODE)
TEST_NEEDS_system += $(B)/fw/tern-fw.elf

SIM_T_DAEMON := $(B)/tests/system/sim_daemon

$(eval $(call c_program,$(SIM_T_DAEMON),tests/system/sim/sim_daemon.c tests/system/sim/attach.c,\
    $(SIM_SYS_INC),$(JANSSON_LIBS) $(CMOCKA_LIBS)))
TESTS_system += $(SIM_T_DAEMON)
TEST_NEEDS_system += $(SIM_DAEMON)

# Reads waveforms back with the reader that comes with Verilator.
SIM_T_WAVE := $(B)/tests/system/sim_waveform

$(eval $(call c_program,$(SIM_T_WAVE),tests/system/sim/sim_waveform.c,$(SIM_FLAGS) \
    -Ihost-driver/include -isystem $$(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include,\
    $(B)/lib/libtern.a $(SIM_FST_LIBS) $(CMOCKA_LIBS)))
TESTS_system += $(SIM_T_WAVE)

# Files that the programs read or run; a change of these does not relink the programs.
$(SIM_T_NODE) $(SIM_T_WAVE) $(SIM_T_DAEMON): | $(B)/fw/tern-fw.elf
$(SIM_T_DAEMON): | $(SIM_DAEMON)

# ---- threads ----
# All nodes busy, through the driver; the simulator's speed is measured with this, too.
TRAFFIC_SRC := tests/bench/sim/traffic.c
TRAFFIC_INC := $(SIM_SYS_INC) -Itests/bench/sim -Ihost-driver/include
SIM_T_THREADS := $(B)/tests/system/sim_threads

$(eval $(call c_program,$(SIM_T_THREADS),tests/system/sim/sim_threads.c $(TRAFFIC_SRC),\
    $(TRAFFIC_INC),$(B)/lib/libtern.a $(SIM_LIBS) $(CMOCKA_LIBS) -Xlinker --wrap=mmap))
$(SIM_T_THREADS): | $(B)/fw/tern-fw.elf
TESTS_system += $(SIM_T_THREADS)

SIM_T_MEMORY := $(B)/tests/system/sim_memory
$(eval $(call c_program,$(SIM_T_MEMORY),tests/system/sim/sim_memory.c $(TRAFFIC_SRC),\
    $(TRAFFIC_INC),$(B)/lib/libtern.a $(SIM_LIBS) $(CMOCKA_LIBS)))
$(SIM_T_MEMORY): | $(B)/fw/tern-fw.elf $(SIM_DAEMON)
TESTS_system += $(SIM_T_MEMORY)

# ---- a host that does not answer: visible only at the chip's pins --
SIM_T_LOST := $(B)/tests/system/sim_lost_reads
$(eval $(call c_program,$(SIM_T_LOST),tests/system/sim/lost_reads.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    $(SIM_INC) -Itests/system/rig -Ihost-driver/include,$(B)/lib/libtern.a $(SIM_LIBS)))
$(SIM_T_LOST): | $(B)/fw/tern-fw.elf
TESTS_system += $(SIM_T_LOST)

SIM_T_LOST_WRITES := $(B)/tests/system/sim_lost_writes
$(eval $(call c_program,$(SIM_T_LOST_WRITES),tests/system/sim/lost_writes.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    $(SIM_INC) -Itests/system/rig -Ihost-driver/include,$(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(SIM_T_LOST_WRITES): | $(B)/fw/tern-fw.elf
TESTS_system += $(SIM_T_LOST_WRITES)

# ---- tori and meshes ----
SIM_T_TORUS := $(B)/tests/system/sim_torus
$(eval $(call c_program,$(SIM_T_TORUS),tests/system/sim/sim_torus.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    $(SIM_INC) -Itests/system/rig -Ihost-driver/include,$(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(SIM_T_TORUS): | $(B)/fw/tern-fw.elf

SIM_T_FLOOD := $(B)/tests/system/sim_flood
$(eval $(call c_program,$(SIM_T_FLOOD),tests/system/sim/flood.c $(addprefix tests/system/rig/,rig.c rig_sim.c),\
    $(SIM_INC) -Itests/system/rig -Ihost-driver/include,$(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(SIM_T_FLOOD): | $(B)/fw/tern-fw.elf
TESTS_system += $(SIM_T_FLOOD)
