# SPDX-License-Identifier: Apache-2.0
#
# A put that has come waits for its target, which does nothing.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_put.sv <<'EOF'
assign rxc_valid_o = cmd_valid_q;
assign rxc_valid_o = cmd_valid_q && rxc_id_o[15];
EOF
