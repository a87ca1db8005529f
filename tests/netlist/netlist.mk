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

# netlist_test,NAME,MODEL,LIBRARY,RTL,ITS LIBRARY: build/tests/netlist/netlist_NAME compares the
# model of the RTL with that of a netlist.
NETLIST_INC := -Ihost-driver/include -Ihw-model/abi -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/transport \
               -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/netlist -Itests/system/rig

define netlist_test
$(call model_face,$(2),$(4)_2 $(2)_2)

$(call c_program,$(B)/tests/netlist/netlist_$(1),$(addprefix tests/netlist/,netlist.c programs.c stage.c) tests/system/rig/rig_sim.c,\
    $(NETLIST_INC) -DNETLIST_NAME='"$(subst _, ,$(1))"' -DNETLIST_MODEL='"$(2)"' -DNETLIST_RTL='"$(4)"',\
    $(B)/lib/libtern.a $(call sim_libs,$(B)/lib/libternface-$(2).a $(5) $(3)))
$(B)/tests/netlist/netlist_$(1): | $(B)/fw/tern-fw.elf $(B)/fw/tern-fw-lean.elf
endef

$(eval $(call netlist_test,read,read,$(MODEL_READ),board,$(MODEL_BOARD)))
$(eval $(call netlist_test,full_read,readfull,$(MODEL_READfull),full,$(MODEL_FULL)))
$(eval $(call netlist_test,full_tree_read,readfulltree,$(MODEL_READfulltree),fulltree,$(MODEL_FULLTREE)))
TESTS_check += $(addprefix $(B)/tests/netlist/netlist_,read full_read full_tree_read)

$(eval $(call netlist_test,gate,gate,$(MODEL_GATE),board,$(MODEL_BOARD)))
$(eval $(call netlist_test,full_gate,gatefull,$(MODEL_GATEfull),full,$(MODEL_FULL)))
$(eval $(call netlist_test,full_tree_gate,gatefulltree,$(MODEL_GATEfulltree),fulltree,$(MODEL_FULLTREE)))

# board_netlist_test,BOARD,NETLIST: build/tests/netlist/board_NETLIST_BOARD
define board_netlist_test
$(call c_program,$(B)/tests/netlist/board_$(2)-$(1),tests/netlist/board.c sim/board/pins.c,-Isim/board -Ihw-model/model,\
    $(B)/lib/libtern$(2)-$(1).a $(MODEL_LIBS))

$(B)/tests/netlist/whole_$(2)-$(1): tests/netlist/board.sh tests/system/board/lib.sh $(B)/tests/netlist/board_$(2)-$(1) \
      $(B)/bin/tern-board-$(1) $(BOARD_TOOLS) $(this_fragment)
	$$(Q)mkdir -p $$(@D) && printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nB=$(B) BOARD=$(1) exec sh $$< $(2)\n' > $$@ && chmod +x $$@
endef
$(foreach n,read gate,$(foreach b,$(BOARDS),$(eval $(call board_netlist_test,$(b),$(n)))))
TESTS_check += $(B)/tests/netlist/whole_read-colorlight-i9

gate: $(B)/tests/netlist/whole_gate-colorlight-i9 $(addprefix $(B)/tests/netlist/netlist_,gate full_gate full_tree_gate) ## runs the mapped netlists of a board and of the lean and the full node, without and with tree, against the RTL
	$(Q)failed=0; for t in $^; do $$t || failed=1; done; exit $$failed

.PHONY: gate

# ---- the fast model and the checked one have the same state ----
MODELS_AGREE := $(B)/tests/netlist/models_agree
$(eval $(call model_face,models,sim_2 checked_2))
$(eval $(call c_program,$(MODELS_AGREE),tests/netlist/models.c $(TRAFFIC_SRC),$(TRAFFIC_INC) -Itests/netlist,\
    $(B)/lib/libtern.a $(call sim_libs,$(B)/lib/libternface-models.a $(MODEL_LIB) $(MODEL_CHECKED)) -Xlinker --wrap=mmap))
$(MODELS_AGREE): | $(B)/fw/tern-fw.elf
TESTS_check += $(MODELS_AGREE)
