/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs carry messages of any length between two queues, in order, into buffers that the
 * receiver has posted.
 *
 * A pair is of one of three kinds:
 *   TERN_PAIR_RC  connected: messages arrive in the order of posting, each once, or the pair breaks
 *   TERN_PAIR_UC  connected: in order; a message without a buffer is dropped whole, and completes
 *                 with OK
 *   TERN_PAIR_UD  takes datagrams of every sender that knows its key, and sends to any node: one
 *                 packet each, in no order; a datagram without a buffer is dropped, and completes
 *                 with OK
 *
 * Buffers are posted to an inbox, which belongs to one pair or is shared by many. A message takes
 * one buffer, in the order in which messages begin; without a buffer the receiver is not ready
 * (RNR). The NIC writes messages into the inbox's own memory, and tern_cq_poll() copies them into
 * the buffers: one copy.
 *
 * Completions come by tern_cq_poll(): those of operations as for any send queue; those of messages
 * as TERN_OP_RECV with `queue` the pair, `context` and `data` of the buffer, `length`, `node` and,
 * in `value`, the number of the sending pair.
 *
 * Errors. When an operation of a connected pair does not end well, the pair enters TERN_PAIR_ERROR:
 * the operation completes with its status, all later ones in order with FLUSHED, then the buffers
 * of a private inbox with FLUSHED. The NIC refuses messages of its peer with BAD_STATE. The same
 * happens when a message does not fit (MSG_TOO_LONG), and after tern_pair_fail(). tern_pair_reset()
 * makes the pair usable again.
 *
 * Errors, threads, ownership, units: as tern.h says. A pair, its inbox and their completion queues
 * belong to one thread at a time. After the connection to the NIC is lost, buffers do not complete.
 */
#ifndef TERN_PAIR_H
#define TERN_PAIR_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_inbox;
struct tern_pair;

/* ---- buffers for messages ------------------------------------------------------------------- */

#define TERN_INBOX_SHARED 1u /* by any number of pairs */

/*
 * Makes an inbox for 2^log2_entries buffers and messages of up to 2^log2_bytes; messages complete
 * in `cq`. In a shared inbox a message keeps its entry until it has arrived: make the inbox larger
 * than the number of buffers that you post.
 */
int tern_inbox_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes,
                      unsigned flags, struct tern_inbox **inbox);

/* Frees an inbox and forgets its buffers. QUEUE_BUSY while a pair uses it. */
int tern_inbox_destroy(struct tern_inbox *inbox);

/*
 * Posts a buffer in any memory of the process; the library owns it until it completes. AGAIN when
 * the inbox is full. A message longer than its buffer completes it with MSG_TOO_LONG and breaks its
 * pair. The sender learns of it at once if the message is longer than 2^log2_bytes, else with its
 * next message. A buffer for a broken pair completes with FLUSHED.
 */
int tern_inbox_post(struct tern_inbox *inbox, void *buffer, uint32_t bytes, uint64_t context);

/* Counts the buffers that no message has taken, as of the last poll. */
unsigned tern_inbox_left(const struct tern_inbox *inbox);

/* ---- pairs ---------------------------------------------------------------------------------- */

enum tern_pair_state {
    TERN_PAIR_RESET, /* new: buffers can be posted */
    TERN_PAIR_RTR,   /* ready to receive: knows its peer */
    TERN_PAIR_RTS,   /* ready to send, too */
    TERN_PAIR_ERROR
};

/* The address of a pair, for its peers. */
struct tern_pair_name {
    uint16_t node, number;
    uint8_t incarnation; /* of the node, 0: any */
};

/*
 * Makes a pair of kind TERN_PAIR_* with a send queue of 2^log2_entries packets, which reports to
 * `cq`, and the buffers of `inbox`. QUEUE_BUSY when the inbox has a pair and is not shared;
 * BAD_TYPE; NO_RESOURCE.
 */
int tern_pair_create(struct tern_cq *cq, unsigned kind, unsigned log2_entries,
                     struct tern_inbox *inbox, struct tern_pair **pair);

