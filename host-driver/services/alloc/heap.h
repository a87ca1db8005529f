/* SPDX-License-Identifier: Apache-2.0 */
/* A heap where it is used, for the files of this folder. */
#ifndef TERN_ALLOC_HEAP_H
#define TERN_ALLOC_HEAP_H

#include "layout.h"

enum {
    HEAP_OPS = 16,          /* under way at a time */
    HEAP_WINDOW = 64,       /* headers that one READ brings */
    HEAP_TRIES = 64,
    HEAP_BLOCKS_TRIED = 8,
    HEAP_SENDS = 8,         /* puts of owner words of a whole word under way */
    HEAP_STOCK_BUCKETS = 1024,
};

/* The heap of one pool. */
struct heap_part {
    struct tern_member *member;
    struct tern_pool_object object;
    struct heap_head head;
    uint64_t *known;               /* a header for each block; 0: never met */
    uint32_t block[HEAP_CLASSES];  /* plus one: that was good last */
    uint32_t word[HEAP_CLASSES];
    uint32_t window;               /* where headers are read next */
    unsigned distance;
    uint64_t bytes;                /* that this client has of it */
};

/* Memory of an operation that its NIC writes. */
struct heap_landing {
    uint64_t headers[HEAP_WINDOW];
    uint64_t map[HEAP_WORDS];
};

enum heap_step {
    STEP_HEADERS,      /* READ of a window of headers */
    STEP_HEADER,       /* READ of the header of a block */
    STEP_MAP,          /* READ of its map */
    STEP_HEADER_UP,    /* compare-and-swap: used + 1 */
    STEP_HEADER_DOWN,  /* used - 1, then `after` */
    STEP_MAP_SET,      /* compare-and-swap of a map word: the bit */
    STEP_MAP_CLEAR,
    STEP_TAKE,         /* of one slab */
    STEP_TAKE_WORD,    /* of all that are free, at most `most` */
    STEP_OWN,          /* compare-and-swap of the owner word */
    STEP_BIT,          /* the sum that gives the slab back; not waited for */
    STEP_OWNER_PUT,    /* not waited for */
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
    bool answered;           /* `heard` has not been judged */
    void (*judge)(struct heap_op *op);
    int status;              /* how it ends */
    bool tailed;             /* `entered` is the tail's now */
    bool ask;                /* it ends because the server has to be asked */
    bool used, over, posted; /* `posted`: for tern_heap_poll() */
    uint64_t context;        /* of the caller */
    unsigned entered;

    unsigned klass;
    uint32_t most;           /* slabs at a time; 0: one, by TAKE */
    uint32_t want;           /* bits of the word that are to be taken, if `most` */
    uint64_t bytes;
    uint16_t node;

    uint32_t block, word, slab;
    uint64_t header, map;    /* as thought to be */
    uint32_t tries, words, blocks, windows, asks;
    uint64_t passed[4];      /* blocks of the window that were tried, or are of no use */
    bool mapped;
    uint32_t generation, taken; /* taken: bits of the word */
    uint64_t own, own_new;
    bool big;                /* what is given is a big object */
};

/* Slabs of a map word that this client has. */
struct heap_stock {
    struct heap_stock *next;           /* in its bucket */
    struct heap_stock *more, **link;   /* of the class, while `free` has bits */
    struct heap_part *part;
    uint32_t block, word;
    unsigned klass;
    uint32_t mine, free;
    uint32_t generation[TERN_BLOCK_SLABS]; /* as published */
    uint16_t ahead[TERN_BLOCK_SLABS];      /* given out again since */
};

/* Owner words of a map word's slabs, put in one piece or several. */
struct heap_send {
    uint64_t own[TERN_BLOCK_SLABS];
    uint32_t under_way;
    unsigned entered;        /* the operation of the member that they end */
    int status;              /* how the first failed */
};

/* Memory of a heap that its NIC reads and writes; registered. */
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
    struct heap_stock *shelf[HEAP_CLASSES];  /* words with free slabs */
    uint32_t shelved[HEAP_CLASSES];          /* free slabs */
    struct tern_heap_counts counts;
};

/* ---- tail.c: operations that no step waits for */
void heap_tail_open(struct tern_heap *heap);
/*
 * Posts owner words for the slabs `bits` of a map word, of `generation` each or, if
 * `generations` is not NULL, of those; as the end of the operation `entered` of the part. 
 * AGAIN: nothing was posted.
 */
