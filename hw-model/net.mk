# SPDX-License-Identifier: Apache-2.0
#
# Links and router: sources in build order, and their benches.

NET_RTL := $(addprefix hw-model/rtl/net/,tern_net_name.sv tern_net_crc.sv \
           tern_net_lane.sv tern_net_event.sv tern_net_count.sv tern_net_sum.sv \
           tern_net_regs.sv tern_way.sv tern_inject.sv tern_net_arb.sv \
           tern_link_state.sv tern_link_credit.sv tern_link_ctl.sv tern_link_replay.sv \
           tern_link_tx.sv \
           tern_link_next.sv tern_link_queue.sv tern_link_buffer.sv tern_link_freed.sv \
           tern_link_route.sv tern_link_rx.sv \
           tern_link.sv tern_router.sv tern_net.sv)

# ---- benches ----
# net_bench,NAME,TOP,SOURCES,FLAGS: a bench driven by SystemVerilog alone. Width warnings are off
# for bench code.
NET_TB   := tests/rtl/net
NET_LIB  := hw-model/rtl/abi/tern_abi_pkg.sv \
            $(addprefix hw-model/rtl/lib/,tern_fifo.sv tern_lutram.sv tern_ram.sv tern_crc16_16.sv \
            tern_crc32c_32.sv tern_crc_run.sv)
RING_TB  := $(addprefix $(NET_TB)/,net_words_pkg.sv net_source.sv net_sink.sv net_wire.sv ring_tb.sv)

net_command = $(CLEAN_ENV) $(VERILATOR) --binary --timing $(filter-out --cc,$(VERILATOR_FLAGS)) $$(VERILATOR_FATAL) \
    -Wno-WIDTH -Wno-PINCONNECTEMPTY -Wno-UNUSEDSIGNAL -Wno-INITIALDLY -Wno-BLKSEQ \
    -j $(VJOBS) -I$(call absolute,$(NET_TB)) --top-module $(2) \
    -Mdir $(B)/verilated/rtl/net/$(1) -MAKEFLAGS "$(VERILATOR_MAKE)" $(4) -o $(ROOT)/$(B)/rtl/net/$(1) \
    $(call absolute,$(3))

define net_bench
$(call v_built,$(B)/rtl/net/$(1),$(net_command),$(3) $(NET_TB)/tb.svh)
TESTS_rtl += $(B)/rtl/net/$(1)
endef

$(eval $(call net_bench,boot,boot_tb,\
    hw-model/rtl/abi/tern_abi_pkg.sv hw-model/rtl/lib/tern_crc32c_8.sv hw-model/rtl/nic/tern_boot.sv \
    $(NET_TB)/boot_tb.sv,$(VERILATOR_QUICK)))
$(eval $(call net_bench,crc,crc_tb,hw-model/rtl/abi/tern_abi_pkg.sv $(NET_TB)/crc_tb.sv,))
# The model's form: tables in place of masks.
$(eval $(call net_bench,crc_model,crc_tb,hw-model/rtl/abi/tern_abi_pkg.sv $(NET_TB)/crc_tb.sv,-DTERN_MODEL))
$(eval $(call net_bench,count,count_tb,\
    $(NET_LIB) $(addprefix hw-model/rtl/net/,tern_net_count.sv tern_net_regs.sv) \
    $(NET_TB)/count_tb.sv,$(VERILATOR_QUICK)))
$(eval $(call net_bench,ring_64,ring_tb,$(NET_LIB) $(NET_RTL) $(RING_TB),))
$(eval $(call net_bench,ring_32,ring_tb,$(NET_LIB) $(NET_RTL) $(RING_TB),-GDataW=32 -GBufWords=256))
$(eval $(call net_bench,pair_64,ring_tb,$(NET_LIB) $(NET_RTL) $(RING_TB),-GN=2))
LINK_TB := $(addprefix $(NET_TB)/,net_words_pkg.sv net_wire.sv link_tb.sv)
LINK_RTL := $(filter hw-model/rtl/net/tern_link% %/tern_net_name.sv %/tern_net_crc.sv,$(NET_RTL))
$(eval $(call net_bench,link_64,link_tb,$(NET_LIB) $(LINK_RTL) $(LINK_TB),$(VERILATOR_QUICK)))
$(eval $(call net_bench,link_32,link_tb,$(NET_LIB) $(LINK_RTL) $(LINK_TB),$(VERILATOR_QUICK) -GDataW=32 -GBufWords=256))
$(eval $(call net_bench,link_64_6,link_tb,$(NET_LIB) $(LINK_RTL) $(LINK_TB),$(VERILATOR_QUICK) -GPorts=6 -GPort=1))
$(eval $(call net_bench,link_32_6,link_tb,$(NET_LIB) $(LINK_RTL) $(LINK_TB),\
    $(VERILATOR_QUICK) -GDataW=32 -GBufWords=256 -GPorts=6 -GPort=2))

