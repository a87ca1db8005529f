# SPDX-License-Identifier: Apache-2.0
#
# Netlists of the board's node in the chip's place: as Yosys reads the sources, and mapped to ECP5.

NETLIST_READ   := $(B)/synth/node_read.v
NETLIST_READER := hw-model/lint/netlist_read.sh
NETLIST_CELLS  := tests/netlist/ccu2c.sv
NETLIST_VFLAGS := --no-assert -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"

$(NETLIST_READ): $(NODE_RTL) $(NETLIST_READER) hw-model/lint/late.v hw-model/lint/late_map.v
	$(call say,YOSYS,$@) SYNTH_PARAMS='$(SYNTH_PARAMS_node)' $(NETLIST_READER) $@ tern_node $(NODE_RTL)

MODEL_READ := $(B)/lib/libternmodel-read.a
$(eval $(call model_archive,$(MODEL_READ),read_2,$(NETLIST_READ) $(NETLIST_CELLS),,$(NETLIST_VFLAGS),,,,$(NODE_BOARD_PARAMS)))
