# SPDX-License-Identifier: Apache-2.0
#
# Places and tasks are taken whatever life the queue is of.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks.c <<'EOF'
.compare_mask = tern_map_life(UINT8_MAX),
.compare_mask = 0,
EOF
