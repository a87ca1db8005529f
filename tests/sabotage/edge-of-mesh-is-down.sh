# SPDX-License-Identifier: Apache-2.0
#
# A link that a mesh does not have counts as down.
sh tests/sabotage/change.sh fw/app/init.c <<'EOF'
fw->links_up = node_ports_idle(fw->id.node, fw->id.dims);
fw->links_up = 0;
EOF
