# SPDX-License-Identifier: Apache-2.0
#
# A packet leaves once, however many copies the router owes.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_send.sv <<'EOF'
over && (skip || !tx_again_i);
over && (skip || !tx_again_i || tx_again_i);
EOF
