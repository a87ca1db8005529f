# SPDX-License-Identifier: Apache-2.0
#
# Deposits enter between the reading of a word by the atomic unit and its writing.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_put.sv <<'EOF'
assign locked    = lock_i && ahead < 4'd2;
assign locked    = 1'b0 && lock_i && ahead < 4'd2;
EOF
