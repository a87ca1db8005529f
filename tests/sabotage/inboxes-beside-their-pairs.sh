# SPDX-License-Identifier: Apache-2.0
#
# Who knows the number of an inbox sends there, past its pairs.
sh tests/sabotage/change.sh fw/app/recv.c <<'EOF'
if (rq->flags & QUEUE_REMOTE)
if (rq->flags & QUEUE_REMOTE && rq->fn > 63)
EOF
