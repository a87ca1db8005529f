# SPDX-License-Identifier: Apache-2.0
#
# Nothing is read before its command.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
  assign take_hint   = state_q
  assign take_hint   = 1'b0 && state_q
EOF
