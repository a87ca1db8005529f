/* SPDX-License-Identifier: Apache-2.0 */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_AT_FIRST = 256, KEY_TAKEN = 1 };

static size_t table_bytes(const struct linear_memo *memo, size_t room)
{
    return room * memo->stride * sizeof(uint64_t);
}

static bool make_table(struct linear_memo *memo, size_t room, size_t held_bytes)
{
    size_t bytes = table_bytes(memo, room) + held_bytes;
    uint64_t *table;

    if (bytes > memo->limit_bytes)
        return false;
    table = calloc(room * memo->stride, sizeof(*table));
    if (table == NULL)
        return false;
    memo->table = table;
    memo->room = room;
    if (bytes > memo->peak_bytes)
        memo->peak_bytes = bytes;
    return true;
}

void linear_memo_init(struct linear_memo *memo, size_t stride, size_t limit_bytes)
{
    *memo = (struct linear_memo){.stride = stride, .limit_bytes = limit_bytes};
}

void linear_memo_fini(struct linear_memo *memo)
{
    free(memo->table);
    memo->table = NULL;
}

/* Hashes the words of a key one after the other, by the finaliser of MurmurHash3. */
static uint64_t mixed(const uint64_t *key, size_t words)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < words; i++) {
        hash = (hash ^ key[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
        hash ^= hash >> 33;
    }
    return hash;
}

/* Returns the place of the key, or the place for it. */
static uint64_t *find(const struct linear_memo *memo, const uint64_t *key)
{
    size_t at = (size_t)mixed(key, memo->stride);

    for (;; at++) {
        uint64_t *place = memo->table + (at & (memo->room - 1)) * memo->stride;

        if (place[KEY_TAKEN] == 0 || memcmp(place, key, memo->stride * sizeof(*key)) == 0)
            return place;
    }
}

static bool grow(struct linear_memo *memo)
{
    struct linear_memo old = *memo;
    size_t room = old.room > 0 ? 2 * old.room : ROOM_AT_FIRST;

    if (!make_table(memo, room, table_bytes(&old, old.room)))
        return false;
    for (size_t i = 0; i < old.room; i++) {
        const uint64_t *key = old.table + i * old.stride;

        if (key[KEY_TAKEN] != 0)
            memcpy(find(memo, key), key, memo->stride * sizeof(*key));
    }
    free(old.table);
    return true;
}

/*
 * Tells whether less than three quarters are used; beyond that, finding a free place takes too
 * long.
 */
static bool has_room(const struct linear_memo *memo)
{
    return memo->used < memo->room / 4 * 3;
}

enum linear_memo_result linear_memo_add(struct linear_memo *memo, const uint64_t *key)
{
    uint64_t *place;

    if (memo->room > 0 && find(memo, key)[KEY_TAKEN] != 0)
        return LINEAR_MEMO_KNOWN;
    if (!has_room(memo) && !grow(memo))
        return LINEAR_MEMO_FULL;
    place = find(memo, key);
    memcpy(place, key, memo->stride * sizeof(*key));
    memo->used++;
    return LINEAR_MEMO_NEW;
}
