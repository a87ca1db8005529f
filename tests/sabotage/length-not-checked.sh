# SPDX-License-Identifier: Apache-2.0
#
# A put of no bytes, or of too many, is taken.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
(none && !c_msg) || too_long
1'b0
EOF
