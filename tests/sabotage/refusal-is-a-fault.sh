# SPDX-License-Identifier: Apache-2.0
#
# Where the system refuses a process's memory nobody asks for it by message.
sh tests/sabotage/change.sh sim/host/client.c <<'EOF'
        client->process_vm = false; /* messages from here on */
        return TERN_DMA_FAULT;
EOF
