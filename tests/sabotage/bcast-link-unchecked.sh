# SPDX-License-Identifier: Apache-2.0
#
# A broadcast leaves by links that are down.
sh tests/sabotage/change.sh fw/app/bcast.c <<'EOF'
b->view.ports & ~fw->links_up
b->view.ports & 0
EOF
