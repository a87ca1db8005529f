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
    node->sys.incarnation = SOFT_INCARNATION_FIRST;
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
