# SPDX-License-Identifier: Apache-2.0
#
# A node without the region refuses a broadcast aloud.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_put.sv <<'EOF'
assign foreign_o = answer && deposit_q
assign foreign_o = 1'b0 && answer && deposit_q
EOF
