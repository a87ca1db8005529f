/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in parts.  Each part is a record of its own, set before the record of the key; the version
 * of the value is in the keys of its parts, so parts of two values are never taken for one.
 */
#include <string.h>

#include "cache.h"

uint32_t cache_part_bytes(const struct cache_part *part)
{
    return part->room - CACHE_NODE - (uint32_t)sizeof(struct cache_part_key) -
           (uint32_t)sizeof(struct cache_value);
}

uint64_t cache_inline_bytes(const struct cache_part *part, size_t key_bytes)
{
    uint64_t head = CACHE_NODE + key_bytes + sizeof(struct cache_value);

    return head < part->room ? part->room - head : 0;
}

static uint32_t parts_of(const struct cache_value *head)
{
    return (uint32_t)((head->bytes + head->part_bytes - 1) / head->part_bytes);
}

static uint32_t bytes_of(const struct cache_value *head, uint32_t index)
{
    uint64_t left = head->bytes - (uint64_t)index * head->part_bytes;

    return left < head->part_bytes ? (uint32_t)left : head->part_bytes;
}

/* ---- set */

struct setting {
    struct cache_end end;
    struct cache_part_key key;
    uint8_t value[CACHE_ROOM_MAX];
    uint32_t bytes; /* of the value, its head included */
};

static int start(struct tern_cache *cache, struct cache_part *part, unsigned writer,
                 struct setting *s)
{
    int status;

    s->end = (struct cache_end){0};
    while ((status = tern_table_shared_set(&part->writer[writer], &s->key, sizeof(s->key), s->value,
                                           s->bytes, NULL, (uint64_t)(uintptr_t)&s->end)) ==
           -TERN_ST_AGAIN)
        if ((status = cache_hear(cache, 1)) < 0)
            break;
    return status;
}

static void fill(struct setting *s, const struct cache_value *head, uint32_t index,
                 const uint8_t *value)
{
    struct cache_value own = *head;

    own.bytes = bytes_of(head, index);
    own.part_bytes = 0;
    s->key = cache_part_key(head->version, index);
    s->bytes = (uint32_t)(sizeof(own) + own.bytes);
    memcpy(s->value, &own, sizeof(own));
    memcpy(s->value + sizeof(own), value + (size_t)index * head->part_bytes, own.bytes);
}

/* Waits for one; where there was no room, it is set again. */
static int finish(struct tern_cache *cache, struct cache_part *part, unsigned writer,
                  struct setting *s)
{
    int64_t until = cache_room_end(part);
    int status;

    while ((status = cache_await(cache, &s->end)) == -TERN_ST_FULL) {
        status = cache_wait_for_room(cache, part, CACHE_NODE + (uint32_t)sizeof(s->key) + s->bytes,
                                     until);
        if (!status)
            status = start(cache, part, writer, s);
        if (status)
            return status;
    }
    return status;
}

int cache_parts_set(struct tern_cache *cache, struct cache_part *part,
                    const struct cache_value *head, const uint8_t *value)
{
    struct setting under_way[CACHE_WRITERS - 1];
    uint32_t parts = parts_of(head);
    int status = cache_part_ready(part);

    for (uint32_t first = 0; !status && first < parts;) {
        unsigned count = 0;

        for (; !status && count + 1 < CACHE_WRITERS && first + count < parts; count++) {
            fill(&under_way[count], head, first + count, value);
            status = start(cache, part, count + 1, &under_way[count]);
            if (status)
                break;
        }
        for (unsigned i = 0; i < count; i++) {
            int one = finish(cache, part, i + 1, &under_way[i]);

            status = status ? status : one;
        }
        first += count;
    }
    return cache_told(part, status);
}

/* ---- get */

int cache_parts_get(struct tern_cache *cache, struct cache_part *part,
                    const struct cache_value *head, uint8_t *to)
{
    uint32_t parts = parts_of(head);
    int status = 0;

    for (uint32_t first = 0; !status && first < parts;) {
        struct cache_get *under_way[CACHE_GETS];
        struct tern_item items[CACHE_GETS];
        unsigned count = 0;

        for (; !status && count < CACHE_GETS && first + count < parts; count++) {
            struct cache_part_key key = cache_part_key(head->version, first + count);

            items[count] =
                (struct tern_item){.value = to + (size_t)(first + count) * head->part_bytes,
                                   .room = bytes_of(head, first + count)};
            under_way[count] = cache_get_new(cache, part, &key, sizeof(key), &items[count]);
            if (!under_way[count])
                break;
            status = cache_get_start(under_way[count], TERN_MORE);
            if (status) {
                under_way[count]->used = false;
                break;
            }
        }
        (void)tern_sq_flush(cache->sq);
        status = status == -TERN_ST_AGAIN ? 0 : status;
        for (unsigned i = 0; i < count; i++) {
            struct cache_value value;
            int one;

            (void)cache_await(cache, &under_way[i]->end);
            one = cache_get_end(under_way[i], &value);
            status = status ? status : one;
        }
        if (count == 0 && !status && cache_hear(cache, 1) < 0)
            status = -TERN_ST_DISCONNECTED;
        first += count;
    }
    return status == -TERN_ST_BAD_SIZE ? -TERN_ST_NOT_FOUND : status;
}
