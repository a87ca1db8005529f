/* SPDX-License-Identifier: Apache-2.0 */
#include "reply.h"

#include "op.h"
#include "tick.h"

#define INLINE_WORD (TERN_INLINE_OFFSET / 4)

bool fw_reply_room(const struct fw *fw)
{
    return (uint8_t)(fw->reply_last - fw->reply_first) < FW_REPLIES;
}

void fw_reply(struct fw *fw, const struct fw_reply *reply)
{
    fw->reply[fw->reply_last++ % FW_REPLIES] = *reply;
    fw->work |= WORK_REPLY;
}

/* A free slot of the firmware's own, counted from the first of them; all of them: none. */
static uint32_t own_free(const struct fw *fw)
{
    uint32_t n = 0;

    while (n < fw->id.own_slots && fw->own_busy >> n & 1)
        n++;
    return n;
}

static void write_words(uint32_t slot, const struct fw_reply *reply)
{
    uint32_t at = tx_slot(slot);

    wr32(at, TERN_V(DESC, opcode, reply->opcode) |
                 TERN_V(DESC, flags, TERN_DFLAG_INLINE | TERN_DFLAG_IMM) |
                 TERN_V(DESC, inline_len, TERN_CHECKIN_BYTES));
    wr32(at + 4 * TERN_DESC_dst_queue_WORD, TERN_V(DESC, dst_queue, reply->to));
    wr32(at + 4 * TERN_DESC_dst_node_WORD, reply->node);
    wr32(at + 4 * TERN_CHK_pass_WORD, reply->pass);
    wr32(at + 4 * TERN_CHK_area_WORD, reply->where);
    for (unsigned i = 0; i < TERN_CHECKIN_BYTES / 4; i++)
        wr32(at + 4 * (INLINE_WORD + i), reply->value[i]);
}

static void start_own(struct fw *fw, uint32_t n)
{
    const struct fw_reply *reply = &fw->reply[fw->reply_first++ % FW_REPLIES];
    uint32_t slot = fw->id.slots + n;
    uint32_t type = reply->opcode == TERN_OP_SEND ? TERN_PTYPE_SEND : TERN_PTYPE_CHECKIN;

    write_words(slot, reply);
    fw->own_busy |= (uint8_t)(1u << n);
    fw_op_mark(fw, slot, OP_OWN);
    fw->op[slot].idle = 0;
    tx_start(&fw->tx, TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_REQUEST) |
                          TERN_V(TXC, type, type) | TERN_V(TXC, inl, 1) |
                          TERN_V(TXC, notify, 1) | TERN_V(TXC, msg, 1));
    FW_COUNT(fw, replies);
    fw_tick_hurry(fw);
}

void fw_replies_work(struct fw *fw)
{
    while (fw->reply_first != fw->reply_last) {
        uint32_t n = own_free(fw);

        if (n == fw->id.own_slots)
            break; /* one that ends goes on with it */
        if (!tx_ready(&fw->tx))
            return;
        start_own(fw, n);
    }
    fw->work &= ~(uint32_t)WORK_REPLY;
}

void fw_reply_ended(struct fw *fw, uint32_t slot)
{
    fw->own_busy &= (uint8_t)~(1u << (slot - fw->id.slots));
    fw_op_mark(fw, slot, 0);
    if (fw->reply_first != fw->reply_last)
        fw->work |= WORK_REPLY;
}
