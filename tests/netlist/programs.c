/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of operation, from each node to the last node; in a ring of one, the node is its own
 * target.
 */
#include "programs.h"

#include <string.h>

#include "internal.h"
#include <tern/atomic.h>
#include <tern/group.h>
#include <tern/read.h>
#include <tern/table.h>
#include <tern/tree.h>

/* Returns the target of `from`: the other node, or itself. */
static unsigned other(const struct stage *stage, unsigned from)
{
    return stage->nodes - 1 - from;
}

static struct tern_rptr at(struct stage *stage, unsigned end, uint64_t offset)
{
    return tern_region_pointer(stage->end[end].region, offset);
}

static void memories(struct stage *stage)
{
    for (unsigned end = 0; end < stage->nodes; end++)
        stage_memory(stage, end);
}

/* ---- registers ---- */

/*
 * Tells whether to skip a register: reads that change state, the clock and the core's counters, and
 * the admin ring, which has an address of this process.
 */
static bool is_skipped(uint32_t offset)
{
    return offset == TERN_REG_LOG_POP || offset == TERN_REG_AQ_BASE_LO ||
           offset == TERN_REG_AQ_BASE_HI;
}

static void registers(struct stage *stage)
{
    static const uint32_t offsets[] = {
#define REG(name, offset, access, reset, text) offset,
#include "tables.h"
    };

    for (unsigned end = 0; end < stage->nodes; end++)
        for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
            uint32_t value = 0;

            if (is_skipped(offsets[i]))
                continue;
            stage_must(stage, tern_reg_read(stage->end[end].device, offsets[i], &value),
                       "read a register");
            stage_say(stage, " register %03x of end %u: %x", offsets[i], end, value);
        }
}

static void statistics(struct stage *stage)
{
    uint64_t values[TERN_STAT_COUNT];

    for (unsigned end = 0; end < stage->nodes; end++) {
        stage_must(stage, tern_stats(stage->end[end].device, values), "statistics");
        for (unsigned row = 0; row < TERN_STAT_COUNT; row++)
            stage_say(stage, " end %u %s %llu", end, tern_stat_name(row),
                      (unsigned long long)values[row]);
    }
}

/* ---- puts ---- */

static void put(struct stage *stage, unsigned from, uint32_t bytes, uint32_t here, uint32_t there)
{
    struct stage_end *origin = &stage->end[from];

    stage_say(stage, " put %u bytes from %u of end %u to %u", bytes, here, from, there);
    stage_must(stage, tern_put(origin->sq, at(stage, other(stage, from), there), origin->region,
                        origin->memory + here, bytes, TERN_DFLAG_SIGNAL, bytes),
               "put");
    stage_completion(stage, from);
}

/* Sizes around every boundary from 1 to 1300 bytes, each with other alignments. */
static void puts_of_all_sizes(struct stage *stage)
{
    static const uint16_t sizes[] = {1,   2,   3,   4,   5,    6,    7,    8,   9,   11,  13,
                                     15,  16,  17,  20,  24,   31,   32,   33,  40,  63,  64,
                                     65,  100, 127, 128, 129,  255,  256,  257, 300, 511, 512,
                                     513, 700, 777, 800, 1023, 1024, 1025, 1300};

    for (unsigned from = 0; from < stage->nodes; from++)
        stage_fill(stage, from, from + 1);
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (unsigned from = 0; from < stage->nodes; from++)
            put(stage, from, sizes[i], 64 + i % 8,
                STAGE_BYTES / 2 + 200 * i + (3 * i + i / 8 + from) % 8);
    memories(stage);
}

/* One size, from each alignment to each. */
static void alignments(struct stage *stage)
{
    stage_fill(stage, 0, 3);
    for (uint32_t here = 0; here < 8; here++)
        for (uint32_t there = 0; there < 8; there++)
            put(stage, 0, 21, 4090 + here, STAGE_BYTES / 2 + 64 * (8 * here + there) + there);
    memories(stage);
}

