# SPDX-License-Identifier: Apache-2.0
#
# Boards: a top each, with its pins, clocks and host link; its model, its bits.

BOARDS    := ulx3s colorlight-i9
BOARD_RTL := $(sort $(wildcard hw-model/rtl/board/*.sv))
BOARD_CELLS := $(sort $(wildcard hw-model/boards/cells/*.sv))
BOARD_DIR := hw-model/boards

# Parameters of the node that the top passes on; width and memories are fixed there.
BOARD_PARAMS := $(filter-out DataW=%,$(NODE_FULL_PARAMS))

# Word address space of the flash: byte address of the firmware, behind the bitstream.
BOARD_FLASH_BASE_ulx3s := 4194304
BOARD_CLOCK_HZ_ulx3s   := 50000000
BOARD_LINE_ulx3s       := serial
BOARD_BAUD_ulx3s       := 3000000

BOARD_FLASH_BASE_colorlight-i9 := 1572864
BOARD_CLOCK_HZ_colorlight-i9   := 50000000
BOARD_LINE_colorlight-i9       := ether

# Of a second instance Verilator takes names in functions for hidden ones; one instance is linted.
BOARD_VFLAGS_ulx3s := -Wno-VARHIDDEN

board_top    = tern_$(subst -,_,$(1))
board_rtl    = $(NODE_RTL) $(BOARD_RTL) $(BOARD_DIR)/$(1)/$(call board_top,$(1)).sv
board_params = $(BOARD_PARAMS) FlashBase=$(BOARD_FLASH_BASE_$(1)) ClockHz=$(BOARD_CLOCK_HZ_$(1)) $(addprefix Baud=,$(BOARD_BAUD_$(1)))

# ---- lint ----
define board_lint
$(B)/lint/board_$(1).ok: $(call board_rtl,$(1)) $(BOARD_CELLS) $(this_fragment)
	$$(call say,LINT,$(call board_top,$(1))) mkdir -p $$(@D) && $(VERILATOR) $(VERILATOR_LINT) $(BOARD_VFLAGS_$(1)) \
	    $(addprefix -G,$(call board_params,$(1))) --top-module $(call board_top,$(1)) $(call board_rtl,$(1)) $(BOARD_CELLS) && touch $$@

$(B)/lint/lint_board_$(1): $(this_fragment) | $(B)/lint/board_$(1).ok
	$$(Q)printf '#!/bin/sh\necho "ok 1 - lint_board_$(1)"; echo 1..1\n' > $$@ && chmod +x $$@
TESTS_check += $(B)/lint/lint_board_$(1)
endef
$(foreach b,$(BOARDS),$(eval $(call board_lint,$(b))))

# ---- the verilated top, as it is synthesised ----
# board_model,BOARD,NAME,SOURCES,PARAMETERS,VERILATOR FLAGS: build/lib/libternNAME-BOARD.a
board_command = dir=$(B)/verilated/$(2)_$(1) && rm -rf $$$$dir && mkdir -p $$$$dir $$(@D) && \
    root=$$$$($(VERILATOR) --getenv VERILATOR_ROOT) && \
    { $(CLEAN_ENV) $(VERILATOR) $(filter-out --savable,$(patsubst tern_node,$(call board_top,$(1)),$(MODEL_VFLAGS))) \
    --prefix V$(call board_top,$(1)) $$(VERILATOR_FATAL) $(addprefix -G,$(4)) $(BOARD_VFLAGS_$(1)) $(5) \
    --build -j $(VJOBS) -Mdir $$$$dir -CFLAGS "-fPIC" -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1" \
    $(call absolute,$(3)) && \
    for c in verilated.cpp verilated_threads.cpp; do $(CXX) -O2 -std=c++17 -fPIC -faligned-new -pthread -w \
    -I$$$$root/include -I$$$$root/include/vltstd -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 -DVM_COVERAGE=0 \
    -DVM_SC=0 -c -o $$$$dir/$$$${c%.cpp}.o $$$$root/include/$$$$c || exit 1; done && \
    $(CXX) $(MODEL_CXXFLAGS) -isystem $$$$dir -isystem $$$$root/include -isystem $$$$root/include/vltstd \
    -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_COVERAGE=0 -DVM_SC=0 \
    -include V$(call board_top,$(1)).h -include V$(call board_top,$(1))___024root.h -DTERN_BOARD_CLASS=V$(call board_top,$(1)) \
    -DTERN_BOARD_MCLK=$(call board_top,$(1))__DOT__u_mclk__DOT__pin -DTERN_BOARD_TEXT='"$(1)"' \
    -DTERN_BOARD_PINS=tern_board_$(BOARD_LINE_$(1)) -c \
    -o $$$$dir/tern_board.o $(MODEL_DIR)/tern_model.cpp && \
    rm -f $$@ && cp $$$$dir/V$(call board_top,$(1))__ALL.a $$@ && \
    $(AR) rs $$@ $$$$dir/tern_board.o $$$$dir/verilated.o $$$$dir/verilated_threads.o; } \
    > $$$$dir.log 2>&1 || { cat $$$$dir.log >&2; exit 1; }

define board_model
$(B)/lib/libtern$(2)-$(1).a: $(call plain,$(3)) $(MODEL_DIR)/tern_model.cpp \
      $(MODEL_DIR)/tern_board.h $(call told,$(2)_$(1),$(call board_command,$(1),$(2),$(3),$(4),$(5)))
	$$(call say,VERIL,$$@) $(call board_command,$(1),$(2),$(3),$(4),$(5))
V_PRODUCTS += $(B)/lib/libtern$(2)-$(1).a
endef
$(foreach b,$(BOARDS),$(eval $(call board_model,$(b),board,$(call board_rtl,$(b)) $(BOARD_CELLS),$(call board_params,$(b)),$(MODEL_CHECK))))

# ---- benches: the host link with the host's end in C, without and with faults of the line ----
HLINK_TB     := tests/rtl/board
HLINK_RTL    := hw-model/rtl/abi/tern_abi_pkg.sv $(addprefix hw-model/rtl/lib/,tern_fifo.sv tern_ram.sv tern_lutram.sv tern_crc32c_32.sv) \
                $(filter-out %/tern_board_node.sv %/tern_spi_flash.sv %/tern_flash_slots.sv %/tern_link_eth.sv %/tern_cdc_fifo.sv %/tern_cdc_handshake.sv,$(BOARD_RTL)) \
                $(addprefix $(BOARD_DIR)/cells/,DELAYG.sv IDDRX1F.sv ODDRX1F.sv)
HLINK_C      := $(HLINK_TB)/hlink_host.c $(addprefix sim/bridge/,board.c line.c frame.c packet.c) $(addprefix sim/board/,uart.c faults.c phy.c wire.c)
HLINK_INC    := $(addprefix -I,tests/rtl/board hw-model/abi sim/bridge sim/board sim/host) -D_GNU_SOURCE -fPIC
HLINK_LIB    := $(B)/lib/libhlinkhost.a
HLINK_FLAGS  := --main --timing --timescale 1ns/1ns -Wno-lint -Wno-style -Wno-INITIALDLY -Wno-BLKSEQ -I$(ROOT)/tests/rtl/net \
                $(VERILATOR_QUICK)
$(eval $(call c_archive,$(HLINK_LIB),$(HLINK_C),$(HLINK_INC)))

$(eval $(call v_program,$(B)/rtl/board/hlink,hlink_tb,$(HLINK_RTL) $(HLINK_TB)/hlink_tb.sv,$(HLINK_LIB),$(HLINK_FLAGS)))
$(eval $(call v_program,$(B)/rtl/board/ether_line,hlink_tb,$(HLINK_RTL) $(HLINK_TB)/hlink_tb.sv,$(HLINK_LIB),$(HLINK_FLAGS) -GEther=1))
$(eval $(call v_program,$(B)/rtl/board/hlink_shared,hlink_tb,$(HLINK_RTL) $(HLINK_TB)/hlink_tb.sv,$(HLINK_LIB),$(HLINK_FLAGS) -GShared=1))
$(B)/rtl/board/hlink $(B)/rtl/board/hlink_shared $(B)/rtl/board/ether_line: tests/rtl/net/tb.svh

# The same with faults: of 100 frames one is damaged, one lost, one repeated.
$(addprefix $(B)/rtl/board/,hlink_faults hlink_shared_faults ether_line_faults): $(B)/rtl/board/%_faults: $(B)/rtl/board/% $(this_fragment)
	$(Q)printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nexec $(B)/rtl/board/$* +faults=10\n' > $@ && chmod +x $@
TESTS_rtl += $(addprefix $(B)/rtl/board/,hlink hlink_faults hlink_shared hlink_shared_faults ether_line ether_line_faults)

# ---- bench: the MAC at its pins ----
ETH_RTL := $(addprefix $(BOARD_DIR)/cells/,DELAYG.sv IDDRX1F.sv ODDRX1F.sv) hw-model/rtl/abi/tern_abi_pkg.sv \
           $(addprefix hw-model/rtl/board/,tern_cdc_sync.sv tern_eth_crc.sv tern_eth_rx.sv tern_eth_tx.sv tern_frame_fifo.sv tern_rgmii.sv)
$(eval $(call v_program,$(B)/rtl/board/eth,eth_tb,$(ETH_RTL) $(HLINK_TB)/eth_tb.sv,,$(HLINK_FLAGS)))
$(B)/rtl/board/eth: tests/rtl/net/tb.svh
TESTS_rtl += $(B)/rtl/board/eth

# ---- bench: a link of the torus through PHYs and a cable ----
LINK_ETHER_RTL := $(NET_LIB) $(LINK_RTL) $(ETH_RTL) $(addprefix hw-model/rtl/board/,tern_cdc_fifo.sv tern_cdc_reset.sv tern_link_eth.sv)
$(eval $(call v_program,$(B)/rtl/board/link_ether,link_tb,$(sort $(LINK_ETHER_RTL)) $(HLINK_TB)/phy_cable.sv $(LINK_TB),,\
    $(HLINK_FLAGS) --timescale-override 1ns/1ps -GDataW=32 -GCable=1))
$(B)/rtl/board/link_ether: tests/rtl/net/tb.svh
TESTS_rtl += $(B)/rtl/board/link_ether

# ---- bench: two images in the flash ----
FLASH_RTL := hw-model/rtl/abi/tern_abi_pkg.sv hw-model/rtl/lib/tern_crc32c_32.sv $(addprefix hw-model/rtl/board/,tern_flash_slots.sv tern_spi_flash.sv)
# It reads some hundred images whole, so it is optimised.
$(eval $(call v_program,$(B)/rtl/board/flash,flash_tb,$(FLASH_RTL) $(HLINK_TB)/flash_tb.sv,,$(subst $(VERILATOR_QUICK),,$(HLINK_FLAGS))))
$(B)/rtl/board/flash: tests/rtl/net/tb.svh
TESTS_rtl += $(B)/rtl/board/flash

# ---- bits ----
BOARD_DEVICE_ulx3s := 85
BOARD_DEVICE_colorlight-i9 := 45
BOARD_SEED         ?= 1
OPENFPGALOADER     ?= openFPGALoader

define board_bits
SYNTH_PARAMS_board_$(1) := $(foreach p,$(call board_params,$(1)),$(call set_param,$(p)))
$(eval $(call synth_size,board_$(1),$(call board_top,$(1)),$(call board_rtl,$(1))))

$(B)/boards/$(1)-$(BOARD_SEED).bit: $(B)/synth/board_$(1).json $(BOARD_DIR)/$(1)/$(call board_top,$(1)).lpf $(BOARD_DIR)/bitstream.sh
	$$(call say,PNR,$$@) B=$(B) sh $(BOARD_DIR)/bitstream.sh -c && \
	    B=$(B) sh $(BOARD_DIR)/bitstream.sh $(1) $(BOARD_DEVICE_$(1)) 50 $(BOARD_SEED)
endef
$(foreach b,$(BOARDS),$(eval $(call board_bits,$(b))))

# What flash.sh must know of a board: the device, the places of the two images and their room.
define board_places
$(B)/boards/$(1).params: $(this_fragment)
	$$(Q)mkdir -p $$(@D) && printf '%s\n' DEVICE=$(BOARD_DEVICE_$(1)) FIRST=$(BOARD_FLASH_BASE_$(1)) \
	    SECOND=$$$$(($(BOARD_FLASH_BASE_$(1)) + $(BOARD_SLOT_BYTES))) SLOT=$(BOARD_SLOT_BYTES) > $$@
endef
BOARD_SLOT_BYTES := 262144
$(foreach b,$(BOARDS),$(eval $(call board_places,$(b))))

BOARD ?= ulx3s
BOARD_BIT := $(B)/boards/$(BOARD)-$(BOARD_SEED).bit
BOARD_PLACES := $(B)/boards/$(BOARD).params
flash_board = B=$(B) OPENFPGALOADER='$(OPENFPGALOADER)' sh $(BOARD_DIR)/flash.sh

bitstream: $(BOARD_BIT) ## makes a board's bitstream, 50 MHz met or an error; an hour or less [BOARD=ulx3s] [BOARD_SEED=1]

# Both images are written with the bitstream: an old second one would be run in place of a new first.
flash: $(BOARD_BIT) $(FW_IMG) $(BOARD_PLACES) ## writes bitstream and firmware into the flash of a board at USB [BOARD=ulx3s]
	$(flash_board) all $(BOARD) $(BOARD_BIT) $(FW_IMG)

flash-firmware: $(FW_IMG) $(BOARD_PLACES) ## writes the firmware alone, its second image [BOARD=ulx3s]
	$(flash_board) firmware $(BOARD) $(FW_IMG)

load: $(BOARD_BIT) $(BOARD_PLACES) ## loads a bitstream into a board at USB, until its power goes [BOARD=ulx3s]
	$(flash_board) load $(BOARD) $(BOARD_BIT)
.PHONY: bitstream flash flash-firmware load

TESTS_check += hw-model/formal/cdc.sh
