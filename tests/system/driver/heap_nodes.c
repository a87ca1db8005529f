/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heaps of one name on two nodes: where memory comes from, which block, what is tried before a
 * server is asked, and what only a server does.
 */
#include <string.h>

#include <tern/read.h>

#include "heap_yard.h"

enum {
    BLOCKS = 4, SIZE = 200, BIG = 100000,
    HERE = 0, THERE = YARD_SERVER, /* nodes with a heap; clients are at node 0, and at 1 */
    ROUND = 6000,
};

/* A client of both heaps, near one first. */
struct client {
    struct tern_member *member[2]; /* of HERE, of THERE */
    struct tern_heap *heap;
};

static struct client open_client(unsigned device, struct tern_heap_config config)
{
    struct client c = {.member = {yard_member(device, HERE), yard_member(device, THERE)}};

    rig_need(tern_heap_open(c.member, 2, "heap", &config, &c.heap), "tern_heap_open");
    return c;
}

static void close_client(struct client *c)
{
    tern_heap_close(c->heap);
    tern_member_quit(c->member[0]);
    tern_member_quit(c->member[1]);
    yard_run(ROUND);
}

static struct tern_heap_counts counts_of(const struct client *c)
{
    struct tern_heap_counts counts;

    tern_heap_counts(c->heap, &counts);
    return counts;
}

static bool is_at(struct tern_ptr at, unsigned node)
{
    return at.node == tern_node(node, 0, 0);
}

static void take(struct client *c, uint64_t bytes, struct tern_ptr *at)
{
    rig_need(tern_alloc(c->heap, bytes, at), "tern_alloc");
}

static void give_back(struct client *c, const struct tern_ptr *at, unsigned count)
{
    rig_need(tern_free_many(c->heap, at, count, NULL), "tern_free_many");
}

/* ---- from which node */

static void nodes(void)
{
    struct client near = open_client(0, (struct tern_heap_config){.policy = TERN_ALLOC_NEAR});
    struct client round = open_client(1, (struct tern_heap_config){.policy = TERN_ALLOC_ROUND});
    struct client least = open_client(1, (struct tern_heap_config){.policy = TERN_ALLOC_LEAST});
    struct tern_ptr at[4];
    unsigned here = 0, there = 0;
    bool good;

    take(&near, SIZE, &at[0]);
    take(&near, SIZE, &at[1]);
    here = is_at(at[0], HERE) + is_at(at[1], HERE);
    good = tern_alloc_on(near.heap, tern_node(THERE, 0, 0), SIZE, &at[2]) == 0 &&
           is_at(at[2], THERE);
    tap(here == 2 && good, "a client takes memory of its own node and of another one");
    tap_evidence("M1", "own=%u other=%u", here, (unsigned)good);
    give_back(&near, at, 3);

    take(&round, SIZE, &at[0]);
    take(&round, SIZE, &at[1]);
    good = at[0].node != at[1].node;
    give_back(&round, at, 2);
    take(&least, 1000, &at[0]);
    take(&least, SIZE, &at[1]);
    take(&least, SIZE, &at[2]);
    for (unsigned i = 1; i < 3; i++)
        there += at[i].node != at[0].node;
    tap(good && there == 2 && here == 2,
        "the library chooses the node: the nearest, one after the other, the least used");
    good = tern_alloc_on(least.heap, tern_node(1, 0, 0), SIZE, &at[3]) == -TERN_ST_BAD_NODE;
    for (unsigned i = 0; i < 3; i++)
        good = good && tern_usable_bytes(least.heap, at[i]) >= (i ? SIZE : 1000) &&
               tern_usable_bytes(least.heap, at[i]) <= (i ? SIZE : 1000) * 5 / 4;
    tap(good, "and the caller says how many bytes, and may say on which node");
    tap_evidence("M2", "policies=3 fits=%u", (unsigned)good);
    give_back(&least, at, 3);
    close_client(&near);
    close_client(&round);
    close_client(&least);
}

/* ---- the block is chosen by the headers that were read */

