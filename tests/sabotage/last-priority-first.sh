# SPDX-License-Identifier: Apache-2.0
#
# The last priority is looked at first.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_wait.c <<'EOF'
while (word < tern_tasks_words(&w->tasks) && !tern_task_clear_bits(ready(w)[word]))
while (word < tern_tasks_words(&w->tasks) && (word < tern_tasks_words(&w->tasks) / 2 || !tern_task_clear_bits(ready(w)[word])))
EOF
