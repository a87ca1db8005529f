# SPDX-License-Identifier: Apache-2.0
#
# A pair takes messages before it knows its peer, and after it broke.
sh tests/sabotage/change.sh fw/app/pair.c <<'EOF'
if (!(q->form & PAIR_READY))
if (!(q->form & PAIR_READY) && q->rq == 0)
EOF
