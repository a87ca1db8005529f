/* SPDX-License-Identifier: Apache-2.0 */
/* Caches at their server: made, found again by the next server, looked after, asked, shown. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "server.h"

#include <tern/group.h>

static const uint64_t cache_magic = UINT64_C(0x4548434143202054);

enum {
    CQ_LOG2 = 6,
    SQ_LOG2 = 5,
    WAIT_MS = 10000,
    LEASE_MS = 500,
    CLIENTS = 64,
    CLIENTS_MAX = 1024,
    VALUE_MAX = 1 << 20,
    VALUE_PART = 8, /* of the memory */
    RESERVE_MIN = 8,
    RESERVE_PART = 32, /* slabs for eviction when all others are taken */
    GROUPS = 16,       /* places for group keys */
    FREE_PERCENT = 12,
    FREE_MAX = 50,
    BYTES_PER_BUCKET = 256,
    PERIOD = 3
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- grace periods: those of the pool, as the table's sweep counts them */

/* One member whose number says how many periods of the pool are over. */
static struct tern_pace pace(void *of, unsigned place)
{
    const struct cache_owner *o = of;

    (void)place;
    return (struct tern_pace){.holder = {CACHE_OWNER_GRACE, 1},
                              .number = (uint32_t)(o->period * PERIOD)};
}

static struct tern_holder server_name(const struct cache_owner *o)
{
    return (struct tern_holder){CACHE_OWNER_SERVER, (uint16_t)(o->head->lives % UINT16_MAX + 1)};
}

static bool knows(void *of, struct tern_holder holder)
{
    const struct cache_owner *o = of;
    struct tern_holder own = server_name(o);

    return tern_pool_has(o->pool, holder) ||
           (holder.owner == own.owner && holder.epoch == own.epoch);
}

/*
 * Sweeps, no sooner than half a lease after the last time: memory of a record that was taken out is
 * free two sweeps later at the soonest.
 */
static int look_at_all(struct cache_owner *o, uint64_t period)
{
    int64_t now = now_ms();
    int status;

    o->fresh = false;
    if (now - o->swept_at >= o->head->lease_ms / 2 + 1 || !o->grace.begun) {
        o->swept_at = now;
        o->period = period;
        o->looks++;
        o->fresh = true;
    }
    status = tern_table_shared_sweep(&o->allocator, &o->table, o->table_memory, &o->grace, o->seen);
    if (status < 0)
        return status;
    o->counts.sweeps++;
    o->counts.freed += (uint64_t)status;
    status = cache_walk(o);
    if (status)
        return status;
    cache_hear_uses(o);
    cache_write_map(o);
    status = cache_drop_lost(o);
    if (!status)
        status = cache_drop_stuck(o);
    if (!status)
        status = cache_free_deletions(o);
    if (!status)
        status = cache_evict(o);
    if (!status)
        status = cache_share(o);
    cache_write_figures(o);
    return status;
}

static int look(struct tern_pool_service *service, uint64_t period)
{
    struct cache_owner *o = (struct cache_owner *)(void *)service;
    int status;

    pthread_mutex_lock(&o->lock);
    status = look_at_all(o, period);
    pthread_mutex_unlock(&o->lock);
    return status;
}

static void turn(struct tern_pool_service *service)
{
    struct cache_owner *o = (struct cache_owner *)(void *)service;

    pthread_mutex_lock(&o->lock);
    cache_hear_pages(o);
    cache_hear_samples(o);
    pthread_mutex_unlock(&o->lock);
}

/* ---- requests */

static bool asked(struct tern_pool_service *service, struct tern_holder holder, void *words)
{
    struct cache_owner *o = (struct cache_owner *)(void *)service;
    struct cache_ask ask;

    memcpy(&ask, words, sizeof(ask));
    if (ask.magic != CACHE_KIND || ask.cache != o->object.offset)
        return false;
    ask.status = -TERN_ST_BAD_ARGUMENT;
    pthread_mutex_lock(&o->lock);
    if (ask.kind == CACHE_ASK_ROOM)
        ask.status = cache_make_room(o, ask.bytes);
    else if (ask.kind == CACHE_ASK_FLUSH)
        ask.status = cache_flush(o, &ask.count);
    else if (ask.kind == CACHE_ASK_SUBSCRIBE || ask.kind == CACHE_ASK_UNSUBSCRIBE)
        ask.status = cache_subscribe(o, holder, (uint16_t)ask.bytes,
                                     ask.kind == CACHE_ASK_UNSUBSCRIBE, &ask.sequence);
    o->head->served = o->counts;
    pthread_mutex_unlock(&o->lock);
    memcpy(words, &ask, sizeof(ask));
    return true;
}

