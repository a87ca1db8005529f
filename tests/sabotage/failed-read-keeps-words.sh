# SPDX-License-Identifier: Apache-2.0
#
# The slot of a descriptor that could not be read keeps what was there.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_slots.sv <<'EOF'
zero_i && zero_ready_o || (mm_write
(mm_write
EOF
