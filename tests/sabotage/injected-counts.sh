# SPDX-License-Identifier: Apache-2.0
#
# Instructions of the debugger count as the program's.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
!wb_uncounted_q && !dbg_inject_i
!wb_uncounted_q
EOF