/* Posts many puts together, so that descriptors come in bursts and puts follow each other. */
static void queued_puts(struct stage *stage)
{
    struct stage_end *origin = &stage->end[0];
    enum { PUTS = 6 };

    stage_fill(stage, 0, 4);
    for (unsigned i = 0; i < PUTS; i++)
        stage_must(stage,
                   tern_put(origin->sq, at(stage, other(stage, 0), STAGE_BYTES / 2 + 1000 * i),
                            origin->region, origin->memory + 3 * i, 200 + 130 * i,
                            i + 1 == PUTS ? TERN_DFLAG_SIGNAL : 0, i),
                   "put");
    stage_completion(stage, 0);
    memories(stage);
}

static void inline_puts(struct stage *stage)
{
    for (unsigned from = 0; from < stage->nodes; from++) {
        struct stage_end *origin = &stage->end[from];

        stage_fill(stage, from, 5);
        for (uint32_t bytes = 1; bytes <= TERN_INLINE_BYTES_MAX; bytes += bytes < 9 ? 1 : 5) {
            stage_must(stage,
                       tern_put_inline(
                           origin->sq,
                           at(stage, other(stage, from), STAGE_BYTES / 2 + 64 * bytes + bytes % 7),
                           origin->memory, bytes, TERN_DFLAG_SIGNAL, bytes),
                       "put");
            stage_completion(stage, from);
        }
    }
    memories(stage);
}

/* Puts that the target or the origin refuses. */
static void refused_puts(struct stage *stage)
{
    struct stage_end *origin = &stage->end[0];

    stage_must(stage,
               tern_put(origin->sq, at(stage, other(stage, 0), STAGE_BYTES - 10), origin->region,
                        origin->memory, 11, TERN_DFLAG_SIGNAL, 1),
               "put");
    stage_completion(stage, 0);
    stage_must(stage, tern_put(origin->sq, at(stage, other(stage, 0), 0), origin->region,
                        origin->memory + STAGE_BYTES - 600, 601, TERN_DFLAG_SIGNAL, 2),
               "put");
    stage_completion(stage, 0);
    memories(stage);
}

/* ---- reads, atomic operations, lookups ---- */

static void reads(struct stage *stage)
{
    static const uint16_t sizes[] = {1, 7, 8, 64, 65, 511, 512, 513, 1300};

    for (unsigned from = 0; from < stage->nodes; from++) {
        struct stage_end *origin = &stage->end[from];

        stage_fill(stage, other(stage, from), 6 + from);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            stage_must(stage,
                       tern_read(origin->sq, at(stage, other(stage, from), 100 * i + i),
                                 origin->region, origin->memory + STAGE_BYTES / 2 + 5 * i, sizes[i],
                                 TERN_DFLAG_SIGNAL, i),
                       "read");
            stage_completion(stage, from);
        }
    }
    memories(stage);
}

static void atomics(struct stage *stage)
{
    const struct tern_masked masked = {
        .compare = 5, .compare_mask = 0xff, .swap = UINT64_MAX, .swap_mask = 0xff00};
    struct tern_sq *sq = stage->end[0].sq;
    struct tern_rptr word = at(stage, other(stage, 0), 4000);
    const unsigned signal = TERN_DFLAG_SIGNAL;

    stage_fill(stage, other(stage, 0), 8);
    stage_must(stage, tern_swap(sq, word, 5, signal, 1), "swap");
    stage_completion(stage, 0);
    stage_must(stage, tern_compare_swap_masked(sq, word, &masked, signal, 2), "masked swap");
    stage_completion(stage, 0);
    stage_must(stage, tern_compare_swap(sq, word, 5, 6, signal, 3),
               "swap that finds another value");
    stage_completion(stage, 0);
    stage_must(stage, tern_compare_swap(sq, word, 0xff05, UINT64_MAX - 1, signal, 4), "swap");
    stage_completion(stage, 0);
    stage_must(stage, tern_fetch_add(sq, word, 3, signal, 5), "addition");
    stage_completion(stage, 0);
    stage_must(stage, tern_fetch_add_masked(sq, word, &masked, signal, 6), "masked addition");
    stage_completion(stage, 0);
    memories(stage);
}

