/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call caches: calls that come again are not built again.
 *
 * A call is a list of work requests, each with a list of segments of memory, in a form that knows
 * nothing of the NIC.  A table leads from its fingerprint to the descriptors that the NIC reads.
 * A call that the table holds is posted from there; another is built in full and entered.  The
 * cache compares the whole list before it uses stored descriptors, so it never confuses two calls
 * with one fingerprint.  The table has a bound: a call in use lately or prepared stays, another
 * goes.
 *
 * A request with several segments becomes an operation for each; the last starts after the others
 * have ended, so its completion is that of the request.
 *
 * A stored call is dropped when a region that it names is released, or its queue destroyed.  A
 * region that is registered anew is another one, even at the same address and with the same handle.
 *
 * A call cache belongs to the thread of its queue.  Regions may be released by any thread; a call
 * that is posted at the same moment ends with BAD_KEY then, like any operation in flight.
 *
 * Errors, units: as tern.h says.
 *
 * Sources: GB1301667.0, US9497268 (a cache of translated calls); prepared calls after DiSNI's
 * stateful verbs.
 */
#ifndef TERN_CALL_H
#define TERN_CALL_H

#include <tern/prepared.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- calls ---------------------------------------------------------------------------------- */

#define TERN_CALL_OPS 64u /* operations of one call, at most */

/* A piece of memory in a region. */
struct tern_sge {
    const struct tern_region *region; /* not looked at with TERN_WR_INLINE */
    void *addr;
    uint32_t bytes;
};

enum tern_wr_opcode {
    TERN_WR_PUT = 1, /* segments to `remote`, one behind the other */
    TERN_WR_READ,    /* from `remote` to the segments; rights as with tern_read() */
    TERN_WR_SEND,    /* one segment, or inline, to `target` */
    TERN_WR_CAS,     /* no segment: the completion has the word at `remote` as it was */
    TERN_WR_ADD      /* of `swap`; likewise */
};

#define TERN_WR_SIGNAL 1u    /* completes when it ends well, too */
#define TERN_WR_INLINE 2u    /* at most 32 bytes in all, copied at each post */
#define TERN_WR_FENCE 4u     /* starts after all earlier operations of the queue have ended */
#define TERN_WR_SOLICITED 8u /* of a message: asks for an interrupt at the receiver */
#define TERN_WR_IMM 16u      /* of a message: target.imm goes with it */

/* A work request. */
struct tern_wr {
    const struct tern_wr *next; /* NULL: the last of its call */
    uint64_t id;                /* of its completion (context); no part of the fingerprint */
    const struct tern_sge *sges;
    unsigned sge_count;
    uint8_t opcode;             /* enum tern_wr_opcode */
    uint8_t flags;              /* TERN_WR_* */
    struct tern_rptr remote;
    struct tern_target target;
    uint64_t compare, swap;
};

struct tern_calls;

struct tern_calls_config {
    unsigned log2_sets;        /* of four calls each, up to 16; 0: 64 sets */
    unsigned fingerprint_bits; /* for tests of collisions; 0: all 64 */
    bool check_hits;           /* builds at each hit, too, and compares */
    bool off;                  /* builds each call, and stores none: for comparison */
    /*
     * Makes the application's object for a kind of completion, once while the table holds it.
     * Fields of `kind` that differ from one completion to the next are 0.  May be NULL.
     */
    void *(*make_object)(void *arg, const struct tern_completion *kind);
    void (*free_object)(void *arg, void *object);
    void *arg;
};

/* Makes a cache of calls to `sq`.  `config` may be NULL.  BAD_SIZE, NO_MEMORY. */
int tern_calls_create(struct tern_sq *sq, const struct tern_calls_config *config,
                      struct tern_calls **calls);

/* Frees the cache and its prepared calls; NULL is fine.  Operations in flight go on. */
void tern_calls_destroy(struct tern_calls *calls);

/*
 * Posts all requests of the list, or none.  `*bad` (may be NULL): the request that was refused.
 * AGAIN: there is no room; BAD_OPCODE; BAD_ARGUMENT: flags or segments that the opcode has not;
 * BAD_LENGTH: no bytes, too many, too many segments or operations; BAD_ALIGN; STALE_POINTER: a
 * region that the device does not have; BAD_QUEUE: the queue was destroyed; NO_MEMORY.
 */
int tern_call(struct tern_calls *calls, const struct tern_wr *list, const struct tern_wr **bad);

/* ---- prepared calls ------------------------------------------------------------------------- */

struct tern_prepared;

enum tern_hole_kind {
    TERN_HOLE_LOCAL,  /* address of a segment, in the same region */
    TERN_HOLE_REMOTE, /* address in `remote` */
    TERN_HOLE_KEY,    /* key in `remote` */
    TERN_HOLE_LENGTH, /* bytes of the only segment */
    TERN_HOLE_IMM,    /* of a message */
    TERN_HOLE_ID
};

/* A field that may differ from one execution of a prepared call to the next. */
struct tern_hole {
    unsigned request; /* its place in the list */
    unsigned segment; /* of TERN_HOLE_LOCAL; else 0 */
    enum tern_hole_kind kind;
};

/*
 * Prepares a call with `count` declared holes.  As tern_call(), and BAD_ARGUMENT with *bad NULL: a
 * hole that the request does not have.
 */
int tern_call_prepare(struct tern_calls *calls, const struct tern_wr *list,
                      const struct tern_hole *holes, unsigned count,
                      struct tern_prepared **prepared, const struct tern_wr **bad);

/*
 * Fills hole number `hole`, as counted when they were declared, for all later executions.
 * BAD_ARGUMENT: no such hole was declared; BAD_LENGTH.
 */
int tern_call_set(struct tern_prepared *prepared, unsigned hole, uint64_t value);

/*
 * Posts a prepared call; inline requests copy the bytes that are in their segments now.  AGAIN;
 * STALE_POINTER: a region of it was released: free it; BAD_QUEUE.
 */
int tern_call_execute(struct tern_prepared *prepared);

/* Frees a prepared call; NULL is fine. */
void tern_call_free(struct tern_prepared *prepared);

/* ---- completions ---------------------------------------------------------------------------- */

/*
 * Returns the application's object for the kind of a completion: its opcode, status, flags, queue
 * and node, which a table of the same form leads to.  The rest of the completion fills the holes of
 * the object.  NULL: there is no make_object, or it returned NULL.  The object is the cache's: it
 * stays until the next call of this function, unless others of its set are in use more.
 */
void *tern_calls_object(struct tern_calls *calls, const struct tern_completion *done);

/* ---- figures -------------------------------------------------------------------------------- */

struct tern_calls_counts {
    uint64_t hits, misses;
    uint64_t evicted;     /* calls that went for others */
    uint64_t unstored;    /* misses without a place: all calls of the set are prepared */
    uint64_t invalidated; /* calls that went with a region or the queue */
    uint64_t collisions;  /* calls with the fingerprint of another one */
    uint64_t unlike;      /* hits whose descriptors were not those that building gave */
    uint64_t executed;    /* prepared calls posted */
    uint64_t object_hits, object_misses;
};
void tern_calls_counts(const struct tern_calls *calls, struct tern_calls_counts *out);

#ifdef __cplusplus
}
#endif

#endif
