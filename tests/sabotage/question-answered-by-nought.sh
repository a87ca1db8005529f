# SPDX-License-Identifier: Apache-2.0
# The example answers every question alike.
sh tests/sabotage/change.sh tests/example/ask/fw/ask.c <<'XX'
reply.value[0] = fw->stat[number];
reply.value[0] = 0;
XX
