# SPDX-License-Identifier: Apache-2.0
#
# An exception of the debugger's changes the CSRs.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
(ex_trap || wb_fault) && !dbg_inject_i;
ex_trap || wb_fault;
EOF
