# SPDX-License-Identifier: Apache-2.0
#
# Members check in although the origin wants messages.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
.opcode = r->by_message ? TERN_OP_SEND : TERN_OP_CHECKIN,
.opcode = TERN_OP_CHECKIN,
EOS
