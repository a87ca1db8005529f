# SPDX-License-Identifier: Apache-2.0
#
# A reset of the core resets the node's network as well.
sh tests/sabotage/change.sh hw-model/rtl/top/tern_node.sv <<'EOF'
.rst_ni           (rst_n),
.rst_ni           (rst_n && core_rst_n),
EOF