# A torus: the network side of a node is compiled once (see torus.vlt). A separate make without -j
# verilates the block: Verilator's fragment has two targets in one rule, so a parallel make (without
# `&:`) runs it twice at once, and the bench may read half a file.
TORUS_TB := $(addprefix $(NET_TB)/,net_words_pkg.sv net_source.sv net_sink.sv net_wire.sv torus_tb.sv)
# torus_bench,NAME,TOP,MORE SOURCES
torus_command = $(CLEAN_ENV) $(VERILATOR) --main --exe --hierarchical --timing $(VERILATOR_FLAGS) \
    $$(VERILATOR_FATAL) -Wno-WIDTH -Wno-PINCONNECTEMPTY -Wno-UNUSEDSIGNAL -Wno-INITIALDLY \
    -Wno-BLKSEQ -Wno-DECLFILENAME -I$(call absolute,$(NET_TB)) --top-module $(2) \
    -Mdir $(B)/verilated/rtl/net/$(1) -MAKEFLAGS "$(VERILATOR_MAKE)" -o $(ROOT)/$(B)/rtl/net/$(1) \
    $(call absolute,$(NET_TB)/torus.vlt $(NET_LIB) $(NET_RTL) $(TORUS_TB) $(3)) && \
    $(CLEAN_ENV) $(MAKE) -C $(B)/verilated/rtl/net/$(1) -f V$(2)_hier.mk hier_verilation && \
    $(CLEAN_ENV) $(MAKE) -C $(B)/verilated/rtl/net/$(1) -f V$(2)_hier.mk -j $(VJOBS) $(VERILATOR_MAKE) hier_build

define torus_bench
$(call v_built,$(B)/rtl/net/$(1),$(torus_command),$(NET_TB)/torus.vlt $(NET_LIB) $(NET_RTL) $(TORUS_TB) $(NET_TB)/tb.svh $(3))
TESTS_rtl += $(B)/rtl/net/$(1)
endef
$(eval $(call torus_bench,torus_64,torus_tb,))
$(eval $(call torus_bench,torus_32,torus_32_tb,$(NET_TB)/torus_32_tb.sv))

# The tree beside the torus: each node's part is compiled once; the bench, in C++, makes 31 of it.
TREE_RTL := $(addprefix hw-model/rtl/net/,tern_tree_pkg.sv tern_tree_alu.sv tern_tree_turn.sv \
            tern_tree_credit.sv tern_tree_ring.sv tern_tree_groups.sv tern_tree_merge.sv \
            tern_tree_out.sv tern_tree_notes.sv tern_tree_event.sv tern_tree_in.sv \
            tern_tree_down.sv tern_tree_hold.sv tern_tree_unicast.sv tern_tree_rank.sv \
            tern_tree_widen.sv tern_tree_narrow.sv tern_tree.sv)
# With beats of 64 bits on the links, and of 32.
define tree_bench
$(call v_program,$(B)/rtl/net/$(1),tern_tree,$(NET_LIB) $(LINK_RTL) $(TREE_RTL),$(NET_TB)/tree_bench.cpp,\
    -DTERN_MODEL -GWaitEvery=512 $(2) -MAKEFLAGS OPT_FAST=-O1 -CFLAGS -std=c++17 -CFLAGS -I$(ROOT)/hw-model/abi)
TESTS_rtl += $(B)/rtl/net/$(1)
endef
$(eval $(call tree_bench,tree,))
$(eval $(call tree_bench,tree_32,-GDataW=32))

soak-tree: $(B)/rtl/net/tree ## 200 rounds of random faults of members, wires and memory of the tree network
	$(Q)$< +seed=$(or $(SEED),1) +rounds=200

.PHONY: soak-tree

# ---- proofs ----
TESTS_check += hw-model/formal/credit.sh hw-model/formal/arb.sh hw-model/formal/tree_pieces.sh
