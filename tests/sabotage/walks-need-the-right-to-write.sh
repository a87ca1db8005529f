# SPDX-License-Identifier: Apache-2.0
#
# Nodes are read where writing is allowed.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_put.sv <<'EOF'
assign ck_read_o   = job_q && job_walk_i;
assign ck_read_o   = 1'b0;
EOF
