# SPDX-License-Identifier: Apache-2.0
#
# The write engine takes every function for function 0.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_dma_wr.sv <<'EOF'
assign {hwr_data_o, hwr_addr_o, hwr_fn_o, hwr_bytes_o, out_id,
logic [7:0] lost_fn; assign hwr_fn_o = lost_fn ^ lost_fn; assign {hwr_data_o, hwr_addr_o, lost_fn, hwr_bytes_o, out_id,
EOF
