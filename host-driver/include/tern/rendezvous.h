/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rendezvous: a broadcast whose targets choose where it goes.
 *
 * A target opens an arena, memory in which its NIC makes room for what others announce to a group.
 * An origin puts with tern_rendezvous_put(): its NIC announces the bytes to all members (request to
 * send), each member's NIC keeps room, at an address of its own, and says so (clear to send), and
 * when all have done so the origin's NIC broadcasts the bytes.  Between the doorbell and the
 * completions no host software runs, at the origin or at a target.  A member without room says why,
 * and nothing is sent to anybody.
 *
 * The mechanism: request to send, clear to send and counters of US8325633; clear to send is a
 * check-in (tern/checkin.h), so nothing counts twice and nothing old counts.
 *
 * Errors, units: as tern.h says.  Threads: an arena and a rendezvous belong to the thread of their
 * completion queue.
 */
#ifndef TERN_RENDEZVOUS_H
#define TERN_RENDEZVOUS_H

#include <tern/remote_get.h>
#include <tern/group.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a target's side ------------------------------------------------------------------------ */

struct tern_arena;

/* The parameters of an arena. */
struct tern_arena_memory {
    struct tern_region *region; /* with TERN_RIGHT_LOCAL_WRITE; in use as long as the arena */
    void *base;                 /* in the region */
    uint32_t bytes;             /* a multiple of TERN_ARENA_ALIGN */
    /* byte counter of this function (tern_counter_set), the arena's alone */
    uint16_t counter;
    bool asks;                  /* the host says where bytes go: tern_arena_accept() */
};

/*
 * Makes this node a member of the group of `key` (tern_group_key) for rendezvous.  The place of the
 * key in the NIC's region table is taken by the arena.  Each transfer that arrives gives a
 * completion of opcode TERN_OP_ARRIVED in `cq`, one for each tern_rendezvous_put(): `length` bytes
 * at `data`, from `node`, with the origin's `imm`.  Part of a message is never told of.
 *
 * Room is given out as of a ring, in order, in multiples of TERN_ARENA_ALIGN and in one piece, and
 * comes back by tern_arena_release().  One origin at a time: between its request and its bytes
 * others are refused with ARENA_BUSY.  BAD_KEY, QUEUE_BUSY: as tern_register_with(); BAD_SIZE,
 * BAD_RANGE, BAD_COUNTER; NO_RESOURCE: TERN_ARENAS exist.
 */
int tern_arena_open(struct tern_cq *cq, uint32_t key, const struct tern_arena_memory *memory,
                    struct tern_arena **arena);

/*
 * The bytes that `arrived` tells of, and all before them, have been read: their room may be used
 * anew. BAD_RANGE when they were given back before.
 */
int tern_arena_release(struct tern_arena *arena, const struct tern_completion *arrived);

/*
 * With `memory.asks` the NIC gives no room by itself.  Each announcement of an origin gives a
 * completion of opcode TERN_OP_ASKED in `cq`: `length` bytes with the origin's `imm`, from `node`.
 * The host says where they go, at `to` in the arena (at a multiple of TERN_ARENA_ALIGN from its
 * base, and with room for them), or why they do not; the origin gets that status, which is none of
 * the host's side (TERN_ST_ARENA_FULL, TERN_ST_RNR, ...). One question at a time, until it is
 * answered, the origin gives up or announces something else, or the lease is over: STALE_EPOCH when
 * the question is none any more.  BAD_RANGE.  RNR: the NIC cannot answer now or `cq` is full, and
 * the question stands.  Nothing is given back by tern_arena_release().  A request that is passed on
 * from member to member is refused (BAD_TYPE).
 */
int tern_arena_accept(struct tern_arena *arena, const struct tern_completion *asked,
                      const void *to);
int tern_arena_refuse(struct tern_arena *arena, const struct tern_completion *asked,
                      enum tern_status why);

/*
 * Closes the arena.  An announced transfer that has not arrived gives no completion; its origin
 * gets an error.  If a transfer arrives during the call, its bytes may be in memory and its origin
 * may get OK, though there is no completion here.
 */
int tern_arena_close(struct tern_arena *arena);

/* Returns the `index` that completions of the arena carry. */
uint16_t tern_arena_number(const struct tern_arena *arena);

/* ---- the origin's side ---------------------------------------------------------------------- */

struct tern_rendezvous;

