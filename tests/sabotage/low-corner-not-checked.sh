# SPDX-License-Identifier: Apache-2.0
#
# The low corner of a box may lie anywhere.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
(c_deposit && outside(
(1'b0 && outside(
EOF
