# SPDX-License-Identifier: Apache-2.0
#
# System tests that also run on the board's configuration, 32 bits wide with its table sizes, with
# the same expectations. Each is a separate program that selects it by its environment
# (tests/system/rig/rig_tier.h).

BOARD_TESTS := tests/system/driver_puts tests/system/driver_reads tests/system/driver_atomics tests/system/driver_lookups tests/system/driver_pairs \
               tests/accept/bad_input

define board_script
$(B)/tests/board/board_$(notdir $(1)): $(B)/$(1) $(B)/fw/tern-fw-lean.elf $(this_fragment)
	$$(call say,BOARD,$$@) mkdir -p $$(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nMODEL=board exec %s\n' $(B)/$(1) > $$@ && chmod +x $$@
TESTS_system += $(B)/tests/board/board_$(notdir $(1))
endef

$(foreach t,$(BOARD_TESTS),$(eval $(call board_script,$(t))))

# Programs that run on a simulated board behind `tern bridge`, unchanged: sim.sh is their simulator.
# They take long, so `make board-test` runs them, not `make test`.
BRIDGED_TESTS := $(addprefix tests/system/driver_,puts reads atomics lookups pairs)

define bridged_script
$(B)/tests/board/bridged_$(notdir $(1)): $(B)/$(1) tests/system/board/sim.sh $(B)/bin/tern-board-colorlight-i9 $(B)/bin/tern-bridge $(FW_IMG) $(this_fragment)
	$$(call say,BOARD,$$@) mkdir -p $$(@D) && \
	printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nNODES=1 SIM=tests/system/board/sim.sh TERN_PATIENCE=3000 exec %s\n' $(B)/$(1) > $$@ && chmod +x $$@
BOARD_BRIDGED += $(B)/tests/board/bridged_$(notdir $(1))
endef

$(foreach t,$(BRIDGED_TESTS),$(eval $(call bridged_script,$(t))))
board-test: $(BOARD_BRIDGED)

# Two boards joined by a cable.
BOARD_PAIR := $(B)/tests/board/pair
$(eval $(call c_program,$(BOARD_PAIR)_program,tests/system/board/pair.c tests/system/rig/rig.c,\
    $(DRV_PUBLIC) -Itests/system/rig,$(LIBTERN_A)))
$(BOARD_PAIR): $(BOARD_PAIR)_program tests/system/board/sim.sh $(B)/bin/tern-board-colorlight-i9 $(B)/bin/tern-bridge $(FW_IMG) $(this_fragment)
	$(call say,BOARD,$@) printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nPAIR=1 PROMPT=20 SIM=tests/system/board/sim.sh TERN_PATIENCE=3000 exec %s\n' \
	    $(BOARD_PAIR)_program > $@ && chmod +x $@
BOARD_BRIDGED += $(BOARD_PAIR)
board-test: $(BOARD_PAIR)
