/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: from the event to the handler of the opcode. */
#ifndef FW_APP_DESC_H
#define FW_APP_DESC_H

#include "fw.h"

/* A descriptor as its handler sees it. */
struct fw_desc {
    struct fw_queue *queue;
    uint32_t number; /* of the queue */
    uint32_t event;
};

/*
 * Starts a descriptor: a status code, or an enum fw_result.  OK: started, took its completion place
 * and sees to its slot.  Another status: nothing was taken, the caller completes with it.
 */
typedef uint32_t (*fw_desc_handler)(struct fw *fw, const struct fw_desc *d);

/* EV_DESC */
void fw_on_desc(struct fw *fw, uint32_t event);

/* The table of opcodes. */
uint32_t fw_desc_start(struct fw *fw, const struct fw_desc *d);

uint32_t fw_put(struct fw *fw, const struct fw_desc *d);
uint32_t fw_send(struct fw *fw, const struct fw_desc *d);
uint32_t fw_admin(struct fw *fw, const struct fw_desc *d);

/* Whether the destination is in the torus and the link towards it is up: OK, BAD_NODE or LINK_DOWN. */
uint32_t fw_node_status(const struct fw *fw, uint32_t node);

#endif
