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

/* Frees the arena's room up to offset `end`, which the host has read: OK, BAD_ARENA, BAD_RANGE. */
uint32_t fw_arena_give(struct fw *fw, uint32_t fn, uint32_t id, uint32_t end);

/* The host's answer to a question of the firmware: where should these bytes go? */
struct fw_arena_answer {
    uint32_t question, start; /* number, offset */
    uint32_t refusal;         /* status, 0: the room is given */
};

/*
 * Takes the host's answer: OK, BAD_ARENA; STALE_EPOCH: the question is no longer open; BAD_RANGE;
 * RNR: the firmware cannot send the answer to the origin now.
 */
uint32_t fw_arena_answer(struct fw *fw, uint32_t fn, uint32_t id,
                         const struct fw_arena_answer *answer);

/* OK or BAD_ARENA. */
uint32_t fw_arena_close(struct fw *fw, uint32_t fn, uint32_t id);

/*
 * Handles a request to send in a receive slot, and gives the slot back; the request gets no ack.
 */
void fw_arena_request(struct fw *fw, uint32_t slot);

/* From the message in a receive slot. */
void fw_request_read(uint32_t slot, struct rts *r);

/* Checks the fields of a request that routers do not check. */
bool fw_request_is_sane(const struct fw *fw, const struct rts *r);

/* This node's arena of the group, or NULL. */
struct fw_arena *fw_arena_find(struct fw *fw, uint32_t key);

/*
 * Assigns room to a request.  OK: the request has room, the same room if it came before; FW_LATER:
 * the firmware asked the host where; else the status says why there is none.
 */
uint32_t fw_arena_grant(struct fw *fw, struct fw_arena *arena, const struct rts *r);

/* Handles a counter that reached zero; returns whether it belongs to an arena. */
bool fw_arena_arrived(struct fw *fw, uint32_t counter);

/*
 * Whether the function has an arena of this group key or in the memory of this key, or that uses
 * the counter or cq.
 */
bool fw_arena_uses_key(const struct fw *fw, uint32_t key);
bool fw_arena_uses_counter(const struct fw *fw, uint32_t counter);

/* Call every tick; returns whether an arena still has a lease to watch. */
bool fw_arenas_tick(struct fw *fw);

/* Takes the arenas of functions being swept from them; their windows go with their regions. */
void fw_arenas_sweep(struct fw *fw);

#endif
