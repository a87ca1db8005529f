/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, stalls, fences and deletion of queues. */
#ifndef FW_STATE_QUEUE_H
#define FW_STATE_QUEUE_H

#include "fw.h"

/* The checked parameters of a new queue. */
struct fw_queue_new {
    uint64_t base;
    uint32_t key;
    uint8_t type, fn, log2_entries, log2_bytes, flags;
    uint16_t cq_or_vector;
};

void fw_queue_open(struct fw *fw, uint32_t number, const struct fw_queue_new *wanted);

/* Returns a free number for an application's queue, or FW_QUEUE_NIL. */
uint32_t fw_queue_find_free(const struct fw *fw);

/*
 * Stalls the queue before its descriptor `producer`: the prefetcher fetches it and all later ones
 * again when the queue resumes.
 */
void fw_queue_stall(struct fw *fw, uint32_t number);

/*
 * Stops the queue until fw_queue_mend(). QUEUE_BROKEN: no later descriptor starts; QUEUE_CUT: no
 * linked one starts.
 */
void fw_queue_break(struct fw *fw, uint32_t number, uint8_t how);

/* Clears flag `how`, so that the queue continues. */
void fw_queue_mend(struct fw_queue *q, uint8_t how);

/*
 * Handles an operation of the queue that failed: cuts the queue if its descriptor, which begins
 * with `frame`, has `decides`.
 */
void fw_queue_decide(struct fw *fw, uint32_t number, uint32_t frame);

/*
 * Cuts the queue if an operation of it is in flight or waits. FW_STALL: rung descriptors have not
 * arrived yet; call again.
 */
uint32_t fw_queue_cancel(struct fw *fw, uint32_t number, uint32_t *cancelled);

/* Call every tick: resumes stalled queues that can go on; returns whether some remain stalled. */
bool fw_queues_tick(struct fw *fw);

/* Handles the end of an operation: opens a fence that waited for it, in a STALLED queue, too. */
void fw_queue_ended(struct fw *fw, const struct fw_queue *q);

/*
 * Parks the descriptor in the slot, the next one of its queue, until a fence opens, and stops
 * fetching; false: no room. The queue is then FENCED.
 */
bool fw_queue_park(struct fw *fw, uint32_t number, uint32_t slot);

/*
 * Removes the slot from the parked ones; returns the next one in its queue's list, or FW_SLOT_NIL.
 */
uint32_t fw_queue_unpark(struct fw *fw, uint32_t slot);

/*
 * Frees the slots of a list of parked descriptors; these are fetched again, or their queue is
 * deleted.
 */
void fw_parked_drop(struct fw *fw, uint32_t first);

/*
 * Resumes fetching after the parked descriptors, once all fetched ones have arrived. A queue that
 * is still FENCED gets one burst only, because it could not keep more. The queue leaves FENCED when
 * it has no parked descriptor and either none is left to fetch or the last one that started had no
 * fence.
 */
void fw_queue_refetch(struct fw *fw, uint32_t number, bool fenced);

/* Stops fetching descriptors of the queue for now. */
void fw_queue_hold_back(struct fw *fw, uint32_t number);

/*
 * Call after a chain step has begun for which the queue was held back. Later steps wait for its
 * end, so this marks the queue FENCED before they arrive, and fetches only as many as it can park.
 * Without later steps the queue simply continues.
 */
void fw_queue_step_began(struct fw *fw, uint32_t number);

/* Ends a fence without parked descriptors; fetching continues. */
void fw_queue_go_on(struct fw *fw, uint32_t number);

/* Stops the queue; true once no operation of it is in flight and its number is free again. */
bool fw_queue_close(struct fw *fw, uint32_t number);

/* Like fw_queue_close(), but without completions, because the owner is being taken down. */
bool fw_queue_retire(struct fw *fw, uint32_t number);

/* Tells whether a ring of the function lies in the region of `key`. */
bool fw_queue_uses_key(const struct fw *fw, uint32_t fn, uint32_t key);

#endif
