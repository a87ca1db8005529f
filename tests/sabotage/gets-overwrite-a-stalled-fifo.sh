# SPDX-License-Identifier: Apache-2.0
#
# What a stalled FIFO will have fetched once more counts as gone.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
q->flags & QUEUE_STALLED ? ring_index_before(q->producer, q->resume) : q->producer
q->producer
EOS
