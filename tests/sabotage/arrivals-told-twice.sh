# SPDX-License-Identifier: Apache-2.0
#
# Whoever has all bytes is told twice.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
    fw_cq_complete(fw, arena->cq, &done);
    fw_cq_reserve(&fw->queue[arena->cq]); fw_cq_complete(fw, arena->cq, &done); fw_cq_complete(fw, arena->cq, &done);
EOS
