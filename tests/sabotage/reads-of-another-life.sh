# SPDX-License-Identifier: Apache-2.0
#
# The firmware serves reads that were meant for a node before its restart.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
if (fw_recv_is_stale(fw, from))
if (fw_recv_is_stale(fw, from) && from > FW_RX_SLOTS)
EOF
