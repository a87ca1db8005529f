# SPDX-License-Identifier: Apache-2.0
#
# A pair takes what comes, in whatever order.
sh tests/sabotage/change.sh fw/app/pair.c <<'EOF'
if (is_next(letter))
if (is_next(letter) || kind_of(q) == TERN_PAIR_RC)
EOF
