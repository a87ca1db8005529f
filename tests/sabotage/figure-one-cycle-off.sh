# SPDX-License-Identifier: Apache-2.0
#
# The time of a descriptor in the firmware is one cycle too long.
sh tests/sabotage/change.sh sim/measure.c <<'EOF'
- work->begin;
- work->begin + 1;
EOF
