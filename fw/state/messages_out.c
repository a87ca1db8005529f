/* SPDX-License-Identifier: Apache-2.0 */
#include "messages_out.h"

#include "clock.h"
#include "slots.h"

#define INLINE_WORD (TERN_INLINE_OFFSET / 4)

bool fw_reply_room(const struct fw *fw)
{
    return (uint8_t)(fw->reply_last - fw->reply_first) + fw->reply_owed < FW_REPLIES;
}

void fw_reply(struct fw *fw, const struct fw_reply *reply)
{
    fw->reply[fw->reply_last++ % FW_REPLIES] = *reply;
    fw->work |= WORK_REPLY;
}

/* Takes a free own slot: the first if possible, since reads cannot use that one; 0: none. */
static uint32_t own_take(struct fw *fw)
{
    uint32_t slot = fw->id.slots;

    if (fw->own_busy & 1) {
        slot = fw->own_free;
        if (slot == 0)
            return 0;
        fw->own_free = fw->op[slot].next;
    }
    fw->own_busy |= (uint8_t)(1u << (slot - fw->id.slots));
    return slot;
}

static void write_words(uint32_t slot, const struct fw_reply *reply)
{
    uint32_t at = tx_slot(slot);
    unsigned words;

    wr32(at, TERN_V(DESC, opcode, reply->opcode) |
                 TERN_V(DESC, flags, TERN_DFLAG_INLINE | TERN_DFLAG_IMM) |
                 TERN_V(DESC, inline_len, reply->bytes));
    wr32(at + 4 * TERN_DESC_dst_queue_WORD, TERN_V(DESC, dst_queue, reply->to));
    wr32(at + 4 * TERN_DESC_dst_node_WORD, reply->node);
    wr32(at + 4 * TERN_CHK_pass_WORD, reply->pass);
    wr32(at + 4 * TERN_CHK_area_WORD, reply->where);
    wr32(at + 4 * TERN_DESC_length_WORD, reply->bytes);
    /* Messages that are sent by reference name the address of their bytes here. */
    words = reply->bytes <= TERN_INLINE_BYTES_MAX ? (reply->bytes + 3u) / 4
                                                  : TERN_INLINE_BYTES_MAX / 4;
    for (unsigned i = 0; i < words; i++)
        wr32(at + 4 * (INLINE_WORD + i), reply->value[i]);
}

/* Starts the message that the words in the own slot describe. */
static void start_own(struct fw *fw, uint32_t slot)
{
    uint32_t opcode = TERN_F(DESC, opcode, rd32(tx_slot(slot)));
    uint32_t type = fw_send_type(opcode);

    fw_op_mark(fw, slot, OP_OWN);
    fw->op[slot].idle = 0;
    tx_start(&fw->tx, TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_REQUEST) |
                          TERN_V(TXC, type, type) | TERN_V(TXC, inl, opcode != TERN_OP_RELAY) |
                          TERN_V(TXC, notify, 1) | TERN_V(TXC, msg, 1));
    FW_COUNT(fw, replies);
    fw_tick_hurry(fw);
}

void fw_replies_work(struct fw *fw)
{
    while (fw->reply_first != fw->reply_last) {
        uint32_t slot;

        if (!tx_ready(&fw->tx))
            return;
        slot = own_take(fw);
        if (slot == 0)
            break; /* the next own slot that ends continues here */
        write_words(slot, &fw->reply[fw->reply_first++ % FW_REPLIES]);
        fw->op[slot].attempts = 0;
        start_own(fw, slot);
    }
    fw->work &= ~(uint32_t)WORK_REPLY;
}

void fw_own_ended(struct fw *fw, uint32_t slot)
{
    fw->own_busy &= (uint8_t)~(1u << (slot - fw->id.slots));
    fw->op[slot].flags = OP_OWN;
    if (slot != fw->id.slots)
        fw_own_give(fw, slot);
    if (fw->reply_first != fw->reply_last)
        fw->work |= WORK_REPLY;
}

bool fw_replies_tick(struct fw *fw)
{
    for (uint32_t slot = fw->id.slots; slot < fw->id.slots + fw->id.own_slots; slot++) {
        struct fw_op *op = &fw->op[slot];

        if (!(op->flags & OP_WAITS) || --op->wait != 0)
            continue;
        op->wait = 1; /* no room: try again at the next tick */
        if (tx_ready(&fw->tx))
            start_own(fw, slot);
    }
    return fw->own_busy != 0;
}
