# SPDX-License-Identifier: Apache-2.0
#
# Any packet type on the data network is a put.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_check.sv <<'EOF'
(type_o == tern_abi_pkg::PTYPE_PUT ||
(type_o != 8'hff ||
EOF
