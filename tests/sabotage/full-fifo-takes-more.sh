# SPDX-License-Identifier: Apache-2.0
#
# A full reception FIFO takes messages.
sh tests/sabotage/change.sh fw/app/recv.c <<'EOS'
rq->room == 0 && !fw_rq_refill(fw, number))
rq->room == 0 && !fw_rq_refill(fw, number) && 0)
EOS
