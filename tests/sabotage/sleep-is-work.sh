# SPDX-License-Identifier: Apache-2.0
#
# The profiler takes sleep for work.
sh tests/sabotage/change.sh host-driver/tools/profile/calls.c <<'EOF'
if (cell->insn.kind == INSN_WFI) {
if (cell->insn.kind == INSN_WFI && until == 0) {
EOF
