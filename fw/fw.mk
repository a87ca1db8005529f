# SPDX-License-Identifier: Apache-2.0
#
# The firmware: its ELF, its flash image, what it costs, its tests.

FW_PROTO := $(addprefix fw/proto/,node.c done.c check.c)
FW_DRV   := $(addprefix fw/drv/,sys.c hwr.c key.c queue_hw.c log.c)
FW_APP   := $(addprefix fw/app/,init.c loop.c tick.c desc.c put.c send.c bcast.c recv.c op.c cq.c pair.c queue.c \
            region.c counter.c area.c arena.c tree.c reply.c get.c relay.c read.c lookup.c fn.c admin.c job.c)
FW_BOOT  := $(addprefix fw/boot/,start.S main.c trap.c console.c mem.c)
FW_SRC   := $(FW_BOOT) $(FW_PROTO) $(FW_DRV) $(FW_APP)

# The image has to fit the instruction memory, so only what every put and event goes through is made for speed at any
# size.  What comes for a message or handshake does without copies of loops and functions; most of it shares the
# instructions that save registers, too, 20 cycles a call.  Commands, resets and rare ends are small in every way.
FW_QUICK  := $(addprefix fw/app/,put.c loop.c)
FW_SWIFT  := $(addprefix fw/app/,area.c recv.c cq.c tick.c desc.c reply.c read.c lookup.c) fw/proto/node.c fw/proto/done.c \
             $(addprefix fw/drv/,hwr.c sys.c key.c)
FW_SMALL  := $(addprefix fw/app/,pair.c admin.c fn.c init.c region.c counter.c op.c queue.c) \
             fw/proto/check.c fw/drv/log.c fw/boot/main.c
FW_INC    := -Ihw-model/abi -Ifw/hal/target -Ifw/proto -Ifw/drv -Ifw/app -Ifw/boot
FW_FLAGS  := $$(FW_OPT) $(FW_INC)
FW_LEAN   := -O2 -fno-tree-ch -fno-tree-forwprop -fno-thread-jumps -fno-schedule-insns -freorder-blocks-algorithm=simple \
             --param max-inline-insns-auto=4
FW_OPT    := $(FW_LEAN) -msave-restore
FW_LD     := linker/tern.ld

$(foreach s,$(FW_QUICK),$(eval $(B)/obj/fw/%/$(s:.c=.o): FW_OPT := -O2))
$(foreach s,$(FW_SWIFT),$(eval $(B)/obj/fw/%/$(s:.c=.o): FW_OPT := $(FW_LEAN)))
$(foreach s,$(FW_SMALL),$(eval $(B)/obj/fw/%/$(s:.c=.o): FW_OPT := -Os -msave-restore -fno-thread-jumps -fno-ipa-sra))
# A loop that copies is not to become a call of itself.
$(eval $(B)/obj/fw/%/fw/boot/mem.o: FW_OPT := -Os -fno-tree-loop-distribute-patterns)
FW_ELF    := $(B)/fw/tern-fw.elf
# The same objects for the memories of the lean configuration.
FW_LEAN_ELF := $(B)/fw/tern-fw-lean.elf
FW_IMG    := $(B)/fw/tern-fw.img
FW_NOPUT  := $(B)/fw/tern-fw-noput
FW_HANG   := $(B)/fw/tern-fw-hang
MKIMAGE   := $(B)/fw/mkimage

$(eval $(call rv_program,$(FW_ELF),$(FW_SRC),$(FW_FLAGS),$(FW_LD),-Llinker/full))
# A firmware without the put handler: nothing else in the node can do a put.
$(eval $(call rv_program,$(FW_NOPUT).elf,$(FW_SRC),$(FW_FLAGS) -DTERN_NO_PUT,$(FW_LD),-Llinker/full))
# A firmware that hangs in a descriptor that does nothing, for the watchdog.
$(eval $(call rv_program,$(FW_HANG).elf,$(FW_SRC),$(FW_FLAGS) -DTERN_HANG,$(FW_LD),-Llinker/full))
$(FW_ELF) $(FW_NOPUT).elf $(FW_HANG).elf: linker/full/memmap.ld

$(FW_LEAN_ELF): $(FW_ELF) $(FW_LD) linker/lean/memmap.ld
	$(call say,RVLD,$@) $(RVCC) $(RVLDFLAGS) -Llinker/lean -T $(FW_LD) -o $@ $(call objs,$(call name,$(FW_ELF)),$(FW_SRC))

$(eval $(call c_archive,$(B)/fw/libelfimage.a,fw/tools/elf_image.c,-Ihw-model/abi -Ifw/tools))
$(eval $(call c_program,$(MKIMAGE),fw/tools/mkimage.c,-Ifw/tools -Ifw/proto,$(B)/fw/libelfimage.a))

$(B)/fw/%.img: $(B)/fw/%.elf $(MKIMAGE)
	$(call say,IMAGE,$@) $(MKIMAGE) $< $@

fw: $(FW_ELF) $(FW_IMG) $(FW_LEAN_ELF:.elf=.img) $(FW_NOPUT).img ## builds the firmware; prints its size and its worst-case stack
	$(Q)$(RVSIZE) -A $(FW_ELF) | grep -E "^\.(text|rodata|data|bss) "
	$(Q)B=$(B) RVPREFIX=$(RVPREFIX) sh fw/tools/gates.sh

$(B)/check/fw_gates: fw/tools/gates.sh $(wildcard fw/tools/*.awk fw/tools/*.def) $(FW_ELF) $(FW_LEAN_ELF)
	$(call say,LN,$@) mkdir -p $(@D) && ln -sf $(ROOT)/$< $@
TESTS_check += $(B)/check/fw_gates

ALL += $(FW_IMG) $(FW_LEAN_ELF:.elf=.img)

.PHONY: fw

# ---- tests -----------------------------------------------------------------
# Everything above the register access, compiled natively over a model of the registers.
FW_NATIVE_INC := -Ihw-model/abi -Ifw/hal/native -Ifw/proto -Ifw/drv -Ifw/app -Ifw/boot
FW_TEST_INC := $(FW_NATIVE_INC) -Itests/unit/fw
FW_NATIVE   := $(B)/fw/native/libfw.a
$(eval $(call c_archive,$(FW_NATIVE),$(FW_PROTO) $(FW_DRV) $(FW_APP) fw/boot/native.c,$(FW_NATIVE_INC)))
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
TESTS_unit += $(B)/tests/unit/fw_pair $(B)/tests/unit/fw_proto $(B)/tests/unit/fw_app $(B)/tests/unit/fw_bcast $(B)/tests/unit/fw_area \
              $(B)/tests/unit/fw_arena $(B)/tests/unit/fw_get $(B)/tests/unit/fw_atomic $(B)/tests/unit/fw_read \
              $(B)/tests/unit/fw_lookup $(B)/tests/unit/fw_chain
$(eval $(call c_program,$(B)/tests/unit/fw_image,tests/unit/fw/fw_image.c,-Ihw-model/abi -Ifw/tools,\
    $(B)/fw/libelfimage.a $(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/fw_image
