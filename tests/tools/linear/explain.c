/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explains why a word is not linearizable.
 *
 * Every beginning of a linearizable history is linearizable. So there is a first response with
 * which the word's history stops being linearizable. This code looks for it in growing steps,
 * starting where the search ended. The explanation shows an order of the operations before that
 * response, as far as it matters, and the pending operations.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "search.h"
#include "spec.h"
#include "text.h"

enum { SHOWN = 12 };

struct explanation {
    const struct linear_history *history;
    uint32_t word;
    FILE *file;
    /* With `good` responses there is an order, with `bad` there is none. */
    size_t good, bad;
    /* An order of the operations up to some response: indices in the history. */
    size_t *order;
    size_t order_count;
    size_t order_responses;
};

/* ---- the first response that no order explains */

static size_t count_responses(const struct linear_history *history, uint32_t word)
{
    size_t count = 0;

    for (size_t i = 0; i < linear_count(history); i++) {
        const struct linear_op *op = linear_at(history, i);

        if (op->word == word && op->responded != LINEAR_NO_RESPONSE)
            count++;
    }
    return count;
}

/* Stores a found order in place of the last one. */
static enum linear_status keep_order(struct explanation *explanation,
                                     const struct linear_word *word,
                                     const struct linear_search_result *result)
{
    size_t *order = calloc((size_t)result->order_count + 1, sizeof(*order));

    if (order == NULL)
        return LINEAR_NO_MEMORY;
    for (uint32_t i = 0; i < result->order_count; i++)
        order[i] = word->ops[result->order[i]].index;
    free(explanation->order);
    explanation->order = order;
    explanation->order_count = result->order_count;
    explanation->order_responses = word->known_count;
    return LINEAR_OK;
}

static enum linear_status learn(struct explanation *explanation,
                                const struct linear_word *word,
                                const struct linear_search_result *result)
{
    size_t good = result->answer == LINEAR_YES ? word->known_count : result->reached;

    if (good > explanation->good)
        explanation->good = good;
    if (result->answer == LINEAR_NO)
        explanation->bad = word->known_count;
    return result->answer == LINEAR_YES ? keep_order(explanation, word, result)
                                        : LINEAR_OK;
}

static enum linear_status try_beginning(struct explanation *explanation, size_t responses,
                                        enum linear_answer *answer)
{
    struct linear_word word;
    struct linear_search_result result = {0};
    enum linear_status status =
        linear_word_lay_out(explanation->history, explanation->word, responses, &word);

    if (status == LINEAR_OK)
        status = linear_search(&word, linear_limits(explanation->history), &result);
    if (status == LINEAR_OK)
        status = learn(explanation, &word, &result);
    *answer = result.answer;
    free(result.order);
    linear_word_free(&word);
    return status;
}

/*
 * Returns how many more responses to try: twice as many until there are too many, then half of the
 * remaining range.
 */
static size_t next_step(const struct explanation *explanation, enum linear_answer answer,
                        size_t step, bool *found)
{
    size_t open = explanation->bad - explanation->good;

    *found |= answer == LINEAR_NO;
    if (*found || 2 * step >= open)
        return open / 2;
    return 2 * step;
}

/* If a beginning is undecided, good and bad remain apart. */
static enum linear_status find_first(struct explanation *explanation)
{
    enum linear_status status = LINEAR_OK;
    enum linear_answer answer = LINEAR_YES;
    bool found = false; /* a bad one, not much later */
    size_t step = 1;

    while (status == LINEAR_OK && answer != LINEAR_GAVE_UP &&
           explanation->bad - explanation->good > 1) {
        status = try_beginning(explanation, explanation->good + step, &answer);
        step = next_step(explanation, answer, step, &found);
    }
    if (status == LINEAR_OK && explanation->order_responses < explanation->good)
        status = try_beginning(explanation, explanation->good, &answer);
    return status;
}

/* ---- output */

static void write_op(const struct explanation *explanation, size_t index)
{
    fputs("    ", explanation->file);
    linear_write(explanation->file, linear_at(explanation->history, index));
}

static void write_line(const struct explanation *explanation, size_t index)
{
    write_op(explanation, index);
    fputc('\n', explanation->file);
}

/* Writes the responses of a layout after the first `good`. */
static void write_responses(const struct explanation *explanation,
                            const struct linear_word *word)
{
    size_t responses = 0;

    fputs(explanation->bad - explanation->good == 1
              ? "  no order explains what this returned:\n"
              : "  the limits do not tell which of these no order explains:\n",
          explanation->file);
    for (uint32_t e = 1; e <= word->entry_count; e++) {
        const struct linear_word_op *op = &word->ops[word->entries[e]];

        if (op->responded == e && ++responses > explanation->good)
            write_line(explanation, op->index);
    }
}

