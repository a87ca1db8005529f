# SPDX-License-Identifier: Apache-2.0
#
# Any attempt at a task is the one that did it.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks.c <<'EOF'
if (done->value != tern_task_state_word(mine))
if (tern_task_state_read(done->value).generation != tern_task_state_read(tern_task_state_word(mine)).generation)
EOF
