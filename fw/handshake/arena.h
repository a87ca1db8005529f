/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arenas: host memory out of which the firmware gives room to what others announce.
 *
 * A request to send names a group and says how many bytes will come.  A member's firmware
 * keeps room for them in its arena, opens a window of that room under the key that the request
 * brings, and checks in with the origin's area; when it cannot, it checks in with the reason.
 * When all bytes have come, a completion tells the host their place.  One origin at a time; an
 * announcement of a later epoch replaces its earlier one.  Room for which
 * nothing comes is taken back when the lease is over.
 *
 * The mechanism is the request to send to many of US8325633: base addresses differ from target
 * to target.
 */
#ifndef FW_HANDSHAKE_ARENA_H
#define FW_HANDSHAKE_ARENA_H

#include "fw.h"
#include "rts.h"

/* Checked: the memory is the function's, counter and cq are too. */
struct fw_arena_new {
    uint64_t base; /* host address */
    uint32_t bytes, key, memory_key, counter, cq;
    bool asks; /* the host says where bytes go, and reads them in any order */
};

/* The number of the new arena in *id: OK, BAD_KEY, QUEUE_BUSY, NO_RESOURCE. */
uint32_t fw_arena_open(struct fw *fw, uint32_t fn, const struct fw_arena_new *wanted, uint32_t *id);

/* What arrived in it up to offset `end` has been read: OK, BAD_ARENA, BAD_RANGE. */
uint32_t fw_arena_give(struct fw *fw, uint32_t fn, uint32_t id, uint32_t end);

/* What the host says to a question. */
struct fw_arena_answer {
    uint32_t question, start; /* number, offset */
    uint32_t refusal;         /* status, 0: the room is given */
};

/*
 * OK, BAD_ARENA; STALE_EPOCH: that is not asked any more; BAD_RANGE; RNR: the answer cannot be sent
 * now.
 */
uint32_t fw_arena_answer(struct fw *fw, uint32_t fn, uint32_t id,
                         const struct fw_arena_answer *answer);

/* OK or BAD_ARENA. */
uint32_t fw_arena_close(struct fw *fw, uint32_t fn, uint32_t id);

/*
 * A request to send in a receive slot, which is given back; there is nothing to answer by an ack.
 */
void fw_arena_request(struct fw *fw, uint32_t slot);

/* From the message in a receive slot. */
void fw_request_read(uint32_t slot, struct rts *r);

/* Whether what routers have not looked at can be. */
bool fw_request_is_sane(const struct fw *fw, const struct rts *r);

/* This node's arena of the group, or NULL. */
struct fw_arena *fw_arena_find(struct fw *fw, uint32_t key);

/*
 * OK: there is room, that of the same request if it came before; FW_LATER: the host is asked; or
 * why there is none.
 */
uint32_t fw_arena_grant(struct fw *fw, struct fw_arena *arena, const struct rts *r);

/* A counter has reached zero: whether that was the arena's. */
bool fw_arena_arrived(struct fw *fw, uint32_t counter);

/*
 * Whether the function has an arena of this group key or in the memory of this key, or that uses
 * the counter or cq.
 */
bool fw_arena_uses_key(const struct fw *fw, uint32_t key);
bool fw_arena_uses_counter(const struct fw *fw, uint32_t counter);

/* Every tick; whether some arena has a lease to watch. */
bool fw_arenas_tick(struct fw *fw);

/* Takes the arenas of functions being swept from them; their windows go with their regions. */
void fw_arenas_sweep(struct fw *fw);

#endif