static uint64_t write_step(const struct explanation *explanation, size_t index,
                           uint64_t held)
{
    uint64_t after = linear_after(linear_at(explanation->history, index), held);

    write_op(explanation, index);
    fputs("  # ", explanation->file);
    linear_write_value(explanation->file, held);
    if (after != held) {
        fputs(" -> ", explanation->file);
        linear_write_value(explanation->file, after);
    }
    fputc('\n', explanation->file);
    return after;
}

static void write_order(const struct explanation *explanation)
{
    size_t count = explanation->order_count, skipped = count > SHOWN ? count - SHOWN : 0;
    uint64_t held = linear_initial(explanation->history, explanation->word);

    fprintf(explanation->file,
            "  %s what went before (operations: %zu, responses: %zu):\n",
            skipped > 0 ? "the end of an order of" : "an order of", count,
            explanation->order_responses);
    for (size_t i = 0; i < count; i++) {
        size_t index = explanation->order[i];

        held = i < skipped ? linear_after(linear_at(explanation->history, index), held)
                           : write_step(explanation, index, held);
    }
}

/* Finds the last operation of the order that replaced a value; NULL: none. */
static const size_t *find_replacing(const struct explanation *explanation, uint64_t value)
{
    uint64_t held = linear_initial(explanation->history, explanation->word);
    const size_t *found = NULL;

    for (size_t i = 0; i < explanation->order_count; i++) {
        const size_t *index = &explanation->order[i];
        uint64_t after = linear_after(linear_at(explanation->history, *index), held);

        if (held == value && after != value)
            found = index;
        held = after;
    }
    return found;
}

static void write_found(const struct explanation *explanation, const struct linear_op *op)
{
    const size_t *index = find_replacing(explanation, op->result);

    fputs("  in which ", explanation->file);
    linear_write_value(explanation->file, op->result);
    fputs(index != NULL ? " is replaced last by\n" : " is never replaced\n",
          explanation->file);
    if (index != NULL)
        write_line(explanation, *index);
}

/* Returns which operations the text names: those in the order, and those that no order explains. */
static bool *find_told(const struct explanation *explanation,
                       const struct linear_word *word)
{
    bool *told = calloc(linear_count(explanation->history) + 1, sizeof(*told));

    if (told == NULL)
        return NULL;
    for (size_t i = 0; i < explanation->order_count; i++)
        told[explanation->order[i]] = true;
    for (uint32_t i = 0; i < word->op_count; i++)
        if (word->ops[i].known)
            told[word->ops[i].index] = true;
    return told;
}

static void write_pending(const struct explanation *explanation,
                          const struct linear_word *word, const bool *told)
{
    const char *title = "  pending then, and without effect in that order:\n";

    for (uint32_t i = 0; i < word->op_count; i++) {
        if (told[word->ops[i].index])
            continue;
        fputs(title, explanation->file);
        title = "";
        write_line(explanation, word->ops[i].index);
    }
}

static enum linear_status write_all(const struct explanation *explanation,
                                    const struct linear_word *word)
{
    bool *told = find_told(explanation, word);
    uint32_t last = word->entries[word->entry_count];

    if (told == NULL)
        return LINEAR_NO_MEMORY;
    write_responses(explanation, word);
    write_order(explanation);
    if (explanation->bad - explanation->good == 1)
        write_found(explanation, linear_at(explanation->history, word->ops[last].index));
    write_pending(explanation, word, told);
    free(told);
    return LINEAR_OK;
}

static enum linear_status write_explanation(const struct explanation *explanation)
{
    struct linear_word word;
    enum linear_status status = linear_word_lay_out(
        explanation->history, explanation->word, explanation->bad, &word);

    if (status == LINEAR_OK)
        status = write_all(explanation, &word);
    linear_word_free(&word);
    return status;
}

enum linear_status linear_explain(const struct linear_history *history,
                                  const struct linear_verdict *verdict, FILE *file)
{
    struct explanation explanation = {
        .history = history,
        .word = verdict->word,
        .file = file,
        .good = verdict->explained,
        .bad = count_responses(history, verdict->word),
    };
    enum linear_status status = find_first(&explanation);

    if (status == LINEAR_OK)
        status = write_explanation(&explanation);
    free(explanation.order);
    return status;
}
