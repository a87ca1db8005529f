# SPDX-License-Identifier: Apache-2.0
#
# The check of a packet that proves bad is taken for that of the next.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_put.sv <<'EOF'
void_q  <= bad ||
void_q  <= 1'b0 &&
EOF