/* ---- opened and closed */

static void close_queues(struct cache_owner *o)
{
    if (o->sq)
        (void)tern_sq_destroy(o->sq);
    if (o->cq)
        (void)tern_cq_destroy(o->cq);
    if (o->region)
        (void)tern_release(o->region);
}

static pthread_mutex_t owners_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cache_owner *owners; /* of this process */

static void owner_free(struct tern_pool_service *service)
{
    struct cache_owner *o = (struct cache_owner *)(void *)service;
    struct cache_owner **link = &owners;

    pthread_mutex_lock(&owners_lock);
    while (*link && *link != o)
        link = &(*link)->next;
    if (*link)
        *link = o->next;
    pthread_mutex_unlock(&owners_lock);
    cache_sharing_free(o);
    cache_samples_close(&o->samples);
    (void)pthread_mutex_destroy(&o->lock);

    close_queues(o);
    free(o->scratch);
    free(o->seen);
    free(o->ranks);
    free(o->told);
    free(o->live);
    free(o);
}

static int open_queues(struct cache_owner *o)
{
    struct tern_device *device = tern_pool_device(o->pool);
    int status = tern_register(device, o->scratch, CACHE_SERVER_SCRATCH,
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &o->region);

    if (!status)
        status = tern_cq_create(device, CQ_LOG2, 0, &o->cq);
    if (!status)
        status = tern_sq_create(o->cq, SQ_LOG2, &o->sq);
    return status;
}

static int open_samples(struct cache_owner *o)
{
    o->samples.start = TERN_GET(RPTR, addr, o->table.pointer.start.w);
    o->samples.bytes = o->head->table_bytes;
    return cache_samples_open(tern_pool_device(o->pool), &o->samples, o->head->sample_log2 - 1);
}

static int open_memory(struct cache_owner *o)
{
    o->scratch = aligned_alloc(CACHE_ALIGN, CACHE_SERVER_SCRATCH);
    if (o->scratch)
        memset(o->scratch, 0, CACHE_SERVER_SCRATCH);
    o->seen = calloc(tern_table_shared_slabs(&o->table), sizeof(*o->seen));
    o->ranks = calloc(o->head->table_bytes / CACHE_NODE, sizeof(*o->ranks));
    o->told = calloc(o->head->clients, sizeof(*o->told));
    return o->scratch && o->seen && o->ranks && o->told ? 0 : -TERN_ST_NO_MEMORY;
}

/* The server that was before may have died with slabs in stock: this one has another name. */
static int attach(struct tern_pool *pool, const struct tern_pool_object *object)
{
    struct cache_owner *o = calloc(1, sizeof(*o));
    uint8_t *memory = tern_pool_memory(pool, NULL);
    int status;

    if (!o)
        return -TERN_ST_NO_MEMORY;
    *o = (struct cache_owner){.pool = pool,
                              .object = *object,
                              .head = (struct cache_head *)(void *)(memory + object->offset)};
    if (o->head->magic != cache_magic || o->head->layout != CACHE_LAYOUT) {
        free(o);
        return -TERN_ST_PROTOCOL;
    }
    (void)pthread_mutex_init(&o->lock, NULL);
    o->head->lives++;
    o->counts = o->head->served;
    o->table_memory = memory + object->offset + o->head->table;
    o->table = o->head->shared;
    tern_table_shared_at(&o->table, tern_pool_rptr(pool, object->offset + o->head->table));
    status = open_memory(o);
    if (!status)
        status = open_queues(o);
    if (!status && o->head->sample_log2)
        status = open_samples(o);
    if (status) {
        owner_free(&o->service);
        return status;
    }
    o->allocator = (struct tern_allocator){
        .holder = o->table.holder, .cq = o->cq, .sq = o->sq, .timeout_ms = WAIT_MS};
    o->writer = (struct tern_table_writer){.table = o->table,
                                           .holder = server_name(o),
                                           .cq = o->cq,
                                           .sq = o->sq,
                                           .timeout_ms = WAIT_MS,
                                           .region = o->region,
                                           .scratch = o->scratch};
    o->grace = (struct tern_grace){.progress = {1, pace, knows, o}, .marks = &o->mark};
    o->service = (struct tern_pool_service){
        .look = look, .asked = asked, .turn = turn, .free = owner_free};
    pthread_mutex_lock(&owners_lock);
    o->next = owners;
    owners = o;
    pthread_mutex_unlock(&owners_lock);
    tern_pool_attach(pool, &o->service);
    return 0;
}

