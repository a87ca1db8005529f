/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs, as far as they receive: a queue number that stands for a reception FIFO, and says whose messages land
 * there, and in which order.  What sends is a send queue like any other.
 */
#ifndef FW_APP_PAIR_H
#define FW_APP_PAIR_H

#include "fw.h"

/* A packet of a message for a queue, and where it goes. */
struct fw_letter {
    struct fw_queue *q, *rq; /* that it names; where it lands, the same if that is no pair */
    uint32_t number;         /* of the latter */
    uint32_t header;         /* where it stands */
    uint32_t word;           /* PAR; of what is alone: 0 */
    uint32_t bytes, end;     /* of it; of the message up to its end */
    bool fits;
};

/* Reads what the packet in `slot` is to queue `number`. */
void fw_letter_read(struct fw *fw, uint32_t slot, uint32_t number, struct fw_letter *letter);

/* A pair with a free number, which takes nothing yet. */
void fw_pair_open(struct fw *fw, uint32_t number, uint32_t fn);

static inline bool fw_is_pair(const struct fw_letter *letter)
{
    return letter->q != letter->rq;
}

/* Whether the next packet belongs to a message that has an entry, or to one that gets it. */
static inline bool fw_pair_goes_on(const struct fw_queue *q)
{
    return q->type == TERN_QTYPE_PAIR && q->form & PAIR_BEGUN;
}

/* Whether what finds no room is dropped. */
static inline bool fw_pair_drops(const struct fw_queue *q)
{
    return q->type == TERN_QTYPE_PAIR && (q->form & PAIR_KIND) != TERN_PAIR_RC;
}

/* Whether the pair may take the packet now, if there is room. */
uint32_t fw_pair_admit(const struct fw_letter *letter);

/* It does, into `entry`. */
void fw_pair_begin(const struct fw_letter *letter, uint32_t entry);

/* It has been written, or not; `status` becomes what it ends with.  Whether the host is told. */
bool fw_pair_written(const struct fw_letter *letter, uint32_t *status);

/*
 * Whether a message of the same send queue that was posted before the one in descriptor slot `slot` is still out
 * (OP_SEND), or waits (OP_WAITS): this one has to come after it.
 */
bool fw_pair_is_behind(const struct fw *fw, uint32_t slot, uint32_t flag);

#endif
