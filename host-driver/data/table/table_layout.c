/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that all nodes change: offsets of their parts. */
#include "shared.h"

size_t tern_table_buckets_bytes(unsigned log2_buckets)
{
    return tern_table_aligned((size_t)TERN_NODE_BYTES << log2_buckets);
}

uint64_t tern_table_asked_at(const struct tern_table_shared *table)
{
    return tern_table_buckets_bytes(table->pointer.log2_buckets);
}

size_t tern_table_slabs_at(const struct tern_table_shared *table)
{
    return tern_table_asked_at(table) + TERN_TABLE_ALIGN;
}

unsigned tern_table_size_for(const struct tern_table_shared *table, uint64_t bytes)
{
    unsigned size = 0;

    while (size < table->sizes && table->blocks[size].slab_bytes < bytes)
        size++;
    return size;
}
