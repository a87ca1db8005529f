# SPDX-License-Identifier: Apache-2.0
#
# An instruction reads its second operand before the one ahead of it has written it.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core_operands.sv <<'LINES'
(wb_data_i & {32{old_hit2}})
32'b0
LINES
