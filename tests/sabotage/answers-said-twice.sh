# SPDX-License-Identifier: Apache-2.0
#
# Every answer to a request leaves twice.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
    fw_reply(fw, &reply);
    fw_reply(fw, &reply); fw_reply(fw, &reply);
EOS
