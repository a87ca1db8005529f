# SPDX-License-Identifier: Apache-2.0
#
# The firmware sends each atomic operation as a compare and swap.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
TERN_V(TXC, type, TERN_F(DESC, opcode, frame) + TERN_PTYPE_CAS - TERN_OP_CAS)
TERN_V(TXC, type, TERN_PTYPE_CAS)
EOF
