# SPDX-License-Identifier: Apache-2.0
#
# While the core of a node is in reset nothing comes in from its links.
sh tests/sabotage/change.sh hw-model/rtl/top/tern_node.sv <<'EOF'
.lrx_valid_i      (lrx_valid),
.lrx_valid_i      (lrx_valid & {Ports{core_rst_n}}),
EOF
