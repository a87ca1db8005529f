/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linearizability checker on random histories, and on spoilt ones.
 *
 * LINEAR_SEED=n selects other histories.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "brute.h"
#include "judged.h"
#include "linear.h"
#include "memory.h"
#include "text.h"

/* ---- tiny ones, compared with the definition */

enum { TINY_MAX = 7, TINY_RUNS = 40000 };

static struct memory_run draw_tiny(uint64_t *random)
{
    struct memory_recipe recipe = {
        .seed = memory_draw(random, UINT32_MAX),
        .clients = 1 + (uint32_t)memory_draw(random, 4),
        .words = 1 + (uint32_t)memory_draw(random, BRUTE_WORDS_MAX),
        .ops = 1 + memory_draw(random, TINY_MAX),
        .lost_per_mille = (uint32_t)memory_draw(random, 3) * 250,
        .op_ticks = memory_draw(random, 8),
        .gap_ticks = memory_draw(random, 4),
        .values = 2 + memory_draw(random, 3),
    };

    recipe.spread = recipe.words > 1; /* with several words, all events need different times */
    for (unsigned kind = 0; kind <= LINEAR_TAKE; kind++)
        recipe.weights[kind] = 1 + (uint32_t)memory_draw(random, 3);
    return memory_run(&recipe);
}

static void spoil_one(uint64_t *random, struct linear_op *op)
{
    switch (memory_draw(random, 4)) {
    case 0:
        op->operand = memory_draw(random, 4);
        break;
    case 1:
        op->responded = LINEAR_NO_RESPONSE;
        break;
    default:
        op->result = memory_draw(random, 4);
    }
}

static void spoil(uint64_t *random, struct memory_run *run)
{
    for (uint64_t times = memory_draw(random, 5); times > 0; times--)
        spoil_one(random, &run->ops[memory_draw(random, run->count)]);
}

static void print_run(const struct memory_run *run)
{
    fprintf(stderr, "words %" PRIu32 "\n", run->words);
    for (uint32_t w = 0; w < run->words; w++)
        fprintf(stderr, "initial %" PRIu32 " %" PRIu64 "\n", w, run->initial[w]);
    for (size_t i = 0; i < run->count; i++) {
        linear_write(stderr, &run->ops[i]);
        fputc('\n', stderr);
    }
}

static bool is_linearizable(const struct memory_run *run)
{
    uint64_t initial[BRUTE_WORDS_MAX] = {0};

    memcpy(initial, run->initial, run->words * sizeof(*initial));
    return brute_linearizable(run->ops, run->count, initial);
}

/* Returns the response time of the operation that the verdict's explanation blames. */
static uint64_t blamed_time(const struct linear_history *history,
                            const struct linear_verdict *verdict)
{
    char *text = explained(history, verdict);
    uint64_t responded = LINEAR_NO_RESPONSE;

    assert_int_equal(sscanf(text,
                            "  no order explains what this returned:\n"
                            "    %*u %*u %*u %" SCNu64,
                            &responded), 1);
    free(text);
    return responded;
}

/* Keeps a word's operations up to a time; removes later responses. */
static void cut(struct memory_run *run, uint32_t word, uint64_t end)
{
    size_t kept = 0;

    for (size_t i = 0; i < run->count; i++) {
        struct linear_op op = run->ops[i];

        if (op.word != word || op.invoked > end)
            continue;
        if (op.responded > end)
            op.responded = LINEAR_NO_RESPONSE;
        run->ops[kept++] = op;
    }
    run->count = kept;
}

/* Checks that with the blamed response there is no order, and just before it there is one. */
static void assert_blame(struct memory_run *run, const struct linear_history *history,
                         const struct linear_verdict *verdict)
{
    uint64_t end = blamed_time(history, verdict);

    cut(run, verdict->word, end);
    assert_false(is_linearizable(run));
    cut(run, verdict->word, end - 1);
    assert_true(is_linearizable(run));
}

