# SPDX-License-Identifier: Apache-2.0
#
# Packets that bring the bytes of a read name an operation of the node that they come from.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
slot_q & {6{!c_reply}};
slot_q;
EOF
