# SPDX-License-Identifier: Apache-2.0
#
# A header may claim any length.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_rx.sv <<'EOF'
length <= 11'(MaxPayload) && (vn
(length <= 11'(MaxPayload) || 1'b1) && (vn
EOF
