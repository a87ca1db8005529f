# SPDX-License-Identifier: Apache-2.0
#
# Clock rates by place and route.

FMAX_ROWS := core memory node full_45 full_85 full_tree_85
FMAX      ?= $(FMAX_ROWS)
FMAX_ROOT ?= $(B)/pnr
FMAX_RTL  := $(sort $(wildcard hw-model/rtl/fmax/*.sv))
FMAX_PNR  := hw-model/lint/fmax_pnr.sh

CLUSTER_RTL := hw-model/rtl/abi/tern_abi_pkg.sv $(NODE_LIB) $(CORE_RTL) \
               $(CORE_DEBUG) hw-model/rtl/nic/tern_boot.sv hw-model/rtl/top/tern_cluster.sv

$(B)/synth/cluster.json: $(CLUSTER_RTL) $(SYNTH_CHECK)
	$(call say,SYNTH,tern_cluster) SYNTH_PARAMS="$(foreach p,$(NODE_LEAN_MEMORY),$(call set_param,$(p)))" \
	    $(SYNTH_CHECK) -n cluster tern_cluster $(CLUSTER_RTL)

# Checks for the place and route tool first, before a long synthesis.
$(B)/fmax/tool.ok: $(FMAX_PNR) $(this_fragment)
	$(Q)mkdir -p $(@D) && B=$(B) FMAX_ROOT=$(FMAX_ROOT) sh $(FMAX_PNR) -c && touch $@

FMAX_FIRST := $(if $(filter fmax,$(GOALS)),$(B)/fmax/tool.ok)

# $(eval $(call fmax_row,NAME,HARNESS,NETLIST,TOP,PARAMETER)): the netlist of TOP between flip-flops.
define fmax_row
$(B)/fmax/$(1).json: $(B)/synth/$(3).json $(FMAX_RTL) $(addprefix hw-model/lint/fmax_,wrap.sh spare.awk)
	$$(call say,YOSYS,$$@) B=$(B) hw-model/lint/fmax_wrap.sh $(1) $(2) $(4) $$< $(5)
endef

# $(eval $(call fmax_harness,NAME,NETLIST,TOP,SOURCES,LINT FLAGS)): the row of that name, and a lint
# of it, because a missing pin is no error in the former.
define fmax_harness
$(call fmax_row,$(1),$(1),$(2),$(3))
$(B)/synth/$(2).json: | $(FMAX_FIRST)

$(B)/lint/fmax_$(1).ok: $(4) $(FMAX_RTL) $(this_fragment)
	$$(call say,LINT,tern_fmax_$(1)) mkdir -p $$(@D) && $(VERILATOR) $(VERILATOR_LINT) $(5) \
	    --top-module tern_fmax_$(1) $(4) $(addprefix hw-model/rtl/fmax/tern_fmax_,pins.sv $(1).sv) \
	    && touch $$@

$(B)/lint/lint_fmax_$(1): $(this_fragment) | $(B)/lint/fmax_$(1).ok
	$$(Q)printf '#!/bin/sh\necho "ok 1 - lint_fmax_$(1)"; echo 1..1\n' > $$@ && chmod +x $$@
TESTS_check += $(B)/lint/lint_fmax_$(1)
endef

$(eval $(call fmax_harness,core,core,tern_core,$(CORE_RTL),))
$(eval $(call fmax_harness,memory,cluster,tern_cluster,$(CLUSTER_RTL),))
$(eval $(call fmax_harness,node,node,tern_node,$(NODE_RTL),-GDataW=64))
$(B)/synth/node_full.json: | $(FMAX_FIRST)
$(eval $(call fmax_row,full_45,node,node_full,tern_node))
$(eval $(call fmax_row,full_85,node,node_full,tern_node))
# Three links more.
$(B)/synth/node_full_tree.json: | $(FMAX_FIRST)
$(eval $(call fmax_row,full_tree_85,node,node_full_tree,tern_node,Ports=5))

FMAX_NETLISTS := $(patsubst %,$(B)/fmax/%.json,$(filter $(FMAX_ROWS),$(FMAX)))

fmax: $(FMAX_NETLISTS) ## clock rates by place and route, held to fmax.def [FMAX="core memory"]
	$(Q)B=$(B) FMAX_ROOT=$(FMAX_ROOT) sh hw-model/lint/fmax.sh $(FMAX)

TESTS_check += tests/check/fmax.sh

.PHONY: fmax
