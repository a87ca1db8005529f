# SPDX-License-Identifier: Apache-2.0
#
# Where the system refuses a process's memory nobody asks for it by message.
sh tests/sabotage/change.sh sim/host/requests.c <<'EOF'
wants_process_vm(said) && process_vm_allowed(client->peer);
wants_process_vm(said) && (process_vm_allowed(client->peer) || client->peer > 0);
EOF
sh tests/sabotage/change.sh sim/host/client.c <<'EOF'
        client->process_vm = false; /* messages from here on */
        return TERN_DMA_FAULT;
EOF
