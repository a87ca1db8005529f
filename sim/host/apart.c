/* SPDX-License-Identifier: Apache-2.0 */
/* Finds memory that the clients of several NICs share. */
#include "apart.h"

#include "client.h"

uint64_t tern_nic_memory_mark(const struct tern_nic *nic)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t mark = 0;

    for (const struct tern_client *client = tern_nic_clients(nic); client != NULL;
         client = client->next)
        mark = ((mark * prime) ^ client->serial) * prime + client->dma.changes + 1;
    return mark;
}

static bool apart_from_all(const struct tern_client *client, const struct tern_nic *nic)
{
    for (const struct tern_client *other = tern_nic_clients(nic); other != NULL;
         other = other->next) {
        if (tern_dma_tables_meet(&client->dma, client->peer, &other->dma, other->peer))
            return false;
    }
    return true;
}

bool tern_nics_apart(const struct tern_nic *a, const struct tern_nic *b)
{
    for (const struct tern_client *client = tern_nic_clients(a); client != NULL;
         client = client->next) {
        if (!apart_from_all(client, b))
            return false;
    }
    return true;
}
