# SPDX-License-Identifier: Apache-2.0
#
# The firmware has the chip do each atomic operation as a compare and swap.
sh tests/sabotage/change.sh fw/app/recv.c <<'EOF'
rx_atomic(slot, type == TERN_PTYPE_ADD);
rx_atomic(slot, false);
EOF
