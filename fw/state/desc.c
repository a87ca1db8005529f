/* SPDX-License-Identifier: Apache-2.0 */
#include "desc.h"

#include "cq.h"
#include "node.h"
#include "op.h"
#include "queue.h"

uint32_t fw_node_status(struct fw *fw, uint32_t node)
{
    unsigned port;

    if (!node_inside(node, fw->id.dims))
        return TERN_ST_BAD_NODE;
    if (fw->links_up == NODE_PORTS_ALL)
        return TERN_ST_OK;
    port = node_port(fw->id.node, node, fw->id.dims);
    if (port != NODE_PORT_NONE && !((fw->links_up >> port) & 1))
        return TERN_ST_LINK_DOWN;
    return TERN_ST_OK;
}

void fw_desc_finish(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t flags = TERN_F(DESC, flags, rd32(fw_desc_words(event)));
    struct done done = {.opcode = TERN_F(EV, opcode, event),
                        .queue = TERN_F(EV, queue, event),
                        .index = q->producer};

    FW_COUNT(fw, descs);
    q->producer++;
    tx_slot_free(TERN_F(EV, slot, event));
    if (flags & TERN_DFLAG_SIGNAL)
        fw_cq_tell(fw, q->cq, &done);
}

void fw_desc_refuse(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status,
                    uint32_t value)
{
    struct done done = {
        .status = status,
        .opcode = TERN_F(EV, opcode, event),
        .queue = TERN_F(EV, queue, event),
        .index = q->producer,
        .value = value,
        .fault = done_fault_side(status, false),
    };

    if (!(q->flags & QUEUE_ADMIN))
        done.node = rd32(fw_desc_words(event) + 4 * TERN_DESC_dst_node_WORD);
    if (status == TERN_ST_LINK_DOWN) {
        done.link = fw_op_port_down(fw, TERN_F(EV, slot, event)) + 1;
        done.node = fw->id.node;
    }
    FW_COUNT(fw, descs);
    fw_queue_decide(fw, done.queue, rd32(fw_desc_words(event)));
    q->producer++;
    tx_slot_free(TERN_F(EV, slot, event));
    fw_cq_tell(fw, q->cq, &done);
}

void fw_desc_not_started(struct fw *fw, struct fw_queue *q, uint32_t event,
                         uint32_t result)
{
    if (result == FW_HOLD) {
        fw->held = event;
        fw->work |= WORK_HELD;
    } else if (result == FW_STALL) {
        tx_slot_free(TERN_F(EV, slot, event));
        fw_queue_stall(fw, TERN_F(EV, queue, event));
        q->producer++;
    } else {
        fw_desc_refuse(fw, q, event, result, 0);
    }
}

