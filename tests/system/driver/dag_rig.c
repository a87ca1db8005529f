/* SPDX-License-Identifier: Apache-2.0 */
/* See dag_rig.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dag_rig.h"

struct dag_board *dag_board;

enum {
    MEMBERS = 96,
    SLACK = 1 << 16,
    AREA = TERN_CHECKIN_SLOTS * 8 + 64,
    TRIES = 6,
    POINTER_MS = 600000,
    RENEWALS = 16, /* looks at a lease that is kept while its member waits */
};

void dag_board_make(void)
{
    dag_board = mmap(NULL, sizeof(*dag_board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0);
    gives(dag_board != MAP_FAILED, true, "mmap");
}

static struct dag_yard *serving_yard;

static void begin(struct tern_pool *pool, bool adopted)
{
    const struct tern_cache_config cache = {.bytes = serving_yard->cache_bytes,
                                            .eviction = TERN_EVICT_NONE,
                                            .lease_ms = serving_yard->pointer_ms
                                                            ? serving_yard->pointer_ms
                                                            : POINTER_MS,
                                            .hash_bits = serving_yard->hash_bits};
    const struct tern_dag_home home = {.nodes = serving_yard->nodes, .joins = serving_yard->joins,
                                       .areas = serving_yard->areas,
                                       .area_ins = serving_yard->area_ins,
                                       .area_cycles = serving_yard->area_cycles,
                                       .fan_outs = serving_yard->fan_outs};

    (void)adopted;
    gives(tern_cache_make(pool, "records", &cache), 0, "tern_cache_make");
    gives(tern_dag_make(pool, "dag", &home), 0, "tern_dag_make");
}

/* ---- nodes */

static unsigned side(const struct dag_yard *yard, unsigned dimension)
{
    if (yard->size[0] == 0)
        return dimension == 0 ? POOL_RING : 1;
    return yard->size[dimension];
}

unsigned dag_yard_nodes(void)
{
    return side(serving_yard, 0) * side(serving_yard, 1) * side(serving_yard, 2);
}

unsigned dag_yard_node(unsigned home)
{
    return (POOL_NODE + home) % dag_yard_nodes();
}

static void place(const struct dag_yard *yard, unsigned node, unsigned at[3])
{
    at[0] = node % side(yard, 0);
    at[1] = node / side(yard, 0) % side(yard, 1);
    at[2] = node / side(yard, 0) / side(yard, 1);
}

static uint16_t name_of(const struct dag_yard *yard, unsigned node)
{
    unsigned at[3];

    place(yard, node, at);
    return tern_node(at[0], at[1], at[2]);
}

struct tern_device *dag_yard_open(const struct dag_yard *yard, unsigned node)
{
    struct tern_device *device;
    unsigned at[3];
    char uri[128];

    place(yard, node, at);
    (void)snprintf(uri, sizeof(uri), "sim:%s/nic-%u.%u.%u.sock", yard->rig.dir, at[0], at[1],
                   at[2]);
    gives(tern_open(uri, &device), 0, "tern_open");
    return device;
}

static void serve(const void *arg, int in, int out)
{
    unsigned node = *(const unsigned *)arg;
    const struct tern_pool_config config = {.name = POOL_TEST_NAME,
                                            .bytes = serving_yard->cache_bytes +
                                                     (size_t)serving_yard->nodes * 96 +
                                                     (size_t)serving_yard->joins * 8 +
                                                     (size_t)serving_yard->areas * AREA + SLACK,
                                            .members = MEMBERS,
                                            .lease_ms = serving_yard->lease_ms};
    struct tern_device *device = dag_yard_open(serving_yard, node);
    struct tern_pool *pool;
    char word = 0;

    gives(tern_pool_create(device, &config, &pool), 0, "tern_pool_create");
    begin(pool, false);
    gives(tern_pool_thread(pool), 0, "tern_pool_thread");
    (void)give(out, &word, 1);
    while (get(in, &word, 1) && word != 'q') {
        struct tern_pool_counts counts;

        tern_pool_counts(pool, &counts);
        (void)give(out, &counts, sizeof(counts));
    }
    tern_pool_close(pool);
    tern_close(device);
}

void dag_yard_start(struct dag_yard *yard)
{
    char torus[32];
    const char *const args[] = {"--torus", torus, "--tier", rig_tier(), NULL};

    (void)snprintf(torus, sizeof(torus), "%ux%ux%u", side(yard, 0), side(yard, 1), side(yard, 2));
    rig_start(&yard->rig, args);
    serving_yard = yard;
    for (unsigned i = 0; i < yard->homes; i++) {
        unsigned node = dag_yard_node(i);
        char word;

        yard->server[i] = child_start(serve, &node);
        gives(get(yard->server[i].from, &word, 1), true, "the server of a home");
    }
}

bool dag_yard_stop(struct dag_yard *yard)
{
    bool good = true;

    for (unsigned i = 0; i < yard->homes; i++)
        good &= give_word(&yard->server[i], 'q') && child_end(&yard->server[i]);
    rig_stop(&yard->rig);
    return good;
}

static int try_open(struct dag_user *user, const struct dag_yard *yard, unsigned x)
{
    *user = (struct dag_user){.device = dag_yard_open(yard, x), .count = yard->homes};
    for (unsigned i = 0; i < yard->homes; i++) {
        int status = -TERN_ST_TIMEOUT;

        /* a machine that is busy may keep the server from answering */
        for (unsigned tries = 0; tries < TRIES && status == -TERN_ST_TIMEOUT; tries++)
            status = tern_member_join(user->device, name_of(yard, dag_yard_node(i)),
                                      POOL_TEST_NAME, TERN_POOL_WRITE, &user->members[i]);
        gives(status, 0, "tern_member_join");
    }
    return tern_cache_open(user->members, user->count, "records", NULL, &user->cache);
}

/* On a machine that is busy its lease may be over before it has begun. */
void dag_user_open(struct dag_user *user, const struct dag_yard *yard, unsigned x)
{
    int status = try_open(user, yard, x);

    for (unsigned tries = 1; tries < TRIES && status == -TERN_ST_LEASE_OVER; tries++) {
        for (unsigned i = 0; i < user->count; i++)
            tern_member_quit(user->members[i]);
        tern_close(user->device);
        status = try_open(user, yard, x);
    }
    gives(status, 0, "tern_cache_open");
}

void dag_user_close(struct dag_user *user)
{
    tern_dag_leave(user->run);
    tern_cache_close(user->cache);
    for (unsigned i = 0; i < user->count; i++)
        tern_member_quit(user->members[i]);
    tern_close(user->device);
}

int dag_user_renew(struct dag_user *user)
{
    int status = tern_cache_renew(user->cache);

    for (unsigned i = 0; i < user->count && !status; i++)
        status = tern_member_renew(user->members[i]);
    return status;
}

bool dag_user_await(struct dag_user *user, int fd, void *data, size_t bytes)
{
    struct pollfd pipe = {.fd = fd, .events = POLLIN};
    int pause = (int)(tern_member_lease(user->members[0]) / RENEWALS) + 1, ready;

    do {
        /* A lease that is over stays so: the next call of the library tells. */
        (void)dag_user_renew(user);
        ready = poll(&pipe, 1, pause);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
    return get(fd, data, bytes);
}

/* ---- digests */

uint64_t dag_digest(uint64_t from, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;

    for (size_t i = 0; i < count; i++)
        from = (from ^ at[i]) * UINT64_C(1099511628211);
    return from ^ from >> 29;
}

int dag_hash(struct tern_attempt *attempt, const void *arg, uint32_t arg_bytes)
{
    const char *name = tern_attempt_node(attempt);
    uint64_t bytes, digest = dag_digest(UINT64_C(14695981039346656037), name, strlen(name));
    const void *at = tern_attempt_before(attempt, &bytes);

    (void)arg;
    (void)arg_bytes;
    if (at)
        digest = dag_digest(digest, at, bytes);
    for (unsigned i = 0; !at && (at = tern_attempt_input(attempt, i, NULL, &bytes)); i++, at = NULL)
        digest = dag_digest(digest, at, bytes);
    return tern_attempt_output(attempt, &digest, sizeof(digest));
}

static uint64_t serial(uint32_t node)
{
    const char *name = tern_dag_name(dag_shape.dag, node);
    uint64_t begun = dag_digest(UINT64_C(14695981039346656037), name, strlen(name));
    uint64_t digest = begun;

    for (unsigned i = 0; i < dag_shape.inputs[node]; i++)
        digest = dag_digest(digest, &dag_shape.digest[dag_shape.input[node][i]], sizeof(digest));
    for (unsigned i = 1; i < dag_shape.tasks[node]; i++)
        digest = dag_digest(begun, &digest, sizeof(digest));
    return digest;
}

/* ---- graphs */

struct dag_shape dag_shape;

void dag_shape_begin(void)
{
    gives(tern_dag_new(&dag_shape.dag), 0, "tern_dag_new");
}

uint32_t dag_shape_node(const char *name, unsigned tasks)
{
    static const struct tern_dag_task hash = {.function = "hash"};
    const struct tern_dag_task list[] = {hash, hash, hash};
    uint32_t node;

    gives(tern_dag_node(dag_shape.dag, name, list, tasks, &node), 0, "tern_dag_node");
    dag_shape.inputs[node] = 0;
    dag_shape.tasks[node] = tasks;
    return node;
}

void dag_shape_data(uint32_t from, uint32_t to)
{
    gives(tern_dag_edge(dag_shape.dag, from, to, TERN_DATA, NULL), 0, "tern_dag_edge");
    if (!dag_shape.input[to])
        dag_shape.input[to] = malloc(DAG_INS * sizeof(uint32_t));
    dag_shape.input[to][dag_shape.inputs[to]++] = from;
}

void dag_shape_run_serially(void)
{
    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++)
        dag_shape.digest[i] = serial(i);
}

static bool has_input(uint32_t node, uint32_t from)
{
    for (unsigned m = 0; m < dag_shape.inputs[node]; m++)
        if (dag_shape.input[node][m] == from)
            return true;
    return false;
}

void dag_shape_layers(unsigned nodes, uint64_t seed)
{
    char name[32];

    dag_shape_begin();
    for (uint32_t i = 0; i < nodes; i++) {
        unsigned ins = i ? random_below(&seed, 4) + (i > 4) : 0;

        (void)snprintf(name, sizeof(name), "n%u", i);
        (void)dag_shape_node(name, 1 + random_below(&seed, 3));
        for (unsigned k = 0; k < ins; k++) {
            uint32_t from = i - 1 - random_below(&seed, i < 20 ? i : 20);

            if (!has_input(i, from))
                dag_shape_data(from, i);
        }
    }
    dag_shape_run_serially();
}

void dag_shape_free(void)
{
    tern_dag_free(dag_shape.dag);
    for (uint32_t i = 0; i < DAG_NODES; i++) {
        free(dag_shape.input[i]);
        dag_shape.input[i] = NULL;
        dag_shape.inputs[i] = 0;
    }
}

unsigned dag_wrong_digests(struct dag_user *user)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++) {
        uint64_t got = 0, bytes = 0;
        int status = tern_dag_result(user->run, i, &got, sizeof(got), &bytes);

        if (status || bytes != sizeof(got) || got != dag_shape.digest[i]) {
            wrong++;
            tap_note("node %u: %s, %llu bytes", i,
                     status ? tern_strerror(status) : "another digest",
                     (unsigned long long)bytes);
        }
    }
    return wrong;
}

void dag_committed(void *of, uint32_t node, unsigned step, unsigned attempt)
{
    (void)attempt;
    atomic_fetch_add(&dag_board->commits[node][step], 1);
    if (step >= 1)
        atomic_fetch_add(&dag_board->by_worker[*(unsigned *)of], 1);
}
