# SPDX-License-Identifier: Apache-2.0
#
# A record that is set anew leads to none of those behind it.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
spot.record ? tern_linked_less(spot.record) : 0
spot.record == NULL ? tern_linked_less(spot.before) : 0
EOF
