# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit is not told that a walk goes on.
sh tests/sabotage/change.sh fw/app/lookup.c <<'EOF'
rx_walk(ON(event) |
rx_walk(
EOF
