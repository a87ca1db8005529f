# SPDX-License-Identifier: Apache-2.0
#
# What a lookup has found waits while a request of the node to itself may keep the transmit unit.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
 || fw_ops_wait_here(fw))
)
EOF
