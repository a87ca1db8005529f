# SPDX-License-Identifier: Apache-2.0
#
# Every member that passes a request on says so to the origin, too.
sh tests/sabotage/change.sh fw/app/relay.c <<'EOS'
    fw_reply(fw, &reply);
    fw_reply(fw, &reply); reply.opcode = TERN_OP_CHECKIN; reply.bytes = 8; reply.node = (uint16_t)r.origin; fw_reply(fw, &reply);
EOS
