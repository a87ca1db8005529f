# SPDX-License-Identifier: Apache-2.0
#
# The end-to-end CRC is not looked at.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_check.sv <<'EOF'
assign bad_crc_o  = judged_q && !crc_ok_q;
assign bad_crc_o  = 1'b0;
EOF
