/* SPDX-License-Identifier: Apache-2.0 */
/* A call cache: its table, and the calls prepared in it. */
#ifndef TERN_CALL_CALLS_H
#define TERN_CALL_CALLS_H

#include "known.h"
#include "plan.h"

enum { WAYS = 4, LOG2_SETS = 6, LOG2_SETS_MAX = 16 };

/* A call that the table has. */
struct stored {
    uint64_t fingerprint;
    uint64_t *flat; /* its words; the descriptors lie behind them in the same memory */
    struct plan *plan;
    unsigned words;
    unsigned pins;  /* prepared calls that keep it in the table */
    bool used;      /* since the hand of its set came by */
};

/* The object for a kind of completion. */
struct kept_object {
    uint64_t fingerprint, kind[2];
    void *object;
    bool taken, used;
};

struct tern_calls {
    struct tern_sq *sq; /* NULL: destroyed */
    struct tern_watch sq_watch;
    struct tern_calls_config config;
    struct tern_calls_counts counts;
    struct known_set known;
    unsigned changes; /* of the known regions, as of the last sweep */
    unsigned log2_sets;
    struct stored *stored;     /* WAYS a set */
    struct kept_object *objects;
    uint8_t *hands, *object_hands; /* of the sets: the way to look at next */
    struct tern_prepared *prepared;
    struct flat flat;          /* of the call at hand */
    struct plan plan;          /* what was built for it */
    uint64_t contexts[TERN_CALL_OPS];
    struct tern_completion kind; /* that make_object() gets */
};

struct tern_prepared {
    struct tern_prepared *next, **link;
    struct tern_calls *calls;
    struct stored *pinned; /* in the table; NULL: it had no place */
    bool stale;
    struct tern_wr *list;
    struct tern_hole *holes;
    unsigned hole_count;
    struct plan plan;
    uint64_t contexts[TERN_CALL_OPS];
};

/* Cuts a fingerprint to the bits that the test wants. */
uint64_t call_cut(const struct tern_calls *calls, uint64_t fingerprint);

/* Chooses the way of a set that goes next, by CLOCK: one in use since the last round stays. */
unsigned call_clock(uint8_t *hand, bool *const used[WAYS], const bool pinned[WAYS]);

/* Drops the calls that name a region that went, or all with the queue, which is BAD_QUEUE. */
int call_look(struct tern_calls *calls);

/*
 * Finds the call of `calls->flat`, or builds and stores it; the plan to post is at *plan, `stored`
 * (may be NULL) its place in the table.
 */
int call_find(struct tern_calls *calls, const struct tern_wr *list, struct plan **plan,
              struct stored **stored, const struct tern_wr **bad);

/* Builds the call without the table: as call_find(). */
int call_build_only(struct tern_calls *calls, const struct tern_wr *list, struct plan **plan,
                    const struct tern_wr **bad);

/* Frees all stored calls. */
void call_drop_all(struct tern_calls *calls);

/* Frees all objects of completions. */
void call_objects_free(struct tern_calls *calls);

#endif
