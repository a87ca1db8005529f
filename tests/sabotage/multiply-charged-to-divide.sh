# SPDX-License-Identifier: Apache-2.0
#
# Cycles lost to multiplying are said to be lost to dividing.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core_lost.sv <<'EOF'
bubble = Mul;
bubble = Div;
EOF
