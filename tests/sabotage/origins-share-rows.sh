# SPDX-License-Identifier: Apache-2.0
#
# Origins that differ in z alone are counted together.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_whole.sv <<'EOF'
{9{z[0]}} ^
{9{1'b0 & z[0]}} ^
EOF
