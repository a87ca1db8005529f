# SPDX-License-Identifier: Apache-2.0
#
# The verilated node as a C library, in two builds from one source: fast, and
# with waveforms (half as fast even when nothing is written, hence its own); and in
# a third for benchmarks, which tells what each cycle of the core was for.
# Each is verilated with two link ports, for rings, whose speed has a bar, and with six.
# Sorts behind the fragment that sets NODE_RTL.

MODEL_KINDS := 2 6

MODEL_DIR := hw-model/model
MODEL_LIB := $(B)/lib/libternmodel.a
MODEL_FST := $(B)/lib/libternmodel-fst.a
MODEL_OBS := $(B)/lib/libternmodel-observed.a

# With six ports, if there are any; what links the others needs them besides.
MODEL_SIX     := $(if $(filter 6,$(MODEL_KINDS)),$(B)/lib/libternmodel6.a)
MODEL_SIX_FST := $(if $(filter 6,$(MODEL_KINDS)),$(B)/lib/libternmodel6-fst.a)
MODEL_SIX_FLAGS  := --prefix Vtern_node6 -GPorts=6

# What a program that links the library needs besides.
MODEL_LIBS     := -lstdc++ -lm
MODEL_FST_LIBS := -lstdc++ -lm -lz

MODEL_VFLAGS := --cc -Wall -sv --default-language 1800-2017 -O3 --x-assign fast \
                --x-initial fast --no-assert --savable -DTERN_MODEL --top-module tern_node
MODEL_CXXFLAGS := -O2 -std=c++17 -fPIC -faligned-new -pthread -Wall -Wextra $(WERROR) \
                  -I$(MODEL_DIR)

# A clock in one function: what its parts tell each other then needs no place in memory.  It takes twice
# the time to compile, so only the one whose speed has a bar is built so.
MODEL_WHOLE := --output-split-cfuncs 10000000

# The part of Verilator's run-time library that a model needs.
MODEL_RUNTIME     := verilated.cpp verilated_threads.cpp verilated_save.cpp
MODEL_FST_RUNTIME := $(MODEL_RUNTIME) verilated_fst_c.cpp

# model_archive,PATH,VERILATOR FLAGS,RUN-TIME SOURCES,FST 0|1,C++ FLAGS,PORTS 2|6,MODEL'S CLASS,C FLAGS
# Verilator's headers count as system headers: they are not free of warnings.
model_command = dir=$(B)/verilated/$(notdir $(1)) && rm -rf $$$$dir && \
    mkdir -p $$$$dir $$(@D) && root=$$$$($(VERILATOR) --getenv VERILATOR_ROOT) && \
    { $(CLEAN_ENV) $(VERILATOR) $(MODEL_VFLAGS) $$(VERILATOR_FATAL) $(2) --build -j $(VJOBS) -Mdir $$$$dir \
    -CFLAGS "-fPIC -fno-semantic-interposition" -MAKEFLAGS "$(VERILATOR_MAKE)" $(call absolute,$(NODE_RTL)) && \
    for c in $(3); do $(CXX) -O2 -std=c++17 -fPIC -faligned-new -pthread -w \
    -I$$$$root/include -I$$$$root/include/vltstd -DVM_TRACE=$(4) -DVM_TRACE_FST=$(4) \
    -DVM_TRACE_VCD=0 -DVM_COVERAGE=0 -DVM_SC=0 -c -o $$$$dir/$$$${c%.cpp}.o \
    $$$$root/include/$$$$c || exit 1; done && \
    $(CXX) $(MODEL_CXXFLAGS) -isystem $$$$dir -isystem $$$$root/include \
    -isystem $$$$root/include/vltstd -DVM_TRACE=$(4) \
    -DVM_TRACE_FST=$(4) -DVM_COVERAGE=0 -DVM_SC=0 -DTERN_MODEL_KIND=$(6) $(5) -c \
    -o $$$$dir/tern_model_kind.o $(MODEL_DIR)/tern_model.cpp && \
    $(CC) $(CFLAGS) -fPIC -I$(MODEL_DIR) $(8) -c -o $$$$dir/tern_model.o $(MODEL_DIR)/tern_model.c && \
    rm -f $$@ && cp $$$$dir/$(7)__ALL.a $$@ && \
    $(AR) rs $$@ $$$$dir/tern_model_kind.o $(if $(filter 2,$(6)),$$$$dir/tern_model.o) $(patsubst %.cpp,$$$$dir/%.o,$(3)); } \
    > $$$$dir.log 2>&1 || { cat $$$$dir.log >&2; exit 1; }

define model_archive
$(1): $(call plain,$(NODE_RTL)) $(MODEL_DIR)/tern_model.cpp $(MODEL_DIR)/tern_model.c \
      $(MODEL_DIR)/tern_model.h $(MODEL_DIR)/tern_model_kind.h \
      $(call told,$(call name,$(1)),$(model_command))
	$$(call say,VERIL,$(1)) $(model_command)
V_PRODUCTS += $(1)
endef

MODEL_FACE := $(if $(MODEL_SIX),-DTERN_MODEL_SIX)

ifneq ($(NODE_RTL),)
$(eval $(call model_archive,$(MODEL_LIB),$(MODEL_WHOLE),$(MODEL_RUNTIME),0,,2,Vtern_node,$(MODEL_FACE)))
$(eval $(call model_archive,$(MODEL_FST),--trace-fst,$(MODEL_FST_RUNTIME),1,,2,Vtern_node,$(MODEL_FACE)))
$(eval $(call model_archive,$(MODEL_OBS),-DTERN_RVFI -Wno-PINMISSING $(call absolute,$(CORE_RVFI)),\
    $(MODEL_RUNTIME),0,-DTERN_RVFI,2,Vtern_node,))
$(MODEL_OBS): $(call plain,$(CORE_RVFI))
ifneq ($(MODEL_SIX),)
$(eval $(call model_archive,$(MODEL_SIX),$(MODEL_SIX_FLAGS),$(MODEL_RUNTIME),0,,6,Vtern_node6,))
$(eval $(call model_archive,$(MODEL_SIX_FST),$(MODEL_SIX_FLAGS) --trace-fst,$(MODEL_FST_RUNTIME),1,,6,Vtern_node6,))
endif
endif
