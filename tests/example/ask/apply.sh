#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: apply.sh, in the root of a tree
#
# Makes the changes of docs/new-opcode.md: adds an opcode.
set -eu

example=tests/example/ask

# after FILE: reads a line of FILE from standard input, and inserts the rest of the input after that
# line
after() {
    IFS= read -r old
    MORE=$(cat) OLD=$old awk '
        { print }
        !done && index($0, ENVIRON["OLD"]) { print ENVIRON["MORE"]; done = 1 }
        END { exit !done }' "$1" > "$1.new"
    cat "$1.new" > "$1"
    rm "$1.new"
}

# ---- the contract
after hw-model/abi/opcode.def <<'X'
OP(LOOKUP,
OP(ASK, 0x13, "asks the firmware of another node for a statistic: laid out as the check-in, with an area of this node, that answers it")
X
after hw-model/abi/pkttype.def <<'X'
PKT(TAKE,
PKT(ASK,     0x1b, "question about a statistic, VN_REQUEST, to the firmware, whose answer is a CHECKIN")
X

# ---- the firmware: from the descriptor to the packet, and from the packet to its handler
after fw/loop/descriptors.c <<'X'
[TERN_OP_RELAY] = fw_relay,
    [TERN_OP_ASK] = fw_send,
X
after fw/state/slots.c <<'X'
        return TERN_PTYPE_RELAY;
    case TERN_OP_ASK:
        return TERN_PTYPE_ASK;
X
after fw/loop/packets.c <<'X'
#include "arena.h"
#include "ask.h"
X
after fw/loop/packets.c <<'X'
[ROW(TERN_PTYPE_RELAY)] = fw_relay_take,
    [ROW(TERN_PTYPE_ASK)] = fw_ask,
X
sh tests/sabotage/change.sh fw/fw.mk <<'X'
arena.c tree.c
arena.c ask.c tree.c
X
cp $example/fw/ask.c $example/fw/ask.h fw/handshake/

# ---- the driver, and a test of it
cp $example/driver/ask.h host-driver/include/tern/
cp $example/driver/ask.c host-driver/core/op/
cp $example/driver/asks.c tests/system/driver/
after host-driver/driver.mk <<'X'
TESTS_system += $(DRV_LOOKUPS)

DRV_ASKS := $(B)/tests/system/driver_asks
$(eval $(call c_program,$(DRV_ASKS),tests/system/driver/asks.c tests/system/rig/rig.c,\
    $(DRV_PUBLIC) -Itests/system/rig,$(LIBTERN_A)))
$(DRV_ASKS): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(DRV_ASKS)
X
sh tests/sabotage/change.sh host-driver/driver.mk <<'X'
checkin.c linked.c
checkin.c ask.c linked.c
X
