# SPDX-License-Identifier: Apache-2.0
#
# Nothing is charged with the cycles that multiplying takes.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core_lost.sv <<'EOF'
? Mul :
? Other :
EOF
