/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rendezvous: a broadcast whose targets choose the address of the bytes.
 *
 * A target opens an arena, memory in which its NIC reserves room for announced transfers of a
 * group. tern_rendezvous_put() has the origin's NIC announce the bytes to all members (request to
 * send). Each member's NIC reserves room in its arena and answers (clear to send). When all have
 * answered, the origin's NIC broadcasts the bytes. Between doorbell and completions no host
 * software runs at the origin or at a target. A member without room answers with the reason, and
 * the origin sends no bytes.
 *
 * The mechanism: request to send, clear to send and counters of US8325633; clear to send is a
 * check-in (tern/checkin.h), so duplicate and old answers do not count.
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

/* ---- target side ------------------------------------------------------------------------ */

struct tern_arena;

/* The parameters of an arena. */
struct tern_arena_memory {
    struct tern_region *region; /* with TERN_RIGHT_LOCAL_WRITE; in use until the arena is closed */
    void *base;                 /* in the region */
    uint32_t bytes;             /* a multiple of TERN_ARENA_ALIGN */
    /* byte counter of this function (tern_counter_set), for the exclusive use of the arena */
    uint16_t counter;
    bool asks;                  /* the host chooses the address: tern_arena_accept() */
};

/*
 * Makes this node a member of the group of `key` (tern_group_key) for rendezvous. The arena takes
 * the key's entry in the NIC's region table. For each tern_rendezvous_put() that has arrived
 * entirely, `cq` gets one completion of opcode TERN_OP_ARRIVED: `length` bytes at `data`, from
 * `node`, with the origin's `imm`.
 *
 * The NIC allocates room as in a ring: in order, in one piece, in multiples of TERN_ARENA_ALIGN;
 * tern_arena_release() frees it. It serves one origin at a time: between its request and its bytes
 * the NIC refuses others with ARENA_BUSY. BAD_KEY, QUEUE_BUSY: as tern_register_with(); BAD_SIZE,
 * BAD_RANGE, BAD_COUNTER; NO_RESOURCE: TERN_ARENAS exist.
 */
int tern_arena_open(struct tern_cq *cq, uint32_t key, const struct tern_arena_memory *memory,
                    struct tern_arena **arena);

/*
 * Frees the room of the transfer that completed with `arrived`, and of all earlier ones. BAD_RANGE
 * when it was freed before.
 */
int tern_arena_release(struct tern_arena *arena, const struct tern_completion *arrived);

/*
 * Answers an announcement. With `memory.asks` the NIC gives no room by itself: each announcement
 * gives a completion of opcode TERN_OP_ASKED in `cq`, with `length` bytes and the origin's `imm`,
 * from `node`. The host accepts with an address `to` in the arena (a multiple of TERN_ARENA_ALIGN
 * from its base, with room for the bytes), or refuses with a status, which the origin gets
 * (TERN_ST_ARENA_FULL, TERN_ST_RNR, ...; no status of the host's side). One announcement is open at
 * a time, until it is answered, the origin gives up or announces another transfer, or the lease is
 * over; then STALE_EPOCH. BAD_RANGE. RNR: the NIC cannot answer now or `cq` is full; the
 * announcement stays open. tern_arena_release() does not apply to these bytes. The NIC refuses a
 * request that is relayed from member to member (BAD_TYPE).
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

/* ---- origin side ---------------------------------------------------------------------- */

struct tern_rendezvous;

struct tern_rendezvous_limits {
    /* check-in area of this NIC for the exclusive use of the rendezvous; if `combined`, also the
     * next one */
    uint16_t area;
    /* NICs combine answers on the way: this NIC receives one per port */
    bool combined;
    uint32_t answer; /* cycles that members have to answer; 0: no limit */
    /* a member frees its room after so many cycles without any of the bytes; 0: never */
    uint32_t lease;
    /* where members answer tern_rendezvous_ask() by messages, or NULL */
    struct tern_rq *answers;
    /*
     * NULL, or a FIFO for the exclusive use of the rendezvous (tern/remote_get.h): the request goes
     * from member to member, and the last member starts the put by a remote get
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

/* Frees the rendezvous. QUEUE_BUSY while a put is in flight. */
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
 * With `limits.relay` the region also needs TERN_RIGHT_REMOTE_READ, and each member's arena
 * TERN_RIGHT_LOCAL_READ, since the request is stored there; an arena must hold at least the largest
 * packet. All nodes of the box have to be members (BAD_BOX), and their list, 4 bytes each, must fit
 * into a packet (BAD_SIZE). This NIC receives one answer. It names the member that refused, or that
 * its predecessor could not reach; it does not report where members store the bytes.
 */
int tern_rendezvous_put(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                        const struct tern_region *region, const void *from, uint32_t bytes,
                        uint32_t reference, uint64_t context);

/*
 * Posts the requests of a rendezvous whose next steps the host's software makes. Needs
 * `limits.answers`, with entries of 8 bytes for each member. Each member answers by a message
 * (TERN_OP_RECV) into that reception FIFO. The NIC sets no time limit. Completes only if it fails.
 */
int tern_rendezvous_ask(struct tern_sq *sq, struct tern_rendezvous *rendezvous, uint32_t bytes,
                        uint32_t reference);

/*
 * Takes an answer from a message that arrived in that reception FIFO. Returns how many answers are
 * still missing or, after the last, the refusal of a member (as in tern_rendezvous_answers()), or
 * 0; BAD_ARGUMENT when the message does not answer the last request.
 */
int tern_rendezvous_heard(struct tern_rendezvous *rendezvous,
                          const struct tern_completion *message);

/*
 * Posts the bytes when all members have room. AGAIN before that. Completes as a put.
 */
int tern_rendezvous_send(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                         const struct tern_region *region, const void *from, uint64_t context);

/*
 * Lets members free their room at once after a put that failed. Completes only if it fails.
 */
int tern_rendezvous_withdraw(struct tern_sq *sq, struct tern_rendezvous *rendezvous);

/* The answer of a member to the last put, if it has arrived. */
struct tern_answer {
    uint16_t node;
    enum tern_status status; /* OK; TIMEOUT: no answer; or why the member has no room */
    uint64_t base;           /* OK: offset in its arena */
};

/* Writes up to `max` answers; returns how many there are. `answers` may be NULL with 0. */
unsigned tern_rendezvous_answers(const struct tern_rendezvous *rendezvous,
                                 struct tern_answer *answers, unsigned max);

#ifdef __cplusplus
}
#endif

#endif