/*
 * Waits for its operations in flight, then frees the pair; drops completions that have not been
 * polled. Buffers of a shared inbox that its messages have taken complete with FLUSHED.
 */
int tern_pair_destroy(struct tern_pair *pair);

struct tern_pair_name tern_pair_name(const struct tern_pair *pair);
enum tern_pair_state tern_pair_state(const struct tern_pair *pair);

/* Value of `tries` for no limit. */
#define TERN_PAIR_FOR_EVER 7u

struct tern_pair_peer {
    struct tern_pair_name name; /* kinds RC and UC alone */
    uint32_t key;               /* kind UD: datagrams must carry this key */
    uint16_t first;             /* sequence number of the peer's first packet */
};

/* Moves the pair from RESET to RTR: it takes messages of the peer. BAD_STATE otherwise. */
int tern_pair_connect(struct tern_pair *pair, const struct tern_pair_peer *peer);

/*
 * Moves the pair from RTR to RTS, in which it can send. Its first packet has sequence number
 * `first`, which the peer must know. When a receiver is not ready the NIC retries 8 times, with
 * growing pauses; the library repeats that `tries` times, or for ever with TERN_PAIR_FOR_EVER; then
 * the message ends with RNR. BAD_STATE otherwise.
 */
int tern_pair_start(struct tern_pair *pair, uint16_t first, unsigned tries);

/* Moves the pair from any state to ERROR. */
int tern_pair_fail(struct tern_pair *pair);

/* Moves the pair from any state to RESET. QUEUE_BUSY while an operation has not completed: poll. */
int tern_pair_reset(struct tern_pair *pair);

/* ---- posting to a pair --------------------------------------------------------------- */

/*
 * Posts a message, up to the length that the peer's inbox accepts, and at most 32 767 packets.
 * `region` may be NULL for up to 32 bytes, which are copied at once. `flags` may have
 * TERN_DFLAG_IMM, which sends `imm` along, and TERN_DFLAG_SOLICITED. Returns BAD_STATE unless the
 * pair is RTS; AGAIN when there is no room for all its packets now; BAD_LENGTH when there can never
 * be; BAD_TYPE for TERN_PAIR_UD.
 */
int tern_pair_send(struct tern_pair *pair, const struct tern_region *region, const void *from,
                   uint32_t bytes, uint32_t imm, unsigned flags, uint64_t context);

/* Posts a message of one packet from a TERN_PAIR_UD to any other with the key `key`. */
int tern_pair_send_to(struct tern_pair *pair, struct tern_pair_name to, uint32_t key,
                      const struct tern_region *region, const void *from, uint32_t bytes,
                      uint32_t imm, unsigned flags, uint64_t context);

/*
 * Calls `work` (tern/work.h) from now on for each completion of the pair's operations, failed ones
 * included, before the application gets it; `ended` of the work returns whether the application
 * gets it. NULL: the application gets them all. `work` belongs to the caller, need not be added,
 * and must exist until the pair serves another work or is destroyed. Received messages do not go to
 * `work`.
 */
struct tern_work;
void tern_pair_serve(struct tern_pair *pair, struct tern_work *work);

/*
 * Posts a tern_put() or tern_read() on the send queue of a connected pair, in order: it begins when
 * earlier messages have ended, and later messages begin when it has ended. BAD_STATE, BAD_TYPE as
 * above.
 */
int tern_pair_put(struct tern_pair *pair, struct tern_rptr to, const struct tern_region *region,
                  const void *from, uint32_t bytes, unsigned flags, uint64_t context);
int tern_pair_read(struct tern_pair *pair, struct tern_rptr from, const struct tern_region *region,
                   void *to, uint32_t bytes, unsigned flags, uint64_t context);

/*
 * Posts a tern_compare_swap() or tern_fetch_add() in the same order. A failed comparison is no
 * error: the pair goes on. BAD_STATE, BAD_TYPE as above.
 */
int tern_pair_compare_swap(struct tern_pair *pair, struct tern_rptr at, uint64_t compare,
                           uint64_t swap, unsigned flags, uint64_t context);
int tern_pair_fetch_add(struct tern_pair *pair, struct tern_rptr at, uint64_t add, unsigned flags,
                        uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
