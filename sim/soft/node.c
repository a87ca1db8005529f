/* SPDX-License-Identifier: Apache-2.0 */
/* Makes soft nodes. */
#include <stdlib.h>

#include "inside.h"
#include "native.h"

struct soft_node *soft_node_new(const struct soft_config *config)
{
    struct soft_node *node = calloc(1, sizeof *node);

    if (node == NULL)
        return NULL;
    node->config = *config;
    node->firmware = calloc(1, fw_native_bytes());
    node->net_seen = SOFT_NEVER;
    node->core = CORE_HELD;
    node->sys.life = config->life;
    node->sys.incarnation = soft_next_life(config->life);
    node->sys.mask = UINT32_MAX;
    node->sys.compare = SOFT_NEVER;
    node->sys.watchdog = SOFT_NEVER;
    node->sys.status = TERN_FWSTATE_BOOT;
    soft_prefetch_init(node);
    if (node->firmware == NULL) {
        soft_node_free(node);
        return NULL;
    }
    return node;
}

void soft_node_free(struct soft_node *node)
{
    if (node == NULL)
        return;
    free(node->firmware);
    free(node);
}

uint8_t soft_node_life(const struct soft_node *node)
{
    return node->sys.life;
}

void soft_node_power_off(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;

    soft_bar_forget(node);
    host->forget(host->ctx, &node->prefetch.fetch.op);
    host->forget(host->ctx, &node->atomic.op);
    for (unsigned i = 0; i < SOFT_SLOTS; i++)
        host->forget(host->ctx, &node->tx.message[i].op);
    for (unsigned i = 0; i < SOFT_WRITES; i++)
        host->forget(host->ctx, &node->writes.write[i].op);
}

void soft_node_lose_writes(struct soft_node *node, unsigned count)
{
    node->writes.lose = count;
}
