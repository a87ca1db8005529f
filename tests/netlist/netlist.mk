# SPDX-License-Identifier: Apache-2.0
#
# Checks that netlists in place of the chip behave as the RTL does.

# model_face,NAME,KINDS: build/lib/libternface-NAME.a, for programs that link several models.
define model_face
$(B)/lib/libternface-$(1).a: $(MODEL_DIR)/tern_model.c $(wildcard $(MODEL_DIR)/*.h) hw-model/verilated.mk $(this_fragment)
	$$(call say,CC,$$@) mkdir -p $(B)/obj/face-$(1) $$(@D) && \
	$(CC) $(CFLAGS) -I$(MODEL_DIR) '-DTERN_MODEL_KINDS=$(call model_kinds,$(2))' -c \
	    -o $(B)/obj/face-$(1)/tern_model.o $(MODEL_DIR)/tern_model.c && rm -f $$@ && \
	$(AR) rcs $$@ $(B)/obj/face-$(1)/tern_model.o
endef

# netlist_test,NAME,LIBRARY: build/tests/netlist/netlist_NAME compares the board's model with NAME's.
NETLIST_INC := -Ihost-driver/include -Ihw-model/abi -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/transport \
               -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/netlist -Itests/system/rig

define netlist_test
$(call model_face,$(1),board_2 $(1)_2)

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

# ---- the fast model and the checked one have the same state ----
MODELS_AGREE := $(B)/tests/netlist/models_agree
$(eval $(call model_face,models,sim_2 checked_2))
$(eval $(call c_program,$(MODELS_AGREE),tests/netlist/models.c $(TRAFFIC_SRC),$(TRAFFIC_INC) -Itests/netlist,\
    $(B)/lib/libtern.a $(call sim_libs,$(B)/lib/libternface-models.a $(MODEL_LIB) $(MODEL_CHECKED)) -Xlinker --wrap=mmap))
$(MODELS_AGREE): | $(B)/fw/tern-fw.elf
TESTS_check += $(MODELS_AGREE)
