/* SPDX-License-Identifier: Apache-2.0 */
/* Completions as text. */
#include <stdio.h>

#include "queue.h"

char *tern_completion_format(const struct tern_completion *completion, char *text, size_t bytes)
{
    static const char *const sides[] = {"", " (refused here)", " (refused at the target)",
                                        " (refused by the network)"};
    static const char *const links[] = {"X+", "X-", "Y+", "Y-", "Z+", "Z-"};
    char node[TERN_NODE_TEXT];
    unsigned link = completion->link;
    const char *side = completion->fault < 4 ? sides[completion->fault] : "";
    int used = snprintf(text, bytes, "queue %u, operation %u: %s", completion->queue,
                        completion->index, tern_strerror((int)completion->status));

    if (used < 0 || (size_t)used >= bytes || completion->status == TERN_ST_OK ||
        completion->status == TERN_ST_DISCONNECTED)
        return text;
    tern_node_format(completion->node, node);
    if (link >= 1 && link <= 6)
        snprintf(text + used, bytes - (size_t)used, ": link %s of node %s", links[link - 1], node);
    else
        snprintf(text + used, bytes - (size_t)used, ", node %s%s", node, side);
    return text;
}
