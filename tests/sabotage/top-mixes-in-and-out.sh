# SPDX-License-Identifier: Apache-2.0
#
# What comes in is shown as what goes out.
sh tests/sabotage/change.sh host-driver/tools/top_row.c <<'EOF'
rate_of(rates[4], before, now, TERN_STAT_rx_put_bytes)
rate_of(rates[4], before, now, TERN_STAT_tx_bytes)
EOF
