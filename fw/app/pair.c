/* SPDX-License-Identifier: Apache-2.0 */
#include "pair.h"

#include "queue_hw.h"
#include "rx.h"

static uint32_t kind_of(const struct fw_queue *q)
{
    return q->form & PAIR_KIND;
}

void fw_letter_read(struct fw *fw, uint32_t slot, uint32_t number, struct fw_letter *letter)
{
    uint32_t header = TERN_MMIO_RXSLOT + slot * TERN_MMIO_RXSLOT_STRIDE;
    struct fw_queue *q = &fw->queue[number], *rq = q;

    letter->q = q;
    letter->header = header;
    letter->word = 0;
    if (q->type == TERN_QTYPE_PAIR) {
        number = q->rq;
        rq = &fw->queue[number];
        if (kind_of(q) != TERN_PAIR_UD)
            letter->word = rd32(header + 4 * TERN_PKT_key_WORD);
    }
    letter->rq = rq;
    letter->number = number;
    letter->bytes = TERN_F(PKT, length, rd32(header + 4 * TERN_PKT_length_WORD));
    letter->end = TERN_F(PAR, part, letter->word) * fw->id.payload_max + letter->bytes;
    letter->fits = letter->end <= 1u << rq->log2_bytes;
}

void fw_pair_open(struct fw *fw, uint32_t number, uint32_t fn)
{
    FW_USED(fw, queues)++;
    queue_hw_forget(number);
    fw->queue[number] = (struct fw_queue){.type = TERN_QTYPE_PAIR, .fn = (uint8_t)fn};
}

/* Node and send queue, as their chip wrote them; for datagrams, the key. */
static uint32_t sender_of(const struct fw_letter *letter)
{
    if (kind_of(letter->q) == TERN_PAIR_UD)
        return rd32(letter->header + 4 * TERN_PKT_key_WORD);
    return TERN_F(PKT, src, rd32(letter->header + 4 * TERN_PKT_src_WORD)) |
           (rd32(letter->header + 4 * (TERN_PKT_addr_WORD + 1)) & 0xffff0000);
}

/* Whether it is the packet that comes next. */
static bool is_next(const struct fw_letter *letter)
{
    const struct fw_queue *q = letter->q;
    bool next = TERN_F(PAR, sequence, letter->word) == q->expected;

    if (TERN_F(PAR, part, letter->word) == 0)
        return next || kind_of(q) == TERN_PAIR_UC;
    return next && q->form & PAIR_BEGUN;
}

uint32_t fw_pair_admit(const struct fw_letter *letter)
{
    const struct fw_queue *q = letter->q;

    if (!(q->form & PAIR_READY))
        return TERN_ST_BAD_STATE;
    if (sender_of(letter) != q->peer)
        return TERN_ST_NOT_PEER;
    if (kind_of(q) == TERN_PAIR_UD)
        return letter->fits ? TERN_ST_OK : TERN_ST_MSG_TOO_LONG;
    if (is_next(letter))
        return TERN_ST_OK;
    return kind_of(q) == TERN_PAIR_RC ? TERN_ST_EARLY : TERN_ST_RNR;
}

void fw_pair_begin(const struct fw_letter *letter, uint32_t entry)
{
    struct fw_queue *q = letter->q;

    q->users++;
    q->entry = (uint16_t)entry;
    q->expected = (uint16_t)(letter->word + 1);
    q->form &= (uint8_t)~PAIR_BEGUN;
    if (TERN_F(PAR, more, letter->word))
        q->form |= PAIR_BEGUN;
}

bool fw_pair_written(const struct fw_letter *letter, uint32_t *status)
{
    struct fw_queue *q = letter->q;

    q->users--;
    if (!(q->form & PAIR_READY)) {
        *status = TERN_ST_FLUSHED;
        return TERN_F(PAR, part, letter->word) == 0;
    }
    if (!letter->fits)
        *status = TERN_ST_MSG_TOO_LONG;
    if (*status == TERN_ST_OK)
        return !TERN_F(PAR, more, letter->word);
    q->form &= (uint8_t)~(PAIR_READY | PAIR_BEGUN);
    return true;
}

bool fw_pair_is_behind(const struct fw *fw, uint32_t slot, uint32_t flag)
{
    uint32_t queue = tx_slot_queue(slot), index = rd32(tx_slot(slot) + 4 * TERN_DESC_index_WORD);

    for (uint32_t other = fw->id.slots; other-- > 0;)
        if (fw->op[other].flags & flag && tx_slot_queue(other) == queue &&
            (int16_t)(rd32(tx_slot(other) + 4 * TERN_DESC_index_WORD) - index) < 0)
            return true;
    return false;
}
