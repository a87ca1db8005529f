# SPDX-License-Identifier: Apache-2.0
#
# gdb's writes to data memory go nowhere.
sh tests/sabotage/change.sh sim/debug/hart.c <<'EOF'
inject(hart, tern_insn_store(size, T1, T0, offset));
inject(hart, tern_insn_load(size, T1, T0, offset));
EOF
