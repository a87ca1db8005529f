# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit is not told that a walk goes on.
sh tests/sabotage/change.sh fw/app/lookup.c <<'EOF'
walk(fw, from, word, TERN_V(RXA, on, 1));
walk(fw, from, word, TERN_V(RXA, on, 0));
EOF
