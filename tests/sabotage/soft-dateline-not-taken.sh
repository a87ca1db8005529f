# SPDX-License-Identifier: Apache-2.0
#
# The soft tier's router has one channel a network: rings of packets wait for themselves.
sh tests/sabotage/change.sh sim/soft/link.c <<'EOF'
channel = tern_net_channel(from->route.vn,
channel = tern_net_channel(from->route.vn, 0 &&
EOF
