# SPDX-License-Identifier: Apache-2.0
#
# A function may end queues of another one.
sh tests/sabotage/change.sh fw/app/admin.c <<'EOS'
if (q->fn != a->fn)
if (false && q->fn != a->fn)
EOS
