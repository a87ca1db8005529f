# SPDX-License-Identifier: Apache-2.0
#
# A pair that drops what finds no room says that it has none.
sh tests/sabotage/change.sh fw/app/pair.c <<'EOF'
if (status == TERN_ST_RNR && kind_of(letter.q) != TERN_PAIR_RC) {
if (status == TERN_ST_OK && kind_of(letter.q) != TERN_PAIR_RC) {
EOF
