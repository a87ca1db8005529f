/* SPDX-License-Identifier: Apache-2.0 */
/* Pools at the server: creates, adopts and closes them, and their objects. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

enum { CQ_LOG2 = 7, SQ_LOG2 = 5, RQ_LOG2 = 5 };

static int open_queues(struct tern_pool *pool)
{
    int status = tern_cq_create(pool->device, CQ_LOG2, 0, &pool->cq);

    if (!status)
        status = tern_sq_create(pool->cq, SQ_LOG2, &pool->sq);
    if (!status)
        status = tern_register(pool->device, &pool->scratch, sizeof(pool->scratch),
                               TERN_RIGHT_LOCAL_READ, &pool->scratch_region);
    if (status)
        return status;
    status = -TERN_ST_QUEUE_BUSY;
    for (unsigned i = 0; status == -TERN_ST_QUEUE_BUSY && i < WIRE_QUEUES; i++)
        status = tern_rq_create(pool->cq, RQ_LOG2, WIRE_LOG2, wire_queue(pool->info.queues, i),
                                &pool->rq);
    return status == -TERN_ST_QUEUE_BUSY ? -TERN_ST_NO_RESOURCE : status;
}

static struct tern_pool *pool_new(struct tern_device *device)
{
    struct tern_pool *pool = calloc(1, sizeof(*pool));
    pthread_mutexattr_t recursive;

    if (!pool)
        return NULL;
    pool->device = device;
    pool->file = pool->address = pool->keeper.leash = pool->legacy.keeper = -1;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&pool->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return pool;
}

/* Starts a pool whose ground exists: makes its queues, its key and its watches. */
static int start(struct tern_pool *pool)
{
    int status = open_queues(pool);

    pool->watch = calloc(pool->ground->members, sizeof(*pool->watch));
    if (!pool->watch || pool_looks_open(pool))
        return -TERN_ST_NO_MEMORY;
    return status ? status : pool_keys_open(pool);
}

static int config_is_bad(const struct tern_pool_config *config)
{
    if (!config || !pool_name_is_good(config->name) || config->members == 0 ||
        config->members > POOL_MEMBERS_MAX ||
        (config->lease_ms && (config->lease_ms < POOL_LEASE_MIN ||
                              config->lease_ms > POOL_LEASE_MAX)))
        return -TERN_ST_BAD_ARGUMENT;
    return config->bytes < POOL_ALIGN || config->bytes > UINT32_C(1) << 31 ? -TERN_ST_BAD_SIZE : 0;
}

static int make(struct tern_pool *pool, const struct tern_pool_config *config)
{
    int nic = tern_device_fd(pool->device);
    int status = tern_query(pool->device, &pool->info);

    if (status)
        return status;
    pool->address = pool_address_take(nic, config->name);
    if (pool->address < 0)
        return pool->address;
    status = pool_ground_make(config, &pool->ground, &pool->file);
    if (!status)
        status = start(pool);
    if (!status && config->keep)
        status = pool_keeper_start(nic, pool->file, pool->address, &pool->keeper);
    return status;
}

int tern_pool_create(struct tern_device *device, const struct tern_pool_config *config,
                     struct tern_pool **out)
{
    int status = config_is_bad(config);
    struct tern_pool *pool = status ? NULL : pool_new(device);

    if (!pool)
        return status ? status : -TERN_ST_NO_MEMORY;
    status = make(pool, config);
    if (status)
        tern_pool_close(pool);
    else
        *out = pool;
    return status;
}

static int take_over(struct tern_pool *pool, const char *name)
{
    int status = tern_query(pool->device, &pool->info);

    if (!status)
        status = pool_keeper_ask(tern_device_fd(pool->device), name, &pool->legacy);
    if (status)
        return status;
    pool->file = pool->legacy.memory;
    pool->address = pool->legacy.address;
    status = pool_ground_map(pool->file, &pool->ground);
    if (!status)
        status = start(pool);
    if (!status)
        pool_move_begin(pool);
    return status;
}

int tern_pool_adopt(struct tern_device *device, const char *name, struct tern_pool **out)
{
    struct tern_pool *pool;
    int status;

    if (!pool_name_is_good(name))
        return -TERN_ST_BAD_ARGUMENT;
    pool = pool_new(device);
    if (!pool)
        return -TERN_ST_NO_MEMORY;
    status = take_over(pool, name);
    if (status)
        tern_pool_close(pool);
    else
        *out = pool;
    return status;
}

static void stop_thread(struct tern_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_mutex_unlock(&pool->lock);
    if (pool->threaded)
        pthread_join(pool->thread, NULL);
}

static void close_queues(struct tern_pool *pool)
{
    if (pool->sq)
        (void)tern_sq_destroy(pool->sq);
    if (pool->rq)
        (void)tern_rq_destroy(pool->rq);
    if (pool->cq)
        (void)tern_cq_destroy(pool->cq);
    for (uint32_t seat = 0; pool->watch && seat < pool->ground->members; seat++)
        (void)pool_keys_release(pool, seat);
    if (pool->region)
        (void)tern_release(pool->region);
    if (pool->scratch_region)
        (void)tern_release(pool->scratch_region);
}

void tern_pool_close(struct tern_pool *pool)
{
    if (!pool)
        return;
    stop_thread(pool);
    while (pool->services) {
        struct tern_pool_service *service = pool->services;

        pool->services = service->next;
        if (service->free)
            service->free(service);
    }
    close_queues(pool);
    pool_keeper_stop(&pool->keeper);
    if (pool->legacy.keeper >= 0)
        close(pool->legacy.keeper);
    pool_ground_unmap(pool->ground);
    if (pool->file >= 0)
        close(pool->file);
    if (pool->address >= 0)
        close(pool->address);
    pthread_mutex_destroy(&pool->lock);
    free(pool->grace.marks);
    free(pool->watch);
    free(pool);
}

/* ---- objects */

void *tern_pool_memory(struct tern_pool *pool, size_t *bytes)
{
    if (bytes)
        *bytes = pool->ground->objects_bytes;
    return (uint8_t *)pool->ground + pool->ground->objects;
}

int tern_pool_make(struct tern_pool *pool, const char *name, uint32_t kind, size_t bytes,
                   struct tern_pool_object *object)
{
    int status;

    pthread_mutex_lock(&pool->lock);
    status = pool_object_make(pool->ground, name, kind, bytes, object);
    pthread_mutex_unlock(&pool->lock);
    return status;
}

int tern_pool_publish(struct tern_pool *pool, const struct tern_pool_object *object)
{
    int status;

    pthread_mutex_lock(&pool->lock);
    status = pool_object_publish(pool->ground, object);
    pthread_mutex_unlock(&pool->lock);
    return status;
}

int tern_pool_find(struct tern_pool *pool, const char *name, struct tern_pool_object *object)
{
    return pool_object_find(pool_directory(pool->ground), name, object);
}

void tern_pool_counts(struct tern_pool *pool, struct tern_pool_counts *out)
{
    pthread_mutex_lock(&pool->lock);
    *out = pool->counts;
    pthread_mutex_unlock(&pool->lock);
}
