/* SPDX-License-Identifier: Apache-2.0 */
/* The life of queues. */
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

/* A free number an application may have, or FW_QUEUE_NIL. */
uint32_t fw_queue_find_free(const struct fw *fw);

/*
 * Stalls the queue before its descriptor `producer`: the prefetcher fetches it and all later ones
 * again when the queue goes on.
 */
void fw_queue_stall(struct fw *fw, uint32_t number);

/*
 * Stops the queue until it is mended.  QUEUE_BROKEN: no later descriptor starts; QUEUE_CUT: no
 * linked one does.
 */
void fw_queue_break(struct fw *fw, uint32_t number, uint8_t how);

/* Clears flag `how`, so that the queue goes on. */
void fw_queue_mend(struct fw_queue *q, uint8_t how);

/*
 * An operation of the queue did not end well: cuts the queue, if its descriptor, which begins with
 * `frame`, decides.
 */
void fw_queue_decide(struct fw *fw, uint32_t number, uint32_t frame);

/*
 * Cuts the queue if an operation of it is in flight or waits; FW_STALL: rung descriptors have not
 * arrived yet, so ask again.
 */
uint32_t fw_queue_cancel(struct fw *fw, uint32_t number, uint32_t *cancelled);

/* Call every tick: resumes stalled queues that can go on; returns whether some remain stalled. */
bool fw_queues_tick(struct fw *fw);

/* Handles the end of an operation: opens a fence that waited for it, in a STALLED queue, too. */
void fw_queue_ended(struct fw *fw, const struct fw_queue *q);

/*
 * Keeps the descriptor in the slot, the next one of its queue, until a fence opens, and stops
 * fetching; false: no place. The queue is FENCED from then on.
 */
bool fw_queue_park(struct fw *fw, uint32_t number, uint32_t slot);

/*
 * Takes the slot out of the set of parked ones; the slot after it in the list of its queue, or
 * FW_SLOT_NIL.
 */
uint32_t fw_queue_unpark(struct fw *fw, uint32_t slot);

/*
 * Gives back the slots of a list of parked ones: their descriptors are fetched again, or their
 * queue goes.
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
 * Goes on after a chain step has begun for which the queue was held back. Later steps wait for its
 * end, so this marks the queue FENCED before they arrive, and fetches only as many as it can park.
 * If there are no later steps, the queue goes on.
 */
void fw_queue_step_began(struct fw *fw, uint32_t number);

/* Ends a fence without parked descriptors; fetching goes on. */
void fw_queue_go_on(struct fw *fw, uint32_t number);

/* Stops the queue; true once nothing of it is under way and the number is free again. */
bool fw_queue_close(struct fw *fw, uint32_t number);

/* As fw_queue_close(), but without completions, because the owner is going. */
bool fw_queue_retire(struct fw *fw, uint32_t number);

/* Whether a ring of the function lies in the region of `key`. */
bool fw_queue_uses_key(const struct fw *fw, uint32_t fn, uint32_t key);

#endif
