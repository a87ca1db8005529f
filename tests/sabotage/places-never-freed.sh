# SPDX-License-Identifier: Apache-2.0
#
# Places that were taken for no task stay so.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_sweep.c <<'EOF'
if ((*seen & ~map_bits) == map && both)
if (both == 0 && *seen == UINT64_MAX)
EOF
