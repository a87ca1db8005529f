/* SPDX-License-Identifier: Apache-2.0 */
#include <tern/counter.h>

#include "meeting.h"

#include <err.h>
#include <string.h>

enum {
    COUNTER = 9,
    FIXED = 10,          /* counter of the group with fixed bases */
    INDEX = 120,         /* of its key; the key of the arenas has index INDEX + 2 */
    LARGEST = MEETING_BYTES,
    AREA = 1,
    BOUND = 400000
};

static const char *const names[VARIANTS] = {"persistent", "direct", "combined", "literal",
                                            "relayed"};

const char *variant_name(enum variant variant)
{
    return names[variant];
}

static struct tern_arena *arenas[YARD_NODES_MAX];
static struct tern_rendezvous *rendezvous[VARIANTS];
static struct tern_group *fixed;
static struct tern_rendezvous_limits limits[VARIANTS];

static uint8_t *incoming(const struct yard *yard, unsigned n)
{
    return yard->end[n].buffer + LARGEST;
}

static void join(struct yard *yard, unsigned n)
{
    struct yard_end *end = &yard->end[n];
    struct tern_arena_memory memory = {
        .region = end->region, .base = incoming(yard, n), .bytes = LARGEST, .counter = COUNTER
    };
    struct tern_region *region;

    if (n == 0)
        return;
    yard_must(tern_counter_set(end->device, COUNTER, 0), "counter");
    yard_must(tern_counter_set(end->device, FIXED, 0), "counter");
    yard_must(tern_arena_open(end->cq, tern_group_key(INDEX + 2, 1), &memory, &arenas[n]), "arena");
    yard_must(tern_register_with(end->device,
            &(struct tern_region_attr){.addr = incoming(yard, n), .bytes = LARGEST,
                                       .member = true, .key = tern_group_key(INDEX, 1),
                                       .counted = true, .counter = FIXED},
            &region), "join");
}

void meeting_open(struct yard *yard)
{
    struct yard_end *end = &yard->end[0];
    struct tern_group *group;
    struct tern_info info;

    yard_each(yard, join);
    yard_must(tern_query(end->device, &info), "query");
    yard_must(tern_group_create(end->cq, tern_box_all(info.dims), tern_group_key(INDEX, 1), LARGEST,
                                &fixed),
              "group");
    yard_must(tern_group_open(fixed, NULL), "open");
    yard_must(tern_group_create(end->cq, tern_box_all(info.dims), tern_group_key(INDEX + 2, 1), 1,
                                &group),
              "group");
    memset(limits, 0, sizeof(limits));
    limits[COMBINED].combined = true;
    yard_must(tern_rq_create(end->cq, 7, 6, TERN_QUEUE_ANY, &limits[LITERAL].answers),
              "reception FIFO");
    yard_must(tern_fifo_create(end->cq, 2, &limits[RELAYED].relay), "FIFO");
    for (unsigned v = DIRECT; v < VARIANTS; v++) {
        limits[v].area = (uint16_t)(AREA + 2 * v);
        yard_must(tern_rendezvous_create(end->cq, group, &limits[v], &rendezvous[v]), names[v]);
    }
}

/* ---- a single put */

static struct tern_completion next(struct yard *yard, unsigned n)
{
    struct tern_completion got = yard_next(yard, &yard->end[n], BOUND);

    if (got.status != TERN_ST_OK)
        errx(1, "node %u is told: %s", n, tern_strerror((int)got.status));
    return got;
}

static void by_the_host(struct yard *yard, uint32_t bytes)
{
    struct yard_end *end = &yard->end[0];
    int left;

    yard_must(tern_rendezvous_ask(end->sq, rendezvous[LITERAL], bytes, 0), "ask");
    do {
        struct tern_completion got = next(yard, 0);

        left = tern_rendezvous_heard(rendezvous[LITERAL], &got);
        yard_must(tern_rq_release(limits[LITERAL].answers, 1), "release");
    } while (left > 0);
    yard_must(left, "answers");
    yard_must(tern_rendezvous_send(end->sq, rendezvous[LITERAL], end->region, end->buffer, 0),
              "send");
}

static void post(struct yard *yard, enum variant variant, uint32_t bytes)
{
    struct yard_end *end = &yard->end[0];

    if (variant == LITERAL)
        by_the_host(yard, bytes);
    else if (variant == PERSISTENT)
        yard_must(tern_bcast(end->sq, fixed, end->region, 0, bytes, 0, TERN_DFLAG_SIGNAL, 0),
                  "broadcast");
    else
        yard_must(tern_rendezvous_put(end->sq, rendezvous[variant], end->region, end->buffer, bytes,
                                      0, 0),
                  "put");
}

static void check(struct yard *yard, enum variant variant, uint32_t bytes)
{
    for (unsigned n = 1; n < yard->nodes; n++) {
        struct tern_completion got = next(yard, n);
        const void *data = variant == PERSISTENT ? incoming(yard, n) : got.data;

        if (memcmp(data, yard->end[0].buffer, bytes) != 0)
            errx(1, "node %u has other bytes", n);
    }
}

static uint32_t put_bytes;

static void watch_counter(struct yard *yard, unsigned n)
{
    if (n != 0)
        yard_must(tern_counter_watch(yard->end[n].cq, FIXED, put_bytes), "counter");
}

/* Frees the room of all earlier transfers. */
static void give_back(struct yard *yard, unsigned n)
{
    struct tern_completion all = { .length = put_bytes };

    (void)yard;
    if (n != 0)
        yard_must(tern_arena_release(arenas[n], &all), "release");
}

void meeting_prepare(struct yard *yard, enum variant variant, uint32_t bytes, unsigned seed)
{
    for (uint32_t i = 0; i < bytes; i++)
        yard->end[0].buffer[i] = (uint8_t)(i * 11 + (i >> 8) + seed);
    put_bytes = bytes;
    if (variant == PERSISTENT)
        yard_each(yard, watch_counter);
    yard_settle(yard);
}

void meeting_put(struct yard *yard, enum variant variant, uint32_t bytes)
{
    post(yard, variant, bytes);
    (void)next(yard, 0);
    check(yard, variant, bytes);
}

void meeting_clear(struct yard *yard, enum variant variant, uint32_t bytes)
{
    put_bytes = bytes;
    if (variant != PERSISTENT)
        yard_each(yard, give_back);
}
