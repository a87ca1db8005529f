# SPDX-License-Identifier: Apache-2.0
#
# A put of no bytes, or of too many, is taken.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
(!c_msg && (c_inl
(1'b0 && !c_msg && (c_inl
EOF
