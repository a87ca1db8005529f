# SPDX-License-Identifier: Apache-2.0
#
# A counter's event tells of its end without a look at the counter.
sh tests/sabotage/change.sh fw/app/counter.c <<'EOF'
|| cq == NOBODY || ctr_get(counter) != 0)
|| cq == NOBODY)
EOF
