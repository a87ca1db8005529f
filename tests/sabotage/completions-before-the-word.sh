# SPDX-License-Identifier: Apache-2.0
#
# Words for a completion are read while the word of the answer still waits for its slot.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_slots.sv <<'EOF'
assign cw_ready_o   = !sl_req_i && !word_valid_i;
assign cw_ready_o   = !sl_req_i;
EOF
