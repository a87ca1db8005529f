# SPDX-License-Identifier: Apache-2.0
#
# The library tells the bytes of a read as the NIC does, which are those of its operands.
sh tests/sabotage/change.sh host-driver/core/queue/completion.c <<'EOF'
if ((out->opcode != TERN_OP_READ &&
if ((
EOF
