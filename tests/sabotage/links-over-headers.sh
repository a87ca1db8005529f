# SPDX-License-Identifier: Apache-2.0
#
# A link is taken as written while the header of a packet is.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx.sv <<'EOF'
.link_ready_i(!hdr_fill)
.link_ready_i(1'b1)
EOF
