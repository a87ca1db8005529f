# SPDX-License-Identifier: Apache-2.0
#
# The host's end of a board: tern-bridge; and boards in simulation.

BRIDGE     := $(B)/bin/tern-bridge
BRIDGE_SRC := $(addprefix sim/bridge/,main.c board.c line.c frame.c packet.c serial.c ether.c)
BRIDGE_INC := -Ihw-model/abi -Isim/bridge -Isim/host -Ihost-driver/tools -D_GNU_SOURCE

$(eval $(call c_program,$(BRIDGE),$(BRIDGE_SRC) $(SIM_HOST_SRC) sim/host/server.c,$(BRIDGE_INC),$(JANSSON_LIBS)))
ALL += $(BRIDGE)

BOARD_SIM_SRC := $(addprefix sim/board/,main.c pins.c spi_flash.c)
BOARD_SIM_SRC_serial := $(addprefix sim/board/,serial_line.c uart.c faults.c)
BOARD_SIM_SRC_ether  := $(addprefix sim/board/,ether_line.c cable.c phy.c wire.c)
BOARD_SIM_INC := -Ihw-model/abi -Ihw-model/model -Isim/board -Ihost-driver/tools -D_GNU_SOURCE

# board_sim,BOARD: build/bin/tern-board-BOARD
define board_sim
$(call c_program,$(B)/bin/tern-board-$(1),$(BOARD_SIM_SRC) $(BOARD_SIM_SRC_$(BOARD_LINE_$(1))),$(BOARD_SIM_INC) \
    -DTERN_BOARD_FLASH_BASE=$(BOARD_FLASH_BASE_$(1)) -DTERN_BOARD_SLOT_BYTES=$(BOARD_SLOT_BYTES) $(addprefix -DTERN_BOARD_BAUD=,$(BOARD_BAUD_$(1))) \
    -DTERN_BOARD_CLOCK_HZ=$(BOARD_CLOCK_HZ_$(1)),$(B)/lib/libternboard-$(1).a $(MODEL_LIBS))
endef
$(foreach b,$(BOARDS),$(eval $(call board_sim,$(b))))

board-sim: $(B)/bin/tern-board-$(BOARD) $(BRIDGE) $(FW_IMG) ## runs a board's whole top in simulation, its host link at a pseudo-terminal or a socket [BOARD=ulx3s]
	$(Q)mkdir -p $(B)/boards && exec $(B)/bin/tern-board-$(BOARD) --firmware $(FW_IMG) --link $(abspath $(B))/boards/$(BOARD).line
.PHONY: board-sim

# ---- the JTAG port of a board's device, for openFPGALoader ----
TAP     := $(B)/bin/tern-tap
TAP_SRC := $(addprefix sim/board/,xvc.c ecp5_tap.c ecp5_bits.c spi_flash.c)
$(eval $(call c_program,$(TAP),$(TAP_SRC),-Isim/board -Ihost-driver/tools -D_GNU_SOURCE))
ALL += $(TAP)

MAKE_BITS := $(B)/tests/board/make_bits
$(eval $(call c_program,$(MAKE_BITS),tests/system/board/make_bits.c sim/board/ecp5_bits.c,-Isim/board))

# ---- tests ----
TAP_T := $(B)/tests/unit/ecp5_tap
$(eval $(call c_program,$(TAP_T),tests/unit/sim/ecp5_tap.c $(addprefix sim/board/,ecp5_tap.c ecp5_bits.c spi_flash.c),\
    -Isim/board,$(CMOCKA_LIBS)))
TESTS_unit += $(TAP_T)

BRIDGE_T_ETHER := $(B)/tests/unit/bridge_ether
$(eval $(call c_program,$(BRIDGE_T_ETHER),tests/unit/sim/bridge_ether.c $(addprefix sim/bridge/,line.c frame.c packet.c),\
    $(BRIDGE_INC),$(CMOCKA_LIBS)))
TESTS_unit += $(BRIDGE_T_ETHER)

BOARD_ETHER := $(addprefix tests/system/board/,ether.sh ether_line_faults.sh ether_faults.sh)
BOARD_SERIAL := $(addprefix tests/system/board/,board.sh faults.sh)
BOARD_FLASH := $(addprefix tests/system/board/,flash.sh flash_serial.sh)
BOARD_TOOLS := $(BRIDGE) $(TERN_BIN) $(FW_IMG)

# A whole image of a firmware that does not come up.
FW_FAILS := $(B)/fw/tern-fw-fails
$(eval $(call rv_program,$(FW_FAILS).elf,tests/system/board/fails.c,-Ihw-model/abi -Ifw/hal/target,$(FW_LD),-Llinker/full))
$(FW_FAILS).elf: linker/full/memmap.ld
tests/system/board/rollback.sh: $(FW_FAILS).img

BOARD_ALONE := $(addprefix tests/system/board/,rollback.sh packet.sh)
$(BOARD_ETHER) $(BOARD_ALONE): $(B)/bin/tern-board-colorlight-i9 $(BOARD_TOOLS)
TESTS_system += $(BOARD_ETHER) $(BOARD_ALONE)

# openFPGALoader, where it is installed, against the JTAG port of each board.
BOARD_JTAG := $(foreach b,$(BOARDS),$(B)/tests/board/jtag_$(b))
BOARD_JTAG_NEEDS := $(TAP) $(MAKE_BITS) $(B)/rtl/board/flash $(FW_IMG) $(FW_LEAN_ELF:.elf=.img)

define board_jtag
$(B)/tests/board/jtag_$(1): tests/system/board/jtag.sh hw-model/boards/flash.sh $(BOARD_JTAG_NEEDS) $(B)/boards/$(1).params $(this_fragment)
	$$(Q)mkdir -p $$(@D) && printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nBOARD=$(1) exec sh $$<\n' > $$@ && chmod +x $$@
endef
$(foreach b,$(BOARDS),$(eval $(call board_jtag,$(b))))
TESTS_system += $(BOARD_JTAG)

# ... and the board's whole top from the flash that it left.
BOARD_LEFT := tests/system/board/flash_left.sh
$(BOARD_LEFT): $(B)/bin/tern-board-colorlight-i9 $(BOARD_TOOLS) $(TAP) $(MAKE_BITS) $(B)/boards/colorlight-i9.params

flash-test: $(B)/tests/board/jtag_$(BOARD) $(if $(filter colorlight-i9,$(BOARD)),$(BOARD_LEFT)) ## flashes a model of a board with openFPGALoader: bit for bit, power cuts, a pulled cable [BOARD=ulx3s]
	$(Q)for t in $^; do B=$(B) sh $$t || exit 1; done
.PHONY: flash-test

# Those of the serial line and of whole tops with images are not among the tests yet (docs/boards.md).

board-test: $(addprefix $(B)/bin/tern-board-,$(BOARDS)) $(BOARD_TOOLS) ## `tern info` and `tern put` through the pins of all simulated boards, lines with faults and without
	$(Q)for t in $(BOARD_ETHER) $(BOARD_SERIAL) $(BOARD_FLASH) $(BOARD_BRIDGED); do B=$(B) sh $$t || exit 1; done
.PHONY: board-test
