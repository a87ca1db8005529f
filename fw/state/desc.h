/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: end of one that did not start, and functions shared by handlers of opcodes. */
#ifndef FW_STATE_DESC_H
#define FW_STATE_DESC_H

#include "fw.h"

/*
 * Starts the descriptor of `event`. The caller ensured that one completion entry is free and that
 * its fence is open. If it starts, the handler takes the entry, takes over the slot and increments
 * q->producer. Otherwise it ends with fw_desc_not_started.
 */
typedef void (*fw_desc_handler)(struct fw *fw, struct fw_queue *q, uint32_t event);

#define PUT_COMMAND (TERN_V(TXC, type, TERN_PTYPE_PUT) | TERN_V(TXC, vn, TERN_VN_DATA))
/* SIGNAL, INLINE and UNACKED are the same bits in descriptor, event and command. */
#define PLAIN_FLAGS (TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_UNACKED)

/*
 * Ends a descriptor that did not start; `result`: enum fw_result, or the status to complete with.
 */
void fw_desc_not_started(struct fw *fw, struct fw_queue *q, uint32_t event,
                         uint32_t result);

/* Completes a descriptor that never started, with `value` as the completion's. */
void fw_desc_refuse(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status,
                    uint32_t value);

/* Completes a descriptor that ended well with nothing in flight. */
void fw_desc_finish(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Checks that the destination is in the torus and the link towards it is up: OK, BAD_NODE or
 * LINK_DOWN.
 */
uint32_t fw_node_status(struct fw *fw, uint32_t node);

/* Returns the register offset of the descriptor of `event`. */
static inline uint32_t fw_desc_words(uint32_t event)
{
    return tx_slot(TERN_F(EV, slot, event));
}

#endif
