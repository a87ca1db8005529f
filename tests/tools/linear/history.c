/* SPDX-License-Identifier: Apache-2.0 */
/* A history to which operations are added; see linear.h. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "spec.h"

struct linear_history {
    uint32_t words;
    uint64_t *initial; /* initial value of each word */
    struct linear_op *ops;
    size_t count, room;
    struct linear_limits limits;
    bool vanishing;
};

const char *linear_status_text(enum linear_status status)
{
    switch (status) {
    case LINEAR_OK:
        return "no error";
    case LINEAR_BAD_KIND:
        return "no such operation";
    case LINEAR_BAD_WORD:
        return "no such word";
    case LINEAR_BAD_TIMES:
        return "the response is before the invocation";
    case LINEAR_OVERLAP:
        return "the client has another operation at that time";
    case LINEAR_TOO_MANY:
        return "too many operations";
    case LINEAR_NO_MEMORY:
        return "out of memory";
    }
    return "unknown status";
}

struct linear_history *linear_new(uint32_t words)
{
    struct linear_history *history = calloc(1, sizeof(*history));

    if (history == NULL)
        return NULL;
    history->words = words;
    history->limits = (struct linear_limits){LINEAR_MEMO_BYTES, LINEAR_LOOKS};
    history->initial = calloc(words > 0 ? words : 1, sizeof(*history->initial));
    if (history->initial == NULL) {
        free(history);
        return NULL;
    }
    return history;
}

void linear_free(struct linear_history *history)
{
    if (history == NULL)
        return;
    free(history->ops);
    free(history->initial);
    free(history);
}

enum linear_status linear_set_initial(struct linear_history *history, uint32_t word,
                                      uint64_t value)
{
    if (word >= history->words)
        return LINEAR_BAD_WORD;
    history->initial[word] = value;
    return LINEAR_OK;
}

uint64_t linear_initial(const struct linear_history *history, uint32_t word)
{
    return history->initial[word];
}

void linear_set_vanishing(struct linear_history *history)
{
    history->vanishing = true;
}

/* An operation without a response may find 0 as well, but may just as well have had no effect. */
static struct linear_op of_vanishing(const struct linear_op *op)
{
    struct linear_op write = *op;
    bool found = op->responded != LINEAR_NO_RESPONSE ? linear_tells(op) && op->result == 0
                                                     : op->kind == LINEAR_CAS && op->compare == 0;

    if (!found)
        return *op;
    write.kind = LINEAR_WRITE;
    write.operand = linear_after(op, 0);
    return write;
}

static enum linear_status judge(const struct linear_history *history,
                                const struct linear_op *op)
{
    if ((unsigned)op->kind > LINEAR_TAKE)
        return LINEAR_BAD_KIND;
    if (op->word >= history->words)
        return LINEAR_BAD_WORD;
    if (op->responded < op->invoked)
        return LINEAR_BAD_TIMES;
    if (history->count == LINEAR_OPS_MAX)
        return LINEAR_TOO_MANY;
    return LINEAR_OK;
}

static bool make_room(struct linear_history *history)
{
    size_t room = history->room > 0 ? 2 * history->room : 64;
    struct linear_op *ops;

    if (history->count < history->room)
        return true;
    ops = reallocarray(history->ops, room, sizeof(*ops));
    if (ops == NULL)
        return false;
    history->ops = ops;
    history->room = room;
    return true;
}

enum linear_status linear_add(struct linear_history *history, const struct linear_op *op)
{
    enum linear_status status = judge(history, op);

    if (status != LINEAR_OK)
        return status;
    if (!make_room(history))
        return LINEAR_NO_MEMORY;
    history->ops[history->count++] = history->vanishing ? of_vanishing(op) : *op;
    return LINEAR_OK;
}

uint32_t linear_words(const struct linear_history *history)
{
    return history->words;
}

size_t linear_count(const struct linear_history *history)
{
    return history->count;
}

const struct linear_op *linear_at(const struct linear_history *history, size_t index)
{
    return &history->ops[index];
}

void linear_set_limits(struct linear_history *history, struct linear_limits limits)
{
    if (limits.memo_bytes < LINEAR_MEMO_BYTES_MIN)
        limits.memo_bytes = LINEAR_MEMO_BYTES_MIN;
    history->limits = limits;
}

struct linear_limits linear_limits(const struct linear_history *history)
{
    return history->limits;
}

/* ---- each client has one operation at a time */

static int compared(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Sorts by client; for each client in the order of its operations. */
static int by_client(const void *left, const void *right, void *arg)
{
    const struct linear_op *ops = arg;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    int order = compared(ops[a].client, ops[b].client);

    if (order == 0)
        order = linear_compare_times(&ops[a], &ops[b]);
    return order != 0 ? order : compared(a, b);
}

static bool overlaps(const struct linear_op *first, const struct linear_op *second)
{
    return first->client == second->client && first->responded != LINEAR_NO_RESPONSE &&
           second->invoked < first->responded;
}

static enum linear_status find_overlap(const struct linear_op *ops, const size_t *order,
                                       size_t count, size_t pair[2])
{
    for (size_t i = 1; i < count; i++) {
        if (!overlaps(&ops[order[i - 1]], &ops[order[i]]))
            continue;
        pair[0] = order[i - 1];
        pair[1] = order[i];
        return LINEAR_OVERLAP;
    }
    return LINEAR_OK;
}

enum linear_status linear_overlap(const struct linear_history *history, size_t pair[2])
{
    size_t *order = reallocarray(NULL, history->count + 1, sizeof(*order));
    enum linear_status status;

    if (order == NULL)
        return LINEAR_NO_MEMORY;
    for (size_t i = 0; i < history->count; i++)
        order[i] = i;
    qsort_r(order, history->count, sizeof(*order), by_client, history->ops);
    status = find_overlap(history->ops, order, history->count, pair);
    free(order);
    return status;
}
