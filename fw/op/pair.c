/* SPDX-License-Identifier: Apache-2.0 */
#include "pair.h"

#include "cq.h"
#include "queue_hw.h"
#include "messages_in.h"

/* A packet of a message for a pair, and its destination. */
struct letter {
    struct fw_queue *q, *rq; /* the pair; its reception FIFO */
    uint32_t slot;
    uint32_t word;           /* PAR; 0 for a datagram */
    uint32_t bytes, end;     /* of the packet; of the message up to this packet's end */
    bool fits;
};

static uint32_t kind_of(const struct fw_queue *q)
{
    return q->form & PAIR_KIND;
}

static inline __attribute__((always_inline)) void letter_read(struct fw *fw, uint32_t slot,
                                                              struct letter *letter)
{
    struct fw_queue *q = &fw->queue[fw->rx_queue[slot]];

    letter->q = q;
    letter->rq = &fw->queue[q->rq];
    letter->slot = slot;
    letter->word = kind_of(q) == TERN_PAIR_UD ? 0 : rx_header(slot, TERN_PKT_key_WORD);
    letter->bytes = TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD));
    letter->end = TERN_F(PAR, part, letter->word) * fw->id.payload_max + letter->bytes;
    letter->fits = letter->end <= 1u << letter->rq->log2_bytes;
}

void fw_pair_open(struct fw *fw, uint32_t number, uint32_t fn)
{
    FW_USED(fw, queues)++;
    queue_hw_forget(number);
    fw->queue[number] = (struct fw_queue){.type = TERN_QTYPE_PAIR, .fn = (uint8_t)fn};
}

/* Returns node and send queue of the sender, as its chip wrote them; for datagrams, the Q_Key. */
static uint32_t sender_of(const struct letter *letter)
{
    if (kind_of(letter->q) == TERN_PAIR_UD)
        return rx_header(letter->slot, TERN_PKT_key_WORD);
    return TERN_F(PKT, src, rx_header(letter->slot, TERN_PKT_src_WORD)) |
           (rx_header(letter->slot, TERN_PKT_addr_WORD + 1) & 0xffff0000);
}

/* Tells whether this is the packet expected next. */
static bool is_next(const struct letter *letter)
{
    const struct fw_queue *q = letter->q;
    bool next = TERN_F(PAR, sequence, letter->word) == q->expected;

    if (TERN_F(PAR, part, letter->word) == 0)
        return next || kind_of(q) == TERN_PAIR_UC;
    return next && q->form & PAIR_BEGUN;
}

/* Returns whether the pair may take it now, apart from room. */
static uint32_t admit(const struct letter *letter)
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

/* Takes the packet: the first of a message takes an entry, the others go to the same entry. */
static uint32_t take(struct fw *fw, const struct letter *letter)
{
    struct fw_queue *q = letter->q, *rq = letter->rq;

    if (!(q->form & PAIR_BEGUN)) {
        if (fw_rq_room(fw, q->rq) != TERN_ST_OK)
            return TERN_ST_RNR;
        rq->room--;
        q->entry = (uint16_t)rq->producer++;
    } else if (!fw_cq_ready(fw, rq->cq)) {
        return TERN_ST_RNR;
    }
    q->users++;
    q->expected = (uint16_t)(letter->word + 1);
    q->form &= (uint8_t)~PAIR_BEGUN;
    if (TERN_F(PAR, more, letter->word))
        q->form |= PAIR_BEGUN;
    fw_recv_place(fw, letter->slot, q->rq, q->entry, letter->end - letter->bytes,
                  letter->fits ? letter->bytes : 0);
    return FW_LATER;
}

uint32_t fw_pair_take(struct fw *fw, uint32_t slot)
{
    struct letter letter;
    uint32_t status;

    letter_read(fw, slot, &letter);
    status = fw_rq_status(letter.rq);
    if (status != TERN_ST_OK)
        return status;
    if (letter.rq->fn != letter.q->fn || letter.q->flags & (QUEUE_CLOSING | QUEUE_DYING))
        return TERN_ST_BAD_QUEUE;
    status = admit(&letter);
    if (status == TERN_ST_OK)
        status = take(fw, &letter);
    if (status == TERN_ST_RNR && kind_of(letter.q) != TERN_PAIR_RC) {
        FW_COUNT(fw, rnr_sent);
        return TERN_ST_OK;
    }
    return status;
}

/* Decides the status of a written packet; returns whether the host gets a completion. */
static bool is_told(const struct letter *letter, uint32_t *status)
{
    struct fw_queue *q = letter->q;

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

uint32_t fw_pair_written(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct letter letter;
    bool told;

    letter_read(fw, slot, &letter);
    letter.q->users--;
    letter.rq->users--;
    told = is_told(&letter, &status);
    if (letter.rq->flags & QUEUE_DYING)
        return TERN_ST_FLUSHED;
    if (told)
        return fw_recv_tell(fw, slot, letter.rq->cq, letter.end, status);
    fw_cq_return(&fw->queue[letter.rq->cq]);
    FW_COUNT(fw, recvs);
    return status;
}

