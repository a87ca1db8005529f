/* SPDX-License-Identifier: Apache-2.0 */
/* Heaps at their server: creates and adopts them, answers requests, returns figures. */
#include <stdlib.h>
#include <string.h>

#include "owner.h"

static const uint64_t heap_magic = UINT64_C(0x50414548204e5254);

/* ---- requests of members */

static int ask_block(struct heap_owner *o, struct heap_ask *ask)
{
    int status;

    if (ask->klass >= HEAP_CLASSES)
        return -TERN_ST_BAD_SIZE;
    status = heap_block_for(o, ask->klass, ask->counted != 0, &ask->block);
    if (!status)
        ask->header = heap_word_at(o, heap_header_at(o, ask->block));
    return status;
}

static int ask_big(struct heap_owner *o, struct heap_ask *ask, struct tern_holder holder)
{
    int status = heap_big_take(o, ask->bytes, holder, &ask->block, &ask->generation);

    if (!status)
        ask->header = heap_word_at(o, heap_header_at(o, ask->block));
    return status;
}

static bool asked(struct tern_pool_service *service, struct tern_holder holder, void *words)
{
    struct heap_owner *o = (struct heap_owner *)(void *)service;
    struct heap_ask ask;

    memcpy(&ask, words, sizeof(ask));
    if (ask.magic != HEAP_KIND || ask.heap != o->object.offset)
        return false;
    ask.status = -TERN_ST_BAD_ARGUMENT;
    if (ask.kind == HEAP_ASK_BLOCK)
        ask.status = ask_block(o, &ask);
    else if (ask.kind == HEAP_ASK_BIG)
        ask.status = ask_big(o, &ask, holder);
    else if (ask.kind == HEAP_ASK_FREE)
        ask.status = ask.block < o->head->blocks
                         ? heap_big_free(o, ask.block, heap_own(ask.generation, holder))
                         : -TERN_ST_BAD_RANGE;
    memcpy(words, &ask, sizeof(ask));
    return true;
}

static void owner_free(struct tern_pool_service *service)
{
    struct heap_owner *o = (struct heap_owner *)(void *)service;

    free(o->suspects);
    free(o);
}

/* ---- creation and adoption */

static int attach(struct tern_pool *pool, const struct tern_pool_object *object, bool make)
{
    struct heap_owner *o = calloc(1, sizeof(*o));
    struct heap_head head = {.magic = heap_magic};
    uint64_t start = object->offset;

    if (!o)
        return -TERN_ST_NO_MEMORY;
    *o = (struct heap_owner){.pool = pool, .object = *object,
                             .memory = tern_pool_memory(pool, NULL)};
    o->head = (struct heap_head *)(void *)(o->memory + start);
    if (make) {
        (void)heap_lay_out(object->bytes, &head);
        head.headers += start;
        head.maps += start;
        head.starts += start;
        *o->head = head;
    }
    if (o->head->magic != heap_magic) {
        free(o);
        return -TERN_ST_PROTOCOL;
    }
    heap_mend(o);
    o->service = (struct tern_pool_service){.look = heap_sweep, .asked = asked,
                                            .free = owner_free};
    tern_pool_attach(pool, &o->service);
    return 0;
}

int tern_heap_make(struct tern_pool *pool, const char *name, size_t bytes)
{
    struct tern_pool_object object;
    struct heap_head head;
    int status = tern_pool_find(pool, name, &object);

    if (!status)
        return object.kind == HEAP_KIND ? attach(pool, &object, false) : -TERN_ST_QUEUE_BUSY;
    if (status != -TERN_ST_NOT_FOUND)
        return status;
    if (heap_lay_out(bytes, &head) == 0)
        return -TERN_ST_BAD_SIZE;
    status = tern_pool_make(pool, name, HEAP_KIND, bytes, &object);
    if (!status)
        status = attach(pool, &object, true);
    return status ? status : tern_pool_publish(pool, &object);
}

/* ---- shown */

static void add_block(const uint8_t *memory, const struct heap_head *head, uint32_t block,
                      unsigned klass, struct tern_heap_class *out)
{
    const uint64_t *headers = (const uint64_t *)(const void *)(memory + head->headers);
    const uint64_t *maps = (const uint64_t *)(const void *)(memory + head->maps);
    struct heap_block header = heap_unpack(headers[block]);

    if (header.state != BLOCK_SLABS || header.klass != klass)
        return;
    out->blocks++;
    out->slabs += heap_slabs(klass);
    for (uint32_t w = 0; w < heap_words(klass); w++)
        out->taken += (uint32_t)__builtin_popcount(
            heap_map_bits(maps[(size_t)block * HEAP_WORDS + w]) & heap_valid(klass, w));
}

int tern_heap_class(struct tern_pool *pool, const char *name, unsigned index,
                    struct tern_heap_class *out)
{
    const uint8_t *memory = tern_pool_memory(pool, NULL);
    struct tern_pool_object object;
    const struct heap_head *head;
    int status = tern_pool_find(pool, name, &object);

    if (status)
        return status;
    if (index >= HEAP_CLASSES || object.kind != HEAP_KIND)
        return -TERN_ST_BAD_RANGE;
    head = (const struct heap_head *)(const void *)(memory + object.offset);
    *out = (struct tern_heap_class){.slab_bytes = heap_slab_bytes(index)};
    for (uint32_t b = 0; b < head->blocks; b++)
        add_block(memory, head, b, index, out);
    return 0;
}
