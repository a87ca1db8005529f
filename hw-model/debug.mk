# SPDX-License-Identifier: Apache-2.0
#
# The debug port of the core: its bench and the program that runs on it.

DEBUG_DIR   := tests/core/debug
DEBUG_BENCH := $(B)/core/debug
DEBUG_SV    := hw-model/rtl/abi/tern_abi_pkg.sv $(CORE_RTL) $(CORE_DEBUG) \
               tests/rtl/path/tap_pkg.sv $(DEBUG_DIR)/debug_tb.sv

$(DEBUG_BENCH).hex: $(DEBUG_DIR)/debug.S $(this_fragment)
	$(call say,RVCC,$<) mkdir -p $(@D) && \
	$(RVCC) -march=rv32imc_zicsr_zifencei -mabi=ilp32 -nostdlib -Wl,-Ttext=0 \
	    -Wl,--no-warn-rwx-segments -o $(DEBUG_BENCH).elf $< && \
	$(RVOBJCOPY) -O verilog --verilog-data-width=4 -j .text $(DEBUG_BENCH).elf $@

DEBUG_COMMAND := $(CLEAN_ENV) $(VERILATOR) --binary --timing $(filter-out --cc,$(VERILATOR_FLAGS)) $$(VERILATOR_FATAL) \
    -Wno-WIDTH -Wno-PINCONNECTEMPTY -Wno-UNUSEDSIGNAL -Wno-INITIALDLY -Wno-BLKSEQ \
    --timescale 1ns/1ns -j $(VJOBS) --top-module debug_tb \
    -Mdir $(B)/verilated/core/debug -MAKEFLAGS "$(VERILATOR_MAKE)" -o $(call absolute,$(DEBUG_BENCH)) \
    $(call absolute,$(DEBUG_SV))

$(eval $(call v_built,$(DEBUG_BENCH),$(DEBUG_COMMAND),$(DEBUG_SV)))
$(DEBUG_BENCH): | $(DEBUG_BENCH).hex
TESTS_rtl += $(DEBUG_BENCH)
