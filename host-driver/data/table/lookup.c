/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in tables: a chase from a bucket on, or to where a record was seen. */
#include <tern/table.h>

enum { NODES_MAX = (1 << TERN_LKP_nodes_BITS) - 1 };

static bool is_seen(const struct tern_table_lookup *lookup)
{
    return lookup->seen.generation != 0;
}

static struct tern_rptr first_node(const struct tern_table_lookup *lookup)
{
    if (is_seen(lookup))
        return tern_rptr_add(lookup->table.start, (uint64_t)lookup->seen.place * TERN_NODE_BYTES);
    return tern_table_bucket(&lookup->table, lookup->hash);
}

int tern_table_lookup(struct tern_sq *sq, const struct tern_table_lookup *lookup,
                      unsigned flags, uint64_t context)
{
    struct tern_chase chase = {.nodes = NODES_MAX};

    if (!lookup)
        return -TERN_ST_BAD_ARGUMENT;
    chase.key = lookup->hash;
    if (is_seen(lookup)) {
        chase.nodes = 1;
        chase.generation = lookup->seen.generation;
    } else if (lookup->nodes != 0) {
        chase.nodes = lookup->nodes;
    }
    return tern_chase(sq, first_node(lookup), &chase, lookup->region, lookup->to, lookup->room,
                      flags, context);
}
