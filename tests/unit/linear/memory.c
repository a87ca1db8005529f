/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* An operation without its result, and the tick of its effect. */
struct drawn {
    struct linear_op op;
    uint64_t effect;
    size_t number;
};

#define NEVER UINT64_MAX

/* xorshift64*, whose state is never 0. */
static uint64_t draw64(uint64_t *random)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return *random * UINT64_C(0x2545f4914f6cdd1d);
}

uint64_t memory_draw(uint64_t *random, uint64_t end)
{
    return (draw64(random) >> 32) % end;
}

static uint64_t draw_value(uint64_t *random, const struct memory_recipe *recipe)
{
    return recipe->values > 0 ? memory_draw(random, recipe->values) : draw64(random);
}

static enum linear_kind draw_kind(uint64_t *random, const struct memory_recipe *recipe)
{
    uint32_t total = 0, at;
    unsigned kind = 0;

    for (unsigned i = 0; i <= LINEAR_TAKE; i++)
        total += recipe->weights[i];
    at = (uint32_t)memory_draw(random, total);
    while (at >= recipe->weights[kind])
        at -= recipe->weights[kind++];
    return (enum linear_kind)kind;
}

/* Removes the response; its effect may come much later. */
static void lose(uint64_t *random, const struct memory_recipe *recipe,
                 struct drawn *drawn)
{
    drawn->op.responded = LINEAR_NO_RESPONSE;
    if (memory_draw(random, 3) == 0)
        drawn->effect = NEVER;
    else
        drawn->effect += memory_draw(random, 20 * recipe->op_ticks + 1);
}

/* Spreads the ticks, and gives each operation two separate times within each. */
static void spread(const struct memory_recipe *recipe, struct drawn *drawn)
{
    drawn->op.invoked = 2 * (drawn->op.invoked * recipe->ops + drawn->number);
    if (drawn->op.responded != LINEAR_NO_RESPONSE)
        drawn->op.responded = 2 * (drawn->op.responded * recipe->ops + drawn->number) + 1;
}

static struct drawn draw_op(uint64_t *random, const struct memory_recipe *recipe,
                            size_t number, uint64_t *clock)
{
    struct drawn drawn = {.number = number};
    uint64_t ticks = memory_draw(random, recipe->op_ticks + 1);

    *clock += memory_draw(random, recipe->gap_ticks + 1);
    drawn.op = (struct linear_op){
        .kind = draw_kind(random, recipe),
        .client = (uint32_t)(number % recipe->clients),
        .word = (uint32_t)memory_draw(random, recipe->words),
        .invoked = *clock,
        .responded = *clock + ticks,
    };
    drawn.effect = *clock + memory_draw(random, ticks + 1);
    if (memory_draw(random, 1000) < recipe->lost_per_mille)
        lose(random, recipe, &drawn);
    *clock += ticks;
    if (recipe->spread)
        spread(recipe, &drawn);
    return drawn;
}

