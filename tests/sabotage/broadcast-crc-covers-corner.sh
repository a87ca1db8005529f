# SPDX-License-Identifier: Apache-2.0
#
# The end-to-end CRC of a broadcast covers the corner that stands for a destination.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_send.sv <<'EOF'
if (begin_q && !data_d[tern_abi_pkg::PKT_DEPOSIT_LSB])
if (begin_q && (!data_d[tern_abi_pkg::PKT_DEPOSIT_LSB] || 1'b1))
EOF
