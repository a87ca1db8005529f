# SPDX-License-Identifier: Apache-2.0
#
# No retired instruction is counted.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_mmio.sv <<'EOF'
instret_o <= instret_o + 1'b1
instret_o <= instret_o + 1'b0
EOF
