# SPDX-License-Identifier: Apache-2.0
#
# An instruction reads its second operand before the one ahead of it has written it.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'LINES'
wb_we_q && hit2 ?
wb_load_q && hit2 ?
LINES