int heap_tail_own(struct tern_heap *heap, struct heap_part *part, unsigned entered, uint32_t block,
                  uint32_t word, uint32_t bits, const uint32_t *generations, uint32_t generation,
                  struct tern_holder holder);
/* Posts the sum that clears bits of a map word; after all that was posted before. */
int heap_tail_clear(struct tern_heap *heap, struct heap_part *part, unsigned entered,
                    uint32_t block, uint32_t word, uint32_t bits, uint32_t frees);

/* ---- places.c: where things of a part are */
struct tern_rptr heap_header_rptr(const struct heap_part *part, uint32_t block);
struct tern_rptr heap_map_rptr(const struct heap_part *part, uint32_t block, uint32_t word);
struct tern_rptr heap_own_rptr(const struct heap_part *part, uint32_t block, uint32_t slab);
struct tern_ptr heap_slab_ptr(const struct heap_part *part, unsigned klass, uint32_t block,
                              uint32_t slab, uint32_t generation);
/* The part that a pointer leads into, and the block; NULL: none. */
struct heap_part *heap_part_of(const struct tern_heap *heap, struct tern_ptr at, uint32_t *block);
/* The slab at the pointer, in a block of that header. BAD_RANGE, STALE_POINTER. */
int heap_slab_of(const struct heap_part *part, uint64_t header, struct tern_ptr at,
                 uint32_t *slab);

/* ---- steps.c: posts a step, whichever path it belongs to */
int heap_step_post(struct heap_op *op);
/* Ends the operation with a status, or with a request to the server. */
void heap_op_fail(struct heap_op *op, int status);
void heap_op_ask(struct heap_op *op);
/* Notes the headers of a window that was read; all can be chosen. */
void heap_window_heard(struct heap_op *op);
/* The next window, or the server. */
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

/* ---- ops.c: operations from their begin to their end */
/* NULL: HEAP_OPS are under way. */
struct heap_op *heap_op_new(struct tern_heap *heap, struct heap_part *part);
void heap_op_drop(struct heap_op *op);
/* Begins and waits, asks the server where need be; the result, as callers get it. */
int heap_op_run(struct heap_op *op, void (*begin)(struct heap_op *op),
                void (*judge)(struct heap_op *op));
/* Begins; op->over some time after. */
int heap_op_start(struct heap_op *op, void (*begin)(struct heap_op *op),
                  void (*judge)(struct heap_op *op));
/* With op->over: 1: it goes on, with what the server answered; else how it ended. */
int heap_op_result(struct heap_op *op);
/* Hears what ended.  Waits up to so many ms for something. */
int heap_hear(struct tern_heap *heap, int timeout_ms);
/* Asks the server of a part; `ask->status` is its answer's.  As tern_member_ask(). */
int heap_ask_server(struct tern_heap *heap, struct heap_part *part, struct heap_ask *ask);
/* Turns a status of the heap's own operations into the one that the caller gets. */
int heap_told(struct heap_part *part, int status);

/* ---- alloc.c */
/* Returns the nth part to try for an allocation on `node` or any node; NULL: there are no more. */
struct heap_part *heap_part_nth(struct tern_heap *heap, uint16_t node, unsigned nth);

/* ---- stock.c: slabs that are given out without an operation */
/* Puts the slabs of bits `taken` of a word into the stock, all of them free. */
struct heap_stock *heap_stock_add(struct tern_heap *heap, struct heap_part *part, uint32_t block,
                                  uint32_t word, unsigned klass, uint32_t taken,
                                  uint32_t generation);
bool heap_stock_get(struct tern_heap *heap, const struct heap_part *part, unsigned klass,
                    struct tern_ptr *at);
/* Tells whether the slab is one of the stock's; `*status` of giving it back. */
bool heap_stock_give(struct tern_heap *heap, struct heap_part *part, uint32_t block, uint32_t slab,
                     uint32_t generation, int *status);
/* The published generation of a slab that was given out, if the stock has it. */
struct heap_stock *heap_stock_find(const struct tern_heap *heap, const struct heap_part *part,
                                   uint32_t block, uint32_t word);
/* The slab is another's. */
void heap_stock_forget(struct tern_heap *heap, struct heap_stock *stock, uint32_t bit);
/* Gives back free slabs of a class until at most `most` are left. */
int heap_stock_trim(struct tern_heap *heap, unsigned klass, uint32_t most);
void heap_stock_close(struct tern_heap *heap);

#endif
