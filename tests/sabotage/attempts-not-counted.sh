# SPDX-License-Identifier: Apache-2.0
#
# A task that was taken away is for the same attempt.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_sweep.c <<'EOF'
next.attempt++;

EOF
