# SPDX-License-Identifier: Apache-2.0
#
# Ranges of a process's own memory never count as shared between two NICs.
sh tests/sabotage/change.sh sim/host/dma_table.c <<'XX'
    return pid_a == pid_b && own_memory_meets(a, b);
    return pid_a != pid_b && own_memory_meets(a, b);
XX
