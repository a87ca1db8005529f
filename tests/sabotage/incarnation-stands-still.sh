# SPDX-License-Identifier: Apache-2.0
#
# A new life of the core has the number of the old one.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_boot.sv <<'EOF'
incarnation_o <= incarnation_o == 8'hff ? 8'd1 : incarnation_o + 8'd1;
incarnation_o <= incarnation_o;
EOF
