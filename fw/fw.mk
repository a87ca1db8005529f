# SPDX-License-Identifier: Apache-2.0
#
# The firmware: its ELF, its flash image, its size limits, its tests.

FW_PROTO := $(addprefix fw/proto/,node.c done.c check.c)
FW_DRV   := $(addprefix fw/drv/,sys.c hwr.c key.c queue_hw.c log.c)
FW_STATE := $(addprefix fw/state/,slots.c clock.c cq.c queue.c op.c desc.c region.c counter.c sample.c messages_in.c messages_out.c)
FW_OPS   := $(addprefix fw/op/,quick.c put.c read.c lookup.c send.c pair.c combine.c)
FW_SHAKE := $(addprefix fw/handshake/,area.c arena.c tree.c relay.c get.c bcast.c)
FW_CTRL  := $(addprefix fw/control/,admin.c fn.c job.c init.c)
FW_LOOP  := $(addprefix fw/loop/,loop.c descriptors.c packets.c ends.c timer.c)
# Features that a configuration may leave out (hw-model/abi/feature.def), and those that the lean
# one has. For a missing feature another source file replaces its own.
FW_FEATURES      := handshake/relay handshake/tree state/sample op/combine
FW_LEAN_FEATURES :=
FW_APP   := $(FW_STATE) $(FW_OPS) $(FW_SHAKE) $(FW_CTRL) $(FW_LOOP)
# The floors, from the top; each may call only those after it.
FW_FLOORS := loop control handshake op state
FW_BOOT  := $(addprefix fw/boot/,start.S main.c trap.c console.c) fw/hal/target/mem.c
FW_SRC   := $(FW_BOOT) $(FW_PROTO) $(FW_DRV) $(FW_APP)
FW_LEAN_SRC := $(filter-out $(foreach f,$(filter-out $(FW_LEAN_FEATURES),$(FW_FEATURES)),fw/$(f).c),$(FW_SRC)) \
               $(foreach f,$(filter-out $(FW_LEAN_FEATURES),$(FW_FEATURES)),fw/$(f)_absent.c)

# One set of flags for each floor. The full configuration has room: the path of events and packets
# is optimised for speed, commands and resets for size. The lean one optimises all but the quick
# path for size.
FW_FAST   := -O2
FW_TIGHT  := -Os -fno-thread-jumps -fno-ipa-sra
# Passes of the compiler that copy code or keep more values in registers than calls save; without
# them the lean image is 270 bytes smaller.
FW_LEAN_MORE := -fno-tree-forwprop -fno-caller-saves -fno-tree-ch
FW_OPT    := $(FW_FAST)
FW_ROOTS  := -Ifw/proto -Ifw/drv $(addprefix -Ifw/,$(FW_FLOORS)) -Ifw/boot
FW_INC    := -Ihw-model/abi -Ifw/hal/target $(FW_ROOTS)
# Without jump tables every jump through a register is a call through a dispatch table
# (tools/calls.sh). Moving stores out of loops makes GCC 12 repeat a store to a register of the chip
# after the loop (decision 0082).
FW_FLAGS  := $$(FW_OPT) -fno-jump-tables -fno-move-loop-stores $(FW_INC)
FW_LD     := linker/tern.ld

$(foreach s,$(FW_CTRL) $(FW_BOOT),$(eval $(B)/obj/fw/%/$(addsuffix .o,$(basename $(s))): FW_OPT := $(FW_TIGHT)))
$(foreach s,$(filter-out fw/op/quick.c fw/loop/loop.c,$(FW_LEAN_SRC)),\
    $(eval $(B)/obj/fw/tern-fw-lean.elf/$(addsuffix .o,$(basename $(s))): FW_OPT := $(FW_TIGHT) $(FW_LEAN_MORE) -msave-restore))
# Aligns the most frequent jump targets to words of the instruction memory; elsewhere this gains
# nothing (decision 0058). Arithmetic in place of a branch that is rarely taken costs 1 to 8 cycles.
$(eval $(B)/obj/fw/%/fw/op/quick.o: FW_OPT := $(FW_FAST) -falign-functions=4 -falign-jumps=4 -falign-loops=4 \
    -falign-labels=4 -fno-if-conversion -fno-if-conversion2)
# The same for the event loop, without code that several paths share: a 64-byte message takes 583
# cycles instead of 607.
$(foreach s,$(FW_LOOP),$(eval $(B)/obj/fw/%/$(addsuffix .o,$(basename $(s))): \
    FW_OPT := $(FW_FAST) -falign-functions=4 -falign-labels=4 -fno-crossjumping))
$(B)/obj/fw/tern-fw-lean.elf/fw/op/quick.o: FW_OPT := -O2 -falign-loops=4 -DTERN_LEAN
$(B)/obj/fw/tern-fw-lean.elf/fw/loop/loop.o: FW_OPT := $(FW_TIGHT) -DTERN_LEAN
# Keeps the compiler from replacing memcpy's loop by a call of memcpy.
$(eval $(B)/obj/fw/%/fw/hal/target/mem.o: FW_OPT := -Os -fno-tree-loop-distribute-patterns)
$(eval $(B)/obj/fw/tern-fw-lean.elf/fw/hal/target/mem.o: FW_OPT := -Os -fno-tree-loop-distribute-patterns)
FW_ELF    := $(B)/fw/tern-fw.elf
# The same for the memory sizes of the lean configuration.
FW_LEAN_ELF := $(B)/fw/tern-fw-lean.elf
FW_IMG    := $(B)/fw/tern-fw.img
FW_NOPUT  := $(B)/fw/tern-fw-noput
FW_HANG   := $(B)/fw/tern-fw-hang
MKIMAGE   := $(B)/fw/mkimage

