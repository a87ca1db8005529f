/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "search.h"

#include <stdlib.h>

#include "memo.h"
#include "spec.h"

/*
 * The search tries candidates of a lower rank first. In this order it tries operations that: leave
 * the word as it is; compare with the value that is in the word; answer the earliest response; have
 * no response, but changed a value that a later operation saw; have no response and no such effect.
 */
enum rank {
    RANK_KEEPS,
    RANK_CHANGES,
    RANK_AWAITED,
    RANK_NOTICED,
    RANK_OVERWRITES,
    RANK_CHAIN,
    RANK_CANNOT,
};

/* An operation that can go next: its rank, then its number. Smaller ones are tried first. */
typedef uint64_t candidate;

enum { RANK_BIT = 32 };
#define NO_CANDIDATE UINT64_MAX
#define ANY_CHAIN    UINT32_MAX

/* An operation that was taken out, and the state before. */
struct frame {
    candidate went;
    uint64_t held;
    uint32_t value;
    uint32_t first;
    uint32_t chain;
};

struct search {
    struct linear_word *word;
    uint32_t *next, *previous; /* of each entry; entry 0 is both ends of the list */
    bool *gone;                /* by operation: taken out */
    uint32_t left;             /* operations with a response that are still in the list */
    uint32_t first;            /* first response in the list */
    uint32_t deepest;          /* its maximum in all rounds */
    uint64_t held;             /* value of the word of memory */
    uint32_t value;            /* number of that value */
    uint32_t chain; /* length of the present chain of operations without a response */
    uint32_t chain_max;
    struct frame *frames;
    uint32_t depth;
    uint64_t *slots; /* bits as they are in a key */
    uint64_t *key;
    struct linear_memo memo;
    uint64_t looks, looks_max;
    /* Properties of all candidates together, at their last look. */
    uint32_t look;
    uint32_t *sought;  /* by value: the look in which an operation needed it */
    uint32_t changers; /* operations that can go, also after their twins */
    uint32_t dead;     /* a write whose value no operation finds; LINEAR_NONE: none */
};

enum { ROUND_PART = 8 }; /* share of the looks that a round with short chains may use */

enum { KEY_HELD, KEY_FIRST, KEY_SLOTS, SLOT_BITS = 64 };

/* ---- the list */

static void take_out(struct search *search, uint32_t entry)
{
    search->next[search->previous[entry]] = search->next[entry];
    search->previous[search->next[entry]] = search->previous[entry];
}

/* Puts an entry back; only in the reverse order of taking out. */
static void put_back(struct search *search, uint32_t entry)
{
    search->next[search->previous[entry]] = entry;
    search->previous[search->next[entry]] = entry;
}

/* Returns the first response from an entry on; 0: none. */
static uint32_t response_from(const struct search *search, uint32_t entry)
{
    const struct linear_word *word = search->word;

    while (entry != 0 && word->ops[word->entries[entry]].invoked == entry)
        entry = search->next[entry];
    return entry;
}

/* ---- all candidates together */

static bool has_gone(const struct search *search, uint32_t number)
{
    return number == LINEAR_NONE || search->gone[number];
}

static bool has_turn(const struct search *search, const struct linear_word_op *op)
{
    return has_gone(search, op->after) && has_gone(search, op->twin);
}

/*
 * With short chains the search assumes that no chain makes a value useful that no single operation
 * would. An order found so is valid; if there is none, the last round decides.
 */
static bool has_flag(const struct search *search, uint32_t value, unsigned flag,
                     unsigned once)
{
    return (search->word->flags[value] &
            (search->chain_max == ANY_CHAIN ? flag : once)) != 0;
}

static bool is_dead(const struct search *search, const struct linear_word_op *op)
{
    return op->known && op->overwrites && search->word->wanted[op->left] == 0 &&
           !has_flag(search, op->left, LINEAR_USEFUL, LINEAR_USEFUL_ONCE);
}

static void look_at(struct search *search, uint32_t number)
{
    const struct linear_word_op *op = &search->word->ops[number];

    if (!has_gone(search, op->after))
        return;
    if (op->found != LINEAR_NONE)
        search->sought[op->found] = search->look;
    if (!op->known && !op->overwrites)
        search->changers++;
    if (search->dead == LINEAR_NONE && is_dead(search, op))
        search->dead = number;
}

