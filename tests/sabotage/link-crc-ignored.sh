# SPDX-License-Identifier: Apache-2.0
#
# The link CRC is not looked at.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_rx.sv <<'EOF'
assign crc_good  = sum == '1;
assign crc_good  = sum == '1 || 1'b1;
EOF
