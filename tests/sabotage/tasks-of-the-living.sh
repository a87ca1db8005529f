# SPDX-License-Identifier: Apache-2.0
#
# Tasks of whoever it may be are taken away when one has died.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_sweep.c <<'EOF'
!p.taken || !p.state.live || p.ready || !p.claimed || p.claim.holder.owner != dead.owner ||
!p.taken || !p.state.live || p.ready || !p.claimed || p.claim.holder.owner == 0 ||
EOF
sh tests/sabotage/change.sh host-driver/data/tasks/tasks_sweep.c <<'EOF'
p.claim.holder.epoch != dead.epoch)
dead.owner == 0)
EOF
