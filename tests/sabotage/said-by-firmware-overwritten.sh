# SPDX-License-Identifier: Apache-2.0
#
# A host writes over what the firmware says of its function.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_bar.sv <<'EOF'
&& bar_addr_i[6:3] == tern_abi_pkg::REG_AQ_BASE_LO[6:3];
;
EOF
