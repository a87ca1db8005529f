/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of queue pairs, and by polling. */
#ifndef TERN_PAIRS_H
#define TERN_PAIRS_H

#include <tern/pair.h>

#include "queue.h"

enum tern_letter_state { LETTER_FREE, LETTER_POSTED, LETTER_FLUSHED };

/* A buffer; its place is that of the reception entry whose message it gets. */
struct tern_letter {
    void *buffer;
    uint64_t context;
    uint32_t bytes;
    uint16_t queue; /* LETTER_FLUSHED: pair that it was lost with */
    uint8_t state;
};

struct tern_inbox {
    struct tern_work work; /* awake while it has lost buffers to tell of */
    struct tern_rq *rq;
    struct tern_letter *letters;
    struct tern_pair *pairs;
    uint32_t oldest, posted; /* counts */
    uint32_t ended;          /* of those between */
    uint32_t lost;           /* LETTER_FLUSHED: looked for only when there are some */
    uint32_t taken;          /* entries that the NIC had used when the only pair was shut */
    bool shared;
};

/* An operation that did not end well, until it is told or posted anew. */
struct tern_bad {
    uint32_t words[DESC_WORDS];
    struct tern_completion done;
    bool quiet; /* told of only by what comes after it */
};

struct tern_pair {
    /* all of its operations are posted for it; awake while it is broken or tries again */
    struct tern_work work;
    struct tern_end end;   /* of messages to it */
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
    enum tern_status bad_status; /* of what is told next */
    bool again;           /* `bad` is being posted anew */
    bool unlinked;        /* what is posted next is the first since the queue broke */
    bool begun;           /* the NIC had begun a message when the pair was shut */
    bool told, shut;      /* in error: the NIC knows; nothing of before is to be polled any more */
};

enum tern_pair_class { CLASS_NONE, CLASS_MESSAGE, CLASS_OTHER };

/* Tells the NIC what the pair is; gives back the entry of a message that had begun. */
int tern_pair_tell(struct tern_pair *pair, bool ready);
/* From here on the pair takes and sends nothing; the rest is done by who polls. */
void tern_pair_break(struct tern_pair *pair);
/* Nothing that was posted to it is out. */
bool tern_pair_is_quiet(const struct tern_pair *pair);
/* Posts what did not end well anew, if there is room for all of it. */
void tern_pair_again(struct tern_pair *pair);

/* ---- inbox.c */
/* A message arrived in an entry: its buffer has it.  False when there is none. */
bool tern_inbox_take(struct tern_inbox *inbox, struct tern_completion *out);
/* All buffers are lost, with pair `queue`; whose messages were written has been polled. */
void tern_inbox_flush(struct tern_inbox *inbox, uint16_t queue);
/* The buffer of reception entry `entry` is. */
void tern_inbox_lose(struct tern_inbox *inbox, uint32_t entry, uint16_t queue);
/* No buffer is posted, and the NIC has used `taken` entries. */
int tern_inbox_begin_anew(struct tern_inbox *inbox, uint32_t taken);

/* ---- how operations and messages end: pair_end.c */
/* Adds a new pair to its completion queue, and has messages to it found. */
void tern_pair_attach(struct tern_pair *pair, struct tern_cq *cq);

#endif