int tern_cache_share(struct tern_pool *pool, const char *name)
{
    int status = -TERN_ST_NOT_FOUND;

    pthread_mutex_lock(&owners_lock);
    for (struct cache_owner *o = owners; o; o = o->next) {
        if (o->pool != pool || strcmp(o->object.name, name) != 0)
            continue;
        pthread_mutex_lock(&o->lock);
        status = cache_share(o);
        o->head->served.deltas = o->counts.deltas;
        pthread_mutex_unlock(&o->lock);
    }
    pthread_mutex_unlock(&owners_lock);
    return status;
}

/* ---- made */

static size_t aligned(size_t bytes)
{
    return (bytes + CACHE_ALIGN - 1) / CACHE_ALIGN * CACHE_ALIGN;
}

static const struct tern_table_size default_sizes[] = {{128, 1}, {256, 1}, {512, 2}};

static int shape_of(const struct tern_cache_config *config, struct tern_table_shape *shape)
{
    const unsigned defaults = sizeof(default_sizes) / sizeof(default_sizes[0]);
    ssize_t drawn;

    if (config->sizes > TERN_TABLE_SIZES_MAX || config->free_percent > FREE_MAX ||
        config->clients > CLIENTS_MAX || config->hash_bits > 64)
        return -TERN_ST_BAD_ARGUMENT;
    *shape = (struct tern_table_shape){.log2_buckets = config->log2_buckets,
                                       .life = 1,
                                       .holder = {CACHE_OWNER_TABLE, 1},
                                       .sizes = config->sizes ? config->sizes : defaults};
    for (unsigned i = 0; i < shape->sizes; i++) {
        if (config->sizes) {
            shape->size[i].slab_bytes = config->size[i].slab_bytes;
            shape->size[i].share = config->size[i].share;
        } else {
            shape->size[i] = default_sizes[i];
        }
    }
    shape->reserve =
        (uint32_t)(config->bytes / RESERVE_PART / shape->size[shape->sizes - 1].slab_bytes);
    if (shape->reserve < RESERVE_MIN)
        shape->reserve = RESERVE_MIN;
    while (config->log2_buckets == 0 &&
           config->bytes >> (shape->log2_buckets + 1) >= BYTES_PER_BUCKET)
        shape->log2_buckets++;
    drawn = getrandom(shape->secret.key, sizeof(shape->secret.key), 0);
    shape->secret.bits = config->hash_bits;
    return drawn == sizeof(shape->secret.key) ? 0 : -TERN_ST_SYSTEM;
}

/* At least as many as there will be slabs. */
static uint32_t entries_for(const struct tern_table_shape *shape, size_t bytes)
{
    uint64_t shares = 0, entries = 0;

    for (unsigned i = 0; i < shape->sizes; i++)
        shares += shape->size[i].share;
    for (unsigned i = 0; i < shape->sizes; i++)
        entries +=
            shares ? bytes / shares * shape->size[i].share / (shape->size[i].slab_bytes + 1) : 0;
    return (uint32_t)entries + 1;
}

/* One more than the logarithm of `sample`, rounded up; 0 for none. */
static uint32_t sample_log2(unsigned sample)
{
    uint32_t log2 = 0;

    while (sample > 1u << log2 && log2 < TERN_SAMPLE_LOG2_MAX)
        log2++;
    return sample ? log2 + 1 : 0;
}

