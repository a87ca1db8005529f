# SPDX-License-Identifier: Apache-2.0
#
# What was read ahead is sent although its region was released since.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
= drop_q || spoil_i || other
= drop_q || other
EOF
