/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective operations: all members of a team take part in one operation. Broadcast, scatter,
 * gather, allgather, reduce, allreduce, barrier.
 *
 * A team is a list of nodes; the place of a node in the list is its rank. Every member makes the
 * team with the same list, and posts the same operations in the same order. The first member,
 * rank 0, coordinates: the others put their bytes into its memory and send it a message; it checks
 * that all have posted the same, combines the bytes, and passes the result on by a broadcast put
 * (tern/group.h), or in its answer when it is short. The library copies the bytes; the caller's
 * memory needs no registration. A long operation goes in rounds of `chunk` bytes.
 *
 * Reductions combine the members' elements in the order of ranks, whatever the order of arrival: a
 * result has the same bits each time and on all members, floating point included.
 *
 * A team uses the tree network (tern/tree.h), if the NICs have one, for barriers, broadcasts and
 * allreduces of integers: there the NICs combine, and no host is on the way. The team takes the
 * group `tag` modulo TERN_TREE_GROUPS of the members' NICs, and of those between them in the tree,
 * whose hosts take no part; if that is in use on one of them, the team goes without it. After a
 * MISMATCH there, or when a NIC between members has failed, it goes on without it, too, or, if
 * members were at different operations when they heard of it, it ends with MISMATCH. A member that
 * posts an operation of the tree while others post another one is a TIMEOUT.
 *
 * Each operation ends in bounded time: with OK, or with a status and the rank of the member
 * concerned.
 *   MISMATCH     this member is the first in rank order whose operation, root, type or length is
 *                not that of rank 0. The operation has ended on all members, and the team goes on.
 *   DEAD_MEMBER  the member's process or node does not answer any more
 *   TIMEOUT      the member is there but did not post the operation in time
 * After DEAD_MEMBER and TIMEOUT the team is over: the library passes the failure on to the other
 * members, and all operations return it. Make a new team with another `tag`.
 *
 * An operation completes in tern_cq_poll() once, with opcode TERN_OP_BCAST and its context; `value`
 * is the rank concerned and `node` its node if it failed. Or the caller waits for it.
 *
 * Errors, ownership, units: as tern.h says. Threads: a team belongs to the thread of its completion
 * queue.
 */
#ifndef TERN_COLLECTIVE_H
#define TERN_COLLECTIVE_H

#include <tern/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- teams ----------------------------------------------------------------------------------- */

struct tern_team;

struct tern_team_config {
    /* the members in the order of their ranks, one of them this node; NULL: all nodes of the torus,
     * X first */
    const uint16_t *nodes;
    unsigned count;
    /* the team takes the entries `index` to `index` + 2 of the region table of each member's NIC,
     * as tern_group_key() */
    uint16_t index, tag;
    uint16_t queue;    /* number of a reception FIFO, free on all members */
    uint32_t chunk;    /* bytes of a round, a multiple of 64; 0: TERN_TEAM_CHUNK */
    uint32_t limit_ms; /* time for a member to come; 0: TERN_TEAM_LIMIT_MS */
    /* cycles that an operation in the tree network may wait for members; 0: as `limit_ms` */
    uint32_t tree_limit;
    bool torus_alone;  /* does not use the tree network, even if there is one */
};

#define TERN_TEAM_CHUNK 16384u
#define TERN_TEAM_LIMIT_MS 30000u

/* A rank of no member. */
#define TERN_RANK_NONE 0xffffu

/*
 * Makes a team, and waits until its members have made theirs: rank 0 for all others, the others for
 * rank 0. `cq` needs an entry for each member and 8 more. A member that has not come within
 * `limit_ms` ends the call with NO_BASE or DEAD_MEMBER; `*failed`, unless NULL, gets its rank, else
 * TERN_RANK_NONE. BAD_SIZE: no members, or more than TERN_TEAM_MEMBERS, or a chunk of less than 8
 * bytes for each; BAD_NODE: one lies outside the torus; DUP_MEMBER: one is named twice;
 * BAD_ARGUMENT: this node is none of them; QUEUE_BUSY, BAD_KEY: number or entries are in use or do
 * not exist.
 */
int tern_team_create(struct tern_cq *cq, const struct tern_team_config *config,
                     struct tern_team **team, unsigned *failed);

#define TERN_TEAM_MEMBERS 1024u

/*
 * Frees the team when its posts have ended. QUEUE_BUSY, without any change, while an operation is
 * in flight.
 */
int tern_team_destroy(struct tern_team *team);

/* Tells whether the team uses the tree network. */
bool tern_team_has_tree(const struct tern_team *team);

