# SPDX-License-Identifier: Apache-2.0
# The last place of a completion queue is promised to what may never come.
sh tests/sabotage/change.sh fw/app/cq.c <<'LINES'
cq->reserved + 1u < 1u << cq->log2_entries
true
LINES
