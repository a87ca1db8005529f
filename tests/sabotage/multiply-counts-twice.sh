# SPDX-License-Identifier: Apache-2.0
#
# The core's own counter of instructions counts a multiply twice when its result is used at once.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
.retire_i(retire && !
.retire_i((retire || (hazard && ex_q.mul)) && !
EOF
