# SPDX-License-Identifier: Apache-2.0
#
# Comparison of the soft tier with rtl.

TIERS_INC := -Ihost-driver/include -Ihw-model/abi -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/transport \
             -Isim -Isim/net -Isim/host -Ihw-model/model -Itests/differential -Itests/system/rig
TIERS     := $(B)/tests/differential/tiers
$(eval $(call c_program,$(TIERS),$(addprefix tests/differential/,tiers.c steps.c lookups.c world.c) tests/system/rig/rig_sim.c,$(TIERS_INC),\
    $(B)/lib/libtern.a $(SIM_CHECKED_LIBS)))
$(TIERS): | $(B)/fw/tern-fw.elf
TESTS_system += $(TIERS)
