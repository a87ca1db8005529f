/* SPDX-License-Identifier: Apache-2.0 */
/* Packets in receive slots: their writes to host memory, their answers. */
#ifndef FW_STATE_MESSAGES_IN_H
#define FW_STATE_MESSAGES_IN_H

#include "checkin.h"
#include "cq.h"
#include "fw.h"

/* Handles the end of the write of a receive slot's payload to its ring. */
void fw_recv_written(struct fw *fw, uint32_t slot, uint32_t status);

/* Tells whether the packet in the slot is for an earlier incarnation of this node. */
static inline bool fw_recv_is_stale(const struct fw *fw, uint32_t slot)
{
    uint32_t wanted = TERN_F(PKT, incarnation, rx_header(slot, TERN_PKT_incarnation_WORD));

    return wanted != 0 && wanted != fw->id.incarnation;
}

/*
 * Reads the message in the slot as words 6 to 15 of the descriptor that it came from: two from the
 * header, the others from its first 32 bytes.
 */
static inline void fw_message_words(uint32_t slot, uint32_t w[TERN_DESC_BYTES / 4])
{
    w[TERN_DESC_remote_key_WORD] = rx_header(slot, TERN_PKT_key_WORD);
    w[TERN_GET_area_WORD] = rx_header(slot, TERN_PKT_addr_WORD);
    for (unsigned i = 0; i < TERN_INLINE_BYTES_MAX / 4; i++)
        w[TERN_INLINE_OFFSET / 4 + i] = rx_payload(slot, i);
}

/* Reads the check-in in the slot. */
static inline void fw_checkin_read(uint32_t slot, struct checkin *c)
{
    checkin_decode(c, rx_header(slot, TERN_PKT_addr_WORD), rx_header(slot, TERN_PKT_addr_WORD + 1),
                   rx_header(slot, TERN_PKT_key_WORD));
}

/* Returns OK, or the status with which the queue refuses every message. */
static inline uint32_t fw_rq_status(const struct fw_queue *rq)
{
    if (rq->type == TERN_QTYPE_RQ)
        return rq->flags & (QUEUE_CLOSING | QUEUE_DYING) ? TERN_ST_BAD_QUEUE : TERN_ST_OK;
    return rq->type == TERN_QTYPE_NONE ? TERN_ST_BAD_QUEUE : TERN_ST_BAD_TYPE;
}

/* Returns OK if the queue has an entry and its completion queue has room, else RNR. */
static inline uint32_t fw_rq_room(struct fw *fw, uint32_t number)
{
    struct fw_queue *rq = &fw->queue[number];

    if (rq->room == 0 && !fw_rq_refill(fw, number))
        return TERN_ST_RNR;
    return fw_cq_ready(fw, rq->cq) ? TERN_ST_OK : TERN_ST_RNR;
}

/* Writes the payload of the packet in `slot` to offset `at` of entry `entry` of the queue. */
void fw_recv_place(struct fw *fw, uint32_t slot, uint32_t number, uint32_t entry, uint32_t at,
                   uint32_t bytes);

/* Writes the completion of the message of `bytes` that ends with the packet in `slot`; returns
 * `status`. */
uint32_t fw_recv_tell(struct fw *fw, uint32_t slot, uint32_t cq, uint32_t bytes, uint32_t status);

/* Answers the packet with `status`, as soon as possible. */
void fw_recv_refuse(struct fw *fw, uint32_t slot, uint32_t status);

#endif
