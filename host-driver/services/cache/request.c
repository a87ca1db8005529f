/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of a client to a server. */
#include <string.h>

#include "cache.h"

int cache_ask_server(struct tern_cache *cache, struct cache_part *part, struct cache_ask *ask)
{
    uint8_t request[TERN_POOL_ASK] = {0};
    int status;

    ask->magic = CACHE_KIND;
    ask->cache = part->object.offset;
    memcpy(request, ask, sizeof(*ask));
    cache->counts.asked++;
    status = tern_member_ask(part->member, request, sizeof(request));
    if (status)
        return cache_told(part, status);
    memcpy(ask, request, sizeof(*ask));
    return ask->status;
}
