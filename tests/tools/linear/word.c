/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "word.h"

#include <stdlib.h>

#include "spec.h"

enum { FLAG_STEPS_MAX = 1 << 23 };

/* An invocation or a response. */
struct event {
    uint64_t time;
    bool response;
    uint32_t local; /* index among the word's operations */
};

/* The state of laying out a word. */
struct layout {
    const struct linear_history *history;
    struct linear_word *word;
    size_t *locals; /* the word's operations, by invocation: indices in the history */
    uint32_t local_count;
    struct event *events;
    uint32_t event_count;
    uint32_t *
        op_of; /* of a local operation: its number in the word, LINEAR_NONE if left out */
    bool *answered;  /* by local operation: its response has come */
    uint32_t *order; /* space for a permutation of the word's operations */
};

static int compared(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static const struct linear_op *local_op(const struct layout *layout, uint32_t local)
{
    return linear_at(layout->history, layout->locals[local]);
}

/* ---- the word's operations, by invocation */

static int by_invocation(const void *left, const void *right, void *arg)
{
    size_t i = *(const size_t *)left, j = *(const size_t *)right;
    int order = linear_compare_times(linear_at(arg, i), linear_at(arg, j));

    return order != 0 ? order : compared(i, j);
}

static uint32_t count_ops(const struct linear_history *history, uint32_t word)
{
    uint32_t count = 0;

    for (size_t i = 0; i < linear_count(history); i++)
        count += linear_at(history, i)->word == word;
    return count;
}

static void find_locals(struct layout *layout, uint32_t word)
{
    uint32_t count = 0;

    for (size_t i = 0; i < linear_count(layout->history); i++)
        if (linear_at(layout->history, i)->word == word)
            layout->locals[count++] = i;
    qsort_r(layout->locals, count, sizeof(*layout->locals), by_invocation,
            (void *)(uintptr_t)layout->history);
}

/* ---- invocations and responses, by time */

/* In one tick invocations come first, so that operations are concurrent. */
static int by_time(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    int order = compared(a->time, b->time);

    if (order == 0)
        order = a->response - b->response;
    return order != 0 ? order : compared(a->local, b->local);
}

static void find_events(struct layout *layout)
{
    struct event *event = layout->events;

    for (uint32_t i = 0; i < layout->local_count; i++) {
        const struct linear_op *op = local_op(layout, i);

        *event++ = (struct event){op->invoked, false, i};
        if (op->responded != LINEAR_NO_RESPONSE)
            *event++ = (struct event){op->responded, true, i};
    }
    layout->event_count = (uint32_t)(event - layout->events);
    qsort(layout->events, layout->event_count, sizeof(*layout->events), by_time);
}

/* Ends the events at the response of that number; records which operations have one. */
static void cut_events(struct layout *layout, size_t responses)
{
    uint32_t end = 0;

    for (uint32_t i = 0; i < layout->event_count && responses > 0; i++) {
        if (!layout->events[i].response)
            continue;
        layout->answered[layout->events[i].local] = true;
        end = i + 1;
        responses--;
    }
    if (responses == 0)
        layout->event_count = end;
}

/* ---- entries */

/* Free slots; the last one freed is used first. */
struct slots {
    uint32_t *free, free_count, used;
};

static uint32_t slot_take(struct slots *slots)
{
    return slots->free_count > 0 ? slots->free[--slots->free_count] : slots->used++;
}

static void enter_invocation(struct layout *layout, uint32_t local, struct slots *slots)
{
    struct linear_word *word = layout->word;
    bool known = layout->answered[local];

    layout->op_of[local] = LINEAR_NONE;
    if (!known && local_op(layout, local)->kind == LINEAR_READ)
        return;
    layout->op_of[local] = word->op_count;
    word->entries[++word->entry_count] = word->op_count;
    word->ops[word->op_count++] = (struct linear_word_op){
        .index = layout->locals[local],
        .known = known,
        .invoked = word->entry_count,
        .slot = slot_take(slots),
        .found = LINEAR_NONE,
        .left = LINEAR_NONE,
        .after = LINEAR_NONE,
        .twin = LINEAR_NONE,
    };
    word->known_count += known;
}

static void enter_response(struct layout *layout, uint32_t local, struct slots *slots)
{
    struct linear_word *word = layout->word;
    struct linear_word_op *op = &word->ops[layout->op_of[local]];

    word->entries[++word->entry_count] = layout->op_of[local];
    op->responded = word->entry_count;
    slots->free[slots->free_count++] = op->slot;
}

static enum linear_status enter(struct layout *layout)
{
    struct slots slots = {
        .free = reallocarray(NULL, layout->local_count + 1, sizeof(uint32_t))};

    if (slots.free == NULL)
        return LINEAR_NO_MEMORY;
    for (uint32_t i = 0; i < layout->event_count; i++) {
        const struct event *event = &layout->events[i];

        if (event->response)
            enter_response(layout, event->local, &slots);
        else
            enter_invocation(layout, event->local, &slots);
    }
    layout->word->slots = slots.used;
    free(slots.free);
    return LINEAR_OK;
}

/* ---- values */

static int by_value(const void *left, const void *right)
{
    return compared(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* Tells whether an operation may take effect at any time and leave any value. */
static bool is_wild(const struct linear_word_op *op, const struct linear_op *told)
{
    return !op->known &&
        (told->kind == LINEAR_FAA || told->kind == LINEAR_MASKED_CAS || told->kind == LINEAR_TAKE);
}

/* Tells whether the value that an operation leaves depends on an unknown one that it finds. */
static bool is_changer(const struct linear_word_op *op)
{
    return !op->known && !op->overwrites;
}

/* Returns the value that an operation leaves if it finds `found`, or at its unknown time. */
static uint64_t value_left(const struct linear_word_op *op, const struct linear_op *told)
{
    return op->known && linear_tells(told) ? linear_after(told, told->result)
                                           : told->operand;
}

static void collect_values(struct layout *layout)
{
    struct linear_word *word = layout->word;

    word->values[word->value_count++] = word->initial_value;
    for (uint32_t i = 0; i < word->op_count; i++) {
        const struct linear_op *told = linear_word_told(layout->word, i);

        if (is_wild(&word->ops[i], told))
            continue;
        word->values[word->value_count++] = value_left(&word->ops[i], told);
        if (word->ops[i].known && linear_tells(told))
            word->values[word->value_count++] = told->result;
    }
}

static void sort_values(struct linear_word *word)
{
    uint32_t kept = 0;

    qsort(word->values, word->value_count, sizeof(*word->values), by_value);
    for (uint32_t i = 0; i < word->value_count; i++)
        if (i == 0 || word->values[i] != word->values[kept - 1])
            word->values[kept++] = word->values[i];
    word->value_count = kept;
}

uint32_t linear_word_value(const struct linear_word *word, uint64_t value)
{
    uint32_t low = 0, high = word->value_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (word->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < word->value_count && word->values[low] == value ? low : LINEAR_NONE;
}

static void reduce(struct layout *layout, struct linear_word_op *op)
{
    struct linear_word *word = layout->word;
    const struct linear_op *told = linear_at(layout->history, op->index);

    op->overwrites = linear_overwrites(told) && !(op->known && linear_tells(told));
    if (op->known && linear_tells(told))
        op->found = linear_word_value(word, told->result);
    if (!is_wild(op, told))
        op->left = linear_word_value(word, value_left(op, told));
    if (op->found != LINEAR_NONE)
        word->wanted[op->found]++;
    if (op->left != LINEAR_NONE && op->left != op->found)
        word->made[op->left]++;
    word->changer_count += is_changer(op);
}

/* ---- possible effects of operations without a response on a value */

static void flag_all(struct linear_word *word, unsigned char flags)
{
    for (uint32_t v = 0; v < word->value_count; v++)
        word->flags[v] |= flags;
}

/* A value read before the first invocation without an answer is not an effect of such a one. */
static void flag_open(struct linear_word *word)
{
    uint32_t first = LINEAR_NONE;

    for (uint32_t i = 0; i < word->op_count && first == LINEAR_NONE; i++)
        if (is_wild(&word->ops[i], linear_word_told(word, i)))
            first = word->ops[i].invoked;
    for (uint32_t i = 0; i < word->op_count; i++)
        if (word->ops[i].found != LINEAR_NONE && word->ops[i].responded > first)
            word->flags[word->ops[i].found] |= LINEAR_OPEN;
}

/* Sets the flags for the effects of one operation on each value. */
static void flag_once(struct linear_word *word, uint32_t number)
{
    const struct linear_op *told = linear_word_told(word, number);

    for (uint32_t v = 0; v < word->value_count; v++) {
        uint64_t after = linear_after(told, word->values[v]);
        uint32_t left =
            after != word->values[v] ? linear_word_value(word, after) : LINEAR_NONE;

        if (left == LINEAR_NONE)
            continue;
        word->flags[v] |= LINEAR_USEFUL_ONCE;
        word->flags[left] |= LINEAR_OPEN_ONCE;
    }
}

/* If checking each value for each operation would take too long, assumes any effect. */
static void flag_values(struct linear_word *word)
{
    if (word->changer_count == 0)
        return;
    flag_all(word, LINEAR_USEFUL);
    flag_open(word);
    if ((uint64_t)word->changer_count * word->value_count > FLAG_STEPS_MAX) {
        flag_all(word, LINEAR_USEFUL_ONCE | LINEAR_OPEN_ONCE);
        return;
    }
    for (uint32_t i = 0; i < word->op_count; i++)
        if (is_changer(&word->ops[i]))
            flag_once(word, i);
}

static void number_values(struct layout *layout)
{
    struct linear_word *word = layout->word;

    collect_values(layout);
    sort_values(word);
    word->initial = linear_word_value(word, word->initial_value);
    for (uint32_t i = 0; i < word->op_count; i++)
        reduce(layout, &word->ops[i]);
    flag_values(word);
}

/* ---- order of operations */

static int by_client(const void *left, const void *right, void *arg)
{
    uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    int order =
        compared(linear_word_told(arg, i)->client, linear_word_told(arg, j)->client);

    return order != 0 ? order : compared(i, j);
}

static void identity(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
}

/*
 * Orders operations of a client when one ends in the tick in which the next begins, so that times
 * do not tell.
 */
static void order_clients(struct layout *layout)
{
    struct linear_word *word = layout->word;
    uint32_t last = LINEAR_NONE;

    identity(layout->order, word->op_count);
    qsort_r(layout->order, word->op_count, sizeof(uint32_t), by_client, word);
    for (uint32_t i = 0; i < word->op_count; i++) {
        uint32_t number = layout->order[i];

        if (last != LINEAR_NONE && linear_word_told(word, last)->client !=
                                       linear_word_told(word, number)->client)
            last = LINEAR_NONE;
        word->ops[number].after = last;
        if (word->ops[number].known)
            last = number;
    }
}

static int compared_effects(const struct linear_op *a, const struct linear_op *b)
{
    int order = compared(a->kind, b->kind);

    if (order == 0)
        order = compared(a->operand, b->operand);
    if (order == 0 && (a->kind == LINEAR_CAS || a->kind == LINEAR_MASKED_CAS))
        order = compared(a->compare, b->compare);
    if (order == 0 && a->kind == LINEAR_MASKED_CAS)
        order = compared(a->compare_mask, b->compare_mask);
    if (order == 0 && (a->kind == LINEAR_MASKED_CAS || a->kind == LINEAR_TAKE))
        order = compared(a->swap_mask, b->swap_mask);
    return order;
}

static int by_effect(const void *left, const void *right, void *arg)
{
    uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    int order = compared_effects(linear_word_told(arg, i), linear_word_told(arg, j));

    return order != 0 ? order : compared(i, j);
}

/*
 * Of two equal operations without a response, the one invoked earlier can replace the other at any
 * time: it goes first.
 */
static void order_twins(struct layout *layout)
{
    struct linear_word *word = layout->word;
    uint32_t *order = layout->order, count = 0, earlier = LINEAR_NONE;

    for (uint32_t i = 0; i < word->op_count; i++)
        if (!word->ops[i].known)
            order[count++] = i;
    qsort_r(order, count, sizeof(*order), by_effect, word);
    for (uint32_t i = 1; i < count; i++) {
        const struct linear_op *before = linear_word_told(word, order[i - 1]);
        const struct linear_op *op = linear_word_told(word, order[i]);

        if (compared_effects(before, op) != 0)
            earlier = LINEAR_NONE;
        else if (before->invoked < op->invoked)
            earlier = order[i - 1];
        word->ops[order[i]].twin = earlier;
    }
}

/* ---- the whole layout */

static bool make_room(struct layout *layout)
{
    struct linear_word *word = layout->word;
    size_t ops = (size_t)layout->local_count + 1, values = 2 * ops;

    layout->locals = reallocarray(NULL, ops, sizeof(*layout->locals));
    layout->events = reallocarray(NULL, 2 * ops, sizeof(*layout->events));
    layout->op_of = reallocarray(NULL, ops, sizeof(*layout->op_of));
    layout->answered = calloc(ops, sizeof(*layout->answered));
    layout->order = reallocarray(NULL, ops, sizeof(*layout->order));
    word->ops = reallocarray(NULL, ops, sizeof(*word->ops));
    word->entries = calloc(2 * ops, sizeof(*word->entries));
    word->values = reallocarray(NULL, values, sizeof(*word->values));
    word->wanted = calloc(values, sizeof(*word->wanted));
    word->made = calloc(values, sizeof(*word->made));
    word->flags = calloc(values, sizeof(*word->flags));
    return layout->locals != NULL && layout->events != NULL && layout->op_of != NULL &&
           layout->answered != NULL && layout->order != NULL && word->ops != NULL &&
           word->entries != NULL && word->values != NULL && word->wanted != NULL &&
           word->made != NULL && word->flags != NULL;
}

static void layout_fini(struct layout *layout)
{
    free(layout->order);
    free(layout->answered);
    free(layout->op_of);
    free(layout->events);
    free(layout->locals);
}

static enum linear_status lay_out(struct layout *layout, uint32_t word, size_t responses)
{
    find_locals(layout, word);
    find_events(layout);
    cut_events(layout, responses);
    if (enter(layout) != LINEAR_OK)
        return LINEAR_NO_MEMORY;
    number_values(layout);
    order_clients(layout);
    order_twins(layout);
    return LINEAR_OK;
}

enum linear_status linear_word_lay_out(const struct linear_history *history,
                                       uint32_t word, size_t responses,
                                       struct linear_word *laid_out)
{
    struct layout layout = {
        .history = history, .word = laid_out, .local_count = count_ops(history, word)};
    enum linear_status status = LINEAR_NO_MEMORY;

    *laid_out = (struct linear_word){
        .history = history, .initial_value = linear_initial(history, word)};
    if (make_room(&layout))
        status = lay_out(&layout, word, responses);
    layout_fini(&layout);
    return status;
}

void linear_word_free(struct linear_word *laid_out)
{
    free(laid_out->ops);
    free(laid_out->entries);
    free(laid_out->values);
    free(laid_out->wanted);
    free(laid_out->made);
    free(laid_out->flags);
    *laid_out = (struct linear_word){0};
}
