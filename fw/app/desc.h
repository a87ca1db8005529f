/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: from the event to the handler of the opcode. */
#ifndef FW_APP_DESC_H
#define FW_APP_DESC_H

#include "fw.h"

/*
 * Starts the descriptor that `event` brings.  One completion place is free.  When it has
 * started, the handler has taken the place, seen to the slot and counted q->producer on;
 * when not, it ends with fw_desc_not_started.
 */
typedef void (*fw_desc_handler)(struct fw *fw, struct fw_queue *q, uint32_t event);

/* EV_DESC */
void fw_on_desc(struct fw *fw, uint32_t event);

void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event);

/* What an event that brings a put shows outside its slot and queue. */
#define FW_PUT_OTHERS (~(TERN_V(EV, slot, ~0u) | TERN_V(EV, queue, ~0u)))
#define FW_PUT_EVENT (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_PUT))

/* Whether `event` brings a put that fw_puts takes. */
static inline bool fw_is_put(uint32_t event)
{
    return (event & FW_PUT_OTHERS) == FW_PUT_EVENT;
}

/*
 * Starts the put of `event`, for which fw_is_put holds, and those that come right behind it.
 * The event it ended at, which is still to be handled, or 0.
 */
uint32_t fw_puts(struct fw *fw, uint32_t event);
void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event);
void fw_admin(struct fw *fw, struct fw_queue *q, uint32_t event);

/* `result` is an enum fw_result, or the status the descriptor completes with at once. */
void fw_desc_not_started(struct fw *fw, struct fw_queue *q, uint32_t event,
                         uint32_t result);

/* What a fence has to wait for: FW_STALL with the queue marked, or TERN_ST_OK. */
uint32_t fw_desc_fence(struct fw *fw, struct fw_queue *q, uint32_t event);

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
