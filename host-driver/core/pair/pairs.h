/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of queue pairs, and by polling. */
#ifndef TERN_PAIRS_H
#define TERN_PAIRS_H

#include <tern/pair.h>

#include "queue.h"

enum tern_letter_state { LETTER_FREE, LETTER_POSTED, LETTER_FLUSHED };

/* A posted buffer; it has the same index as the reception entry whose message it receives. */
struct tern_letter {
    void *buffer;
    uint64_t context;
    uint32_t bytes;
    uint16_t queue; /* the pair whose error flushed the buffer (LETTER_FLUSHED) */
    uint8_t state;
};

struct tern_inbox {
    struct tern_work work; /* awake while flushed buffers have no completion yet */
    struct tern_rq *rq;
    struct tern_letter *letters;
    struct tern_pair *pairs;
    uint32_t oldest, posted; /* counts */
    uint32_t ended;          /* buffers from oldest to posted that have ended */
    uint32_t lost;           /* buffers in LETTER_FLUSHED; 0 saves the search for one */
    uint32_t taken;          /* entries that the NIC had used when the only pair was shut */
    bool shared;
};

/* A failed operation, kept until the library reports its failure or posts it again. */
struct tern_bad {
    uint32_t words[DESC_WORDS];
    struct tern_completion done;
    bool quiet; /* posted without TERN_DFLAG_SIGNAL */
};

struct tern_pair {
    /* owner of all operations of the pair; awake while it is broken or retries */
    struct tern_work work;
    struct tern_end end;   /* the end that completions of received messages name */
    struct tern_pair *next_of_inbox;
    struct tern_sq *sq;
    struct tern_inbox *inbox;
    struct tern_work *served; /* gets completions first, or NULL */
    struct tern_bad *bad; /* one entry for each place of the send queue */
    unsigned bad_count, bad_done;
    struct tern_pair_peer peer;
    enum tern_pair_state state;
    uint8_t kind;
    uint8_t last;         /* enum tern_pair_class of the last posted operation */
    uint16_t number, sequence;
    unsigned tries, tried;
    enum tern_status bad_status; /* of the next operation to report */
    bool again;           /* operations of `bad` are being posted again */
    bool unlinked;        /* the next operation is the first since the queue broke */
    bool begun;           /* the NIC had begun a message when the pair was shut */
    bool told, shut;      /* in error: the NIC has been told; all earlier completions were polled */
};

enum tern_pair_class { CLASS_NONE, CLASS_MESSAGE, CLASS_OTHER };

/* Writes the pair's state to the NIC; gives back the entry of a message that had begun. */
int tern_pair_tell(struct tern_pair *pair, bool ready);
/* Puts the pair into error: it accepts and sends nothing more; later polls do the rest. */
void tern_pair_break(struct tern_pair *pair);
/* Tells whether no operation of the pair is in flight. */
bool tern_pair_is_quiet(const struct tern_pair *pair);
/* Posts the failed operations again, if there is room for all of them. */
void tern_pair_again(struct tern_pair *pair);

/* ---- inbox.c */
/* Assigns an arrived message to the buffer of its entry.  False: no buffer is posted there. */
bool tern_inbox_take(struct tern_inbox *inbox, struct tern_completion *out);
/*
 * Flushes all posted buffers of the inbox of pair `queue`.  Call after every written message was
 * polled.
 */
void tern_inbox_flush(struct tern_inbox *inbox, uint16_t queue);
/* Flushes the buffer of reception entry `entry` alone. */
void tern_inbox_lose(struct tern_inbox *inbox, uint32_t entry, uint16_t queue);
/* Restarts an inbox without posted buffers after the `taken` entries that the NIC has used. */
int tern_inbox_begin_anew(struct tern_inbox *inbox, uint32_t taken);

/* ---- how operations and messages end: pair_end.c */
/* Adds a new pair to its completion queue, and to the table by which messages find it. */
void tern_pair_attach(struct tern_pair *pair, struct tern_cq *cq);

#endif
