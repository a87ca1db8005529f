# SPDX-License-Identifier: Apache-2.0
#
# The upper half of a link's counters never moves.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_net_count.sv <<'EOF'
carry_q <= !carry_q && sum[16];
carry_q <= 1'b0;
EOF