/* Lays the head out; where the table would begin beyond the bytes, there is no room. */
static int lay_out(const struct tern_cache_config *config, const struct tern_table_shape *shape,
                   struct cache_head *head)
{
    *head = (struct cache_head){.magic = cache_magic,
                                .layout = CACHE_LAYOUT,
                                .clients = config->clients ? config->clients : CLIENTS,
                                .map_entries = entries_for(shape, config->bytes),
                                .lease_ms = config->lease_ms ? config->lease_ms : LEASE_MS,
                                .eviction = config->eviction,
                                .free_percent =
                                    config->free_percent ? config->free_percent : FREE_PERCENT,
                                .blind = config->blind,
                                .sample_log2 = sample_log2(config->sample)};
    head->pages = aligned(sizeof(*head));
    head->map = head->pages + aligned(head->clients * sizeof(struct cache_page));
    head->table = head->map + aligned(head->map_entries * sizeof(struct cache_entry));
    if (head->table >= config->bytes)
        return -TERN_ST_BAD_SIZE;
    head->table_bytes = (config->bytes - head->table) / CACHE_ALIGN * CACHE_ALIGN;
    head->value_max = config->value_bytes ? config->value_bytes : VALUE_MAX;
    if (head->value_max > head->table_bytes / VALUE_PART)
        head->value_max = head->table_bytes / VALUE_PART;
    return 0;
}

/* High places of the region tables, which other keys take last. */
static uint32_t group_key(const struct tern_info *info, const char *name)
{
    uint64_t hash = tern_table_hash(name, strlen(name)) + info->node;

    return tern_group_key((uint16_t)(info->regions - 4 - 2 * (hash % GROUPS)),
                          (uint16_t)(hash >> 16));
}

static int make(struct tern_pool *pool, const char *name, const struct tern_cache_config *config)
{
    struct tern_pool_object object;
    struct tern_table_shape shape;
    struct cache_head head;
    uint8_t *memory = tern_pool_memory(pool, NULL);
    struct tern_info info;
    int status = shape_of(config, &shape);

    if (!status)
        status = tern_query(tern_pool_device(pool), &info);
    if (!status && (shape.size[shape.sizes - 1].slab_bytes > info.max_payload ||
                    shape.size[shape.sizes - 1].slab_bytes > CACHE_ROOM_MAX))
        status = -TERN_ST_BAD_SIZE;
    if (!status)
        status = lay_out(config, &shape, &head);
    if (!status)
        head.group_key = group_key(&info, name);
    if (!status)
        status = tern_pool_make(pool, name, CACHE_KIND, config->bytes, &object);
    if (status)
        return status;
    status = tern_table_shared_init(&head.shared, memory + object.offset + head.table,
                                    head.table_bytes, &shape);
    if (status)
        return status == -TERN_ST_NO_MEMORY ? -TERN_ST_BAD_SIZE : status;
    /* once, so that the blocks of the head know where they begin */
    tern_table_shared_at(&head.shared, tern_pool_rptr(pool, object.offset + head.table));
    memcpy(memory + object.offset, &head, sizeof(head));
    status = attach(pool, &object);
    return status ? status : tern_pool_publish(pool, &object);
}

int tern_cache_make(struct tern_pool *pool, const char *name,
                    const struct tern_cache_config *config)
{
    struct tern_pool_object object;
    int status = tern_pool_find(pool, name, &object);

    if (!status)
        return object.kind == CACHE_KIND ? attach(pool, &object) : -TERN_ST_QUEUE_BUSY;
    if (status != -TERN_ST_NOT_FOUND)
        return status;
    return config ? make(pool, name, config) : -TERN_ST_BAD_ARGUMENT;
}

int tern_cache_served(struct tern_pool *pool, const char *name, struct tern_cache_served *out)
{
    const uint8_t *memory = tern_pool_memory(pool, NULL);
    struct tern_pool_object object;
    int status = tern_pool_find(pool, name, &object);

    if (status)
        return status;
    if (object.kind != CACHE_KIND)
        return -TERN_ST_NOT_FOUND;
    *out = ((const struct cache_head *)(const void *)(memory + object.offset))->served;
    return 0;
}
