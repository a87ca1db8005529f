/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each member has an area that the others put into: a note of each neighbour in the tree, the words
 * of each child, and the result. A note counts the pieces that have come; a single word travels in
 * it.
 */
#include "tree_of_puts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PIECE = 8192, SQ_LOG2 = 6, CHILDREN = 2, PARENT = CHILDREN, LIMIT_S = 60, SPINS = 4096,
    WORD = sizeof(uint64_t)
};

/* `seal` is that of word and turn: the words of a note may become visible in any order. */
struct note {
    uint64_t turn, word, seal;
};

struct area {
    struct note notes[CHILDREN + 1];
    /* of child 0, of child 1, the result, the own ones of this operation or the one before */
    uint64_t words[];
};

/* The way to a neighbour, with a queue of its own: a fence holds up no other neighbour. */
struct link {
    struct tern_sq *sq; /* NULL: no such neighbour */
    unsigned rank;
    unsigned part; /* of the neighbour's area, and its note */
};

struct tree_of_puts {
    struct tern_cq *cq;
    struct link links[CHILDREN + 1];
    struct tern_region *region;
    struct area *area;
    const struct tern_rptr *places;
    unsigned rank, count;
    uint32_t room; /* words of a part of the area */
    uint64_t turn;
    unsigned half; /* puts of the operation before may still read its own words */
};

enum part { FROM_CHILD, RESULT = CHILDREN, OWN, PARTS = OWN + 2 };

/* The words that an operation moves: none for a barrier. */
struct job {
    uint32_t words;
    bool up;            /* words go up, too, and are summed up */
    uint32_t heard;     /* pieces of the result that have come from the parent */
};

static uint64_t *words_of(const struct tree_of_puts *tree, unsigned part)
{
    return tree->area->words + (size_t)part * tree->room;
}

static uint64_t *own_of(const struct tree_of_puts *tree)
{
    return words_of(tree, OWN + tree->half);
}

static uint64_t *result_of(const struct tree_of_puts *tree)
{
    return tree->rank ? words_of(tree, RESULT) : own_of(tree);
}

static int make_links(struct tree_of_puts *tree)
{
    const unsigned rank = tree->rank;
    int status = 0;

    for (unsigned i = 0; i <= PARENT; i++)
        tree->links[i] = i == PARENT ? (struct link){.rank = (rank - 1) / 2, .part = (rank - 1) % 2}
                                     : (struct link){.rank = 2 * rank + 1 + i, .part = PARENT};
    for (unsigned i = 0; i <= PARENT && !status; i++)
        if (i == PARENT ? rank > 0 : tree->links[i].rank < tree->count)
            status = tern_sq_create(tree->cq, SQ_LOG2, &tree->links[i].sq);
    return status;
}

int tree_of_puts_create(struct tern_cq *cq, unsigned rank, unsigned count, uint32_t bytes,
                        struct tern_rptr *places, struct tree_of_puts **made)
{
    const size_t size = sizeof(struct area) + (size_t)PARTS * bytes;
    struct tree_of_puts *tree = calloc(1, sizeof(*tree));
    int status = tree ? 0 : -TERN_ST_NO_MEMORY;

    *made = tree;
    if (status)
        return status;
    *tree = (struct tree_of_puts){.cq = cq, .places = places, .rank = rank, .count = count,
                                  .room = bytes / WORD};
    tree->area = calloc(1, size);
    if (!tree->area)
        return -TERN_ST_NO_MEMORY;
    status = tern_register(tern_cq_device(cq), tree->area, size,
                           TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &tree->region);
    if (!status)
        status = make_links(tree);
    if (!status)
        places[rank] = tern_region_pointer(tree->region, 0);
    return status;
}

int tree_of_puts_destroy(struct tree_of_puts *tree)
{
    int status = 0;

    if (!tree)
        return 0;
    for (unsigned i = 0; i <= PARENT && !status; i++)
        if (tree->links[i].sq)
            status = tern_sq_destroy(tree->links[i].sq);
    if (tree->region && !status)
        status = tern_release(tree->region);
    free(tree->area);
    free(tree);
    return status;
}

/* Takes a completion, if there is one; only failures complete. */
static int serve(struct tree_of_puts *tree)
{
    struct tern_completion done;
    int got = tern_cq_poll(tree->cq, &done, 1);

    return got == 1 ? -(int)done.status : got;
}

/* Takes the note of a neighbour, if it is there. */
static bool take(const struct note *note, uint64_t turn, uint64_t *word)
{
    uint64_t came = __atomic_load_n(&note->turn, __ATOMIC_ACQUIRE);
    uint64_t seal = __atomic_load_n(&note->seal, __ATOMIC_ACQUIRE);

    *word = __atomic_load_n(&note->word, __ATOMIC_ACQUIRE);
    return came >= turn && seal == (*word ^ came);
}

static int wait_for(struct tree_of_puts *tree, unsigned neighbour, uint64_t turn, uint64_t *word)
{
    const time_t since = time(NULL);
    int status = 0;

    for (unsigned spin = 0; !status && !take(&tree->area->notes[neighbour], turn, word); spin++) {
        status = serve(tree);
        if (spin % SPINS == 0 && time(NULL) - since > LIMIT_S)
            status = -TERN_ST_WAIT_EXPIRED;
    }
    return status;
}

/* Waits until an operation can be posted. */
static int make_room(struct tree_of_puts *tree, struct tern_sq *sq)
{
    int status = 0;

    while (!status && !tern_sq_room(sq, 1)) {
        status = tern_sq_flush(sq);
        if (!status)
            status = serve(tree);
    }
    return status;
}