static void look_at_all(struct search *search)
{
    search->look++;
    search->changers = 0;
    search->dead = LINEAR_NONE;
    for (uint32_t e = search->next[0]; e != search->first; e = search->next[e]) {
        look_at(search, search->word->entries[e]);
        search->looks++;
    }
}

/* ---- each candidate alone */

/* Tells whether the first response in the list needs it, or the value that it leaves. */
static bool is_awaited(const struct search *search, const struct linear_word_op *op)
{
    const struct linear_word *word = search->word;
    const struct linear_word_op *first = &word->ops[word->entries[search->first]];

    return op == first || op->left == first->found;
}

/* A write after a chain would make the chain useless. */
static enum rank rank_of_write(const struct search *search, uint32_t number)
{
    if (search->chain > 0 || (search->dead != LINEAR_NONE && search->dead != number))
        return RANK_CANNOT;
    return is_awaited(search, &search->word->ops[number]) ? RANK_AWAITED
                                                          : RANK_OVERWRITES;
}

static enum rank rank_of_known(const struct search *search, uint32_t number)
{
    const struct linear_word_op *op = &search->word->ops[number];

    if (op->overwrites)
        return rank_of_write(search, number);
    if (op->found != search->value)
        return RANK_CANNOT;
    return op->left == op->found ? RANK_KEEPS : RANK_CHANGES;
}

static bool is_sought(const struct search *search, uint32_t value)
{
    return value != LINEAR_NONE && search->sought[value] == search->look;
}

static enum rank rank_of_unknown(const struct search *search, uint32_t number)
{
    const struct linear_word_op *op = &search->word->ops[number];
    uint64_t after = linear_after(linear_word_told(search->word, number), search->held);
    uint32_t others = search->changers - !op->overwrites;

    if (after == search->held || (op->overwrites && search->chain > 0) ||
        search->chain >= search->chain_max)
        return RANK_CANNOT;
    if (is_sought(search, linear_word_value(search->word, after)))
        return RANK_NOTICED;
    return others > 0 && search->chain + 1 < search->chain_max ? RANK_CHAIN : RANK_CANNOT;
}

static enum rank rank_of(const struct search *search, uint32_t number)
{
    const struct linear_word_op *op = &search->word->ops[number];

    if (!has_turn(search, op))
        return RANK_CANNOT;
    return op->known ? rank_of_known(search, number) : rank_of_unknown(search, number);
}

/* Returns the smallest candidate that is at least `from`. */
static candidate next_candidate(struct search *search, candidate from)
{
    candidate best = NO_CANDIDATE;

    if (from != 0 && from >> RANK_BIT == RANK_KEEPS)
        return NO_CANDIDATE;
    look_at_all(search);
    for (uint32_t e = search->next[0]; e != search->first; e = search->next[e]) {
        uint32_t number = search->word->entries[e];
        enum rank rank = rank_of(search, number);
        candidate this = (candidate)rank << RANK_BIT | number;

        if (rank != RANK_CANNOT && this >= from && this < best)
            best = this;
        if (rank == RANK_KEEPS)
            break;
    }
    return best;
}

/* ---- taking out and putting back */

static void turn_slot(struct search *search, uint32_t slot)
{
    search->slots[slot / SLOT_BITS] ^= UINT64_C(1) << slot % SLOT_BITS;
}

static void count(uint32_t *of_values, uint32_t value, bool up)
{
    if (value != LINEAR_NONE)
        of_values[value] = up ? of_values[value] + 1 : of_values[value] - 1;
}

/* Counts an operation as a source of its value, unless it needs the same value itself. */
static void count_op(struct search *search, const struct linear_word_op *op, bool up)
{
    count(search->word->wanted, op->found, up);
    if (op->left != op->found)
        count(search->word->made, op->left, up);
}

