/* SPDX-License-Identifier: Apache-2.0 */
/* A run at a worker, for the files of this folder. */
#ifndef TERN_DAG_RUN_H
#define TERN_DAG_RUN_H

#include "record.h"

#include <tern/read.h>

enum {
    RUN_SQ_LOG2 = 6,
    RUN_CQ_LOG2 = 7,
    RUN_WAIT_MS = 60000,
    RUN_TICK_MS = 5,
    RUN_PUT_INLINE = 32,
};

/* A home, as a worker sees it. */
struct dag_home {
    struct tern_member *member;
    uint64_t offset, bytes; /* of the object in the pool */
    struct dag_head head;   /* offsets, and figures of the run */
    uint8_t *copy;          /* of the whole object, where READs land; registered */
    uint64_t *hint;         /* ready words as last seen */
    unsigned distance, entered;
    bool in;                /* within tern_member_enter() */
};

/* An operation of a round. */
enum dag_op_kind { OP_SWAP, OP_TAKE, OP_ADD, OP_PUT, OP_READ, OP_CHECKIN, OP_BROADCAST };

struct dag_op {
    enum dag_op_kind kind;
    unsigned home;
    uint64_t at;             /* offset in the pool */
    struct tern_masked words;
    struct tern_area_name area;
    uint16_t slot;
    uint8_t bytes_put[RUN_PUT_INLINE];
    uint32_t bytes;          /* of a put or a read */
    unsigned flags;
    uint64_t old;            /* result; of a check-in or broadcast, whether a NIC refused it */
    int status;
};

/* Operations that are posted together and awaited together. */
struct dag_round {
    struct dag_op *ops;
    uint32_t count, room;
    uint32_t number;         /* of the round; a round that was given up may still end operations */
    bool failed;             /* no memory */
};

/* A node that this worker took and has not begun. */
struct dag_mine {
    uint32_t node;
    uint64_t guess; /* its state word, as far as this worker knows */
    uint64_t until; /* it waits for a time or a resource until then; microseconds */
};

/* A node that was committed and whose successors are to be told. */
struct dag_ended {
    bool to_commit, to_tell; /* what is left to do */
    uint32_t node;
    uint64_t from, to;       /* state words before and after the commit */
    struct dag_time time;
    uint64_t unit[DAG_RESOURCES]; /* units that it has of each resource */
    struct dag_record record;
};

struct tern_run {
    struct tern_device *device;
    struct tern_cache *cache;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
    size_t memory_bytes;
    uint32_t chunk;          /* bytes of the longest READ */
    struct dag_home *homes;
    unsigned *order;         /* homes, the nearest first */
    unsigned count;
    uint8_t life;
    uint32_t nodes;          /* with the last one, which joins all others */
    enum tern_dag_phase phase;
    char name[DAG_RUN_NAME];
    struct dag_round round;
    struct dag_mine *mine;
    uint32_t mine_count, mine_room;
    struct dag_ended ended;
    bool to_close;           /* the state word of a node whose successors have been told */
    uint32_t close_node;
    uint64_t close_from, close_to;
    uint64_t late;           /* commits that were refused, which the home does not know yet */
    uint16_t here, process;  /* its node; a part of the number of its process */
    struct tern_group *group; /* of all homes; NULL: not made yet */
    bool self;               /* its own node is a home */
    bool alone;              /* broadcasts fail: it sets all bits itself */
    bool hasty;              /* its tasks are short: it takes several at once */
    struct tern_dag_counts counts;
};

/* ---- run.c */
int run_open(struct tern_member *const *members, unsigned count, struct tern_cache *cache,
             const char *name, struct tern_run **run);
/* Reads the heads; takes over figures of the run. */
int run_read_heads(struct tern_run *run);

/* ---- base.c */
/* Turns a status of an operation at a home into the one that the caller gets. */
int run_told(const struct dag_home *home, int status);
int run_renew(struct tern_run *run);
uint64_t run_now_us(void);
/* Names the run by the time of its start. */
void run_name(struct tern_run *run, uint64_t started);
/* The key of a record, or of the output of a task by an attempt. Return the length. */
size_t run_record_key(const struct tern_run *run, uint32_t node, char key[RECORD_KEY]);
size_t run_output_key(const struct tern_run *run, uint32_t node, unsigned step, unsigned attempt,
                      char key[RECORD_KEY]);

static inline unsigned run_home_of(const struct tern_run *run, uint32_t node)
{
    return run->count ? node % run->count : 0;
}

static inline uint32_t run_place_of(const struct tern_run *run, uint32_t node)
{
    return run->count ? node / run->count : 0;
}

