# SPDX-License-Identifier: Apache-2.0
#
# Netlists of the node in place of the chip: as Yosys reads the sources, and mapped to ECP5; each in
# the lean and in the full configuration, and in the full one with the tree network; and of the
# whole tops of boards.

NETLIST_READER := hw-model/lint/netlist_read.sh
NETLIST_CELLS  := tests/netlist/ccu2c.sv
NETLIST_LOOSE  := --no-assert -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT
NETLIST_VFLAGS := $(NETLIST_LOOSE) -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"

# In the mapped netlist, Yosys expands its own ECP5 cells; empty boxes have a model here, slow ones
# a faster model.
NETLIST_GATE_CELLS := $(CORE_CELLS) tests/netlist/ccu2c.sv tests/netlist/dp16kd.sv

# netlist_read,NETLIST OF SYNTHESIS,TOP,SOURCES: build/synth/NETLIST_read.v
define netlist_read
$(B)/synth/$(1)_read.v: $(call plain,$(3)) $(NETLIST_READER) hw-model/lint/late.v hw-model/lint/late_map.v $(this_fragment)
	$$(call say,YOSYS,$$@) SYNTH_PARAMS='$(SYNTH_PARAMS_$(1))' $(NETLIST_READER) $$@ $(2) $(3)
endef

# netlist_gate,NETLIST OF SYNTHESIS,TOP: build/synth/NETLIST_gate.v; cells of the board stay boxes.
define netlist_gate
$(B)/synth/$(1)_gate.v: $(B)/synth/$(1).json $(call plain,$(NETLIST_GATE_CELLS)) $(this_fragment)
	$$(call say,YOSYS,$$@) $(YOSYS) -q -l $$@.log -p "read_verilog $(B)/synth/$(1).v; \
	    hierarchy -auto-top; rename -top $(2); \
	    read_verilog -sv $(NETLIST_GATE_CELLS); read_verilog -nooverwrite +/ecp5/cells_sim.v; \
	    read_verilog -lib -nooverwrite +/ecp5/cells_bb.v; \
	    hierarchy -check -top $(2); proc; flatten; opt_expr; opt_clean -purge; check; \
	    write_verilog -noattr $$@" > $$@.out 2>&1 || { cat $$@.out >&2; exit 1; }
endef

# netlist_models,NETLIST OF SYNTHESIS,SUFFIX OF THE MODELS' NAMES,PARAMETERS,C++ FLAGS: sets
# MODEL_READSUFFIX and MODEL_GATESUFFIX.
define netlist_models
$(call netlist_read,$(1),tern_node,$(NODE_RTL))

MODEL_READ$(2) := $(B)/lib/libternmodel-read$(2).a
$(call model_archive,$(B)/lib/libternmodel-read$(2).a,read$(2)_2,$(B)/synth/$(1)_read.v $(NETLIST_CELLS),,$(NETLIST_VFLAGS),,$(4),,$(3))

$(call netlist_gate,$(1),tern_node)

MODEL_GATE$(2) := $(B)/lib/libternmodel-gate$(2).a
$(call model_archive,$(B)/lib/libternmodel-gate$(2).a,gate$(2)_2,$(B)/synth/$(1)_gate.v,,$(NETLIST_VFLAGS),,$(4),,$(3))
endef

$(eval $(call netlist_models,node,,$(NODE_BOARD_PARAMS)))
$(eval $(call netlist_models,node_full,full,$(NODE_FULL_PARAMS)))
$(eval $(call netlist_models,node_full_tree,fulltree,$(NODE_FULL_TREE_PARAMS),-DTERN_MODEL_WITH_TREE))

# The whole top of a board: build/lib/libternread-BOARD.a, libterngate-BOARD.a.
define netlist_board
$(call netlist_read,board_$(1),$(call board_top,$(1)),$(call board_rtl,$(1)))
$(call board_model,$(1),read,$(B)/synth/board_$(1)_read.v $(NETLIST_CELLS) $(BOARD_CELLS),,$(NETLIST_LOOSE))

$(call netlist_gate,board_$(1),$(call board_top,$(1)))
$(call board_model,$(1),gate,$(B)/synth/board_$(1)_gate.v $(BOARD_CELLS),,$(NETLIST_LOOSE))
endef
$(foreach b,$(BOARDS),$(eval $(call netlist_board,$(b))))