static void choice(void)
{
    enum { SLABS = 2, LARGE = 30000 };
    struct client c = open_client(1, (struct tern_heap_config){.path = TERN_ALLOC_LITERAL});
    struct client other = open_client(1, (struct tern_heap_config){.path = TERN_ALLOC_LITERAL});
    struct tern_ptr at[2 * SLABS], next;
    uint64_t asks;
    bool good;

    for (unsigned i = 0; i < 2 * SLABS; i++) /* two blocks of two slabs, both full */
        rig_need(tern_alloc_on(c.heap, tern_node(THERE, 0, 0), LARGE, &at[i]), "tern_alloc_on");
    asks = counts_of(&c).asked;
    /* another client empties one slab of the second block; then one of the first, too */
    rig_need(tern_hand_on(c.heap, at[3], tern_member_holder(other.member[1])), "tern_hand_on");
    give_back(&other, &at[3], 1);
    rig_need(tern_alloc_on(c.heap, tern_node(THERE, 0, 0), LARGE, &next), "tern_alloc_on");
    good = next.offset == at[3].offset;
    at[3] = next;
    give_back(&c, &at[0], 1);
    rig_need(tern_alloc_on(c.heap, tern_node(THERE, 0, 0), LARGE, &next), "tern_alloc_on");
    good = good && next.offset == at[0].offset && counts_of(&c).asked == asks;
    at[0] = next;
    tap(good, "literal: the block is chosen by the headers that were read");
    tap_evidence("M3b", "followed=%u header_reads=%llu", (unsigned)good,
                 (unsigned long long)counts_of(&c).header_reads);
    give_back(&c, at, 4);
    close_client(&c);
    close_client(&other);
}

/* ---- given back without a lock */

static void given_back(void)
{
    struct client c = open_client(1, (struct tern_heap_config){.path = TERN_ALLOC_LITERAL});
    struct tern_heap_counts before, after;
    uint64_t messages;
    struct tern_ptr at;

    rig_need(tern_alloc_on(c.heap, tern_node(THERE, 0, 0), SIZE, &at), "tern_alloc_on");
    yard_run(ROUND);
    yard.served = false;
    before = counts_of(&c);
    messages = yard.owner_messages;
    rig_need(tern_free(c.heap, at), "tern_free");
    yard_run(ROUND);
    after = counts_of(&c);
    messages = yard.owner_messages - messages;
    yard.served = true;
    tap(after.owner_swaps - before.owner_swaps == 1 && after.map_swaps - before.map_swaps == 1 &&
            after.header_swaps - before.header_swaps == 1 && after.asked == before.asked &&
            messages == 0,
        "literal: a slab is given back by a swap of each word, without its owner's host");
    tap_evidence("M7", "owner_swaps=%llu map_swaps=%llu header_swaps=%llu asked=%llu messages=%llu",
                 (unsigned long long)(after.owner_swaps - before.owner_swaps),
                 (unsigned long long)(after.map_swaps - before.map_swaps),
                 (unsigned long long)(after.header_swaps - before.header_swaps),
                 (unsigned long long)(after.asked - before.asked), (unsigned long long)messages);
    close_client(&c);
}

/* ---- what is asked of a server */

static void asked(void)
{
    struct client c = open_client(1, (struct tern_heap_config){.path = TERN_ALLOC_FAST});
    struct tern_heap_counts before = counts_of(&c), after;
    struct tern_ptr first = {0}, big = {0};
    const uint16_t there = tern_node(THERE, 0, 0);
    uint64_t block, for_class, for_big, for_free;
    bool gone;
    int status;

    status = tern_alloc_on(c.heap, there, 9000, &first); /* of a class without a block */
    after = counts_of(&c);
    for_class = after.asked - before.asked;
    status = status ? status : tern_alloc_on(c.heap, there, BIG, &big);
    for_big = counts_of(&c).asked - after.asked;
    block = status ? 0 : tern_usable_bytes(c.heap, big);
    after = counts_of(&c);
    gone = status == 0 && tern_free(c.heap, big) == 0;
    for_free = counts_of(&c).asked - after.asked;
    gone = gone && tern_free(c.heap, big) != 0;
    tap(for_class == 1 && for_big == 1 && block >= BIG,
        "a block of a class that has none, and a big object, are asked of the server");
    tap_evidence("M8", "class=%llu big=%llu", (unsigned long long)for_class,
                 (unsigned long long)for_big);
    tap(for_free == 1 && gone, "and a big object is given back by a request, once");
    tap_evidence("M7b", "asked=%llu", (unsigned long long)for_free);
    (void)tern_free(c.heap, first);
    close_client(&c);
}

