/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of teams. See docs/decisions/0057-the-first-member-coordinates.md for the protocol.
 *
 * An operation goes in rounds. In a round each member sends its part UP to rank 0: long parts by a
 * put into its slot there, then a message; short ones in the message. When all have come, rank 0
 * combines them, writes the result DOWN, and sends each member a verdict. A member sends nothing
 * more before it has the verdict, so one entry for each member holds all messages.
 */
#ifndef TERN_TEAM_H
#define TERN_TEAM_H

#include <tern/collective.h>
#include <tern/group.h>
#include <tern/tree.h>

enum team_kind {
    TEAM_BARRIER, TEAM_BROADCAST, TEAM_SCATTER, TEAM_GATHER, TEAM_ALLGATHER, TEAM_REDUCE,
    TEAM_ALLREDUCE
};

/* ---- messages */

enum wire_kind { WIRE_UP = 1, WIRE_DOWN, WIRE_ABORT };

/* Begins each message. UP names what its sender posted; the others say how it ended. */
struct wire {
    uint32_t team;    /* key of the team */
    uint32_t number;  /* of the operation */
    uint64_t bytes;   /* UP: of the operation */
    uint32_t round;
    uint16_t rank;    /* UP: the sender; else the member concerned */
    uint16_t root;
    uint8_t kind, status, operation, how;
    uint32_t element;
};

enum {
    WIRE_LOG2 = 8, WIRE_BYTES = 1 << WIRE_LOG2,
    SHORT_BYTES = WIRE_BYTES - sizeof(struct wire), /* data in a message */
};

_Static_assert(sizeof(struct wire) == TERN_INLINE_BYTES_MAX, "an empty message is inline");

struct message {
    struct wire head;
    uint8_t data[SHORT_BYTES];
};

_Static_assert(sizeof(struct message) == WIRE_BYTES, "a message is one entry");

/* ---- teams */

enum team_phase {
    TEAM_IDLE,
    TEAM_BEGIN,   /* a round begins */
    TEAM_COLLECT, /* rank 0 waits for the parts of the others */
    TEAM_DATA,    /* long parts or results are on their way */
    TEAM_TELL,    /* messages are on their way */
    TEAM_AWAIT,   /* a member waits for the verdict */
    TEAM_TREE,    /* the tree network combines */
    TEAM_PASS_ON  /* rank 0 or a member passes a failure on */
};

/* A member, as rank 0 sees it; as another member sees rank 0. */
struct peer {
    uint16_t node;
    bool needs_put, needs_message; /* to be posted */
    uint32_t put_bytes;            /* of the put */
    uint32_t data_bytes;           /* in the message */
    bool probing;                  /* a probe is in flight */
    uint32_t probe_number, probe_round;
    bool came;                     /* `in` holds its message */
    struct message in;
};

struct tern_team {
    struct tern_work work;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_group *group;       /* of rank 0 */
    struct tern_region *member, *whole;
    struct tern_collective *first, **last; /* posted */
    uint32_t key, chunk, limit_ms;
    uint16_t queue, rank, size;

    /*
     * memory: result and own part, each with TEAM_SPARE bytes more; a cell for probes, outgoing
     * messages; then slots, at rank 0
     */
    uint8_t *memory;
    size_t bytes;

    /* the operation that goes on */
    enum team_phase phase;
    uint32_t number, round, piece;
    unsigned out;                   /* posts in flight, but for probes */
    unsigned probes;                /* probes in flight */
    bool broadcast;                 /* the result is to be broadcast */
    uint32_t broadcast_bytes;
    enum tern_status verdict;
    uint16_t concerned;
    int64_t deadline, probe_at;

    bool tree, needs_tree;          /* it has a group; a contribution is to be posted */
    bool tree_over;                 /* members differed: it uses the torus alone from here on */
    uint32_t tree_bytes, tree_posted; /* bytes of the round in the tree; those that were posted */
    unsigned tree_out;              /* contributions in flight */
    uint8_t tree_group, tree_epoch;
    uint32_t tree_limit;            /* of the group, at a leaf */
    uint16_t dims;                  /* of the torus */

    int failed;                     /* 0, or why the team is over */
    uint16_t failed_rank;
    struct peer peers[];
};

/* Kind of a post, in its context above the rank. */
enum team_post { POST_PUT, POST_BROADCAST, POST_MESSAGE, POST_PASS_ON, POST_PROBE, POST_TREE };
enum { TEAM_POST_SHIFT = 32 };

