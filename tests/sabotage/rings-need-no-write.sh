# SPDX-License-Identifier: Apache-2.0
#
# A ring that remote gets are written into may be in memory that only can be read.
sh tests/sabotage/change.sh fw/app/admin.c <<'EOS'
    return q->flags & QUEUE_REMOTE ? TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE : TERN_RIGHT_LOCAL_READ;
    return TERN_RIGHT_LOCAL_READ;
EOS
