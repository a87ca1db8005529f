# SPDX-License-Identifier: Apache-2.0
#
# Links take each receive slot that becomes free.
sh tests/sabotage/change.sh sim/soft/core.c <<'EOF'
(node->waits_here && soft_tx_work(node))
(node->waits_here && node->cost == UINT32_MAX)
EOF
