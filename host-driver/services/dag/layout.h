/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a run, in the pool of each of its homes.
 *
 *   head    struct dag_head; at the first home also the phase of the run, and its resources
 *   roots   for each node of this home, the number of its last join word plus 1; 0: no predecessor
 *   states  a state word for each node
 *   ready   words of DAG_BITS nodes: a set bit is a node that waits for a worker
 *   joins   words of DAG_BITS predecessors: a set bit is one that has ended
 *   times   struct dag_time for each node
 *   units   DAG_RESOURCES words, a set bit is a unit that is taken; then their owner words
 *   areas   struct dag_area for each join that the NIC of the home does itself
 *   values  a word for each predecessor of those joins: the NIC writes what came with its check-in
 *   told    a word for each node whose end is broadcast to all homes; the broadcasts write them
 *   fans    struct dag_fan for each of those nodes
 *   outs    struct dag_out for each of their successors at this home, whose bits the host sets
 *
 * Node n has its words at home n modulo the number of homes, at place n divided by it. All words
 * that atomic operations change begin with the life of the run, so that a late operation of an
 * earlier run changes nothing.
 */
#ifndef TERN_DAG_LAYOUT_H
#define TERN_DAG_LAYOUT_H

#include <tern/atomic.h>
#include <tern/checkin.h>
#include <tern/dag.h>

enum {
    DAG_KIND = 0x206761,
    DAG_WORD = 8,
    DAG_BITS = 56,
    DAG_LIFE_BITS = 8,
    DAG_RUN_NAME = 32,
    DAG_RESOURCES = (int)TERN_DAG_RESOURCES_MAX,
    DAG_AREAS = TERN_CHECKIN_AREAS,
    DAG_LEVELS = 4,
    DAG_FAN_HOMES = 4, /* a node with successors at more homes broadcasts its end */
};

#define DAG_MAGIC UINT64_C(0x4741442053554d55)

struct dag_head {
    uint64_t magic;
    uint32_t nodes_max, joins_max;
    uint64_t roots, states, ready, joins, times, units; /* offsets in the pool */
    uint64_t areas, values, told, fans, outs, end;
    uint32_t areas_max, area_ins, area_cycles, values_max;
    uint32_t fans_max, outs_max;
    uint32_t fan_key, unused; /* of the group of all homes, or 0: this one is no member */
    /* words of the present run */
    uint64_t phase;    /* atomic; at the first home */
    uint64_t given;    /* atomic: nodes taken from dead workers */
    uint64_t refused;  /* atomic: commits refused */
    uint64_t started;  /* microseconds of the clock of the day */
    uint32_t nodes;    /* of the whole run, with the one that joins all others */
    uint32_t homes, home;
    uint32_t local;    /* nodes of this home */
    uint32_t join_words;
    uint32_t resources;
    uint32_t area_count, value_count;
    uint32_t fan_count, out_count;
};

struct dag_time {
    uint32_t begun, ended; /* tens of microseconds since `started`, plus 1 */
    uint16_t node, process; /* of the worker */
    uint32_t attempt;
};

/* A join by check-ins: its area, its first value word, and the node that follows it. */
struct dag_area {
    uint16_t id, epoch;
    uint32_t pass;
    uint32_t place, slots;
    uint32_t value, unused;
};

/* In `roots`, and in the path of an edge: not a join word, but an area. */
#define DAG_IS_AREA UINT32_C(0x80000000)

/*
 * A bit of a join word; above the first level, the bit of a full word in the next one. With
 * DAG_IS_AREA in `join`: a slot of that area.
 */
struct dag_bit {
    uint32_t join;
    uint16_t bit;
};

/* A successor of a node. */
struct dag_out {
    uint32_t to;
    uint8_t levels;
    struct dag_bit path[DAG_LEVELS];
};

/* Those successors of a node that broadcasts its end which are at this home. */
struct dag_fan {
    uint32_t first, count;
};

/* The request to the server of a home to arm an area, and its answer. */
struct dag_ask {
    uint32_t magic;
    int32_t status;
    uint64_t offset; /* of the object */
    uint32_t index, life;
    struct dag_area area;
};

