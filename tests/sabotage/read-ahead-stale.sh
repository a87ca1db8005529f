# SPDX-License-Identifier: Apache-2.0
#
# What was read ahead is sent although its slot has another descriptor since.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
(hint_valid_i && hint_slot_i == slot_q)
(1'b0 && hint_slot_i == slot_q)
EOF
