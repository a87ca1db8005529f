# SPDX-License-Identifier: Apache-2.0
#
# The firmware leaves requests to send in the reception slots.
sh tests/sabotage/change.sh fw/app/recv.c <<'EOS'
if (type == TERN_PTYPE_RTS) {
if (0 && type == TERN_PTYPE_RTS) {
EOS
