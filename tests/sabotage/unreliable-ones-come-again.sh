# SPDX-License-Identifier: Apache-2.0
#
# A pair that drops what finds no room says that it has none.
sh tests/sabotage/change.sh fw/app/recv.c <<'EOF'
if (status == TERN_ST_RNR && fw_pair_drops(letter.q)) {
if (status == TERN_ST_OK && fw_pair_drops(letter.q)) {
EOF