static void take_effect(struct search *search, uint32_t number)
{
    const struct linear_word *word = search->word;
    const struct linear_word_op *op = &word->ops[number];

    search->chain = op->known ? 0 : search->chain + 1;
    if (op->left != LINEAR_NONE) {
        search->value = op->left;
        search->held = word->values[op->left];
        return;
    }
    search->held = linear_after(linear_word_told(word, number), search->held);
    search->value = linear_word_value(word, search->held);
}

static void remove_entries(struct search *search, const struct linear_word_op *op)
{
    take_out(search, op->invoked);
    if (!op->known)
        return;
    take_out(search, op->responded);
    search->left--;
    if (search->first == op->responded)
        search->first = response_from(search, search->next[op->responded]);
}

static void go(struct search *search, candidate next)
{
    uint32_t number = (uint32_t)next;
    const struct linear_word_op *op = &search->word->ops[number];

    search->frames[search->depth++] = (struct frame){
        next, search->held, search->value, search->first, search->chain};
    search->gone[number] = true;
    turn_slot(search, op->slot);
    count_op(search, op, false);
    take_effect(search, number);
    remove_entries(search, op);
}

/* Puts the last operation back, and returns it as a candidate. */
static candidate go_back(struct search *search)
{
    const struct frame *frame = &search->frames[--search->depth];
    uint32_t number = (uint32_t)frame->went;
    const struct linear_word_op *op = &search->word->ops[number];

    if (op->known) {
        put_back(search, op->responded);
        search->left++;
    }
    put_back(search, op->invoked);
    count_op(search, op, true);
    turn_slot(search, op->slot);
    search->gone[number] = false;
    search->first = frame->first;
    search->held = frame->held;
    search->value = frame->value;
    search->chain = frame->chain;
    return frame->went;
}

/*
 * Tells whether the last operation overwrote a value that another operation needs and none can
 * restore.
 */
static bool is_lost(const struct search *search)
{
    const struct linear_word *word = search->word;
    uint32_t value = search->frames[search->depth - 1].value;

    return value != search->value && value != LINEAR_NONE && word->wanted[value] > 0 &&
           word->made[value] == 0 &&
           !has_flag(search, value, LINEAR_OPEN, LINEAR_OPEN_ONCE);
}

/* The length of a chain matters only where it limits the next steps. */
static enum linear_memo_result visit(struct search *search)
{
    uint32_t chain = search->chain_max == ANY_CHAIN ? search->chain > 0 : search->chain;

    if (search->first > search->deepest)
        search->deepest = search->first;
    search->key[KEY_HELD] = search->held;
    search->key[KEY_FIRST] = ((uint64_t)search->first << 32 | chain) + 1; /* never 0 */
    return linear_memo_add(&search->memo, search->key);
}

/* ---- the whole search */

static enum linear_answer run(struct search *search)
{
    candidate from = 0; /* smaller ones were tried here */

    while (search->left > 0) {
        candidate next = next_candidate(search, from);
        enum linear_memo_result met = LINEAR_MEMO_KNOWN;

        if (search->looks > search->looks_max)
            return LINEAR_GAVE_UP;
        if (next == NO_CANDIDATE && search->depth == 0)
            return LINEAR_NO;
        if (next != NO_CANDIDATE) {
            go(search, next);
            met = is_lost(search) ? LINEAR_MEMO_KNOWN : visit(search);
        }
        if (met == LINEAR_MEMO_FULL)
            return LINEAR_GAVE_UP;
        from = met == LINEAR_MEMO_NEW ? 0 : go_back(search) + 1;
    }
    return LINEAR_YES;
}

/* Tells whether an operation needs a value that no operation leaves: then there is no order. */
static bool is_impossible(const struct linear_word *word)
{
    for (uint32_t v = 0; v < word->value_count; v++)
        if (v != word->initial && word->wanted[v] > 0 && word->made[v] == 0 &&
            (word->flags[v] & LINEAR_OPEN) == 0)
            return true;
    return false;
}

/* Tells whether an operation without a response can find what another one left. */
static bool has_chains(const struct linear_word *word)
{
    return word->changer_count > 0 && word->op_count - word->known_count > 1;
}

static enum linear_answer run_round(struct search *search, uint32_t chain_max,
                                    size_t memo_bytes,
                                    struct linear_search_result *result)
{
    enum linear_answer answer;

