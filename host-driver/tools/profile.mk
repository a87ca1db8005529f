# SPDX-License-Identifier: Apache-2.0
#
# `tern profile`: a separate program beside the `tern` command, as only this part needs libdw.

PROFILE_BIN := $(B)/bin/tern-profile
PROFILE_DIR := host-driver/tools/profile
PROFILE_INC := $(DRV_PUBLIC) -Ihost-driver/tools -I$(PROFILE_DIR) -D_GNU_SOURCE
PROFILE_LIBS := $(LIBTERN_A) $(DW_LIBS) $(Z_LIBS)

# All files except main.
PROFILE_PARTS := $(addprefix $(PROFILE_DIR)/,trace.c insn.c program.c debug.c calls.c report.c \
                 source.c flame.c)
$(eval $(call c_program,$(PROFILE_BIN),$(PROFILE_DIR)/main.c $(PROFILE_PARTS),$(PROFILE_INC),\
    $(PROFILE_LIBS)))

driver: $(PROFILE_BIN)
ALL += $(PROFILE_BIN)

# ---- tests
PROFILE_T_ELF := $(B)/tests/unit/profile.elf
$(eval $(call rv_program,$(PROFILE_T_ELF),tests/unit/profile/calls.S tests/unit/profile/inlined.c,-O2,\
    tests/unit/profile/link.ld,))

PROFILE_T := $(B)/tests/unit/profile
$(eval $(call c_program,$(PROFILE_T),tests/unit/profile/profile.c $(PROFILE_PARTS),$(PROFILE_INC),\
    $(PROFILE_LIBS) $(CMOCKA_LIBS)))
$(PROFILE_T): | $(PROFILE_T_ELF)
TESTS_unit += $(PROFILE_T)

TESTS_system += tests/system/profile/profile.sh
tests/system/profile/profile.sh: $(TERN_BIN) $(PROFILE_BIN) $(B)/bin/tern-sim $(FW_IMG) $(FW_ELF) $(FW_NOPUT).elf \
    $(MKIMAGE)