static inline uint64_t run_state_at(const struct tern_run *run, uint32_t node)
{
    return run->homes[run_home_of(run, node)].head.states +
           (uint64_t)run_place_of(run, node) * DAG_WORD;
}

/* ---- rounds.c: begin, add operations, go.  Operations keep their numbers. */
void round_begin(struct tern_run *run);
/* Returns the number of the operation. */
uint32_t round_add(struct tern_run *run, const struct dag_op *op);
uint32_t round_swap(struct tern_run *run, unsigned home, uint64_t at, uint64_t compare,
                    uint64_t swap);
uint32_t round_masked(struct tern_run *run, enum dag_op_kind kind, unsigned home, uint64_t at,
                      struct tern_masked words);
uint32_t round_put(struct tern_run *run, unsigned home, uint64_t at, const void *from,
                   uint32_t bytes);
uint32_t round_checkin(struct tern_run *run, unsigned home, const struct dag_area *area,
                       uint16_t slot);
/* Reads into the home's copy; long reads are several operations. */
void round_read(struct tern_run *run, unsigned home, uint64_t at, uint64_t bytes);
/* Posts all, and waits for all.  Returns the first error of an operation. */
int round_go(struct tern_run *run);

static inline uint64_t round_old(const struct tern_run *run, uint32_t number)
{
    return run->round.ops[number].old;
}

/* An area of a home's copy. */
static inline const struct dag_area *run_area(const struct dag_home *home, uint32_t index)
{
    return (const struct dag_area *)(const void *)(home->copy + (home->head.areas - home->offset)) +
           index;
}

/* A word of a home's copy. */
static inline uint64_t run_copied(const struct dag_home *home, uint64_t at)
{
    return *(const volatile uint64_t *)(const void *)(home->copy + (at - home->offset));
}

/* ---- ready.c: taking and pushing nodes */
/* Adds to the round a swap that takes nodes, if a hint shows some; false: none does. */
struct dag_take {
    bool posted;
    uint32_t number;
    unsigned home;
    uint32_t word;
    uint64_t bits;
};
void ready_take(struct tern_run *run, struct dag_take *take, unsigned most);
/* Takes its answer; nodes that are taken go to run->mine. */
int ready_taken(struct tern_run *run, const struct dag_take *take);
/* Adds READs of the ready words of all homes to the round; takes over what they brought. */
void ready_read(struct tern_run *run);
void ready_hints(struct tern_run *run);

/* Drops all hints. */
void ready_forget(struct tern_run *run);
void ready_push(struct tern_run *run, uint32_t node);
int mine_add(struct tern_run *run, uint32_t node, uint64_t guess);
/* Pushes all nodes that it has taken and not begun. */
int mine_give_back(struct tern_run *run);

/* ---- claim.c */
int units_take(struct tern_run *run, const struct dag_record *record, uint32_t node,
               uint64_t unit[]);
/* Adds to the round what gives the units back. */
void units_release(struct tern_run *run, uint64_t unit[]);
struct tern_attempt;
int claim_node(struct tern_attempt *attempt, uint64_t guess, uint64_t *word);

/* ---- joins.c: telling the successors of a node */
int joins_tell(struct tern_run *run, struct dag_ended *ended);

/* ---- broadcast.c */
/* Tells all homes that the node has ended. Returns 1 if they know; 0: there is no broadcast. */
int broadcast_tell(struct tern_run *run, uint32_t node, uint32_t fan);
void broadcast_end(struct tern_run *run);

/* ---- attempt.c */
struct dag_input {
    uint8_t *bytes;
    uint64_t length;
    uint32_t from;
    enum tern_constraint kind;
    const char *what;
    bool skipped;
    uint64_t state; /* its state word */
};

struct tern_attempt {
    struct tern_run *run;
    const struct dag_record *record;
    uint32_t node;
    unsigned step, attempt;
    struct dag_input *inputs;
    unsigned input_count;
    uint8_t *before, *output;
    uint64_t before_bytes, output_bytes;
    bool has_output, lost;
};

/* Gets a value of any length, which the caller frees. NOT_FOUND. */
int attempt_get(struct tern_run *run, const char *key, size_t key_bytes, uint8_t **bytes,
                uint64_t *length);
/* Gets the outputs of predecessors whose state words were read. `*skip`: a constraint fails. */
int attempt_inputs(struct tern_attempt *attempt, bool *skip);
/* Finds the output of the last committed task of an earlier attempt. */
int attempt_resume(struct tern_attempt *attempt);
int attempt_store(struct tern_attempt *attempt);
void attempt_free(struct tern_attempt *attempt);

/* ---- command.c */
/* Runs a command of the shell, as often as it may be tried. 0: it succeeded; BAD_STATE. */
int command_run(struct tern_attempt *attempt, const struct dag_task *task);

#endif