static inline uint64_t team_context(enum team_post post, unsigned rank)
{
    return (uint64_t)post << TEAM_POST_SHIFT | rank;
}

static inline bool team_is_first(const struct tern_team *team)
{
    return team->rank == 0;
}

/* ---- memory.c */
enum { TEAM_SPARE = 64 };
uint8_t *team_result(const struct tern_team *team);
uint8_t *team_part(const struct tern_team *team);
struct message *team_message(const struct tern_team *team, unsigned rank);
/* Offsets in the memory: the cell for probes; at rank 0, the slot of a member's long parts. */
uint64_t team_probe_at(const struct tern_team *team);
uint64_t team_slot_at(const struct tern_team *team, unsigned rank);
/* Returns the key of all of the memory, after the two of the group. */
uint32_t team_whole_key(const struct tern_team *team);
/* Returns a pointer to offset `at` in the memory of `node`. */
struct tern_rptr team_pointer(const struct tern_team *team, uint16_t node, uint64_t at);
int64_t team_now_ms(void);

/* ---- parts.c: what each operation moves */
/* Returns the bytes of a member's part in the next round of `op`. */
uint32_t team_piece(const struct tern_team *team, const struct tern_collective *op);
uint32_t team_up_bytes(const struct tern_team *team, const struct tern_collective *op,
                       unsigned rank);
uint32_t team_down_bytes(const struct tern_team *team, const struct tern_collective *op,
                         unsigned rank);
/* Tells whether all members get the same bytes. */
bool team_result_is_common(const struct tern_collective *op);
/* Copies this member's part of the round from the caller's memory to `to`. */
void team_take_part(const struct tern_team *team, const struct tern_collective *op, uint8_t *to);
/* Copies a result of the round from `from` to the caller's memory. */
void team_give_result(const struct tern_team *team, const struct tern_collective *op,
                      const uint8_t *from);

/* ---- combine.c */
/* Returns the bytes of an element; 0: there is no such reduction, `*why` gets the status. */
uint32_t team_element(const struct tern_reduction *how, int *why);
void team_combine(const struct tern_reduction *how, void *into, const void *from, uint32_t bytes);

/* ---- send.c */
/* Fills in what the operation is, for messages and to compare. */
void team_describe(const struct tern_team *team, const struct tern_collective *op,
                   struct wire *head);
/* Puts the result to each member in place of a broadcast, and so finds the one that fails. */
void team_put_instead(struct tern_team *team);
/* Posts what peers need; returns whether all is posted and has ended. */
bool team_settled(struct tern_team *team);
/* Ends the round, and the operation if it was the last or failed with `status`. */
void team_end_round(struct tern_team *team, enum tern_status status, uint16_t rank);
void team_end_op(struct tern_team *team, int status, uint16_t rank);
/* Ends the team because of the member `rank`, and passes that on. */
void team_fail(struct tern_team *team, enum tern_status status, uint16_t rank);

/* ---- first.c: the steps of rank 0; member.c: those of the others */
void team_first_begin(struct tern_team *team);
/* Each returns whether it went on. */
bool team_first_advance(struct tern_team *team);
void team_member_begin(struct tern_team *team);
bool team_member_advance(struct tern_team *team);

/* ---- join_tree.c: the group of the tree network */
/* Agrees with the others on its use, when the team is made; 0, or why that failed. */
int team_tree_join(struct tern_team *team, const struct tern_team_config *config,
                   const struct tern_info *info, unsigned *failed);
void team_tree_leave(struct tern_team *team);

/* ---- by_tree.c: operations in the tree network */
/* Returns the member at the node, or else the nearest one below; TERN_RANK_NONE: there is none. */
uint16_t team_rank_below(const struct tern_team *team, uint16_t node);
/* Tells whether the tree does this operation. */
bool team_tree_does(const struct tern_team *team, const struct tern_collective *op);
void team_tree_begin(struct tern_team *team);
/* Posts what is to be posted; returns whether the phase has changed. */
bool team_tree_advance(struct tern_team *team);
void team_tree_ended(struct tern_team *team, const struct tern_completion *done);

/* ---- go.c */
/* Adds an operation to the team's. */
void team_enqueue(struct tern_team *team, struct tern_collective *op);
extern const struct tern_work_calls team_calls;

#endif
