# SPDX-License-Identifier: Apache-2.0
#
# Data path and registers of the NIC: their benches, in both widths.

PATH_TB  := tests/rtl/path
PATH_LIB := hw-model/rtl/abi/tern_abi_pkg.sv $(PATH_TB)/tap_pkg.sv \
            $(addprefix hw-model/rtl/lib/,tern_fifo.sv tern_ram.sv tern_ram_clear.sv tern_lutram.sv \
            tern_addsel.sv tern_addsub.sv tern_addless.sv tern_merge.sv tern_unlike.sv tern_countdown.sv \
            tern_crc32c_8.sv tern_crc32c_32.sv tern_e2e_crc.sv tern_crc_run.sv)
PATH_NIC := $(addprefix hw-model/rtl/nic/tern_,tx_front.sv tx_turns.sv tx_store.sv tx_pick.sv tx_send.sv tx.sv optab.sv rx_word.sv \
            ack.sv rx_check.sv rx_put.sv rx_answer.sv rx_whole.sv atomic.sv rx.sv ctr.sv mmio.sv stats.sv \
            key.sv hostwr_back.sv dma_wr.sv hostrd.sv)

# path_bench,BENCH,WIDTH: tests/rtl/path/BENCH_tb.sv with DataW = WIDTH. Width warnings are off for
# bench code.
path_command = $(CLEAN_ENV) $(VERILATOR) --binary --timing $(filter-out --cc,$(VERILATOR_FLAGS)) $$(VERILATOR_FATAL) -Wno-WIDTH \
    -Wno-PINCONNECTEMPTY -Wno-UNUSEDSIGNAL -Wno-INITIALDLY -Wno-BLKSEQ --timescale 1ns/1ns \
    -j $(VJOBS) --top-module $(1)_tb -GDataW=$(2) \
    -Mdir $(B)/verilated/rtl/path/$(1)_$(2) -MAKEFLAGS "$(VERILATOR_MAKE)" $(VERILATOR_QUICK) \
    -o $(ROOT)/$(B)/rtl/path/$(1)_$(2) $(call absolute,$(PATH_LIB)) -y $(call absolute,hw-model/rtl/nic) \
    $(call absolute,$(PATH_TB)/$(1)_tb.sv)

define path_bench
$(call v_built,$(B)/rtl/path/$(1)_$(2),$(path_command),$(PATH_LIB) $(PATH_NIC) $(PATH_TB)/$(1)_tb.sv)
TESTS_rtl += $(B)/rtl/path/$(1)_$(2)
endef

$(foreach bench,tx rx atomic,$(foreach width,64 32,$(eval $(call path_bench,$(bench),$(width)))))
$(eval $(call path_bench,regs,64))

# ---- proofs ----
TESTS_check += hw-model/formal/atomic.sh
