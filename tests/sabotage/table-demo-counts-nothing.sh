# SPDX-License-Identifier: Apache-2.0
#
# The demo of tables does not look at round trips.
sh tests/sabotage/change.sh host-driver/tools/demo_table.sh <<'EOF'
[ "$(figure lookups round_trips)" = "$keys" ] && [ "$(figure lookups packets)" = "$keys" ] ||
true ||
EOF
