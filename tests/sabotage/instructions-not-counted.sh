# SPDX-License-Identifier: Apache-2.0
#
# No retired instruction is counted.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_stats.sv <<'EOF'
inc[Instret] = WideW'(retired_i);
inc[Instret] = '0;
EOF
