# SPDX-License-Identifier: Apache-2.0
#
# A chain that runs is not cut by being cancelled.
sh tests/sabotage/change.sh fw/app/queue.c <<'EOF'
    if (*cancelled)
    if (*cancelled == 2)
EOF
