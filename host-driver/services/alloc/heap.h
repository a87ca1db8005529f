/* SPDX-License-Identifier: Apache-2.0 */
/* A heap at a client, for the files of this folder. */
#ifndef TERN_ALLOC_HEAP_H
#define TERN_ALLOC_HEAP_H

#include "layout.h"

enum {
    HEAP_OPS = 16,          /* operations in flight */
    HEAP_WINDOW = 64,       /* headers in one READ */
    HEAP_TRIES = 64,
    HEAP_BLOCKS_TRIED = 8,
    HEAP_SENDS = 8,         /* puts in flight for the owner words of whole words */
    HEAP_STOCK_BUCKETS = 1024,
};

/* The heap of one pool. */
struct heap_part {
    struct tern_member *member;
    struct tern_pool_object object;
    struct heap_head head;
    uint64_t *known;               /* the last known header of each block; 0: never read */
    uint32_t block[HEAP_CLASSES];  /* block of the last success, plus 1 */
    uint32_t word[HEAP_CLASSES];
    uint32_t window;               /* window of headers to read next */
    unsigned distance;
    uint64_t bytes;                /* that this client has allocated there */
};

/* Memory of an operation that the member's NIC writes. */
struct heap_landing {
    uint64_t headers[HEAP_WINDOW];
    uint64_t map[HEAP_WORDS];
};

enum heap_step {
    STEP_HEADERS,      /* READ of a window of headers */
    STEP_HEADER,       /* READ of the header of a block */
    STEP_MAP,          /* READ of the block's map */
    STEP_HEADER_UP,    /* compare-and-swap of the header: used + 1 */
    STEP_HEADER_DOWN,  /* the same for used - 1, then `after` */
    STEP_MAP_SET,      /* compare-and-swap of a map word: sets the bit */
    STEP_MAP_CLEAR,
    STEP_TAKE,         /* TAKE of one slab */
    STEP_TAKE_WORD,    /* TAKE of all free slabs of a word, at most `most` */
    STEP_OWN,          /* compare-and-swap of the owner word */
    STEP_BIT,          /* the sum that clears the bit; not waited for */
    STEP_OWNER_PUT,    /* put of the owner word; not waited for */
    STEP_DONE,
};

/* An operation of several steps. */
struct heap_op {
    struct tern_steps steps; /* first */
    struct tern_heap *heap;
    struct heap_part *part;
    struct heap_landing *landing;
    enum heap_step step, after;
    struct tern_completion heard;
    bool answered;           /* `heard` is still to be judged */
    void (*judge)(struct heap_op *op);
    int status;              /* result */
    bool tailed;             /* the tail now ends the member's operation `entered` */
    bool ask;                /* it ended so that the caller asks the server */
    bool used, over, posted; /* `posted`: by tern_alloc_post() */
    uint64_t context;        /* the caller's */
    unsigned entered;

    unsigned klass;
    uint32_t most;           /* maximum slabs to take; 0: one, by TAKE */
    uint32_t want;           /* bits of the word that are to be taken, if `most` */
    uint64_t bytes;
    uint16_t node;

    uint32_t block, word, slab;
    uint64_t header, map;    /* the expected values */
    uint32_t tries, words, blocks, windows, asks;
    uint64_t passed[4];      /* blocks of the window that were tried, or do not fit */
    bool mapped;
    uint32_t generation, taken; /* taken: bits of the word */
    uint64_t own, own_new;
    bool big;                /* a big object is given back */
};

/* Slabs of a map word that this client has. */
struct heap_stock {
    struct heap_stock *next;           /* in its hash bucket */
    struct heap_stock *more, **link;   /* in the list of its class, while `free` has bits */
    struct heap_part *part;
    uint32_t block, word;
    unsigned klass;
    uint32_t mine, free;
    uint32_t generation[TERN_BLOCK_SLABS]; /* in the owner word */
    uint16_t ahead[TERN_BLOCK_SLABS];      /* allocations since then, which only this client
                                            * knows */
};

/* Puts of the owner words of one map word's slabs, one or several. */
struct heap_send {
    uint64_t own[TERN_BLOCK_SLABS];
    uint32_t under_way;
    unsigned entered;        /* the member's operation that they end */
    int status;              /* status of the first failed one */
};

/* Memory of a heap that the member's NIC reads and writes; registered. */
struct heap_memory {
    struct heap_landing landing[HEAP_OPS];
    struct heap_send send[HEAP_SENDS];
};

struct tern_heap {
    struct tern_heap_config config;
    struct heap_part *parts;
    unsigned count, turn;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct heap_memory *memory;
    struct tern_work tail;
    unsigned tail_out;
    struct heap_op op[HEAP_OPS];
    struct heap_stock *stock[HEAP_STOCK_BUCKETS];
    struct heap_stock *shelf[HEAP_CLASSES];  /* words with free slabs, by class */
    uint32_t shelved[HEAP_CLASSES];          /* their free slabs */
    struct tern_heap_counts counts;
};

/* ---- tail.c: operations that no step waits for */
void heap_tail_open(struct tern_heap *heap);
/*
 * Posts owner words for the slabs `bits` of a map word, with `generation` or, if not NULL, with
 * `generations`. Their end is the end of the member's operation `entered`. AGAIN: nothing was
 * posted.
 */
