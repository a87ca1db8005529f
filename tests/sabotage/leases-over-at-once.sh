# SPDX-License-Identifier: Apache-2.0
#
# A task is taken away before a lease is over.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_sweep.c <<'EOF'
bool expired = look != 0 && look == *seen;
bool expired = look != 0;
EOF
