# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a packet enters the ring without leaving a place free, and a wire has few.
sh tests/sabotage/change.sh sim/net/net.h <<'EOF'
TERN_NET_QUEUE = 32
TERN_NET_QUEUE = 2
EOF
sh tests/sabotage/change.sh sim/soft/link.c <<'EOF'
if (!room(node, port, vn, 2))
if (!room(node, port, vn, 1))
EOF
