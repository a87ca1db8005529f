# SPDX-License-Identifier: Apache-2.0
#
# Netlists of the board's node in place of the chip: as Yosys reads the sources, and mapped to ECP5.

NETLIST_READ   := $(B)/synth/node_read.v
NETLIST_READER := hw-model/lint/netlist_read.sh
NETLIST_CELLS  := tests/netlist/ccu2c.sv
NETLIST_VFLAGS := --no-assert -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"

$(NETLIST_READ): $(call plain,$(NODE_RTL)) $(NETLIST_READER) hw-model/lint/late.v hw-model/lint/late_map.v
	$(call say,YOSYS,$@) SYNTH_PARAMS='$(SYNTH_PARAMS_node)' $(NETLIST_READER) $@ tern_node $(NODE_RTL)

MODEL_READ := $(B)/lib/libternmodel-read.a
$(eval $(call model_archive,$(MODEL_READ),read_2,$(NETLIST_READ) $(NETLIST_CELLS),,$(NETLIST_VFLAGS),,,,$(NODE_BOARD_PARAMS)))

# The synthesised netlist. Yosys expands its own ECP5 cells; empty boxes have a model here, slow
# ones a faster model.
NETLIST_GATE       := $(B)/synth/node_gate.v
NETLIST_GATE_CELLS := $(CORE_CELLS) tests/netlist/ccu2c.sv tests/netlist/dp16kd.sv

$(NETLIST_GATE): $(B)/synth/node.json $(call plain,$(NETLIST_GATE_CELLS)) $(this_fragment)
	$(call say,YOSYS,$@) $(YOSYS) -q -l $@.log -p "read_verilog $(B)/synth/node.v; \
	    hierarchy -auto-top; rename -top tern_node; \
	    read_verilog -sv $(NETLIST_GATE_CELLS); read_verilog -nooverwrite +/ecp5/cells_sim.v; \
	    hierarchy -check -top tern_node; proc; flatten; opt_expr; opt_clean -purge; check; \
	    write_verilog -noattr $@" > $@.out 2>&1 || { cat $@.out >&2; exit 1; }

MODEL_GATE := $(B)/lib/libternmodel-gate.a
$(eval $(call model_archive,$(MODEL_GATE),gate_2,$(NETLIST_GATE),,$(NETLIST_VFLAGS),,,,$(NODE_BOARD_PARAMS)))
