/* SPDX-License-Identifier: Apache-2.0 */
/* Homes of a run, and workers, each a process of its own on a ring of NICs, for tests of DAGs. */
#ifndef TERN_DAG_RIG_H
#define TERN_DAG_RIG_H

#include <tern/dag.h>

#include "pool_rig.h"

enum {
    DAG_NODES = 4096,  /* at most, at each home */
    DAG_WORKERS = 64,
    DAG_HOMES = 8,
    DAG_DIGEST = 8,
};

/* Memory that all processes of a test share. */
struct dag_board {
    _Atomic uint32_t runs[DAG_NODES], commits[DAG_NODES][4]; /* of each node and each step */
    _Atomic uint32_t by_worker[DAG_WORKERS];
    _Atomic uint32_t wrong, stopped, lost, refused, at_once, most_at_once;
};
extern struct dag_board *dag_board;
void dag_board_make(void);

/* A worker's or a builder's handles. */
struct dag_user {
    struct tern_device *device;
    struct tern_member *members[DAG_HOMES];
    unsigned count;
    struct tern_cache *cache;
    struct tern_run *run;
};

/* A test's homes: servers at nodes 2, 3, and so on, of the ring or torus. */
struct dag_yard {
    struct rig rig;
    unsigned homes;
    uint32_t lease_ms, nodes, joins, cache_bytes;
    uint32_t pointer_ms; /* lease of pointers into the cache, after which memory is free; 0: long */
    uint32_t areas, area_ins, area_cycles, fan_outs;
    uint8_t hash_bits;
    unsigned size[3]; /* nodes in each dimension; 0: a ring of POOL_RING */
    struct child server[DAG_HOMES];
};

void dag_yard_start(struct dag_yard *yard);
bool dag_yard_stop(struct dag_yard *yard);
unsigned dag_yard_node(unsigned home);
unsigned dag_yard_nodes(void);
/* Opens the node of that number; x counts first. */
struct tern_device *dag_yard_open(const struct dag_yard *yard, unsigned node);
void dag_user_open(struct dag_user *user, const struct dag_yard *yard, unsigned x);
void dag_user_close(struct dag_user *user);
/* Renews all leases of the user that are due. Returns 0, or the first error. */
int dag_user_renew(struct dag_user *user);
/*
 * Reads `bytes` from a pipe, as get(), and keeps the leases of the user until they are there. So a
 * user that waits for other processes, however long they take, is still a member afterwards.
 */
bool dag_user_await(struct dag_user *user, int fd, void *data, size_t bytes);

/* A graph with what a serial run of it gives. */
enum { DAG_INS = 1200 };
struct dag_shape {
    struct tern_dag *dag;
    uint64_t digest[DAG_NODES];
    unsigned tasks[DAG_NODES];
    unsigned inputs[DAG_NODES];
    uint32_t *input[DAG_NODES]; /* in their order */
};
extern struct dag_shape dag_shape;

void dag_shape_begin(void);
uint32_t dag_shape_node(const char *name, unsigned tasks);
void dag_shape_data(uint32_t from, uint32_t to);
/* Nodes were added in an order in which each follows its predecessors. */
void dag_shape_run_serially(void);
/* Layers of random width; each node has one to three tasks and up to four predecessors. */
void dag_shape_layers(unsigned nodes, uint64_t seed);
void dag_shape_free(void);

/* Function `hash`: the output is a digest of the node's name, its arguments, what came before. */
uint64_t dag_digest(uint64_t from, const void *bytes, size_t count);
int dag_hash(struct tern_attempt *attempt, const void *arg, uint32_t bytes);
/* Returns how many nodes have not the digest of a serial run. */
unsigned dag_wrong_digests(struct dag_user *user);
/* Counts a commit on the board; `of`: the number of the worker. */
void dag_committed(void *of, uint32_t node, unsigned step, unsigned attempt);

#endif
