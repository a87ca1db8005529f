# SPDX-License-Identifier: Apache-2.0
#
# Answers to reads of this node do not wait for the operation table.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx.sv <<'EOF'
assign own_ready    = !judged && !(arriving_ack_q && beats[3:1] != '0) && rxo_free_i;
assign own_ready    = 1'b1;
EOF
