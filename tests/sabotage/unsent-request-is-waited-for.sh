# SPDX-License-Identifier: Apache-2.0
#
# The area of a request that could not leave is not told.
sh tests/sabotage/change.sh fw/app/send.c <<'EOS'
if (result < FW_HOLD && is_told(TERN_F(EV, slot, event)))
if (0 && is_told(TERN_F(EV, slot, event)))
EOS
