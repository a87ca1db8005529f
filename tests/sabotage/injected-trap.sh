# SPDX-License-Identifier: Apache-2.0
#
# An exception of the debugger's changes the CSRs.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
.trap_i(trap && !dbg_inject_i)
.trap_i(trap)
EOF
