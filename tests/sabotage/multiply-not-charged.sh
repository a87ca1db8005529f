# SPDX-License-Identifier: Apache-2.0
#
# What a multiplication makes wait is charged to loads.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core_lost.sv <<'EOF'
ex_empty = mul_made_i ? Mul
ex_empty = !mul_made_i ? Mul
EOF
