# SPDX-License-Identifier: Apache-2.0
#
# A lookup ends with the bytes of its operands.
sh tests/sabotage/change.sh host-driver/core/queue/completion.c <<'EOF'
(out->opcode != TERN_OP_READ && out->opcode != TERN_OP_LOOKUP)
(out->opcode != TERN_OP_READ)
EOF
