# SPDX-License-Identifier: Apache-2.0
#
# The tables lose the cycles of the call instructions.
sh tests/sabotage/change.sh host-driver/tools/profile/calls.c <<'EOF'
calls->node[node].cycles += cost;
calls->node[node].cycles += insn_is_call(&cell->insn) ? 0 : cost;
EOF
