# SPDX-License-Identifier: Apache-2.0
#
# Nothing that a node sends to itself leaves.
sh tests/sabotage/change.sh fw/app/desc.c <<'EOS'
if (port != NODE_PORT_NONE && !((fw->links_up >> port) & 1))
if (port == NODE_PORT_NONE || !((fw->links_up >> port) & 1))
EOS
