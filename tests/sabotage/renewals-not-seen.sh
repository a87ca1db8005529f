# SPDX-License-Identifier: Apache-2.0
#
# A renewal does not count.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_sweep.c <<'EOF'
.renewals = p->claimed ? p->claim.renewals : 0,
.renewals = 0,
EOF
