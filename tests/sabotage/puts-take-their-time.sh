# SPDX-License-Identifier: Apache-2.0
#
# The firmware idles a while with each put of a row.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
    return ++run->puts % TIMER_EVENTS
    for (volatile unsigned i = 0; i < 64; i++) {} return ++run->puts % TIMER_EVENTS
EOF
