# SPDX-License-Identifier: Apache-2.0
#
# Answers to puts say that no other will come.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_answer.sv <<'EOF'
assign ra_final_o  = !is_put && !deposit_q;
assign ra_final_o  = 1'b1;
EOF
