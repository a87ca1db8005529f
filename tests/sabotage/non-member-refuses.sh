# SPDX-License-Identifier: Apache-2.0
#
# A node without the region refuses a broadcast aloud.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_put.sv <<'EOF'
asked_q && ck_done_i && deposit_q && ck_status_i
1'b0 && asked_q && ck_done_i && deposit_q && ck_status_i
EOF
