/* SPDX-License-Identifier: Apache-2.0 */
/* The tree network: groups, contributions to them, and puts by rank. */
#include <tern/tree.h>

#include "queue.h"

enum { PLACE_BITS = 5, DIMENSIONS = 3, LEVEL_TICKS = 2 };

static unsigned side_of(uint16_t dims, unsigned dimension)
{
    return (dims >> PLACE_BITS * dimension & ((1u << PLACE_BITS) - 1)) + 1;
}

unsigned tern_tree_rank(uint16_t node, uint16_t dims)
{
    unsigned rank = 0;

    for (unsigned d = DIMENSIONS; d-- > 0;)
        rank = rank * side_of(dims, d) +
               (node >> PLACE_BITS * d & ((1u << PLACE_BITS) - 1));
    return rank;
}

uint16_t tern_tree_node(unsigned rank, uint16_t dims)
{
    unsigned node = 0;

    for (unsigned d = 0; d < DIMENSIONS; d++) {
        node |= rank % side_of(dims, d) << PLACE_BITS * d;
        rank /= side_of(dims, d);
    }
    return (uint16_t)node;
}

/* Returns the levels from `rank` down to its deepest descendant. */
static unsigned height_of(unsigned rank, unsigned nodes)
{
    unsigned height = 0;

    while (2 * rank + 1 < nodes) {
        rank = 2 * rank + 1;
        height++;
    }
    return height;
}

static unsigned nodes_of(uint16_t dims)
{
    unsigned nodes = 1;

    for (unsigned d = 0; d < DIMENSIONS; d++)
        nodes *= side_of(dims, d);
    return nodes;
}

static uint32_t limit_at(unsigned rank, unsigned nodes, uint32_t limit)
{
    uint64_t more = (uint64_t)LEVEL_TICKS * TERN_TREE_TICK * height_of(rank, nodes);

    if (limit == 0)
        return 0;
    return limit > UINT32_MAX - more ? UINT32_MAX : (uint32_t)(limit + more);
}

void tern_tree_all(uint16_t node, uint16_t dims, uint32_t limit, struct tern_tree_group *group)
{
    unsigned rank = tern_tree_rank(node, dims), nodes = nodes_of(dims);

    group->child[0] = 2 * rank + 1 < nodes;
    group->child[1] = 2 * rank + 2 < nodes;
    group->self = true;
    group->root = rank == 0;
    group->limit = limit_at(rank, nodes, limit);
}

/* Returns the deepest rank that has both at or below it. */
static unsigned meeting_of(unsigned a, unsigned b)
{
    while (a != b) {
        unsigned *lower = a > b ? &a : &b;

        *lower = (*lower - 1) / 2;
    }
    return a;
}

static bool is_below(unsigned rank, unsigned top)
{
    return meeting_of(rank, top) == top;
}

bool tern_tree_place(uint16_t node, uint16_t dims, const uint16_t *nodes, unsigned count,
                     uint32_t limit, struct tern_tree_group *group)
{
    unsigned rank = tern_tree_rank(node, dims), root = count ? tern_tree_rank(nodes[0], dims) : 0;

    group->child[0] = group->child[1] = group->self = false;
    for (unsigned i = 0; i < count; i++) {
        unsigned member = tern_tree_rank(nodes[i], dims);

        root = meeting_of(root, member);
        group->self |= member == rank;
        group->child[0] |= is_below(member, 2 * rank + 1);
        group->child[1] |= is_below(member, 2 * rank + 2);
    }
    group->root = rank == root;
    group->limit = limit_at(rank, nodes_of(dims), limit);
    return is_below(rank, root) && (group->self || group->child[0] || group->child[1]);
}

/* Fills in the fields of a set-up. */
static void set_group(uint32_t *words, const struct tern_tree_group *group, bool self)
{
    TERN_SET(TRS, limit, words, group->limit);
    TERN_SET(TRS, epoch, words, group->epoch);
    TERN_SET(TRS, group, words, group->group);
    TERN_SET(TRS, children, words, group->child[0] | (unsigned)group->child[1] << 1);
    TERN_SET(TRS, self, words, self);
    TERN_SET(TRS, root, words, group->root);
    TERN_SET(TRS, on, words, 1);
}