enum { NODES = 12, FIRST_KEY = 100, LIST_AT = 4096, STRIDE = 3 * TERN_NODE_BYTES };

static void make_list(struct stage *stage, unsigned end)
{
    uint8_t *memory = stage->end[end].memory;

    for (unsigned i = 0; i < NODES; i++) {
        tern_linked_init(memory + LIST_AT + STRIDE * i, FIRST_KEY + i, (uint16_t)(i + 1));
        if (i > 0)
            tern_linked_set_less(memory + LIST_AT + STRIDE * (i - 1),
                                 tern_link(LIST_AT + STRIDE * i, (uint16_t)(i + 1)));
    }
}

/* Walks a list to its first, middle and last node, and beyond. */
static void lookups(struct stage *stage)
{
    static const uint8_t steps[] = {1, 2, 7, NODES, NODES + 1};
    struct stage_end *origin = &stage->end[0];
    unsigned end = other(stage, 0);
    struct tern_rptr base = at(stage, end, 0);

    stage_fill(stage, end, 9);
    make_list(stage, end);
    for (unsigned i = 0; i < sizeof(steps); i++) {
        struct tern_chase wanted = {.key = FIRST_KEY + steps[i] - 1u, .nodes = UINT8_MAX};

        stage_must(stage,
                   tern_chase(origin->sq,
                              tern_rptr_add(base, LIST_AT - (uintptr_t)stage->end[end].memory),
                              &wanted, origin->region, origin->memory + STAGE_BYTES / 2, 80,
                              TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, i),
                   "lookup");
        stage_completion(stage, 0);
        stage_memory(stage, 0);
    }
}

/* ---- messages, broadcasts ---- */

static void messages(struct stage *stage)
{
    static const uint16_t sizes[] = {0, 1, 8, 33, 64, 200, 1 << STAGE_ENTRY_LOG2};

    for (unsigned from = 0; from < stage->nodes; from++) {
        struct stage_end *origin = &stage->end[from], *far_end = &stage->end[other(stage, from)];
        struct tern_target target = {.node = far_end->info.node,
                                     .queue = tern_rq_number(far_end->rq)};

        stage_fill(stage, from, 10);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            target.imm = 0xab000 + i;
            stage_must(stage,
                       tern_send(origin->sq, target, origin->region, origin->memory + i, sizes[i],
                                 TERN_DFLAG_SIGNAL | (i % 2 ? TERN_DFLAG_IMM : 0), i),
                       "send");
            stage_completion(stage, from);
            stage_completion(stage, other(stage, from));
            stage_must(stage, tern_rq_release(far_end->rq, 1), "release a message");
        }
    }
}

static void broadcasts(struct stage *stage)
{
    static const uint16_t sizes[] = {1, 100, 512, 1300};
    struct stage_end *origin = &stage->end[0];
    const uint32_t key = tern_group_key(60, 0x4711);
    struct tern_region *member[STAGE_NODES];
    struct tern_group *group;

    stage_fill(stage, 0, 11);
    for (unsigned n = 0; n < stage->nodes; n++)
        stage_must(stage,
                   tern_register_with(
                       stage->end[n].device,
                       &(struct tern_region_attr){.addr = stage->end[n].memory + STAGE_BYTES / 2,
                                                  .bytes = STAGE_BYTES / 2,
                                                  .member = true,
                                                  .key = key},
                       &member[n]),
                   "join");
    stage_must(stage,
               tern_group_create(origin->cq, tern_box_all(origin->info.dims), key, STAGE_BYTES / 2,
                                 &group),
               "group");
    stage_must(stage, tern_group_open(group, NULL), "open the group");
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        stage_must(stage,
                   tern_bcast(origin->sq, group, origin->region, 10 + i, sizes[i], 2000 * i + 3 * i,
                              TERN_DFLAG_SIGNAL | (i % 2 ? TERN_DFLAG_SELF : 0), i),
                   "broadcast");
        stage_completion(stage, 0);
    }
    stage_must(stage, tern_group_destroy(group), "end the group");
    for (unsigned n = 0; n < stage->nodes; n++)
        stage_must(stage, tern_release(member[n]), "leave");
    memories(stage);
}