static int by_effect(const void *left, const void *right)
{
    const struct drawn *a = left, *b = right;

    if (a->effect != b->effect)
        return a->effect < b->effect ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Every second comparison succeeds. */
static uint64_t draw_compare(uint64_t *random, const struct memory_recipe *recipe,
                             uint64_t held)
{
    return memory_draw(random, 2) == 0 ? held : draw_value(random, recipe);
}

static void take_effect(uint64_t *random, const struct memory_recipe *recipe,
                        struct linear_op *op, uint64_t *held)
{
    uint64_t drawn = draw_value(random, recipe), keep;

    op->result = *held;
    op->operand = drawn;
    switch (op->kind) {
    case LINEAR_READ:
        break;
    case LINEAR_WRITE:
        op->result = 0;
        *held = drawn;
        break;
    case LINEAR_SWAP:
        *held = drawn;
        break;
    case LINEAR_FAA:
        *held += drawn;
        break;
    case LINEAR_TAKE:
        op->swap_mask = draw_value(random, recipe);
        *held |= (*held + drawn) & op->swap_mask;
        break;
    case LINEAR_CAS:
        op->compare = draw_compare(random, recipe, *held);
        if (op->compare == *held)
            *held = drawn;
        break;
    case LINEAR_MASKED_CAS:
        op->compare_mask = draw_value(random, recipe);
        op->swap_mask = draw_value(random, recipe);
        op->compare = draw_compare(random, recipe, *held);
        keep = *held & ~op->swap_mask;
        if ((op->compare & op->compare_mask) == (*held & op->compare_mask))
            *held = keep + (drawn & op->swap_mask);
        break;
    }
}

static struct drawn *draw_ops(uint64_t *random, const struct memory_recipe *recipe)
{
    struct drawn *drawn = calloc(recipe->ops, sizeof(*drawn));
    uint64_t *clocks = calloc(recipe->clients, sizeof(*clocks));

    assert_non_null(drawn);
    assert_non_null(clocks);
    for (size_t i = 0; i < recipe->ops; i++)
        drawn[i] = draw_op(random, recipe, i, &clocks[i % recipe->clients]);
    qsort(drawn, recipe->ops, sizeof(*drawn), by_effect);
    free(clocks);
    return drawn;
}

static void run_ops(uint64_t *random, const struct memory_recipe *recipe,
                    const struct drawn *drawn, struct memory_run *run)
{
    uint64_t *held = calloc(run->words, sizeof(*held));

    assert_non_null(held);
    for (uint32_t w = 0; w < run->words; w++)
        held[w] = run->initial[w] = draw_value(random, recipe);
    for (size_t i = 0; i < run->count; i++) {
        uint64_t nothing = 0;

        run->ops[i] = drawn[i].op;
        take_effect(random, recipe, &run->ops[i],
                    drawn[i].effect == NEVER ? &nothing : &held[drawn[i].op.word]);
    }
    free(held);
}

struct memory_run memory_run(const struct memory_recipe *recipe)
{
    uint64_t random = recipe->seed * 2 + 1;
    struct drawn *drawn = draw_ops(&random, recipe);
    struct memory_run run = {
        .words = recipe->words,
        .initial = calloc(recipe->words, sizeof(uint64_t)),
        .ops = calloc(recipe->ops, sizeof(struct linear_op)),
        .count = recipe->ops,
    };

    assert_non_null(run.initial);
    assert_non_null(run.ops);
    run_ops(&random, recipe, drawn, &run);
    free(drawn);
    return run;
}

void memory_run_free(struct memory_run *run)
{
    free(run->initial);
    free(run->ops);
}

struct linear_history *memory_history(const struct memory_run *run)
{
    struct linear_history *history = linear_new(run->words);

    assert_non_null(history);
    for (uint32_t w = 0; w < run->words; w++)
        assert_int_equal(linear_set_initial(history, w, run->initial[w]), LINEAR_OK);
    for (size_t i = 0; i < run->count; i++)
        assert_int_equal(linear_add(history, &run->ops[i]), LINEAR_OK);
    return history;
}

/* ---- spoiling */

static bool responded(const struct linear_op *op)
{
    return op->responded != LINEAR_NO_RESPONSE;
}

/* Tells whether an operation replaced the word; each write and swap writes a unique value. */
static bool replaces(const struct linear_op *op)
{
    return responded(op) && (op->kind == LINEAR_WRITE || op->kind == LINEAR_SWAP);
}

/*
 * Finds the next operation that replaces the same word and was invoked after the response of `op`.
 */
static size_t next_replacing(const struct memory_run *run, size_t from,
                             const struct linear_op *op)
{
    while (from < run->count &&
           !(run->ops[from].word == op->word && replaces(&run->ops[from]) &&
             run->ops[from].invoked > op->responded))
        from++;
    return from;
}

static size_t next_read(const struct memory_run *run, size_t from,
                        const struct linear_op *op)
{
    while (from < run->count &&
           !(run->ops[from].word == op->word && run->ops[from].kind == LINEAR_READ &&
             responded(&run->ops[from]) && run->ops[from].invoked > op->responded))
        from++;
    return from;
}

bool memory_stale_read(struct memory_run *run, size_t from, uint32_t *word)
{
    for (size_t left = from; left < run->count; left++) {
        size_t replaced, read;

        if (!replaces(&run->ops[left]))
            continue;
        replaced = next_replacing(run, left + 1, &run->ops[left]);
        if (replaced == run->count)
            continue;
        read = next_read(run, replaced + 1, &run->ops[replaced]);
        if (read == run->count)
            continue;
        run->ops[read].result = run->ops[left].operand;
        *word = run->ops[read].word;
        return true;
    }
    return false;
}

/* Tells whether it always changes the word, and returns the old one. */
static bool updates(const struct linear_op *op)
{
    return responded(op) && (op->kind == LINEAR_FAA || op->kind == LINEAR_SWAP);
}

bool memory_lost_update(struct memory_run *run, size_t from, uint32_t *word)
{
    for (size_t first = from; first < run->count; first++) {
        size_t second = first + 1;

        if (!updates(&run->ops[first]))
            continue;
        while (second < run->count && !(updates(&run->ops[second]) &&
                                        run->ops[second].word == run->ops[first].word))
            second++;
        if (second == run->count)
            continue;
        run->ops[second].result = run->ops[first].result;
        *word = run->ops[first].word;
        return true;
    }
    return false;
}
