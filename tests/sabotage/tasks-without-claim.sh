# SPDX-License-Identifier: Apache-2.0
#
# Nobody says who runs a task.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks.c <<'EOF'
*status = tern_put_inline(sq, at(tasks, tern_task_claim_at(tasks, index)), claims, count * TASK_WORD, 0, 0);
*status = tern_put_inline(sq, at(tasks, tern_task_claim_at(tasks, index)), claims, TASK_WORD, 0, 0);
EOF