static bool judge_tiny(struct memory_run *run)
{
    struct linear_history *history = memory_history(run);
    struct linear_verdict verdict = judged(history);
    bool good = is_linearizable(run);

    if (verdict.answer != (good ? LINEAR_YES : LINEAR_NO)) {
        print_run(run);
        fail_msg("by definition this is %slinearizable", good ? "" : "not ");
    }
    if (!good && run->words > 1)
        assert_blame(run, history, &verdict);
    linear_free(history);
    return good;
}

static void verdicts_on_tiny_histories_are_those_of_the_definition(void **state)
{
    uint64_t random = seed() * 2 + 1;
    unsigned good = 0;

    (void)state;
    for (unsigned i = 0; i < TINY_RUNS; i++) {
        struct memory_run run = draw_tiny(&random);

        spoil(&random, &run);
        good += judge_tiny(&run);
        memory_run_free(&run);
    }
    print_message("# %u of %d linearizable\n", good, TINY_RUNS);
    assert_in_range(good, TINY_RUNS / 5, TINY_RUNS / 5 * 4);
}

/* ---- long ones */

enum { LONG_OPS = 100000, SHORTER_OPS = 5000, SHORTER_RUNS = 12 };

static struct memory_recipe long_recipe(uint64_t number)
{
    return (struct memory_recipe){
        .seed = number, .clients = 27, .words = 30, .ops = LONG_OPS,
        .weights = {4, 3, 2, 1, 3, 2, 1}, .lost_per_mille = 2,
        .op_ticks = 200, .gap_ticks = 40, .spread = true,
    };
}

static struct linear_verdict judge(const struct memory_run *run)
{
    struct linear_history *history = memory_history(run);
    struct linear_verdict verdict = judged(history);

    print_message("# operations=%zu configurations=%" PRIu64 " looks=%" PRIu64
                  " memo_bytes=%zu\n",
                  run->count, verdict.configurations, verdict.looks, verdict.memo_bytes);
    linear_free(history);
    return verdict;
}

typedef bool spoils(struct memory_run *run, size_t from, uint32_t *word);

/* Judges a history, and the same with one change after `from`. */
static void judge_spoilt(const struct memory_recipe *recipe, size_t from,
                         spoils *spoils_it)
{
    struct memory_run run = memory_run(recipe);
    struct linear_verdict verdict;
    uint32_t word;

    assert_int_equal(judge(&run).answer, LINEAR_YES);
    assert_true(spoils_it(&run, from, &word));
    verdict = judge(&run);
    assert_int_equal(verdict.answer, LINEAR_NO);
    assert_int_equal(verdict.word, word);
    memory_run_free(&run);
}

static void one_stale_read_in_a_long_history_is_found(void **state)
{
    struct memory_recipe recipe = long_recipe(seed());

    (void)state;
    judge_spoilt(&recipe, LONG_OPS / 2, memory_stale_read);
}

static void one_lost_update_in_a_long_history_is_found(void **state)
{
    struct memory_recipe recipe = long_recipe(seed());

    (void)state;
    judge_spoilt(&recipe, LONG_OPS / 2, memory_lost_update);
}

/* Few words, so that many operations are pending on each. */
static void what_is_spoilt_on_crowded_words_is_found(void **state)
{
    uint64_t first = seed();

    (void)state;
    for (uint64_t i = 0; i < SHORTER_RUNS; i++) {
        struct memory_recipe recipe = long_recipe(1000 * first + i);

        recipe.ops = SHORTER_OPS;
        recipe.words = 1 + (uint32_t)i % 4;
        recipe.lost_per_mille = 0;
        judge_spoilt(&recipe, SHORTER_OPS / SHORTER_RUNS * (size_t)i / 2,
                     i % 2 == 0 ? memory_stale_read : memory_lost_update);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_on_tiny_histories_are_those_of_the_definition),
        cmocka_unit_test(one_stale_read_in_a_long_history_is_found),
        cmocka_unit_test(one_lost_update_in_a_long_history_is_found),
        cmocka_unit_test(what_is_spoilt_on_crowded_words_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
