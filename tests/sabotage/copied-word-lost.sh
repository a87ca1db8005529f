# SPDX-License-Identifier: Apache-2.0
#
# A word that RX_COPY brings while the slots are busy makes way for the next one.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx.sv <<'EOF'
assign copy_held = copy_valid_o && !copy_ready_i;
assign copy_held = 1'b0 && copy_valid_o && !copy_ready_i;
EOF
