# SPDX-License-Identifier: Apache-2.0
#
# A member answers the last packet of a broadcast whatever became of the others.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_answer.sv <<'EOF'
put_ok && deposit_q && !whole ?
1'b0 && put_ok && deposit_q && !whole ?
EOF
