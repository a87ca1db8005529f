# SPDX-License-Identifier: Apache-2.0
#
# A task that was done can be done again.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks.c <<'EOF'
over = {task->generation, task->attempt, false};
over = mine;
EOF
