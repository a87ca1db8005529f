# SPDX-License-Identifier: Apache-2.0
#
# The whole node: its sources in build order, lint and synthesis.

NODE_LIB := $(filter-out $(CORE_RTL),$(sort $(wildcard hw-model/rtl/lib/*.sv)))
NODE_RTL := hw-model/rtl/abi/tern_abi_pkg.sv $(NODE_LIB) $(CORE_RTL) $(CORE_DEBUG) \
            $(TREE_RTL) $(sort $(wildcard hw-model/rtl/nic/*.sv)) $(NET_RTL) \
            hw-model/rtl/top/tern_cluster.sv hw-model/rtl/top/tern_node.sv

# $(call lean_bytes,MEMORY): its bytes in the lean configuration, from the contract.
lean_bytes = $(shell printf %d $$(awk -F "[^A-Za-z0-9_]+" "\$$1 == \"MEM\" && \$$2 == \"$(1)\" { print \$$5 }" hw-model/abi/memmap.def))

# The two configurations; the first equals the parameters' defaults. Both with six ports.
NODE_SIM_PARAMS   := DataW=64
NODE_LEAN_MEMORY  := ItcmBytes=$(call lean_bytes,ITCM) DtcmBytes=$(call lean_bytes,DTCM)
NODE_BOARD_PARAMS := DataW=32 NumFn=4 NumQ=32 NumSlots=16 NumRegions=128 NumCtr=32 \
                     RxSlots=4 BufWords=256 $(NODE_LEAN_MEMORY)
# For the LFE5U-45F and 85F: memories of full size, tables of medium size.
NODE_FULL_PARAMS  := DataW=32 NumFn=16 NumQ=128 NumSlots=32 NumRegions=1024 NumCtr=128 RxSlots=8
NODE_FULL_TREE_PARAMS := $(NODE_FULL_PARAMS) Tree=1
NODE_SIM6_PARAMS  := DataW=64 Ports=6
NODE_TREE_PARAMS  := Tree=1
NODE_WIDE_PARAMS  := $(NODE_BOARD_PARAMS) Ports=6

# ---- lint ----
define node_lint
$(B)/lint/node_$(1).ok: $(call plain,$(NODE_RTL)) $(this_fragment)
	$$(call say,LINT,tern_node ($(1))) mkdir -p $$(@D) && $(VERILATOR) $(VERILATOR_LINT) \
	    $(addprefix -G,$(NODE_$(2)_PARAMS)) --top-module tern_node $(NODE_RTL) && touch $$@

$(B)/lint/lint_node_$(1): $(this_fragment) | $(B)/lint/node_$(1).ok
	$$(Q)printf '#!/bin/sh\necho "ok 1 - lint_node_$(1)"; echo 1..1\n' > $$@ && chmod +x $$@
TESTS_check += $(B)/lint/lint_node_$(1)
endef

$(eval $(call node_lint,sim,SIM))
$(eval $(call node_lint,board,BOARD))
$(eval $(call node_lint,full,FULL))
$(eval $(call node_lint,full_tree,FULL_TREE))
$(eval $(call node_lint,sim_6,SIM6))
$(eval $(call node_lint,board_6,WIDE))
$(eval $(call node_lint,tree,TREE))

lint-node: $(foreach c,sim board full full_tree sim_6 board_6 tree,$(B)/lint/node_$(c).ok) ## lints the node in all configurations

# ---- synthesis, board configuration ----
set_param = -set $(subst =, ,$(1))
SYNTH_PARAMS_node := $(foreach p,$(NODE_BOARD_PARAMS),$(call set_param,$(p)))
$(eval $(call synth_target,node,tern_node,$(NODE_RTL)))

synth-node: $(B)/synth/synth_node ## synthesises the node for ECP5 and compares its size with the budget
	$(Q)$<

# The full configuration, for `make fmax`.
SYNTH_PARAMS_node_full := $(foreach p,$(NODE_FULL_PARAMS),$(call set_param,$(p)))
$(eval $(call synth_size,node_full,tern_node,$(NODE_RTL)))
SYNTH_PARAMS_node_full_tree := $(foreach p,$(NODE_FULL_TREE_PARAMS),$(call set_param,$(p)))
$(eval $(call synth_size,node_full_tree,tern_node,$(NODE_RTL)))

# For tori of two and three dimensions: four and six ports; takes some ten minutes.
define node_ports
SYNTH_PARAMS_node_$(1) := $(SYNTH_PARAMS_node) $(call set_param,Ports=$(1))
endef
$(foreach p,4 6,$(eval $(call node_ports,$(p))))
$(foreach p,4 6,$(eval $(call synth_size,node_$(p),tern_node,$(NODE_RTL))))

synth-node-ports: $(B)/synth/synth_node_4 $(B)/synth/synth_node_6 ## the same of a node with four and with six ports
	$(Q)for t in $^; do $$t || exit 1; done

# The simulator's configuration has twice the logic and exceeds every board, so only its size is
# reported.
SYNTH_PARAMS_node_sim := $(foreach p,$(NODE_SIM_PARAMS),$(call set_param,$(p)))
$(eval $(call synth_target,node_sim,tern_node,$(NODE_RTL)))

synth-node-sim: $(B)/synth/synth_node_sim ## prints the size of the simulator's configuration on ECP5, some minutes
	$(Q)$<

# ---- refused parameters -------------
$(B)/lint/node_parameters: tests/check/parameters.sh $(this_fragment)
	$(Q)mkdir -p $(@D) && printf '#!/bin/sh\nNODE_RTL="%s" exec sh %s\n' '$(NODE_RTL)' $< > $@ && chmod +x $@
TESTS_check += $(B)/lint/node_parameters

.PHONY: lint-node synth-node synth-node-ports synth-node-sim

# ---- two whole nodes on a wire, both configurations ----
NODE_FW := $(B)/rtl/net/node_fw
$(eval $(call rv_program,$(NODE_FW).elf,tests/rtl/net/node_fw.c,\
    -Ihw-model/abi -ffreestanding -msmall-data-limit=0,linker/tern.ld,-Llinker/lean))

$(NODE_FW).elf: linker/lean/memmap.ld
$(NODE_FW).hex: $(NODE_FW).elf
	$(Q)$(RVOBJCOPY) -O verilog --verilog-data-width=4 $< $@

$(eval $(call net_bench,node_64,node_tb,$(NODE_RTL) $(NET_TB)/node_tb.sv,))
$(eval $(call net_bench,node_32,node_tb,$(NODE_RTL) $(NET_TB)/node_tb.sv,\
    $(addprefix -G,$(NODE_BOARD_PARAMS))))
$(B)/rtl/net/node_64 $(B)/rtl/net/node_32: | $(NODE_FW).hex
