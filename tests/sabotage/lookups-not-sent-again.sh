# SPDX-License-Identifier: Apache-2.0
#
# A lookup that found no place at its target ends as if it had failed.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
status == TERN_ST_RNR && is_read(slot)
status == TERN_ST_RNR && TERN_F(DESC, opcode, slot_word(slot, 0)) == TERN_OP_READ
EOF
