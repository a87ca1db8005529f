# SPDX-License-Identifier: Apache-2.0
#
# The core takes two cycles for an instruction with an immediate operand.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
if (ex_q.div) finished = div_done;
if (ex_q.div) finished = div_done; if (ex_q.b_imm && !access && !ex_q.csr) finished = held_q;
EOF