    while (search->depth > 0)
        (void)go_back(search);
    linear_memo_init(&search->memo, search->memo.stride, memo_bytes);
    search->chain_max = chain_max;
    answer = run(search);
    result->configurations += search->memo.used;
    if (search->memo.peak_bytes > result->memo_bytes)
        result->memo_bytes = search->memo.peak_bytes;
    linear_memo_fini(&search->memo);
    return answer;
}

/* A round with short chains decides nothing if its result is NO or undecided. */
static enum linear_answer run_rounds(struct search *search, struct linear_limits limits,
                                     struct linear_search_result *result)
{
    static const uint32_t lengths[] = {1, 2, 4};
    size_t rounds = has_chains(search->word) ? sizeof(lengths) / sizeof(lengths[0]) : 0;

    for (size_t i = 0; i < rounds; i++) {
        search->looks_max = search->looks + limits.looks / ROUND_PART;
        if (run_round(search, lengths[i], limits.memo_bytes, result) == LINEAR_YES)
            return LINEAR_YES;
    }
    search->looks_max = limits.looks;
    return run_round(search, ANY_CHAIN, limits.memo_bytes, result);
}

/* Counts the responses before the last one that came first in the list. */
static size_t count_reached(const struct search *search)
{
    const struct linear_word *word = search->word;
    size_t count = 0;

    for (uint32_t e = 1; e < search->deepest; e++)
        count += word->ops[word->entries[e]].responded == e;
    return count;
}

static void link_entries(struct search *search)
{
    uint32_t count = search->word->entry_count;

    for (uint32_t e = 0; e <= count; e++) {
        search->next[e] = e < count ? e + 1 : 0;
        search->previous[e] = e > 0 ? e - 1 : count;
    }
    search->first = response_from(search, search->next[0]);
}

static bool search_init(struct search *search, struct linear_word *word)
{
    size_t entries = (size_t)word->entry_count + 1, ops = (size_t)word->op_count + 1;
    size_t stride = KEY_SLOTS + (word->slots + SLOT_BITS - 1) / SLOT_BITS;

    *search = (struct search){
        .word = word,
        .left = word->known_count,
        .held = word->initial_value,
        .value = word->initial,
        .next = reallocarray(NULL, entries, sizeof(uint32_t)),
        .previous = reallocarray(NULL, entries, sizeof(uint32_t)),
        .gone = calloc(ops, sizeof(bool)),
        .frames = reallocarray(NULL, ops, sizeof(struct frame)),
        .key = calloc(stride, sizeof(uint64_t)),
        .sought = calloc(word->value_count, sizeof(uint32_t)),
        .memo = {.stride = stride},
    };
    if (search->next == NULL || search->previous == NULL || search->gone == NULL ||
        search->frames == NULL || search->key == NULL || search->sought == NULL)
        return false;
    search->slots = search->key + KEY_SLOTS;
    link_entries(search);
    return true;
}

static void search_fini(struct search *search)
{
    free(search->sought);
    free(search->key);
    free(search->frames);
    free(search->gone);
    free(search->previous);
    free(search->next);
}

static enum linear_status keep_order(const struct search *search,
                                     struct linear_search_result *result)
{
    result->order = reallocarray(NULL, (size_t)search->depth + 1, sizeof(*result->order));
    if (result->order == NULL)
        return LINEAR_NO_MEMORY;
    for (uint32_t i = 0; i < search->depth; i++)
        result->order[i] = (uint32_t)search->frames[i].went;
    result->order_count = search->depth;
    return LINEAR_OK;
}

enum linear_status linear_search(struct linear_word *word, struct linear_limits limits,
                                 struct linear_search_result *result)
{
    struct search search;
    enum linear_status status = LINEAR_NO_MEMORY;

    *result = (struct linear_search_result){.answer = LINEAR_NO};
    if (search_init(&search, word)) {
        if (!is_impossible(word))
            result->answer = run_rounds(&search, limits, result);
        result->looks = search.looks;
        result->reached = count_reached(&search);
        status = result->answer == LINEAR_YES ? keep_order(&search, result) : LINEAR_OK;
    }
    search_fini(&search);
    return status;
}
