# SPDX-License-Identifier: Apache-2.0
#
# A host writes over what the firmware says of its function.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_bar.sv <<'EOF'
&& pair == tern_abi_pkg::REG_AQ_BASE_LO[7:3];
;
EOF
