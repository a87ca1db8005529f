# SPDX-License-Identifier: Apache-2.0
#
# Instructions of the debugger count as the program's.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
.retire_i(retire && !dbg_inject_i)
.retire_i(retire)
EOF