int tern_tree_set(struct tern_sq *sq, const struct tern_tree_group *group, unsigned flags,
                  uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!group)
        return -TERN_ST_BAD_ARGUMENT;
    TERN_SET(DESC, opcode, words, TERN_OP_TREE_SET);
    set_group(words, group, group->self);
    return group->group < TERN_TREE_GROUPS ? tern_post(sq, words, flags, context)
                                           : -TERN_ST_BAD_ARGUMENT;
}

int tern_tree_forward(struct tern_sq *sq, uint16_t node, const struct tern_tree_group *group,
                      unsigned flags, uint64_t context)
{
    uint32_t there[DESC_WORDS] = {0}, words[DESC_WORDS] = {0};
    uint32_t bytes[TERN_FORWARD_BYTES / 4];

    if (!group || group->group >= TERN_TREE_GROUPS || group->self)
        return -TERN_ST_BAD_ARGUMENT;
    set_group(there, group, false);
    bytes[0] = there[TERN_TRS_epoch_WORD];
    bytes[1] = group->limit;
    TERN_SET(DESC, opcode, words, TERN_OP_TREE_FORWARD);
    TERN_SET(DESC, dst_node, words, node);
    tern_desc_set_inline(words, bytes, sizeof(bytes));
    return tern_post(sq, words, flags, context);
}

int tern_tree_leave(struct tern_sq *sq, uint8_t group, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_TREE_SET);
    TERN_SET(TRS, group, words, group);
    return group < TERN_TREE_GROUPS ? tern_post(sq, words, flags, context) : -TERN_ST_BAD_ARGUMENT;
}

/* Fills in what the contribution is; 0, or why it cannot be. */
static int describe(uint32_t *words, const struct tern_tree_part *part)
{
    if (!part || part->group >= TERN_TREE_GROUPS)
        return -TERN_ST_BAD_ARGUMENT;
    if (part->op > TERN_TREE_XOR)
        return -TERN_ST_BAD_TYPE;
    TERN_SET(DESC, opcode, words, TERN_OP_COMBINE);
    TERN_SET(TRO, epoch, words, part->epoch);
    TERN_SET(TRO, group, words, part->group);
    TERN_SET(TRO, op, words, part->op);
    TERN_SET(TRO, wide, words, part->wide);
    TERN_SET(TRO, signed, words, part->is_signed);
    TERN_SET(TRO, number, words, part->number);
    return 0;
}

int tern_tree_combine(struct tern_sq *sq, const struct tern_tree_part *part, const void *from,
                      unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    if (!part || (part->bytes && !from))
        return -TERN_ST_BAD_ARGUMENT;
    if (part->bytes > TERN_TREE_BYTES)
        return -TERN_ST_BAD_LENGTH;
    status = describe(words, part);
    if (status)
        return status;
    TERN_SET(DESC, result, words, 1);
    tern_desc_set_inline(words, from, part->bytes);
    return tern_post(sq, words, flags, context);
}

int tern_tree_combine_long(struct tern_sq *sq, const struct tern_tree_part *part,
                           struct tern_rptr to, const struct tern_region *region,
                           const void *from, uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    if (!region || flags & TERN_DFLAG_INLINE)
        return -TERN_ST_BAD_ARGUMENT;
    if (bytes - 1 >= TERN_TREE_LONG_BYTES)
        return -TERN_ST_BAD_LENGTH;
    tern_desc_set_put(words, to, bytes);
    tern_desc_set_local(words, region, from);
    status = describe(words, part);
    return status ? status : tern_post(sq, words, flags, context);
}

int tern_tree_put(struct tern_sq *sq, unsigned rank, struct tern_rptr to,
                  const struct tern_region *region, const void *from, uint32_t bytes,
                  unsigned flags, uint64_t context)
{
    uint16_t dims = sq->cq->device->info.dims;
    uint32_t words[DESC_WORDS] = {0};

    if (rank >= nodes_of(dims))
        return -TERN_ST_BAD_RANK;
    if (TERN_GET(RPTR, node, to.w) != tern_tree_node(rank, dims))
        return -TERN_ST_BAD_NODE;
    if (flags & TERN_DFLAG_INLINE || (bytes && !from))
        return -TERN_ST_BAD_ARGUMENT;
    if (!region && bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_LENGTH;
    tern_desc_set_put(words, to, bytes);
    TERN_SET(DESC, opcode, words, TERN_OP_TREE_PUT);
    if (region)
        tern_desc_set_local(words, region, from);
    else
        tern_desc_set_inline(words, from, bytes);
    return tern_post(sq, words, flags, context);
}