$(eval $(call rv_program,$(FW_ELF),$(FW_SRC),$(FW_FLAGS),$(FW_LD),-Llinker/full))
# A firmware without the put handler: proves that no other part of the node can do a put.
$(eval $(call rv_program,$(FW_NOPUT).elf,$(FW_SRC),$(FW_FLAGS) -DTERN_NO_PUT,$(FW_LD),-Llinker/full))
# A firmware that hangs in the handler of NOP, for the watchdog's test.
$(eval $(call rv_program,$(FW_HANG).elf,$(FW_SRC),$(FW_FLAGS) -DTERN_HANG,$(FW_LD),-Llinker/full))
$(FW_ELF) $(FW_NOPUT).elf $(FW_HANG).elf: linker/full/memmap.ld

# Its context has no word for COMBINE, and no code calls what replaces it.
$(eval $(call rv_program,$(FW_LEAN_ELF),$(FW_LEAN_SRC),$(FW_FLAGS) $(if $(filter op/combine,$(FW_LEAN_FEATURES)),,-DTERN_NO_COMBINE),$(FW_LD),-Llinker/lean))
$(FW_LEAN_ELF): linker/lean/memmap.ld

$(eval $(call c_archive,$(B)/fw/libelfimage.a,fw/tools/elf_image.c,-Ihw-model/abi -Ifw/tools))
$(eval $(call c_program,$(MKIMAGE),fw/tools/mkimage.c,-Ifw/tools -Ifw/proto,$(B)/fw/libelfimage.a))

$(B)/fw/%.img: $(B)/fw/%.elf $(MKIMAGE)
	$(call say,IMAGE,$@) $(MKIMAGE) $< $@

fw: $(FW_ELF) $(FW_IMG) $(FW_LEAN_ELF:.elf=.img) $(FW_NOPUT).img ## builds the firmware; prints its size and its worst-case stack
	$(Q)$(RVSIZE) -A $(FW_ELF) | grep -E "^\.(text|rodata|data|bss) "
	$(Q)B=$(B) RVPREFIX=$(RVPREFIX) sh fw/tools/gates.sh

$(B)/check/fw_gates: fw/tools/gates.sh $(wildcard fw/tools/*.awk fw/tools/*.sh) $(FW_ELF) $(FW_LEAN_ELF)
	$(call say,LN,$@) mkdir -p $(@D) && ln -sf $(ROOT)/$< $@
TESTS_check += $(B)/check/fw_gates

# The calls between files, from the objects, not only from the includes.
tests/check/floor_calls.sh: $(FW_ELF)

ALL += $(FW_IMG) $(FW_LEAN_ELF:.elf=.img)

.PHONY: fw

# ---- tests -----------------------------------------------------------------
# Everything above the register access, compiled natively over a model of the registers.
FW_NATIVE_INC := -Ihw-model/abi -Ifw/hal/native $(FW_ROOTS)
FW_TEST_INC := $(FW_NATIVE_INC) -Itests/unit/fw
FW_NATIVE   := $(B)/fw/native/libfw.a
$(eval $(call c_archive,$(FW_NATIVE),$(FW_PROTO) $(FW_DRV) $(FW_APP) fw/boot/native.c fw/hal/native/hal.c,$(FW_NATIVE_INC)))
$(eval $(call c_program,$(B)/tests/unit/fw_proto,tests/unit/fw/fw_proto.c,$(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_app,$(addprefix tests/unit/fw/,fw_app.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_bcast,$(addprefix tests/unit/fw/,fw_bcast.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_area,$(addprefix tests/unit/fw/,fw_area.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_arena,$(addprefix tests/unit/fw/,fw_arena.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_get,$(addprefix tests/unit/fw/,fw_get.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_atomic,$(addprefix tests/unit/fw/,fw_atomic.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_read,$(addprefix tests/unit/fw/,fw_read.c asks.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_lookup,$(addprefix tests/unit/fw/,fw_lookup.c asks.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_chain,$(addprefix tests/unit/fw/,fw_chain.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_pair,$(addprefix tests/unit/fw/,fw_pair.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_relay,$(addprefix tests/unit/fw/,fw_relay.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/fw_combine,$(addprefix tests/unit/fw/,fw_combine.c rig.c regs.c),\
    $(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/fw_combine $(B)/tests/unit/fw_relay $(B)/tests/unit/fw_pair $(B)/tests/unit/fw_proto $(B)/tests/unit/fw_app $(B)/tests/unit/fw_bcast $(B)/tests/unit/fw_area \
              $(B)/tests/unit/fw_arena $(B)/tests/unit/fw_get $(B)/tests/unit/fw_atomic $(B)/tests/unit/fw_read \
              $(B)/tests/unit/fw_lookup $(B)/tests/unit/fw_chain
$(eval $(call c_program,$(B)/tests/unit/fw_image,tests/unit/fw/fw_image.c,-Ihw-model/abi -Ifw/tools,\
    $(B)/fw/libelfimage.a $(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/fw_image

# The same without the features that the lean configuration leaves out: their replacements are
# linked first.
$(eval $(call c_program,$(B)/tests/unit/fw_absent,$(addprefix tests/unit/fw/,fw_absent.c rig.c regs.c) \
    $(foreach f,$(FW_FEATURES),fw/$(f)_absent.c),$(FW_TEST_INC),$(FW_NATIVE) $(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/fw_absent
