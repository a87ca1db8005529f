# SPDX-License-Identifier: Apache-2.0
#
# The verilated node as C libraries, one for each kind of node, from one source.
#
#   sim 2, 6    the simulator's configuration with two link ports (rings) and with six (tori), made fast:
#               TERN_MODEL, no assertions.  Demo and benches run these.
#   ... -fst    the same with waveforms: half as fast even when nothing is written.
#   observed    for benches of the core: tells what each of its cycles was spent on
#   checked 2, 6  the same configuration as it is synthesised, without TERN_MODEL and with assertions:
#               system tests run these.
#   board       the board's (lean) configuration, checked
#   tree 2      the simulator's with the tree network, checked
#   full        the full configuration, checked; tests compare its netlists with it
#   fulltree    the same with the tree network
#   read, gate, readfull, gatefull, readfulltree, gatefulltree  netlists of board, full and fulltree
#               (hw-model/verilated_netlist.mk)
#
# The first library of a set also contains tern_model.o, which lists the kinds of that set. This
# file must sort after the one that sets NODE_RTL.

MODEL_DIR := hw-model/model
MODEL_LIB := $(B)/lib/libternmodel.a
MODEL_FST := $(B)/lib/libternmodel-fst.a
MODEL_OBS := $(B)/lib/libternmodel-observed.a
MODEL_SIX     := $(B)/lib/libternmodel6.a
MODEL_SIX_FST := $(B)/lib/libternmodel6-fst.a
MODEL_CHECKED := $(B)/lib/libternmodel-checked.a
MODEL_SIX_CHECKED := $(B)/lib/libternmodel6-checked.a
MODEL_BOARD   := $(B)/lib/libternmodel-board.a
MODEL_TREE    := $(B)/lib/libternmodel-tree.a
MODEL_FULL    := $(B)/lib/libternmodel-full.a
MODEL_FULLTREE := $(B)/lib/libternmodel-fulltree.a

# Further libraries for a program that links a model.
MODEL_LIBS     := -lstdc++ -lm
MODEL_FST_LIBS := -lstdc++ -lm -lz

MODEL_VFLAGS := --cc -Wall -sv --default-language 1800-2017 -O3 --x-assign fast \
                --x-initial fast --savable --top-module tern_node
# Like CFLAGS except for OPT: sanitizer builds use the models built without sanitizers
# (tests/tools/san.sh).
MODEL_CFLAGS   := -std=c11 -O2 -g $(WARN) -fno-strict-aliasing -fPIC -pthread
MODEL_CXXFLAGS := -O2 -std=c++17 -fPIC -faligned-new -pthread -Wall -Wextra $(WERROR) \
                  -I$(MODEL_DIR)

MODEL_FAST  := -DTERN_MODEL --no-assert
MODEL_CHECK := --assert

# Compiles a clock to one function, whose parts then exchange values without memory. Compilation
# takes twice the time, so only the model whose speed matters is compiled this way.
MODEL_WHOLE := --output-split-cfuncs 10000000

# The part of Verilator's run-time library that a model needs.
MODEL_RUNTIME     := verilated.cpp verilated_threads.cpp verilated_save.cpp
MODEL_RUNTIME_FST := $(MODEL_RUNTIME) verilated_fst_c.cpp

# model_param,NAME,PARAMS,DEFAULT: the value of a parameter in PARAMS, else DEFAULT.
model_param = $(or $(patsubst $(1)=%,%,$(filter $(1)=%,$(2))),$(3))

# Registers and memories of a verilated node by name, for tern_model_named().
MODEL_NAMES := hw-model/model/names.awk

# model_kinds,KINDS: the list of addresses in tern_model.o.
model_comma := ,
model_kinds = $(foreach k,$(1),&tern_model_kind_$(k)$(model_comma))

