# SPDX-License-Identifier: Apache-2.0
#
# The firmware sends each atomic operation as a compare and swap.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
event + INLINE_CHANGE, 0
(event & ~TERN_V(EV, opcode, 1)) + INLINE_CHANGE, 0
EOF
