# SPDX-License-Identifier: Apache-2.0
#
# RX_COPY takes the generation in a link for a part of the address.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx.sv <<'EOF'
assign copy_plain = !found_q ||
assign copy_plain = 1'b1 ||
EOF
