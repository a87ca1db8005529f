# SPDX-License-Identifier: Apache-2.0
#
# Answers by message bring more bytes than an answer has.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
    reply.bytes = TERN_CHECKIN_BYTES;
    reply.bytes = reply.opcode == TERN_OP_SEND ? 2 * TERN_CHECKIN_BYTES : TERN_CHECKIN_BYTES;
EOS
