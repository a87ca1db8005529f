# SPDX-License-Identifier: Apache-2.0
#
# A broadcast leaves by links that are down.
sh tests/sabotage/change.sh fw/app/bcast.c <<'EOF'
b->ports & ~fw->links_up
b->ports & 0
EOF
