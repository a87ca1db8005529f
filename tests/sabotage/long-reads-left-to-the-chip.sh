# SPDX-License-Identifier: Apache-2.0
#
# The firmware does not look at a read of many packets, so that one the chip refuses waits for the others.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
if (check(run->fw, queue_of(run, event),
if (0 && check(run->fw, queue_of(run, event),
EOF