/* ---- the ladder: the map, other blocks, the server; as often as the limits say */

static void ladder(enum tern_alloc_path path, const char *name)
{
    enum { LARGE = 30000, MOST = 2 * BLOCKS };
    struct client c = open_client(1, (struct tern_heap_config){.path = path, .tries = 5});
    struct tern_heap_limits limits = tern_heap_limits(c.heap);
    struct tern_heap_counts before, after;
    struct tern_ptr at[MOST], none;
    unsigned count = 0;
    uint64_t tries, asks;
    int status;

    while (count < MOST &&
           tern_alloc_on(c.heap, tern_node(THERE, 0, 0), LARGE, &at[count]) == 0)
        count++;
    before = counts_of(&c);
    status = tern_alloc_on(c.heap, tern_node(THERE, 0, 0), LARGE, &none);
    after = counts_of(&c);
    tries = after.takes + after.header_swaps + after.map_swaps -
            (before.takes + before.header_swaps + before.map_swaps);
    asks = after.asked - before.asked;
    tap(count == MOST && status == -TERN_ST_FULL && asks >= 1 && asks <= 2 &&
            tries <= 2 * limits.tries && limits.tries == 5 && limits.words && limits.blocks,
        "%s: when all is taken a client asks the server, after as many tries as it may make", name);
    tap_evidence("M12", "tries=%llu limit=%u asks=%llu status=FULL", (unsigned long long)tries,
                 2 * limits.tries, (unsigned long long)asks);
    give_back(&c, at, count);
    close_client(&c);
}

/* ---- pointers that another client uses */

static void pointers(void)
{
    struct client a = open_client(0, (struct tern_heap_config){.path = TERN_ALLOC_FAST});
    struct client b = open_client(1, (struct tern_heap_config){.path = TERN_ALLOC_FAST});
    uint8_t letter[sizeof(struct tern_ptr)];
    struct tern_ptr at, told;
    struct tern_rptr by_a, by_b;
    struct tern_cq *cq;
    struct tern_sq *sq;
    uint64_t word = UINT64_C(0x1122334455667788);
    bool good;

    rig_need(tern_alloc_on(a.heap, tern_node(THERE, 0, 0), SIZE, &at), "tern_alloc_on");
    rig_need(tern_hand_on(a.heap, at, tern_member_holder(b.member[1])), "tern_hand_on");
    memcpy(letter, &at, sizeof(at)); /* as bytes, by any way */
    memcpy(&told, letter, sizeof(told));
    by_a = tern_heap_rptr(a.heap, at);
    by_b = tern_heap_rptr(b.heap, told);
    rig_need(tern_cq_create(yard.device[1], 5, 0, &cq), "tern_cq_create");
    rig_need(tern_sq_create(cq, 4, &sq), "tern_sq_create");
    rig_need(tern_put_inline(sq, by_b, &word, sizeof(word), TERN_DFLAG_SIGNAL, 0), "put");
    good = rig_next(cq).status == TERN_ST_OK &&
           memcmp(yard_bytes(told), &word, sizeof(word)) == 0;
    tap(good && memcmp(by_a.w, by_b.w, sizeof(by_a.w)) != 0 &&
            tern_free(a.heap, at) == -TERN_ST_NOT_OWNER && tern_free(b.heap, told) == 0,
        "a pointer that is handed on is used by another client with its own key");
    tap_evidence("M16", "written=%u keys_differ=%u", (unsigned)good,
                 (unsigned)(memcmp(by_a.w, by_b.w, sizeof(by_a.w)) != 0));
    close_client(&a);
    close_client(&b);
}

int main(void)
{
    uint64_t bytes;

    yard_open(BLOCKS);
    yard_open_second(BLOCKS);
    nodes();
    choice();
    given_back();
    asked();
    ladder(TERN_ALLOC_FAST, "fast");
    ladder(TERN_ALLOC_LITERAL, "literal");
    pointers();
    tap(yard_taken(&bytes) == 0, "all of it is free in the end");
    yard_close();
    return tap_end();
}
