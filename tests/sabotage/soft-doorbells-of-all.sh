# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a function may ring for the queues of all.
sh tests/sabotage/change.sh sim/soft/prefetch.c <<'EOS'
queue->function == bell->function;
(queue->function == bell->function || true);
EOS
