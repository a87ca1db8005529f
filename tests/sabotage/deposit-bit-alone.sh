# SPDX-License-Identifier: Apache-2.0
#
# The deposit bit is enough to be taken everywhere.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_check.sv <<'EOF'
data_i[DepositAt % DataW] == deposit_q;
(data_i[DepositAt % DataW] == deposit_q || 1'b1);
EOF