/* Puts words of the piece at `at` into the neighbour's area. */
static int put_words(struct tree_of_puts *tree, const struct link *link, const uint64_t *words,
                     uint32_t at, uint32_t count)
{
    size_t offset = offsetof(struct area, words) + ((size_t)link->part * tree->room + at) * WORD;
    int status = make_room(tree, link->sq);

    return status ? status : tern_put(link->sq, tern_rptr_add(tree->places[link->rank], offset),
                                      tree->region, words + at, count * WORD, TERN_MORE, 0);
}

static int put_note(struct tree_of_puts *tree, const struct link *link, uint64_t turn,
                    uint64_t word, unsigned flags)
{
    const struct note note = {turn, word, word ^ turn};
    const size_t offset = offsetof(struct area, notes) + link->part * sizeof(note);
    int status = make_room(tree, link->sq);

    return status ? status : tern_put_inline(link->sq,
                                             tern_rptr_add(tree->places[link->rank], offset),
                                             &note, sizeof(note), flags, 0);
}

/* Passes a piece on to a neighbour, and then the note about it. */
static int pass(struct tree_of_puts *tree, const struct link *link, const uint64_t *words,
                uint32_t at, uint32_t count, uint64_t turn)
{
    int status;

    if (count < 2)
        return put_note(tree, link, turn, count ? words[at] : 0, 0);
    status = put_words(tree, link, words, at, count);
    return status ? status : put_note(tree, link, turn, 0, TERN_DFLAG_FENCE);
}

static uint32_t piece_at(const struct job *job, uint32_t at)
{
    return job->words - at < PIECE / WORD ? job->words - at : PIECE / WORD;
}

static uint32_t pieces_of(const struct job *job)
{
    return job->words ? (job->words + PIECE / WORD - 1) / (PIECE / WORD) : 1;
}

/* Passes a piece of the result on to the children. */
static int down(struct tree_of_puts *tree, const struct job *job, uint32_t piece)
{
    const uint32_t at = piece * (PIECE / WORD);
    int status = 0;

    for (unsigned i = 0; i < CHILDREN && !status; i++)
        if (tree->links[i].sq)
            status = pass(tree, &tree->links[i], result_of(tree), at, piece_at(job, at),
                          tree->turn + piece + 1);
    return status;
}

/* Waits for the children's part of a piece, sums it up, and passes it on to the parent. */
static int up(struct tree_of_puts *tree, const struct job *job, uint32_t piece)
{
    const uint32_t at = piece * (PIECE / WORD), count = job->up ? piece_at(job, at) : 0;
    const uint64_t turn = tree->turn + piece + 1;
    uint64_t *own = own_of(tree), word;
    int status;

    for (unsigned i = 0; i < CHILDREN; i++) {
        const uint64_t *from = words_of(tree, FROM_CHILD + i) + at;

        if (!tree->links[i].sq)
            continue;
        status = wait_for(tree, i, turn, &word);
        if (status)
            return status;
        if (count == 1)
            own[at] += word;
        for (uint32_t k = 0; k < count && count > 1; k++)
            own[at + k] += from[k];
    }
    return tree->rank ? pass(tree, &tree->links[PARENT], own, at, count, turn) : 0;
}

/* Takes pieces of the result from the parent: those that are there, or all. */
static int hear(struct tree_of_puts *tree, struct job *job, bool all)
{
    const struct note *note = &tree->area->notes[PARENT];
    uint64_t word;
    int status = 0;

    while (job->heard < pieces_of(job) && !status) {
        const uint64_t turn = tree->turn + job->heard + 1;
        const uint32_t at = job->heard * (PIECE / WORD);

        if (!all && !take(note, turn, &word))
            return 0;
        status = wait_for(tree, PARENT, turn, &word);
        if (piece_at(job, at) == 1)
            result_of(tree)[at] = word;
        if (!status)
            status = down(tree, job, job->heard++);
    }
    return status;
}

/* Without words to go up, all say in the first piece that they have come. */
static int run(struct tree_of_puts *tree, struct job *job)
{
    int status = 0;

    for (uint32_t piece = 0; piece < pieces_of(job) && !status; piece++) {
        if (job->up || piece == 0)
            status = up(tree, job, piece);
        if (!status)
            status = tree->rank ? hear(tree, job, false) : down(tree, job, piece);
    }
    if (!status && tree->rank)
        status = hear(tree, job, true);
    tree->turn += pieces_of(job);
    return status;
}

static void give(struct tree_of_puts *tree, uint64_t *memory, uint32_t bytes)
{
    memcpy(memory, result_of(tree), bytes);
    tree->half ^= 1;
}

int tree_of_puts_barrier(struct tree_of_puts *tree)
{
    return run(tree, &(struct job){.words = 0});
}

int tree_of_puts_broadcast(struct tree_of_puts *tree, uint64_t *memory, uint32_t bytes)
{
    int status;

    if (!tree->rank)
        memcpy(own_of(tree), memory, bytes);
    status = run(tree, &(struct job){.words = bytes / WORD});
    give(tree, memory, bytes);
    return status;
}

int tree_of_puts_sum(struct tree_of_puts *tree, uint64_t *memory, uint32_t bytes)
{
    int status;

    memcpy(own_of(tree), memory, bytes);
    status = run(tree, &(struct job){.words = bytes / WORD, .up = true});
    give(tree, memory, bytes);
    return status;
}
