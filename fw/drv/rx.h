/* SPDX-License-Identifier: Apache-2.0 */
/* Packets for the firmware, and the acks it sends for them. */
#ifndef FW_DRV_RX_H
#define FW_DRV_RX_H

#include "hal.h"

struct rx {
    uint32_t ack_room; /* acks known to fit */
};

/* Returns word `word` of the header in receive slot `slot`. */
static inline uint32_t rx_header(uint32_t slot, unsigned word)
{
    return rd32(TERN_MMIO_RXSLOT + slot * TERN_MMIO_RXSLOT_STRIDE + 4 * word);
}

/* Returns word `word` of its payload. */
static inline uint32_t rx_payload(uint32_t slot, unsigned word)
{
    return rx_header(slot, TERN_PKT_HEADER_BYTES / 4 + word);
}

static inline bool rx_ack_ready(struct rx *rx)
{
    if (rx->ack_room == 0)
        rx->ack_room = rd32(TERN_MMIO_ACK_SPACE);
    return rx->ack_room != 0;
}

static inline void rx_free(uint32_t slot)
{
    wr32(TERN_MMIO_RX_FREE, slot);
}

/* Answers the packet in the slot and frees the slot. Call after rx_ack_ready. */
static inline void rx_answer(struct rx *rx, uint32_t slot, uint32_t status)
{
    rx->ack_room--;
    wr32(TERN_MMIO_RX_ACK, slot | status << 8);
    rx_free(slot);
}

/* Copies the request of a READ event into an own slot; `command`: RXC fields. */
static inline void rx_copy(uint32_t command)
{
    wr32(TERN_MMIO_RX_COPY, command);
}

/*
 * Passes the atomic operation of `event`, EV_RX, to the atomic unit. The unit has room for all
 * slots; it answers and frees the slot.
 */
static inline void rx_atomic(uint32_t event)
{
    wr32(TERN_MMIO_RX_ATOMIC, event);
}

/* Has the atomic unit walk for the LOOKUP in the slot; `command`: slot, tree, on, nodes of RXA. */
static inline void rx_walk(uint32_t command)
{
    wr32(TERN_MMIO_RX_ATOMIC, command | TERN_V(RXA, walk, 1) | TERN_V(RXA, add, 1));
}

#endif
