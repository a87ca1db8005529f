/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups for both tiers. Links are offsets, since the worlds have their memory at different
 * addresses.
 */
#include "lookups.h"

#include <tern/table.h>

enum {
    LIST_AT = 4096,
    LIST_NODES = 40, /* more nodes than a lot */
    LIST_STRIDE = 3 * TERN_NODE_BYTES,
    FIRST_KEY = 100,
    TREE_AT = 32768,
    TREE_LEVELS = 4,
    BYTES = 80,
};

/* The place of the linked nodes, and the pointer to them. */
struct place {
    struct world_end *end;
    struct tern_region *region;
};

static void *node_at(const struct place *place, uint64_t offset)
{
    return place->end->memory + offset;
}

static uint64_t in_list(unsigned i)
{
    return LIST_AT + (uint64_t)i * LIST_STRIDE;
}

/* Node i has key FIRST_KEY + i and generation i + 1. */
static void make_list(const struct place *place)
{
    for (unsigned i = 0; i < LIST_NODES; i++)
        tern_linked_init(node_at(place, in_list(i)), FIRST_KEY + i, (uint16_t)(i + 1));
    for (unsigned i = 0; i + 1 < LIST_NODES; i++)
        tern_linked_set_less(node_at(place, in_list(i)),
                             tern_link(in_list(i + 1), (uint16_t)(i + 2)));
}

/* Returns the address of tree node `number`: nodes lie as in a binary heap, numbered from 1. */
static uint64_t in_tree(unsigned number)
{
    return TREE_AT + (uint64_t)number * TERN_NODE_BYTES;
}

static void make_tree(const struct place *place, unsigned number, unsigned level, uint64_t key)
{
    uint64_t half = UINT64_C(1) << (TREE_LEVELS - level);
    void *node = node_at(place, in_tree(number));

    tern_linked_init(node, key, 0);
    if (level == TREE_LEVELS)
        return;
    make_tree(place, 2 * number, level + 1, key - half);
    make_tree(place, 2 * number + 1, level + 1, key + half);
    tern_linked_set_less(node, tern_link(in_tree(2 * number), 0));
    tern_linked_set_more(node, tern_link(in_tree(2 * number + 1), 0));
}

static void chase(struct world *world, const struct place *place, uint64_t offset,
                  const struct tern_chase *wanted)
{
    struct world_end *origin = &world->end[0];
    struct tern_rptr start = tern_region_pointer(place->region, 0);
    struct tern_rptr from = tern_rptr_add(start, offset - (uintptr_t)place->end->memory);

    world_say(world, " key %llu from %llu, %u nodes, generation %u",
              (unsigned long long)wanted->key, (unsigned long long)offset, wanted->nodes,
              wanted->generation);
    world_must(tern_chase(origin->sq, from, wanted, origin->region, origin->memory + 64, BYTES,
                          TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, 1), "post");
    (void)world_completion(world, 0);
    world_memory(world, 0);
}

static void lists(struct world *world, const struct place *place)
{
    static const uint8_t places[] = {1, 2, 8, 16, 17, 32, 33, LIST_NODES};

    for (size_t i = 0; i < sizeof(places); i++) {
        struct tern_chase wanted = {.key = FIRST_KEY + places[i] - 1u, .nodes = places[i]};

        chase(world, place, in_list(0), &wanted);
        wanted.nodes--;
        if (wanted.nodes != 0)
            chase(world, place, in_list(0), &wanted);
    }
    chase(world, place, in_list(0), &(struct tern_chase){.key = 1, .nodes = UINT8_MAX});
    chase(world, place, in_list(3),
          &(struct tern_chase){.key = FIRST_KEY + 5, .nodes = 9, .generation = 4});
    chase(world, place, in_list(3),
          &(struct tern_chase){.key = FIRST_KEY + 5, .nodes = 9, .generation = 5});
}

static void trees(struct world *world, const struct place *place)
{
    for (uint64_t key = 1; key < 2u << TREE_LEVELS; key += 3)
        chase(world, place, in_tree(1),
              &(struct tern_chase){.key = key, .nodes = TREE_LEVELS, .tree = true});
}

/* Damages a list; each fault lies further back than the last. */
static void spoilt(struct world *world, const struct place *place)
{
    struct tern_chase last = {.key = FIRST_KEY + LIST_NODES - 1, .nodes = UINT8_MAX};

    tern_linked_set_less(node_at(place, in_list(38)), tern_link(in_list(0), 0));
    last.key++;
    chase(world, place, in_list(0), &last); /* in a circle */
    tern_linked_set_less(node_at(place, in_list(20)), tern_link(WORLD_BYTES, 0));
    chase(world, place, in_list(0), &last);
    tern_linked_set_less(node_at(place, in_list(15)), tern_link(in_list(16) + 8, 0));
    chase(world, place, in_list(0), &last);
    tern_linked_set_generation(node_at(place, in_list(9)), 77);
    chase(world, place, in_list(0), &last);
    chase(world, place, WORLD_BYTES - 16, &last);
    chase(world, place, LIST_AT + 16, &last);
    chase(world, place, WORLD_BYTES, &last);
}

void lookups(struct world *world)
{
    for (unsigned from = 0; from < 3; from++) {
        struct place place = {.end = &world->end[from]};

        world_say(world, " nodes of end %u", from);
        world_fill(world, from, 31 + from);
        world_must(tern_register(place.end->device, place.end->memory, WORLD_BYTES,
                                 TERN_RIGHT_REMOTE_READ, &place.region),
                   "register");
        make_list(&place);
        make_tree(&place, 1, 1, UINT64_C(1) << TREE_LEVELS);
        lists(world, &place);
        trees(world, &place);
        spoilt(world, &place);
        world_must(tern_release(place.region), "release");
    }
}
