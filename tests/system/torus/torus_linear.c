/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All nodes of a torus 2x2x2 put, get and read words at the same time: is there an order in which
 * each get or read returns the value of the put before it? Then, in rounds, words that they also
 * change by compare-and-swap, swap and add.
 *
 * Every node, including node 0, is a client with one operation at a time on words of node 0. The
 * test records post and completion times in cycles, and gives the history to the checker
 * (tests/tools/linear). Then it spoils the result of one get, read or atomic operation, and the
 * checker must refuse that history.
 *
 * usage: torus_linear [OPERATIONS [SEED [ROUNDS]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tern/atomic.h>
#include <tern/remote_get.h>
#include <tern/read.h>

#include "linear.h"
#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    SIDE = 2,
    NODES = SIDE * SIDE * SIDE,
    BYTES = 64 << 10,
    WORDS = 4,
    HOME = 8192,    /* offset in the keeper's memory of the words for puts, gets and reads */
    MIXED = 12288,  /* offset of the words for all operations */
    LANDING = 4096, /* offset in each node's memory for results of gets and reads */
    AREA = 2,
    FIFO_LOG2 = 6,
    LIMIT = 200000, /* cycles for a get */
    STEP = 16,
    BOUND = 3000000, /* cycles within which an operation ends */
    OPERATIONS_RTL = 120, OPERATIONS_SOFT = 20000,
    MIXED_RTL = 1000, MIXED_SOFT = 25000, ROUNDS_SOFT = 5, /* operations of a round */
};

/* Kinds of operations; a phase uses the first so many. */
enum { PUT, GET, READ, KINDS_PLAIN, CAS = KINDS_PLAIN, MASKED_CAS, ADD, SWAP, TAKE, KINDS };

struct client {
    struct tern_getter *getter;
    struct linear_op op; /* in flight */
    bool out;
};

struct phase {
    uint32_t home;  /* offset of its words */
    unsigned kinds;
    const char *ended, *ordered, *noticed; /* names of its tests */
};

static const struct phase plain = {HOME, KINDS_PLAIN, "all_operations_ended_well",
                                   "puts_gets_and_reads_of_a_word_have_an_order",
                                   "one_stale_get_among_them_is_noticed"};
static const struct phase mixed = {MIXED, KINDS,
                                   "all_operations_ended_well_with_atomic_ones_among_them",
                                   "atomic_operations_puts_gets_and_reads_of_a_word_have_an_order",
                                   "one_stale_atomic_operation_among_them_is_noticed"};

static const struct phase *phase;
static struct tern_region *region; /* all words, with all rights */
static uint64_t seen[WORDS]; /* last known value of each word */
static struct yard yard;
static struct tern_fifo *fifo;
static struct client clients[NODES];
static struct linear_history *history;
static uint64_t drawn = 1, written, begun, ended, failed, reads;

static uint64_t draw(uint64_t below)
{
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return drawn % below;
}

static struct tern_rptr word_at_home(uint32_t word)
{
    return tern_region_pointer(region, phase->home + 8 * (uint64_t)word);
}

static uint64_t *landing(unsigned n)
{
    return (uint64_t *)(void *)(yard.end[n].buffer + LANDING);
}

static void begin_put(unsigned n)
{
    struct linear_op *op = &clients[n].op;

    op->kind = LINEAR_WRITE;
    op->operand = ++written; /* each value is used once */
    yard_must(tern_put_inline(yard.end[n].sq, word_at_home(op->word), &op->operand, 8,
                              TERN_DFLAG_SIGNAL, 0), "put");
}

static void begin_get(unsigned n)
{
    struct linear_op *op = &clients[n].op;
    struct tern_remote_get get = { .from = word_at_home(op->word), .fifo = tern_fifo_number(fifo),
                            .region = yard.end[n].region, .to = landing(n), .bytes = 8 };

    op->kind = LINEAR_READ;
    *landing(n) = UINT64_MAX;
    yard_must(tern_remote_get(yard.end[n].sq, clients[n].getter, &get, 0), "get");
}

static void begin_read(unsigned n)
{
    struct linear_op *op = &clients[n].op;

    op->kind = LINEAR_READ;
    *landing(n) = UINT64_MAX;
    reads++;
    yard_must(tern_read(yard.end[n].sq, word_at_home(op->word), yard.end[n].region, landing(n), 8,
                        TERN_DFLAG_SIGNAL, 0),
              "read");
}

/* Compares with the last known value, which often is the present one. */
static void begin_cas(unsigned n)
{
    struct linear_op *op = &clients[n].op;

    op->kind = LINEAR_CAS;
    op->compare = seen[op->word];
    op->operand = ++written;
    yard_must(tern_compare_swap(yard.end[n].sq, word_at_home(op->word), op->compare, op->operand,
                                TERN_DFLAG_SIGNAL, 0),
              "compare and swap");
}

static void begin_masked_cas(unsigned n)
{
    struct linear_op *op = &clients[n].op;
    struct tern_masked masked;

    op->kind = LINEAR_MASKED_CAS;
    op->compare = seen[op->word];
    op->operand = ++written;
    op->compare_mask = UINT64_C(0xff) << 8 * draw(8);
    op->swap_mask = UINT32_MAX >> draw(24);
    masked = (struct tern_masked){op->compare, op->compare_mask, op->operand, op->swap_mask};
    yard_must(tern_compare_swap_masked(yard.end[n].sq, word_at_home(op->word), &masked,
                                       TERN_DFLAG_SIGNAL, 0),
              "masked compare and swap");
}

static void begin_add(unsigned n)
{
    struct linear_op *op = &clients[n].op;

    op->kind = LINEAR_FAA;
    op->operand = UINT64_C(1) << draw(40);
    yard_must(tern_fetch_add(yard.end[n].sq, word_at_home(op->word), op->operand,
                             TERN_DFLAG_SIGNAL, 0), "fetch and add");
}

static void begin_swap(unsigned n)
{
    struct linear_op *op = &clients[n].op;

    op->kind = LINEAR_SWAP;
    op->operand = ++written;
    yard_must(tern_swap(yard.end[n].sq, word_at_home(op->word), op->operand, TERN_DFLAG_SIGNAL, 0),
              "swap");
}

/* Takes the lowest clear bit of a field at a random place of the word. */
static void begin_take(unsigned n)
{
    struct linear_op *op = &clients[n].op;
    unsigned shift = (unsigned)draw(48);
    struct tern_masked masked;

    op->kind = LINEAR_TAKE;
    op->operand = UINT64_C(1) << shift;
    op->swap_mask = UINT64_C(0xffff) << shift;
    masked = (struct tern_masked){.swap = op->operand, .swap_mask = op->swap_mask};
    yard_must(tern_take(yard.end[n].sq, word_at_home(op->word), &masked, TERN_DFLAG_SIGNAL, 0),
              "take");
}

static void begin(unsigned n)
{
    static void (*const begins[KINDS])(unsigned n) = {[PUT] = begin_put, [GET] = begin_get,
                                                      [READ] = begin_read, [CAS] = begin_cas,
                                                      [MASKED_CAS] = begin_masked_cas,
                                                      [ADD] = begin_add, [SWAP] = begin_swap,
                                                      [TAKE] = begin_take};

    clients[n].op = (struct linear_op){ .client = n, .word = (uint32_t)draw(WORDS),
                                       .invoked = tern_sim_cycle(yard.sim) };
    clients[n].out = true;
    begun++;
    begins[draw(phase->kinds)](n);
}

static uint64_t result_of(const struct linear_op *op, unsigned n, const struct tern_completion *got)
{
    if (op->kind == LINEAR_READ)
        return *landing(n);
    return op->kind == LINEAR_WRITE ? 0 : got->value;
}

static void end(unsigned n, const struct tern_completion *got)
{
    struct linear_op *op = &clients[n].op;

    op->responded = tern_sim_cycle(yard.sim);
    op->result = result_of(op, n, got);
    if (op->kind != LINEAR_WRITE)
        seen[op->word] = op->result;
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

/* Tells whether it is a get or read or, where there are atomic operations, one of those. */
static bool may_be_spoilt(const struct linear_op *op)
{
    bool asked = phase->kinds > KINDS_PLAIN ? op->kind >= LINEAR_CAS : op->kind == LINEAR_READ;

    return asked && op->result != linear_initial(history, op->word) &&
        op->responded != LINEAR_NO_RESPONSE;
}

/* Finds the last one that returned a value written by another client. */
static size_t find_stale(void)
{
    size_t i = linear_count(history);

    while (i-- > 0)
        if (may_be_spoilt(linear_at(history, i)))
            return i;
    return linear_count(history);
}

/* Makes a history from the present values of the words. */
static struct linear_history *begun_here(const uint64_t *words)
{
    struct linear_history *made = linear_new(WORDS);

    for (uint32_t word = 0; made != NULL && word < WORDS; word++)
        if (linear_set_initial(made, word, words[word]) != LINEAR_OK)
            yard_must(-TERN_ST_NO_MEMORY, "history");
    return made;
}

/* Makes the same history, except that the found operation returns the initial value. */
static struct linear_history *spoilt(void)
{
    uint64_t initial[WORDS];
    struct linear_history *copy;
    size_t stale = find_stale();

    for (uint32_t word = 0; word < WORDS; word++)
        initial[word] = linear_initial(history, word);
    copy = begun_here(initial);
    for (size_t i = 0; copy != NULL && i < linear_count(history); i++) {
        struct linear_op op = *linear_at(history, i);

        if (i == stale)
            op.result = linear_initial(history, op.word);
        if (linear_add(copy, &op) != LINEAR_OK)
            yard_must(-TERN_ST_NO_MEMORY, "history");
    }
    return copy;
}

static bool has_changed(const struct linear_op *op)
{
    return (op->kind == LINEAR_CAS && op->result == op->compare) ||
           (op->kind == LINEAR_MASKED_CAS && ((op->result ^ op->compare) & op->compare_mask) == 0);
}

static void count_kinds(void)
{
    static const char *const names[] = {[LINEAR_READ] = "gets_and_reads", [LINEAR_WRITE] = "puts",
                                        [LINEAR_CAS] = "cas", [LINEAR_MASKED_CAS] = "masked",
                                        [LINEAR_FAA] = "adds", [LINEAR_SWAP] = "swaps",
                                        [LINEAR_TAKE] = "takes"};
    unsigned counts[sizeof(names) / sizeof(names[0])] = {0}, changed = 0;

    for (size_t i = 0; i < linear_count(history); i++) {
        counts[linear_at(history, i)->kind]++;
        changed += has_changed(linear_at(history, i));
    }
    printf("# %llu operations:", (unsigned long long)ended);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        printf(" %s=%u", names[i], counts[i]);
    printf(", reads=%llu, comparisons that held: %u\n", (unsigned long long)reads, changed);
}

/* `suffix`: appended to the names of the tests. */
static void judge(uint64_t operations, const char *suffix)
{
    struct linear_verdict verdict = {0}, of_spoilt = {0};
    enum linear_answer answer = judged(history, &verdict);
    struct linear_history *bad = spoilt();

    tap(ended == operations && failed == 0, "%s%s", phase->ended, suffix);
    if (answer == LINEAR_NO)
        (void)linear_explain(history, &verdict, stdout);
    tap(answer == LINEAR_YES, "%s%s", phase->ordered, suffix);
    tap_evidence("B7.2", "operations=%llu", (unsigned long long)operations);
    tap(bad != NULL && judged(bad, &of_spoilt) == LINEAR_NO, "%s%s", phase->noticed, suffix);
    count_kinds();
    printf("# of %d nodes on %d words, %llu configurations\n", (int)NODES, (int)WORDS,
           (unsigned long long)verdict.configurations);
    linear_free(bad);
}

/* Starts from the present values of the words; new values continue. */
static void round_of(const struct phase *which, uint64_t operations, unsigned number)
{
    uint64_t words[WORDS];
    char suffix[24] = "";

    phase = which;
    memcpy(words, yard.end[0].buffer + phase->home, sizeof(words));
    memcpy(seen, words, sizeof(seen));
    history = begun_here(words);
    begun = ended = failed = reads = 0;
    record(operations);
    if (number > 0)
        snprintf(suffix, sizeof(suffix), "_in_round_%u", number + 1);
    judge(operations, suffix);
    linear_free(history);
}

int main(int argc, char **argv)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ |
        TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC;
    struct tern_sim_config config = tern_sim_config_default();
    bool soft = rig_tier_is_soft();
    uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t rounds = argc > 3 ? strtoull(argv[3], NULL, 10) : soft ? ROUNDS_SOFT : 1;

    if (argc > 2)
        drawn = strtoull(argv[2], NULL, 10) | 1;
    config.dims[0] = config.dims[1] = config.dims[2] = SIDE;
    config.tier = soft ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    yard_must(tern_register(yard.end[0].device, yard.end[0].buffer, BYTES, rights, &region),
              "register");
    yard_must(tern_fifo_create(yard.end[0].cq, FIFO_LOG2, &fifo), "fifo");
    for (unsigned n = 0; n < NODES; n++)
        yard_must(tern_getter_create(yard.end[n].cq, AREA, LIMIT, &clients[n].getter), "getter");
    round_of(&plain, operations != 0 ? operations : soft ? OPERATIONS_SOFT : OPERATIONS_RTL, 0);
    for (unsigned i = 0; i < rounds; i++)
        round_of(&mixed, operations != 0 ? operations : soft ? MIXED_SOFT : MIXED_RTL, i);
    yard_close(&yard);
    return tap_end();
}
