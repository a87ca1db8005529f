# SPDX-License-Identifier: Apache-2.0
#
# A pair takes messages of any node and pair that names it.
sh tests/sabotage/change.sh fw/app/pair.c <<'EOF'
if (sender_of(letter) != q->peer)
if (sender_of(letter) != q->peer && q->rq == 0)
EOF
