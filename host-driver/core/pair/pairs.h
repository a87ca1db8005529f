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
    uint16_t queue; /* LETTER_FLUSHED: the pair whose error flushed it */
    uint8_t state;
};

struct tern_inbox {
    struct tern_work work; /* awake while flushed buffers have no completion yet */
    struct tern_rq *rq;
    struct tern_letter *letters;
    struct tern_pair *pairs;
    uint32_t oldest, posted; /* counts */
    uint32_t ended;          /* of those between */
    uint32_t lost;           /* LETTER_FLUSHED: looked for only when there are some */
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
    /* all of its operations are posted for it; awake while it is broken or tries again */
    struct tern_work work;
    struct tern_end end;   /* that completions of messages to the pair name */
    struct tern_pair *next_of_inbox;
    struct tern_sq *sq;
    struct tern_inbox *inbox;
    struct tern_work *served; /* hears of completions first, or NULL */
    struct tern_bad *bad; /* as many as the send queue has places */
    unsigned bad_count, bad_done;
    struct tern_pair_peer peer;
    enum tern_pair_state state;
    uint8_t kind;
    uint8_t last;         /* enum tern_pair_class of what was posted last */
    uint16_t number, sequence;
    unsigned tries, tried;
    enum tern_status bad_status; /* of the operation that is reported next */
    bool again;           /* `bad` is being posted anew */
    bool unlinked;        /* the next operation posted is the first since the queue broke */
    bool begun;           /* the NIC had begun a message when the pair was shut */
    bool told, shut;      /* in error: the NIC knows; all earlier completions were polled */
};

enum tern_pair_class { CLASS_NONE, CLASS_MESSAGE, CLASS_OTHER };

/* Tells the NIC what the pair is; gives back the entry of a message that had begun. */
int tern_pair_tell(struct tern_pair *pair, bool ready);
/* Puts the pair into error: it takes and sends nothing more; later polls do the rest. */
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
