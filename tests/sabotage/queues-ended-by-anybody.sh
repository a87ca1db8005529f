# SPDX-License-Identifier: Apache-2.0
#
# A function may end queues of another one.
sh tests/sabotage/change.sh fw/app/admin.c <<'EOS'
return q->fn == fn ? TERN_ST_OK : TERN_ST_NOT_OWNER;
return fn < FW_FUNCTIONS ? TERN_ST_OK : TERN_ST_NOT_OWNER;
EOS
