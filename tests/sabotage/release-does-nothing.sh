# SPDX-License-Identifier: Apache-2.0
#
# A released region stays in the table.
sh tests/sabotage/change.sh fw/drv/key.c <<'EOF'
wr32(word(TERN_RGN_valid_WORD), 0);
(void)word(TERN_RGN_valid_WORD);
EOF