/* ---- the tree network ---- */

enum { TREE_GROUP = 2, TREE_EPOCH = 7, TREE_SEED = 20 };

/* Returns a contribution to the group of both nodes. */
static struct tern_tree_part tree_part(uint8_t op, uint8_t bytes, uint8_t number)
{
    return (struct tern_tree_part){.group = TREE_GROUP, .epoch = TREE_EPOCH, .number = number,
                                   .op = op, .bytes = bytes};
}

static void set_tree_up(struct stage *stage)
{
    for (unsigned end = 0; end < stage->nodes; end++) {
        struct tern_info *info = &stage->end[end].info;
        struct tern_tree_group all = {.group = TREE_GROUP, .epoch = TREE_EPOCH};

        tern_tree_all(info->node, info->dims, 0, &all);
        stage_must(stage, tern_tree_set(stage->end[end].sq, &all, TERN_DFLAG_SIGNAL, end),
                   "set up");
        stage_completion(stage, end);
    }
}

/* Contributes a word of each node, and compares the completions' value. */
static void reduce_word(struct stage *stage, const struct tern_tree_part *part,
                        const uint64_t word[STAGE_NODES], uint64_t expected)
{
    for (unsigned end = 0; end < stage->nodes; end++)
        stage_must(stage,
                   tern_tree_combine(stage->end[end].sq, part, part->bytes ? &word[end] : NULL,
                                     TERN_DFLAG_SIGNAL, part->number),
                   "combine");
    for (unsigned end = 0; end < stage->nodes; end++)
        stage_expect(stage, stage_completion(stage, end) == expected, "the combination");
}

static void tree_barriers(struct stage *stage)
{
    set_tree_up(stage);
    for (uint8_t i = 0; i < 3; i++) {
        struct tern_tree_part part = tree_part(TERN_TREE_SUM, 0, i);

        reduce_word(stage, &part, NULL, 0);
    }
}

static void tree_words(struct stage *stage)
{
    static const uint64_t word[STAGE_NODES] = {UINT64_C(0xfedcba9876543210),
                                               UINT64_C(0x0f1e2d3c8b5a6978)};
    static const struct {
        uint8_t op;
        bool wide, is_signed;
        uint64_t expected;
    } cases[] = {
        {TERN_TREE_SUM, true, false, UINT64_C(0x0dfae7d501ae9b88)},
        {TERN_TREE_SUM, false, false, UINT64_C(0x0dfae7d401ae9b88)},
        {TERN_TREE_MIN, true, false, UINT64_C(0x0f1e2d3c8b5a6978)},
        {TERN_TREE_MIN, true, true, UINT64_C(0xfedcba9876543210)},
        {TERN_TREE_MAX, false, false, UINT64_C(0xfedcba988b5a6978)},
        {TERN_TREE_MAX, false, true, UINT64_C(0x0f1e2d3c76543210)},
        {TERN_TREE_AND, true, false, UINT64_C(0x0e1c281802502010)},
        {TERN_TREE_OR, true, false, UINT64_C(0xffdebfbcff5e7b78)},
        {TERN_TREE_XOR, true, false, UINT64_C(0xf1c297a4fd0e5b68)},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tern_tree_part part = tree_part(cases[i].op, 8, (uint8_t)i);

        part.wide = cases[i].wide;
        part.is_signed = cases[i].is_signed;
        reduce_word(stage, &part, word, cases[i].expected);
    }
}

