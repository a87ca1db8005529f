/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arenas: host memory from which the firmware assigns room to announced transfers.
 *
 * A request to send names a group and the number of bytes to come. A member's firmware reserves
 * room for them in its arena, opens a window of that room under the key in the request, and checks
 * in with the origin's area. If it cannot, it checks in with the reason. When all bytes have
 * arrived, a completion gives the host their place. An arena serves one origin at a time; an
 * announcement of a later epoch replaces that origin's earlier one. Room for which no bytes come is
 * freed when the lease is over.
 *
 * The mechanism is the request to send to many of US8325633: base addresses differ between targets.
 */
#ifndef FW_HANDSHAKE_ARENA_H
#define FW_HANDSHAKE_ARENA_H

#include "fw.h"
#include "rts.h"

/* Parameters, checked: the function owns memory, counter and cq. */
struct fw_arena_new {
    uint64_t base; /* host address */
    uint32_t bytes, key, memory_key, counter, cq;
    bool asks; /* the host chooses the place of bytes, and reads them in any order */
};

/* Opens an arena, with its number in *id: OK, BAD_KEY, QUEUE_BUSY, NO_RESOURCE. */
uint32_t fw_arena_open(struct fw *fw, uint32_t fn, const struct fw_arena_new *wanted, uint32_t *id);

/* Frees the arena's room up to offset `end`, which the host has read: OK, BAD_ARENA, BAD_RANGE. */
uint32_t fw_arena_give(struct fw *fw, uint32_t fn, uint32_t id, uint32_t end);

/* The host's answer to a question of the firmware: where should these bytes go? */
struct fw_arena_answer {
    uint32_t question, start; /* number, offset */
    uint32_t refusal;         /* status, 0: accepted */
};

/*
 * Takes the host's answer: OK, BAD_ARENA; STALE_EPOCH: the question is no longer open; BAD_RANGE;
 * RNR: the firmware cannot send the answer to the origin now.
 */
uint32_t fw_arena_answer(struct fw *fw, uint32_t fn, uint32_t id,
                         const struct fw_arena_answer *answer);

/* Closes the arena: OK or BAD_ARENA. */
uint32_t fw_arena_close(struct fw *fw, uint32_t fn, uint32_t id);

/* Handles a request to send in a receive slot and frees the slot; the request gets no ack. */
void fw_arena_request(struct fw *fw, uint32_t slot);

/* Reads a request from the message in a receive slot. */
void fw_request_read(uint32_t slot, struct rts *r);

/* Checks the fields of a request that routers do not check. */
bool fw_request_is_sane(const struct fw *fw, const struct rts *r);

/* Returns this node's arena of the group, or NULL. */
struct fw_arena *fw_arena_find(struct fw *fw, uint32_t key);

/*
 * Assigns room to a request. OK: the request has room (the same room, if it came before). FW_LATER:
 * the firmware asked the host for the place. Otherwise the status is the reason for a refusal.
 */
uint32_t fw_arena_grant(struct fw *fw, struct fw_arena *arena, const struct rts *r);

/* Handles a counter that reached zero; returns whether it belongs to an arena. */
bool fw_arena_arrived(struct fw *fw, uint32_t counter);

/*
 * Tell whether the function has an arena with this group key, in the memory of this key, or with
 * this counter or cq.
 */
bool fw_arena_uses_key(const struct fw *fw, uint32_t key);
bool fw_arena_uses_counter(const struct fw *fw, uint32_t counter);

/* Call every tick; returns whether an arena still has a lease to watch. */
bool fw_arenas_tick(struct fw *fw);

/* Frees the arenas of functions being taken down; their windows go with their regions. */
void fw_arenas_sweep(struct fw *fw);

#endif
