# SPDX-License-Identifier: Apache-2.0
#
# The firmware has the chip do each take as a compare and swap.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
TERN_MMIO_RX_ATOMIC, event);
TERN_MMIO_RX_ATOMIC, event & ~TERN_V(RXA, walk, 1));
EOF
