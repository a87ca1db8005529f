/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: from the event to the handler of the opcode. */
#ifndef FW_APP_DESC_H
#define FW_APP_DESC_H

#include "fw.h"

/*
 * Starts the descriptor that `event` brings.  One completion place is free, and its fence is open.  When it has
 * started, the handler has taken the place, seen to the slot and counted q->producer on;
 * when not, it ends with fw_desc_not_started.
 */
typedef void (*fw_desc_handler)(struct fw *fw, struct fw_queue *q, uint32_t event);

#define PUT_COMMAND (TERN_V(TXC, type, TERN_PTYPE_PUT) | TERN_V(TXC, vn, TERN_VN_DATA))
/* SIGNAL, INLINE and UNACKED are the same bits in descriptor, event and command. */
#define PLAIN_FLAGS (TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_UNACKED)

/* Whether it brings bytes of another node, with what it asks for inline, and a refusal for want of a place is no end. */
static inline bool fw_opcode_reads(uint32_t opcode)
{
    return opcode == TERN_OP_READ || opcode == TERN_OP_LOOKUP;
}

/* EV_DESC */
void fw_on_desc(struct fw *fw, uint32_t event);

/* And atomic operations, reads and lookups. */
void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Takes events, starts puts and ends operations; sleeps when there is none, until the timer is due.
 * Returns the first event of another kind, or 0.  The caller has looked at the timer and
 * at fw->work.
 */
uint32_t fw_puts(struct fw *fw);
void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event);
void fw_bcast(struct fw *fw, struct fw_queue *q, uint32_t event);
void fw_admin(struct fw *fw, struct fw_queue *q, uint32_t event);

/* `result` is an enum fw_result, or the status the descriptor completes with at once. */
void fw_desc_not_started(struct fw *fw, struct fw_queue *q, uint32_t event,
                         uint32_t result);

/* Completes a descriptor that never started, with `value` as the completion's. */
void fw_desc_refuse(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status,
                    uint32_t value);

/* Completes a descriptor that ended well with nothing in flight. */
void fw_desc_finish(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Whether the destination is in the torus and the link towards it is up: OK, BAD_NODE or
 * LINK_DOWN.
 */
uint32_t fw_node_status(struct fw *fw, uint32_t node);

/* Register offset of the descriptor of `event`. */
static inline uint32_t fw_desc_words(uint32_t event)
{
    return tx_slot(TERN_F(EV, slot, event));
}

#endif
