# SPDX-License-Identifier: Apache-2.0
#
# Byte counters of a queue take the operands of a read for its bytes.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
 && !fw_opcode_reads(TERN_F(DESC, opcode, frame)))
)
EOF