# model_archive,PATH,KIND_PORTS,SOURCES,PARAMETERS,VERILATOR FLAGS,FST or nothing,C++ FLAGS,KINDS OF ITS FACE or nothing,
# PARAMETERS THAT A NETLIST HAS ALREADY
# Verilator's headers are included as system headers, since they cause warnings.
model_command = dir=$(B)/verilated/$(notdir $(1)) && rm -rf $$$$dir && \
    mkdir -p $$$$dir $$(@D) && root=$$$$($(VERILATOR) --getenv VERILATOR_ROOT) && \
    { $(CLEAN_ENV) $(VERILATOR) $(MODEL_VFLAGS) --prefix Vtern_$(2) $$(VERILATOR_FATAL) \
    $(addprefix -G,$(4)) $(5) --build -j $(VJOBS) -Mdir $$$$dir \
    -CFLAGS "-fPIC -fno-semantic-interposition" $(if $(findstring OPT_FAST,$(5)),,-MAKEFLAGS "$(VERILATOR_MAKE)") \
    $(call absolute,$(3)) && \
    for c in $(MODEL_RUNTIME$(if $(6),_FST)); do $(CXX) -O2 -std=c++17 -fPIC -faligned-new -pthread -w \
    -I$$$$root/include -I$$$$root/include/vltstd -DVM_TRACE=$(if $(6),1,0) -DVM_TRACE_FST=$(if $(6),1,0) \
    -DVM_TRACE_VCD=0 -DVM_COVERAGE=0 -DVM_SC=0 -c -o $$$$dir/$$$${c%.cpp}.o \
    $$$$root/include/$$$$c || exit 1; done && \
    awk -f $(MODEL_NAMES) $$$$dir/Vtern_$(2)___024root.h > $$$$dir/names.inc && \
    $(CXX) $(MODEL_CXXFLAGS) -isystem $$$$dir -isystem $$$$root/include \
    -isystem $$$$root/include/vltstd -DVM_TRACE=$(if $(6),1,0) \
    -DVM_TRACE_FST=$(if $(6),1,0) -DVM_COVERAGE=0 -DVM_SC=0 \
    -include Vtern_$(2).h -include Vtern_$(2)___024root.h -DTERN_MODEL_CLASS=Vtern_$(2) \
    -DTERN_MODEL_NAME=tern_model_kind_$(2) -DTERN_MODEL_TEXT='"$(firstword $(subst _, ,$(2)))"' \
    -DTERN_MODEL_LINKS=$(lastword $(subst _, ,$(2))) \
    -DTERN_MODEL_FNS=$(call model_param,NumFn,$(4) $(9),64) -DTERN_MODEL_NAMED='"names.inc"' $(7) -c \
    -o $$$$dir/tern_model_kind.o $(MODEL_DIR)/tern_model.cpp && \
    $(if $(8),$(CC) $(MODEL_CFLAGS) -fPIC -I$(MODEL_DIR) '-DTERN_MODEL_KINDS=$(call model_kinds,$(8))' -c \
    -o $$$$dir/tern_model.o $(MODEL_DIR)/tern_model.c &&) \
    rm -f $$@ && cp $$$$dir/Vtern_$(2)__ALL.a $$@ && \
    $(AR) rs $$@ $$$$dir/tern_model_kind.o $(if $(8),$$$$dir/tern_model.o) \
    $(patsubst %.cpp,$$$$dir/%.o,$(MODEL_RUNTIME$(if $(6),_FST))); } \
    > $$$$dir.log 2>&1 || { cat $$$$dir.log >&2; exit 1; }

define model_archive
$(1): $(call plain,$(3)) $(MODEL_DIR)/tern_model.cpp $(MODEL_DIR)/tern_model.c $(MODEL_NAMES) \
      $(MODEL_DIR)/tern_model.h $(MODEL_DIR)/tern_model_kind.h \
      $(call told,$(call name,$(1)),$(model_command))
	$$(call say,VERIL,$(1)) $(model_command)
V_PRODUCTS += $(1)
endef

$(eval $(call model_archive,$(MODEL_LIB),sim_2,$(NODE_RTL),,$(MODEL_FAST) $(MODEL_WHOLE),,,sim_2 sim_6 board_2 tree_2))
$(eval $(call model_archive,$(MODEL_SIX),sim_6,$(NODE_RTL),Ports=6,$(MODEL_FAST),,,))
$(eval $(call model_archive,$(MODEL_FST),sim_2,$(NODE_RTL),,$(MODEL_FAST) --trace-fst,fst,,sim_2 sim_6))
$(eval $(call model_archive,$(MODEL_SIX_FST),sim_6,$(NODE_RTL),Ports=6,$(MODEL_FAST) --trace-fst,fst,,))
$(eval $(call model_archive,$(MODEL_OBS),sim_2,$(NODE_RTL) $(CORE_RVFI),,$(MODEL_FAST) -DTERN_RVFI -Wno-PINMISSING,,\
    -DTERN_RVFI,sim_2))
$(eval $(call model_archive,$(MODEL_CHECKED),checked_2,$(NODE_RTL),,$(MODEL_CHECK),,,checked_2 checked_6 board_2 tree_2))
$(eval $(call model_archive,$(MODEL_SIX_CHECKED),checked_6,$(NODE_RTL),Ports=6,$(MODEL_CHECK),,,))
$(eval $(call model_archive,$(MODEL_BOARD),board_2,$(NODE_RTL),$(NODE_BOARD_PARAMS),$(MODEL_CHECK),,,))
$(eval $(call model_archive,$(MODEL_TREE),tree_2,$(NODE_RTL),$(NODE_TREE_PARAMS),$(MODEL_CHECK),,\
    -DTERN_MODEL_WITH_TREE,))
$(eval $(call model_archive,$(MODEL_FULL),full_2,$(NODE_RTL),$(NODE_FULL_PARAMS),$(MODEL_CHECK),,,))
$(eval $(call model_archive,$(MODEL_FULLTREE),fulltree_2,$(NODE_RTL),$(NODE_FULL_TREE_PARAMS),$(MODEL_CHECK),,\
    -DTERN_MODEL_WITH_TREE,tree_2 fulltree_2))
