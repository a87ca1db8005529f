# SPDX-License-Identifier: Apache-2.0
#
# The core's own counter of instructions counts a multiply twice.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
assign retire_counted = retire && !
assign retire_counted = (retire || (ctl.mul && held_q)) && !
EOF