int heap_tail_own(struct tern_heap *heap, struct heap_part *part, unsigned entered, uint32_t block,
                  uint32_t word, uint32_t bits, const uint32_t *generations, uint32_t generation,
                  struct tern_holder holder);
/* Posts the sum that clears bits of a map word, fenced after all earlier posts. */
int heap_tail_clear(struct tern_heap *heap, struct heap_part *part, unsigned entered,
                    uint32_t block, uint32_t word, uint32_t bits, uint32_t frees);

/* ---- places.c: where things of a part are */
struct tern_rptr heap_header_rptr(const struct heap_part *part, uint32_t block);
struct tern_rptr heap_map_rptr(const struct heap_part *part, uint32_t block, uint32_t word);
struct tern_rptr heap_own_rptr(const struct heap_part *part, uint32_t block, uint32_t slab);
struct tern_ptr heap_slab_ptr(const struct heap_part *part, unsigned klass, uint32_t block,
                              uint32_t slab, uint32_t generation);
/* Returns the part that a pointer leads into, and the block; NULL: none. */
struct heap_part *heap_part_of(const struct tern_heap *heap, struct tern_ptr at, uint32_t *block);
/* Finds the slab at the pointer, in a block with that header. BAD_RANGE, STALE_POINTER. */
int heap_slab_of(const struct heap_part *part, uint64_t header, struct tern_ptr at,
                 uint32_t *slab);

/* ---- steps.c: posts a step, whichever path it belongs to */
int heap_step_post(struct heap_op *op);
/* Ends the operation with a status, or with a request to the server. */
void heap_op_fail(struct heap_op *op, int status);
void heap_op_ask(struct heap_op *op);
/* Takes a window of headers that was read; all its blocks can be chosen. */
void heap_window_heard(struct heap_op *op);
/* Goes on to the next window or, after the last, to the server. */
void heap_window_next(struct heap_op *op);
/* Makes this operation skip the block in later searches. */
void heap_pass(struct heap_op *op);
bool heap_is_passed(const struct heap_op *op, uint32_t block);
/* Counts a failed try.  False: the limit of tries is reached. */
bool heap_try_again(struct heap_op *op);
/* Judges the compare-and-swap that counts one slab fewer in use; the step after it is `after`. */
void heap_down_judge(struct heap_op *op);

/* ---- literal.c, fast.c, give.c: begin, and judge what was heard: they set the next step */
void heap_literal_begin(struct heap_op *op);
void heap_literal_judge(struct heap_op *op);
void heap_fast_begin(struct heap_op *op);
void heap_fast_judge(struct heap_op *op);
void heap_give_begin(struct heap_op *op);
void heap_give_judge(struct heap_op *op);

/* ---- ops.c: operations from beginning to end */
/* Returns a new operation; NULL: HEAP_OPS are in flight. */
struct heap_op *heap_op_new(struct tern_heap *heap, struct heap_part *part);
void heap_op_drop(struct heap_op *op);
/*
 * Runs an operation and waits for it, asking the server if necessary. Returns the status for the
 * caller.
 */
int heap_op_run(struct heap_op *op, void (*begin)(struct heap_op *op),
                void (*judge)(struct heap_op *op));
/* Starts an operation; op->over becomes true when it has ended. */
int heap_op_start(struct heap_op *op, void (*begin)(struct heap_op *op),
                  void (*judge)(struct heap_op *op));
/* After op->over. 1: the operation continues with the server's answer; else its result. */
int heap_op_result(struct heap_op *op);
/* Processes completions; waits up to `timeout_ms` for one. */
int heap_hear(struct tern_heap *heap, int timeout_ms);
/* Asks the server of a part; `ask->status` is the answer's. Returns as tern_member_ask(). */
int heap_ask_server(struct tern_heap *heap, struct heap_part *part, struct heap_ask *ask);
/* Turns a status of the heap's own operations into the one that the caller gets. */
int heap_told(struct heap_part *part, int status);

/* ---- alloc.c */
/* Returns the nth part to try for an allocation on `node` or any node; NULL: there are no more. */
struct heap_part *heap_part_nth(struct tern_heap *heap, uint16_t node, unsigned nth);

/* ---- stock.c: slabs allocated without an operation */
/* Puts the slabs of bits `taken` of a word into the stock, all of them free. */
struct heap_stock *heap_stock_add(struct tern_heap *heap, struct heap_part *part, uint32_t block,
                                  uint32_t word, unsigned klass, uint32_t taken,
                                  uint32_t generation);
bool heap_stock_get(struct tern_heap *heap, const struct heap_part *part, unsigned klass,
                    struct tern_ptr *at);
/*
 * Gives a slab back to the stock. Returns whether it belongs to the stock; `*status` is the result.
 */
bool heap_stock_give(struct tern_heap *heap, struct heap_part *part, uint32_t block, uint32_t slab,
                     uint32_t generation, int *status);
/* Returns the record of an allocated slab, with its published generation, if the stock has it. */
struct heap_stock *heap_stock_find(const struct tern_heap *heap, const struct heap_part *part,
                                   uint32_t block, uint32_t word);
/* Removes a slab that now belongs to another holder. */
void heap_stock_forget(struct tern_heap *heap, struct heap_stock *stock, uint32_t bit);
/* Gives back free slabs of a class until at most `most` remain. */
int heap_stock_trim(struct tern_heap *heap, unsigned klass, uint32_t most);
void heap_stock_close(struct tern_heap *heap);

#endif
