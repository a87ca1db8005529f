# SPDX-License-Identifier: Apache-2.0
#
# Netlists in the chip's place do what the RTL does.

# netlist_test,NAME,LIBRARY: build/tests/netlist/netlist_NAME compares the board's model with NAME's.
NETLIST_INC := -Ihost-driver/include -Ihw-model/abi -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/transport \
               -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/netlist -Itests/system/rig

define netlist_test
$(B)/lib/libternface-$(1).a: $(MODEL_DIR)/tern_model.c $(wildcard $(MODEL_DIR)/*.h) hw-model/verilated.mk $(this_fragment)
	$$(call say,CC,$$@) mkdir -p $(B)/obj/face-$(1) $$(@D) && \
	$(CC) $(CFLAGS) -I$(MODEL_DIR) '-DTERN_MODEL_KINDS=$(call model_kinds,board_2 $(1)_2)' -c \
	    -o $(B)/obj/face-$(1)/tern_model.o $(MODEL_DIR)/tern_model.c && rm -f $$@ && \
	$(AR) rcs $$@ $(B)/obj/face-$(1)/tern_model.o

$(call c_program,$(B)/tests/netlist/netlist_$(1),$(addprefix tests/netlist/,netlist.c programs.c stage.c) tests/system/rig/rig_sim.c,\
    $(NETLIST_INC) -DNETLIST_MODEL='"$(1)"',$(B)/lib/libtern.a $(call sim_libs,$(B)/lib/libternface-$(1).a $(MODEL_BOARD) $(2)))
$(B)/tests/netlist/netlist_$(1): | $(B)/fw/tern-fw.elf $(B)/fw/tern-fw-lean.elf
endef

$(eval $(call netlist_test,read,$(MODEL_READ)))
TESTS_check += $(B)/tests/netlist/netlist_read

$(eval $(call netlist_test,gate,$(MODEL_GATE)))

gate: $(B)/tests/netlist/netlist_gate ## runs the mapped netlist of the board's node against the RTL, some minutes
	$(Q)$<

.PHONY: gate