struct tern_rendezvous_limits {
    /* check-in area of this NIC for its exclusive use; combined: and the next one */
    uint16_t area;
    /* answers are combined on their way: this NIC hears one for each of its ports */
    bool combined;
    uint32_t answer; /* cycles given to the members to answer, 0: no limit */
    /* cycles without any of the bytes after which a member takes its room back, 0: never */
    uint32_t lease;
    /* NULL, or where members answer by messages, for tern_rendezvous_ask() */
    struct tern_rq *answers;
    /*
     * NULL, or a FIFO for the exclusive use of this queue (tern/remote_get.h): the request goes
     * from member to member, and the last one answers by a remote get that starts the put
     */
    struct tern_fifo *relay;
};

/*
 * Makes a rendezvous with the members of `group`.  The group need not be open, and the caller may
 * destroy it first.  BAD_SIZE when the box has more than TERN_CHECKIN_SLOTS nodes.
 */
int tern_rendezvous_create(struct tern_cq *cq, const struct tern_group *group,
                           const struct tern_rendezvous_limits *limits,
                           struct tern_rendezvous **rendezvous);

/* QUEUE_BUSY while a put is out. */
int tern_rendezvous_destroy(struct tern_rendezvous *rendezvous);

/*
 * Posts a put of `bytes` (1 to put_bytes_max) at `from` in `region` to all members, after all that
 * was posted to `sq` before.  It takes three or four descriptors and one doorbell.  AGAIN: no room
 * in the queue, or the previous put is still in flight.  The put always completes, as a broadcast
 * (TERN_OP_BCAST).  OK: every member has all bytes.  ARENA_FULL, ARENA_BUSY, BAD_LENGTH or RNR: a
 * member refused; TIMEOUT: a member did not answer; in both cases no bytes were sent, and `node` is
 * the first such member in the order of tern_rendezvous_answers().  Else as tern_bcast().
 *
 * Members that had room keep it until the next put of this rendezvous, tern_rendezvous_withdraw(),
 * or the end of the lease.
 *
 * With combined answers, this NIC receives at most 12 packets for a put to any number of members:
 * six with answers, and six that report that all bytes have arrived.  Nodes in the box that are not
 * members take part.  NO_BASE: some member has no arena.  A failure then names one member only, the
 * put does not report where members store the bytes, and if a member dies during the transfer, the
 * put ends with TIMEOUT and no name.
 *
 * With `limits.relay` the region needs TERN_RIGHT_REMOTE_READ, too, and each member's arena
 * TERN_RIGHT_LOCAL_READ, since the request is stored there; arenas are not smaller than the largest
 * packet.  All nodes of the box have to be members (BAD_BOX), and no more than fit into a packet, 4
 * bytes each (BAD_SIZE).  This NIC hears once; a member that refuses, or cannot be reached by the
 * one before it, is named, and the places of members' bytes are not reported.
 */
int tern_rendezvous_put(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                        const struct tern_region *region, const void *from, uint32_t bytes,
                        uint32_t reference, uint64_t context);

/*
 * The same by the host's software, step by step, for a rendezvous with `limits.answers`, which
 * takes 8 bytes a member.  Asks all members; each answers by a message (TERN_OP_RECV) into that
 * reception FIFO.  There is no time limit but the caller's.  Completes only if it fails.
 */
int tern_rendezvous_ask(struct tern_sq *sq, struct tern_rendezvous *rendezvous, uint32_t bytes,
                        uint32_t reference);

/*
 * A message came into that reception FIFO: takes the answer that it is.  Returns how many are still
 * to come, or, when that is none, the objection of a member (as tern_rendezvous_answers() has it);
 * BAD_ARGUMENT when the message does not answer the last question.
 */
int tern_rendezvous_heard(struct tern_rendezvous *rendezvous,
                          const struct tern_completion *message);

/*
 * When all have room: posts the bytes that were asked for.  AGAIN before that.  Completes as a put.
 */
int tern_rendezvous_send(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                         const struct tern_region *region, const void *from, uint64_t context);

/*
 * After a put that failed: lets the members have their room back at once.  Completes only if it
 * fails.
 */
int tern_rendezvous_withdraw(struct tern_sq *sq, struct tern_rendezvous *rendezvous);

/* The answer of a member to the last put, as far as it has arrived. */
struct tern_answer {
    uint16_t node;
    enum tern_status status; /* OK; TIMEOUT, nothing; or why it has no room */
    uint64_t base;           /* OK: offset in its arena */
};

/* Writes up to `max` of them; returns how many there are.  `answers` may be NULL with 0. */
unsigned tern_rendezvous_answers(const struct tern_rendezvous *rendezvous,
                                 struct tern_answer *answers, unsigned max);

#ifdef __cplusplus
}
#endif

#endif
