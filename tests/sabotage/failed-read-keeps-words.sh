# SPDX-License-Identifier: Apache-2.0
#
# The slot of a descriptor that could not be read keeps what was there.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_slots.sv <<'EOF'
word_valid_i && word_ready_o || zero_i && zero_ready_o ||
word_valid_i && word_ready_o ||
EOF
