/* SPDX-License-Identifier: Apache-2.0 */
/* The life of queues. */
#ifndef FW_STATE_QUEUE_H
#define FW_STATE_QUEUE_H

#include "fw.h"

/* What a new queue is made of; checked. */
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
 * The queue's descriptor `producer` is not started: everything from it on is fetched
 * again later.
 */
void fw_queue_stall(struct fw *fw, uint32_t number);

/*
 * QUEUE_BROKEN: nothing behind what failed starts; QUEUE_CUT: nothing that is linked; until it is
 * mended.
 */
void fw_queue_break(struct fw *fw, uint32_t number, uint8_t how);

/* It goes on. */
void fw_queue_mend(struct fw_queue *q, uint8_t how);

/*
 * An operation of the queue did not end well: cuts the queue, if its descriptor, which begins with
 * `frame`, decides.
 */
void fw_queue_decide(struct fw *fw, uint32_t number, uint32_t frame);

/* Cuts the queue, if anything of it is under way or waits; FW_STALL: that will soon be so. */
uint32_t fw_queue_cancel(struct fw *fw, uint32_t number, uint32_t *cancelled);

/* Called every tick: stalled queues that can go on do; whether some are left. */
bool fw_queues_tick(struct fw *fw);

/* An operation of the queue has ended: a fence of it may open, if it is STALLED, too. */
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
 * Goes on fetching after what is parked, once all that was fetched has arrived: one burst, since
 * more would be fetched in vain. The queue is not FENCED any more when nothing is parked and
 * nothing rung for, or what started last had no fence.
 */
void fw_queue_refetch(struct fw *fw, uint32_t number, bool fenced);

/* Fetches nothing more of the queue for now. */
void fw_queue_hold_back(struct fw *fw, uint32_t number);

/*
 * The step of a chain has begun that the queue was held back for. Later steps wait for its end, so
 * the queue is FENCED before they come, and no more of them are fetched than have places. Without
 * later ones the queue goes on.
 */
void fw_queue_step_began(struct fw *fw, uint32_t number);

/* Fetches go on behind a fence that keeps nothing. */
void fw_queue_go_on(struct fw *fw, uint32_t number);

/* Stops the queue; true once nothing of it is under way and the number is free again. */
bool fw_queue_close(struct fw *fw, uint32_t number);

/* The same without completions: the owner goes. */
bool fw_queue_retire(struct fw *fw, uint32_t number);

/* Whether a ring of the function lies in the region of `key`. */
bool fw_queue_uses_key(const struct fw *fw, uint32_t fn, uint32_t key);

#endif
