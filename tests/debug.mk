# SPDX-License-Identifier: Apache-2.0
# Debugging the firmware: gdb's protocol packet by packet, and gdb itself.

GDB_T_PACKETS := $(B)/tests/system/gdb_packets

$(eval $(call c_program,$(GDB_T_PACKETS),tests/system/debug/gdb_packets.c \
    tests/system/sim/attach.c,$(SIM_FLAGS) -Itests/system/sim,\
    $(SIM_CHECKED_LIBS) $(CMOCKA_LIBS)))
$(GDB_T_PACKETS): | $(B)/fw/tern-fw.elf
TESTS_system += $(GDB_T_PACKETS)

TESTS_system += tests/system/debug/gdb_session.sh
tests/system/debug/gdb_session.sh: $(B)/bin/tern $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
