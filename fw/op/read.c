/* SPDX-License-Identifier: Apache-2.0 */
#include "read.h"

#include "clock.h"
#include "messages_in.h"
#include "messages_out.h"
#include "sample.h"
#include "slots.h"

/* Ticks that a read may hold back other packets. */
#define PATIENCE_TICKS 2u

/*
 * Names the own slot into which the chip copies the next read, and fetches its bytes, before the
 * firmware takes the read's event.  A second own slot stays free for reads that arrived earlier and
 * that the chip did not copy.
 */
static void name_next(struct fw *fw)
{
    uint32_t slot = fw->own_free;

    if (fw->own_next != 0 || slot == 0 || fw->op[slot].next == 0)
        return;
    fw->own_free = fw->op[slot].next;
    fw->own_next = (uint8_t)slot;
    rx_copy(TERN_V(RXC, next, 1) | TERN_V(RXC, slot, slot));
}

bool fw_read_left(struct fw *fw, uint32_t slot)
{
    if (fw_sample_is_due(fw))
        return false;
    rx_free(fw->op[slot].from);
    fw_own_give(fw, slot);
    name_next(fw);
    return true;
}

/*
 * Tells whether a read may wait, and with it all later events.  It may not if this node waits for a
 * receive slot: the events that would free one come later.
 */
static bool is_held(struct fw *fw, uint32_t event)
{
    if (fw->rx_held != event)
        fw->rx_since = fw->ticks;
    fw->rx_held = event;
    if ((uint8_t)(fw->ticks - fw->rx_since) > PATIENCE_TICKS || fw_ops_wait_here(fw))
        return false;
    fw->work |= WORK_RX_HELD;
    return true;
}

_Static_assert(TERN_EV_walked_LSB == TERN_RXC_found_LSB,
               "what was walked to is copied as what was found");

void fw_read_began(struct fw *fw, uint32_t slot, uint32_t from)
{
    fw->op[slot] = (struct fw_op){.flags = OP_OWN | OP_SERVES, .from = (uint8_t)from};
    name_next(fw);
    if (!fw->tick_fast) /* saves a call */
        fw_tick_hurry(fw);
}

static void begin(struct fw *fw, uint32_t slot, uint32_t event)
{
    if (!TERN_F(EV, copied, event)) {
        rx_copy(event | TERN_V(RXC, slot, slot));
        fw->own_free = fw->op[slot].next;
    }
    tx_start(&fw->tx, READ_REPLY_COMMAND | TERN_V(TXC, slot, slot));
    fw_read_began(fw, slot, TERN_F(EV, rxslot, event));
}

void fw_read_asked(struct fw *fw, uint32_t event)
{
    bool copied = TERN_F(EV, copied, event);
    uint32_t slot = copied ? fw->own_next : fw->own_free, from = TERN_F(EV, rxslot, event);
    uint32_t status = TERN_F(EV, found, event) ? TERN_ST_OK : fw_read_status(fw, from);

    if (status == TERN_ST_OK && (slot == 0 || !tx_ready(&fw->tx))) {
        if (is_held(fw, event))
            return;
        status = TERN_ST_RNR;
        FW_COUNT(fw, rnr_sent);
    }
    fw->rx_held = 0;
    if (copied)
        fw->own_next = 0;
    if (status == TERN_ST_OK) {
        begin(fw, slot, event);
        return;
    }
    fw_recv_refuse(fw, from, status);
    if (copied)
        fw_own_give(fw, slot);
}

void fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    if (status != TERN_ST_OK) {
        fw_recv_refuse(fw, fw->op[slot].from, status);
    } else {
        if (fw_sample_is_due(fw))
            fw_sample_take(fw, fw->op[slot].from);
        rx_free(fw->op[slot].from);
    }
    fw_own_ended(fw, slot);
}

