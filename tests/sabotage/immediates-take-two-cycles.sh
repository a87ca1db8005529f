# SPDX-License-Identifier: Apache-2.0
#
# The core takes two cycles for an instruction with an immediate operand.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
if (ctl.mul) finished = held_q;
if (ctl.mul || (ctl.b_imm && !access && !ctl.jalr)) finished = held_q;
EOF
