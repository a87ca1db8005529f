# SPDX-License-Identifier: Apache-2.0
#
# The area of a request that could not leave is not told.
sh tests/sabotage/change.sh fw/app/send.c <<'EOS'
if (is_told(slot) && result < FW_HOLD)
if (0)
EOS
