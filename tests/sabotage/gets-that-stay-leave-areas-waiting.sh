# SPDX-License-Identifier: Apache-2.0
#
# What waits for a remote get that could not leave waits on.
sh tests/sabotage/change.sh fw/app/send.c <<'EOS'
if (is_told(slot) && result < FW_HOLD)
if (0)
EOS