/* Adds `bytes` of memory of both nodes, and compares the sums. */
static void reduce_memory(struct stage *stage, uint32_t bytes, uint8_t number)
{
    static uint64_t sum[STAGE_BYTES / 16];
    struct tern_tree_part part = tree_part(TERN_TREE_SUM, 0, number);
    const uint64_t *word[STAGE_NODES];

    part.wide = true;
    for (unsigned end = 0; end < stage->nodes; end++) {
        stage_fill(stage, end, TREE_SEED + end + number);
        word[end] = (const uint64_t *)(const void *)stage->end[end].memory;
    }
    for (unsigned i = 0; i < bytes / 8; i++)
        sum[i] = word[0][i] + word[1][i];
    for (unsigned end = 0; end < stage->nodes; end++)
        stage_must(stage,
                   tern_tree_combine_long(stage->end[end].sq, &part,
                                          at(stage, end, STAGE_BYTES / 2),
                                          stage->end[end].region, stage->end[end].memory, bytes,
                                          TERN_DFLAG_SIGNAL, bytes),
                   "combine memory");
    for (unsigned end = 0; end < stage->nodes; end++) {
        stage_completion(stage, end);
        stage_expect(stage,
                     !memcmp(stage->end[end].memory + STAGE_BYTES / 2, sum, bytes),
                     "the combination in memory");
    }
    memories(stage);
}

static void tree_memory(struct stage *stage)
{
    static const uint16_t sizes[] = {8, 40, 512, 1320, TERN_TREE_LONG_BYTES};

    for (uint8_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        reduce_memory(stage, sizes[i], i);
}

static void tree_puts(struct stage *stage)
{
    static const uint16_t sizes[] = {1, 8, 33, 512, 1300};

    for (unsigned from = 0; from < stage->nodes; from++) {
        stage_fill(stage, from, TREE_SEED + from);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            unsigned to = other(stage, from);
            uint8_t *there = stage->end[to].memory + STAGE_BYTES / 2 + 2000 * i + 3 * i;

            stage_must(stage,
                       tern_tree_put(stage->end[from].sq, to,
                                     at(stage, to, (uint64_t)(there - stage->end[to].memory)),
                                     stage->end[from].region, stage->end[from].memory + 5 * i,
                                     sizes[i], TERN_DFLAG_SIGNAL, i),
                       "put by rank");
            stage_completion(stage, from);
            stage_expect(stage, !memcmp(there, stage->end[from].memory + 5 * i, sizes[i]),
                         "the bytes put by rank");
        }
    }
    memories(stage);
}

/* The nodes contribute to different operations; then one gives the group back. */
static void tree_failures(struct stage *stage)
{
    for (unsigned end = 0; end < stage->nodes; end++) {
        struct tern_tree_part part = tree_part((uint8_t)(TERN_TREE_SUM + end), 8, 0);
        uint64_t word = end;

        stage_must(stage,
                   tern_tree_combine(stage->end[end].sq, &part, &word, TERN_DFLAG_SIGNAL, end),
                   "combine");
    }
    for (unsigned end = 0; end < stage->nodes; end++)
        stage_completion(stage, end);
    for (unsigned end = 0; end < stage->nodes; end++) {
        stage_must(stage,
                   tern_tree_leave(stage->end[end].sq, TREE_GROUP, TERN_DFLAG_SIGNAL, end),
                   "leave");
        stage_completion(stage, end);
    }
}

const struct program programs[] = {
    {"registers", registers, 1, 0, false},
    {"puts of 1 to 1300 bytes", puts_of_all_sizes, 1, 0, false},
    {"puts from each alignment to each", alignments, 2, 0, false},
    {"puts posted together", queued_puts, 1, 0, false},
    {"inline puts", inline_puts, 1, 0, false},
    {"refused puts", refused_puts, 1, 2, false},
    {"reads", reads, 1, 0, false},
    {"atomic operations", atomics, 1, 0, false},
    {"lookups", lookups, 1, 1, false},
    {"messages", messages, 1, 0, false},
    {"broadcasts", broadcasts, 2, 0, false},
    {"barriers of the tree", tree_barriers, 2, 0, true},
    {"words that the tree combines", tree_words, 2, 0, true},
    {"memory that the tree combines", tree_memory, 2, 0, true},
    {"puts by rank", tree_puts, 2, 0, true},
    {"operations of the tree that fail", tree_failures, 2, 2, true},
    {"statistics", statistics, 1, 0, false},
};
const unsigned program_count = sizeof(programs) / sizeof(programs[0]);
