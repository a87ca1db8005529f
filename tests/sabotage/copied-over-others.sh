# SPDX-License-Identifier: Apache-2.0
#
# Words that RX_COPY brings do not wait for those of others.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_slots.sv <<'EOF'
assign copy_ready_o = zero_ready_o && !zero_i;
assign copy_ready_o = 1'b1;
EOF
