/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that all nodes of a torus 2x2x2 put and get at the same time: is there an order in which each get
 * returns what the put before it wrote?
 *
 * Every node is a client with one operation at a time, on words of node 0, node 0 itself too.  When it posts and
 * when it hears of the end is taken in cycles, and the history goes to the checker (tests/tools/linear).  Then the
 * same history with one get spoilt, which the checker must refuse.
 *
 * usage: torus_linear [OPERATIONS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tern/get.h>

#include "linear.h"
#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    SIDE = 2,
    NODES = SIDE * SIDE * SIDE,
    BYTES = 64 << 10,
    WORDS = 4,
    HOME = 8192,    /* in the keeper's memory: the words */
    LANDING = 4096, /* in everybody's: where a word that was got comes to */
    AREA = 2,
    FIFO_LOG2 = 6,
    LIMIT = 200000, /* cycles for a get */
    STEP = 16,
    BOUND = 3000000, /* cycles without any end */
    OPERATIONS_RTL = 120, OPERATIONS_SOFT = 20000,
};

struct client {
    struct tern_getter *getter;
    struct linear_op op; /* that is out */
    bool out;
};

static struct yard yard;
static struct tern_fifo *fifo;
static struct client clients[NODES];
static struct linear_history *history;
static uint64_t drawn = 1, written, begun, ended, failed;

static uint64_t draw(uint64_t below)
{
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return drawn % below;
}

static struct tern_rptr word_at_home(uint32_t word)
{
    return tern_region_pointer(yard.end[0].region, HOME + 8 * (uint64_t)word);
}

static uint64_t *landing(unsigned n)
{
    return (uint64_t *)(void *)(yard.end[n].buffer + LANDING);
}

static void begin_put(unsigned n)
{
    struct linear_op *op = &clients[n].op;

    op->kind = LINEAR_WRITE;
    op->operand = ++written; /* no value twice */
    yard_must(tern_put_inline(yard.end[n].sq, word_at_home(op->word), &op->operand, 8, TERN_DFLAG_SIGNAL, 0), "put");
}

static void begin_get(unsigned n)
{
    struct linear_op *op = &clients[n].op;
    struct tern_get get = { .from = word_at_home(op->word), .fifo = tern_fifo_number(fifo),
                            .region = yard.end[n].region, .to = landing(n), .bytes = 8 };

    op->kind = LINEAR_READ;
    *landing(n) = UINT64_MAX;
    yard_must(tern_get(yard.end[n].sq, clients[n].getter, &get, 0), "get");
}

static void begin(unsigned n)
{
    clients[n].op = (struct linear_op){ .client = n, .word = (uint32_t)draw(WORDS), .invoked = tern_sim_cycle(yard.sim) };
    clients[n].out = true;
    begun++;
    if (draw(2) == 0)
        begin_put(n);
    else
        begin_get(n);
}

static void end(unsigned n, const struct tern_completion *got)
{
    struct linear_op *op = &clients[n].op;

    op->responded = tern_sim_cycle(yard.sim);
    op->result = op->kind == LINEAR_READ ? *landing(n) : 0;
    if (got->status != TERN_ST_OK) {
        op->responded = LINEAR_NO_RESPONSE;
        failed++;
    }
    if (linear_add(history, op) != LINEAR_OK)
        yard_must(-TERN_ST_NO_MEMORY, "history");
    clients[n].out = false;
    ended++;
}

static void record(uint64_t operations)
{
    uint64_t moved = tern_sim_cycle(yard.sim);
    struct tern_completion got;

    while (ended < operations && tern_sim_cycle(yard.sim) - moved < BOUND) {
        for (unsigned n = 0; n < NODES; n++) {
            if (!clients[n].out && begun < operations)
                begin(n);
            if (!clients[n].out || !yard_poll(&yard, &yard.end[n], &got))
                continue;
            end(n, &got);
            moved = tern_sim_cycle(yard.sim);
        }
        tern_sim_run(yard.sim, STEP);
    }
}

static enum linear_answer judged(const struct linear_history *what, struct linear_verdict *verdict)
{
    if (linear_check(what, verdict) != LINEAR_OK)
        return LINEAR_GAVE_UP;
    return verdict->answer;
}

/* The last get that returned what a put had written. */
static size_t find_get(void)
{
    size_t i = linear_count(history);

    while (i-- > 0) {
        const struct linear_op *op = linear_at(history, i);

        if (op->kind == LINEAR_READ && op->result != 0 && op->responded != LINEAR_NO_RESPONSE)
            return i;
    }
    return linear_count(history);
}

/* The same but for that get, which returns what stood there before all puts. */
static struct linear_history *spoilt(void)
{
    struct linear_history *copy = linear_new(WORDS);
    size_t stale = find_get();

    for (size_t i = 0; copy != NULL && i < linear_count(history); i++) {
        struct linear_op op = *linear_at(history, i);

        if (i == stale)
            op.result = 0;
        if (linear_add(copy, &op) != LINEAR_OK)
            yard_must(-TERN_ST_NO_MEMORY, "history");
    }
    return copy;
}

static void judge(uint64_t operations)
{
    struct linear_verdict verdict = {0}, of_spoilt = {0};
    enum linear_answer answer = judged(history, &verdict);
    struct linear_history *bad = spoilt();

    tap(ended == operations && failed == 0, "all_operations_ended_well");
    if (answer == LINEAR_NO)
        (void)linear_explain(history, &verdict, stdout);
    tap(answer == LINEAR_YES, "puts_and_gets_of_a_word_have_an_order");
    tap(bad != NULL && judged(bad, &of_spoilt) == LINEAR_NO, "one_stale_get_among_them_is_noticed");
    printf("# %llu operations, %llu of them puts, of %d nodes on %d words, %llu configurations\n",
           (unsigned long long)ended, (unsigned long long)written, (int)NODES, (int)WORDS,
           (unsigned long long)verdict.configurations);
    linear_free(bad);
}

int main(int argc, char **argv)
{
    struct tern_sim_config config = tern_sim_config_default();
    uint64_t operations = rig_tier_is_soft() ? OPERATIONS_SOFT : OPERATIONS_RTL;

    if (argc > 1)
        operations = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        drawn = strtoull(argv[2], NULL, 10) | 1;
    config.dims[0] = config.dims[1] = config.dims[2] = SIDE;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    history = linear_new(WORDS);
    yard_must(tern_fifo_create(yard.end[0].cq, FIFO_LOG2, &fifo), "fifo");
    for (unsigned n = 0; n < NODES; n++)
        yard_must(tern_getter_create(yard.end[n].cq, AREA, LIMIT, &clients[n].getter), "getter");
    record(operations);
    judge(operations);
    linear_free(history);
    yard_close(&yard);
    return tap_end();
}