enum dag_node_state {
    NODE_WAIT,
    NODE_RUN,
    NODE_DONE, /* committed; its successors are being told */
    NODE_SKIP, /* skipped, likewise */
    NODE_OVER, /* and all have been told */
    NODE_OVER_SKIPPED,
    NODE_FAILED,
};

/* A state word. */
struct dag_state {
    uint8_t life;
    enum dag_node_state state;
    uint8_t step;      /* tasks that are committed */
    uint16_t attempt;  /* 13 bits */
    struct tern_holder holder;
};

enum { STATE_BITS = 3, STEP_BITS = 8, ATTEMPT_BITS = 13 };

static inline uint64_t dag_state_pack(struct dag_state s)
{
    return (uint64_t)s.life | (uint64_t)s.state << 8 | (uint64_t)s.step << 11 |
           (uint64_t)(s.attempt & 0x1fffu) << 19 | (uint64_t)s.holder.owner << 32 |
           (uint64_t)s.holder.epoch << 48;
}

static inline struct dag_state dag_state_unpack(uint64_t word)
{
    return (struct dag_state){
        .life = (uint8_t)word,
        .state = (enum dag_node_state)(word >> 8 & 7),
        .step = (uint8_t)(word >> 11),
        .attempt = (uint16_t)(word >> 19 & 0x1fff),
        .holder = {(uint16_t)(word >> 32), (uint16_t)(word >> 48)},
    };
}

/* The phase word. */
struct dag_phase {
    uint8_t life;
    enum tern_dag_phase phase;
    struct tern_holder holder; /* of the publisher, while BUILDING */
};

static inline uint64_t dag_phase_pack(struct dag_phase p)
{
    return (uint64_t)p.life | (uint64_t)p.phase << 8 | (uint64_t)p.holder.owner << 32 |
           (uint64_t)p.holder.epoch << 48;
}

static inline struct dag_phase dag_phase_unpack(uint64_t word)
{
    return (struct dag_phase){
        .life = (uint8_t)word,
        .phase = (enum tern_dag_phase)(word >> 8 & 0xff),
        .holder = {(uint16_t)(word >> 32), (uint16_t)(word >> 48)},
    };
}

/* Words of bits. */
#define DAG_LIFE_MASK ((UINT64_C(1) << DAG_LIFE_BITS) - 1)
#define DAG_ALL_BITS (~DAG_LIFE_MASK)

static inline uint64_t dag_bit(unsigned bit)
{
    return UINT64_C(1) << (DAG_LIFE_BITS + bit);
}

static inline uint32_t dag_words(uint32_t bits)
{
    return (bits + DAG_BITS - 1) / DAG_BITS;
}

/* Sets and clears bits, if they are as expected, in a word of this life. */
static inline struct tern_masked dag_set(uint8_t life, uint64_t bits)
{
    return (struct tern_masked){life, DAG_LIFE_MASK, bits, bits};
}

static inline struct tern_masked dag_clear_set_bits(uint8_t life, uint64_t bits)
{
    return (struct tern_masked){bits | life, bits | DAG_LIFE_MASK, 0, bits};
}

static inline uint64_t dag_owner_pack(struct tern_holder holder, uint32_t node)
{
    return (uint64_t)holder.owner | (uint64_t)holder.epoch << 16 | (uint64_t)node << 32;
}

/* The value that comes with a check-in of a run. */
static inline uint64_t dag_value(uint8_t life)
{
    return (uint64_t)life | dag_bit(0);
}

/*
 * The broadcast of a node that has ended. It has no key of a member, so a worker that lost its
 * lease may send it late: then it is still true, and the start of the run tells it from others.
 */
static inline uint64_t dag_told(uint64_t started, uint8_t life, uint32_t node)
{
    return (uint64_t)life | (uint64_t)(node & 0xffffffu) << 8 | started << 32;
}

/* Where words of a home are, in its pool. */
static inline uint64_t dag_unit_owner(const struct dag_head *head, unsigned resource,
                                      unsigned unit)
{
    return head->units + ((uint64_t)DAG_RESOURCES + resource * DAG_BITS + unit) * DAG_WORD;
}

#endif
