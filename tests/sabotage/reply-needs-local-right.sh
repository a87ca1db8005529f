# SPDX-License-Identifier: Apache-2.0
#
# What a packet asks for is read with the right that its owner needs.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
assign ck_remote_o = c_reply;
assign ck_remote_o = 1'b0;
EOF
