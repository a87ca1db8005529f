# SPDX-License-Identifier: Apache-2.0
#
# Who takes half of the tasks gets all.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_wait.c <<'EOF'
half = (count + 1) / 2;
half = count;
EOF
