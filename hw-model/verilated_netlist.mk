# SPDX-License-Identifier: Apache-2.0
#
# Netlists of the node in place of the chip: as Yosys reads the sources, and mapped to ECP5; each in
# the lean and in the full configuration, and in the full one with the tree network.

NETLIST_READER := hw-model/lint/netlist_read.sh
NETLIST_CELLS  := tests/netlist/ccu2c.sv
NETLIST_VFLAGS := --no-assert -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"

# In the mapped netlist, Yosys expands its own ECP5 cells; empty boxes have a model here, slow ones
# a faster model.
NETLIST_GATE_CELLS := $(CORE_CELLS) tests/netlist/ccu2c.sv tests/netlist/dp16kd.sv

# netlist_models,NETLIST OF SYNTHESIS,SUFFIX OF THE MODELS' NAMES,PARAMETERS,C++ FLAGS: sets
# MODEL_READSUFFIX and MODEL_GATESUFFIX.
define netlist_models
$(B)/synth/$(1)_read.v: $(call plain,$(NODE_RTL)) $(NETLIST_READER) hw-model/lint/late.v hw-model/lint/late_map.v $(this_fragment)
	$$(call say,YOSYS,$$@) SYNTH_PARAMS='$(SYNTH_PARAMS_$(1))' $(NETLIST_READER) $$@ tern_node $(NODE_RTL)

MODEL_READ$(2) := $(B)/lib/libternmodel-read$(2).a
$(call model_archive,$(B)/lib/libternmodel-read$(2).a,read$(2)_2,$(B)/synth/$(1)_read.v $(NETLIST_CELLS),,$(NETLIST_VFLAGS),,$(4),,$(3))

$(B)/synth/$(1)_gate.v: $(B)/synth/$(1).json $(call plain,$(NETLIST_GATE_CELLS)) $(this_fragment)
	$$(call say,YOSYS,$$@) $(YOSYS) -q -l $$@.log -p "read_verilog $(B)/synth/$(1).v; \
	    hierarchy -auto-top; rename -top tern_node; \
	    read_verilog -sv $(NETLIST_GATE_CELLS); read_verilog -nooverwrite +/ecp5/cells_sim.v; \
	    hierarchy -check -top tern_node; proc; flatten; opt_expr; opt_clean -purge; check; \
	    write_verilog -noattr $$@" > $$@.out 2>&1 || { cat $$@.out >&2; exit 1; }

MODEL_GATE$(2) := $(B)/lib/libternmodel-gate$(2).a
$(call model_archive,$(B)/lib/libternmodel-gate$(2).a,gate$(2)_2,$(B)/synth/$(1)_gate.v,,$(NETLIST_VFLAGS),,$(4),,$(3))
endef

$(eval $(call netlist_models,node,,$(NODE_BOARD_PARAMS)))
$(eval $(call netlist_models,node_full,full,$(NODE_FULL_PARAMS)))
$(eval $(call netlist_models,node_full_tree,fulltree,$(NODE_FULL_TREE_PARAMS),-DTERN_MODEL_WITH_TREE))