unsigned tern_team_rank(const struct tern_team *team); /* of this node */
unsigned tern_team_size(const struct tern_team *team);

/* Returns the node of a member; TERN_RANK_NONE when there is no such rank. */
uint16_t tern_team_node(const struct tern_team *team, unsigned rank);

/* ---- reductions ------------------------------------------------------------------------------ */

enum tern_reduce_op {
    TERN_REDUCE_SUM, /* integers: modulo 2^32 or 2^64 */
    TERN_REDUCE_MIN,
    TERN_REDUCE_MAX,
    TERN_REDUCE_AND, /* integers alone, as the next two */
    TERN_REDUCE_OR,
    TERN_REDUCE_XOR,
    TERN_REDUCE_OWN  /* `combine` of the reduction; `type` means nothing */
};

enum tern_reduce_type {
    TERN_REDUCE_I32,
    TERN_REDUCE_U32,
    TERN_REDUCE_I64,
    TERN_REDUCE_U64,
    TERN_REDUCE_F32,
    TERN_REDUCE_F64
};

struct tern_reduction {
    enum tern_reduce_op op;
    enum tern_reduce_type type;
    /*
     * TERN_REDUCE_OWN: sets each of `count` elements of `into` to the combination of itself, from
     * the lower ranks, with that of `from`. Rank 0 calls it. Elements have `element` bytes.
     */
    void (*combine)(void *arg, void *into, const void *from, uint32_t count);
    void *arg;
    uint32_t element;
};

/* ---- operations ------------------------------------------------------------------------------ */

/*
 * An operation. The memory belongs to the caller and must not move until the operation has ended;
 * the caller only reads `failed`.
 */
struct tern_collective {
    struct tern_steps steps;
    unsigned failed; /* the rank concerned by a failure, else TERN_RANK_NONE */
    /* the library's own */
    struct tern_team *team;
    struct tern_collective *next;
    const void *from;
    void *to;
    uint64_t bytes, done;
    struct tern_reduction how;
    uint16_t root;
    uint8_t kind;
    bool begun, ended;
    int status;
};

/*
 * Each posts an operation; a member may post several, which go one after the other. `bytes` is the
 * length of one member's part; `from` and `to` may be the same memory, and must not be used until
 * the operation has ended. Returns 0, or an error, and then nothing is posted: BAD_RANK: no member
 * has the rank `root`; BAD_LENGTH: no bytes, or no multiple of the element; BAD_OPCODE: no such
 * reduction of that type; BAD_TYPE: no such type; BAD_ARGUMENT: no memory; or the failure that
 * ended the team.
 */

/* Ends when all members have posted it. */
int tern_barrier(struct tern_team *team, struct tern_collective *op, uint64_t context);

/* Copies `bytes` at `data` of `root` to `data` of all. */
int tern_broadcast(struct tern_team *team, struct tern_collective *op, unsigned root, void *data,
                   uint64_t bytes, uint64_t context);

/* Copies part i of `from` of `root` to `to` of rank i. `from` of the others means nothing. */
int tern_scatter(struct tern_team *team, struct tern_collective *op, unsigned root,
                 const void *from, void *to, uint64_t bytes, uint64_t context);

/* Copies `from` of rank i to part i of `to` of `root`. `to` of the others means nothing. */
int tern_gather(struct tern_team *team, struct tern_collective *op, unsigned root,
                const void *from, void *to, uint64_t bytes, uint64_t context);

/* Copies `from` of rank i to part i of `to` of all. */
int tern_allgather(struct tern_team *team, struct tern_collective *op, const void *from, void *to,
                   uint64_t bytes, uint64_t context);

/* Combines `from` of all into `to` of `root`. `to` of the others means nothing. */
int tern_reduce(struct tern_team *team, struct tern_collective *op, unsigned root,
                const struct tern_reduction *how, const void *from, void *to, uint64_t bytes,
                uint64_t context);

/* Combines `from` of all into `to` of all. */
int tern_allreduce(struct tern_team *team, struct tern_collective *op,
                   const struct tern_reduction *how, const void *from, void *to, uint64_t bytes,
                   uint64_t context);

/*
 * Polls the completion queue until a posted operation has ended; it then does not complete in
 * tern_cq_poll(), which keeps all other completions. `posted`: the result of the posting function;
 * an error is returned at once. Returns the status of the operation.
 *
 *     status = tern_collective_wait(&op, tern_barrier(team, &op, 0));
 */
int tern_collective_wait(struct tern_collective *op, int posted);

#ifdef __cplusplus
}
#endif

#endif
