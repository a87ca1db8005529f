# SPDX-License-Identifier: Apache-2.0
#
# What a packet asks for is read from the memory of whom the slot was of.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
assign hrq_fn_o      = owner_q;
assign hrq_fn_o      = fn_q;
EOF
