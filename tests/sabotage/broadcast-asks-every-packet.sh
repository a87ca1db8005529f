# SPDX-License-Identifier: Apache-2.0
#
# Every packet of a broadcast asks for answers.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
if (c_ack && (last_q || !c_deposit))
if (c_ack)
EOF
