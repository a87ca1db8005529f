/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server of a pool and its members, each a process of its own on a ring of NICs, for tests of
 * services.
 */
#ifndef TERN_POOL_RIG_H
#define TERN_POOL_RIG_H

#include <tern/pool.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    POOL_RING = 4,
    POOL_NODE = 2, /* the node that has the memory */
    POOL_WAIT_MS = 60000, /* a net */
};

#define POOL_TEST_NAME "ground"

/* The parameters of a child process that serves a pool. */
struct pool_serving {
    const struct rig *rig;
    struct tern_pool_config config;
    bool adopt;
    /* called after the pool is made or adopted; may be NULL */
    void (*begin)(struct tern_pool *pool, bool adopted);
    /* answers a command that this file does not know; may be NULL */
    int (*word)(struct tern_pool *pool, char word);
};

/*
 * Starts a server with a serving thread, and waits until it has the pool. `*status` is the result
 * of making or adopting it; it must be 0 if `status` is NULL.
 */
struct child pool_server_start(const struct pool_serving *serving, int *status);

/*
 * Commands to a server: 'c' returns counts, 'm' bytes of memory; any other is the test's, and
 * returns an int.
 */
struct tern_pool_counts pool_server_counts(const struct child *server);
int pool_server_ask(const struct child *server, char word);
void pool_server_memory(const struct child *server, void *to, size_t bytes);
/* Closes the pool and ends the server. */
bool pool_server_end(struct child *server);

/* Waits until `deaths` members have died, and returns whether they did within a minute. */
bool pool_server_buries(const struct child *server, uint64_t deaths);

/* Returns the parent of a process; 0: the process has ended, or is a zombie. */
pid_t pool_rig_parent(pid_t pid);
/* Returns the only child of the server, its keeper. */
pid_t pool_rig_keeper(pid_t server);

/* Returns milliseconds of a monotonic clock. */
int64_t pool_rig_now(void);

/* Sleeps. */
void pool_rig_pause(unsigned ms);

/* Joins from node `x`; ends the process on failure. */
struct tern_member *pool_rig_join(struct tern_device *device, unsigned rights);

/* A client's queues and registered memory, for operations that it waits for. */
struct pool_client {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_member *member;
    uint64_t words[64];
};

void pool_client_open(struct pool_client *client, const struct rig *rig, unsigned x,
                      unsigned rights);
void pool_client_close(struct pool_client *client);

/* Returns the status of an operation on the pool's `offset`. */
enum tern_status pool_client_put(struct pool_client *client, struct tern_rptr to, uint64_t word);
enum tern_status pool_client_read(struct pool_client *client, struct tern_rptr from,
                                  uint64_t *word);
enum tern_status pool_client_add(struct pool_client *client, struct tern_rptr at, uint64_t add,
                                 uint64_t *before);

#endif
