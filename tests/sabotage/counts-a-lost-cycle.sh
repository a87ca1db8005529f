# SPDX-License-Identifier: Apache-2.0
#
# The core's own counter of instructions counts the cycles of a load that is waited for as well.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
assign retire_counted = retire && !wb_uncounted_q
assign retire_counted = (retire || load_use) && !wb_uncounted_q
EOF
