/* SPDX-License-Identifier: Apache-2.0 */
/* The work of clients of heaps, of slabs, and of a table, one piece at a time. */
#include <stdio.h>
#include <string.h>

#include "pauses_work.h"

/* ---- heaps */

static uint32_t place_of(const struct pause_worker *w, struct tern_ptr at)
{
    return (uint32_t)((at.offset - w->board->heap_start) / PAUSE_UNIT);
}

/* No room is no fault: others may have all of it. */
static int unless_full(int status)
{
    return status == -TERN_ST_FULL ? 0 : status;
}

static int hold(struct pause_worker *w, struct tern_ptr at, uint32_t bytes)
{
    struct work_slab *slab = &w->held[w->count];
    int status;

    *slab = (struct work_slab){.at = at, .place = place_of(w, at),
                               .bytes = bytes < WORK_BYTES ? bytes : WORK_BYTES};
    status = work_claim(w, tern_heap_rptr(w->heap, at), slab);
    w->count += !status;
    return status;
}

static int take_one(struct pause_worker *w)
{
    /* often of a class that has few words, where clients meet */
    uint32_t bytes = random_below(&w->random, 4) ? 3000 : 24 + random_below(&w->random, 40) * 16;
    struct tern_ptr at;
    int status;

    if (w->client->steady)
        bytes = 96;
    else if (random_below(&w->random, 32) == 0)
        bytes = 70000;
    status = tern_alloc(w->heap, bytes, &at);
    return status ? unless_full(status) : hold(w, at, bytes);
}

static int take_many(struct pause_worker *w)
{
    struct tern_ptr at[3];
    int status = tern_alloc_many(w->heap, TERN_ALLOC_ANY, 96, at, 3);

    if (status)
        return unless_full(status);
    for (unsigned i = 0; !status && i < 3; i++)
        status = hold(w, at[i], 96);
    return status;
}

/* The last one held; it is this client's until it is given. */
static int give_one(struct pause_worker *w)
{
    const struct work_slab slab = w->held[--w->count];
    int status = work_yield(w, tern_heap_rptr(w->heap, slab.at), &slab);

    if (status)
        return status;
    status = tern_free(w->heap, slab.at);
    if (status && status != -TERN_ST_LEASE_OVER && status != -TERN_ST_BAD_KEY &&
        status != -TERN_ST_TIMEOUT) /* judged apart */
        pause_fault(w->board, REFUSED);
    return status;
}

static bool is_client(const struct pause_worker *w, uint32_t name)
{
    for (unsigned i = 0; i < PAUSE_CLIENTS; i++)
        if (atomic_load(&w->board->client[i]) == name)
            return true;
    return false;
}

/* Writes a letter over one that none takes any more.  With all in use the receiver never knows. */
static void write_letter(struct pause_worker *w, uint32_t to, struct tern_ptr at)
{
    for (unsigned i = 0; i < PAUSE_LETTERS; i++) {
        struct pause_letter *letter = &w->board->letter[i];
        uint32_t was = atomic_load(&letter->to);

        if (was == UINT32_MAX || is_client(w, was) ||
            !atomic_compare_exchange_strong(&letter->to, &was, UINT32_MAX))
            continue;
        letter->at = at;
        atomic_store(&letter->to, to);
        return;
    }
}

/* To another client, by a letter that it finds. */
static int hand_one_on(struct pause_worker *w)
{
    uint32_t to = atomic_load(&w->board->client[random_below(&w->random, WITH_SLABS)]);
    const struct work_slab slab = w->held[w->count - 1];
    int status;

    if (to == 0 || to == pause_name(w->me))
        return 0;
    w->count--;
    status = work_yield(w, tern_heap_rptr(w->heap, slab.at), &slab);
    if (!status)
        status = tern_hand_on(w->heap, slab.at, pause_holder(to));
    if (!status)
        write_letter(w, to, slab.at);
    return status;
}

/* Writes to what was handed on, by this member's key, and gives it back. */
static int take_letter(struct pause_worker *w)
{
    struct pause_letter *letter = &w->board->letter[random_below(&w->random, PAUSE_LETTERS)];
    uint32_t to = pause_name(w->me);
    struct tern_ptr at;
    int status;

    if (!atomic_compare_exchange_strong(&letter->to, &to, UINT32_MAX))
        return 0;
    at = letter->at;
    atomic_store(&letter->to, 0);
    status = hold(w, at, 24);
    return status ? status : give_one(w);
}

int work_with_heap(struct pause_worker *w)
{
    uint32_t draw = random_below(&w->random, 8);

    if (draw == 0 && w->count < WORK_HELD)
        return take_letter(w);
    if (draw == 1 && w->count && !w->client->steady)
        return hand_one_on(w);
    if (draw == 2 && w->count + 3 <= WORK_HELD)
        return take_many(w);
    if (w->count && (draw & 1 || w->count == WORK_HELD))
        return give_one(w);
    return take_one(w);
}

/* ---- slabs */

/* All that was posted before has ended: an owner word, too. */
static int settle(struct pause_worker *w, unsigned entered, int status)
{
    if (!status || status == -TERN_ST_FULL)
        return work_end(w, entered, tern_nop(w->sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0));
    tern_member_leave(w->member, entered, status);
    return status;
}

static int take_slab(struct pause_worker *w)
{
    struct work_slab *held = &w->held[w->count];
    unsigned entered = tern_member_enter(w->member);
    int took = tern_balloc_wait(&w->slabs, &held->slab);
    int status = settle(w, entered, took);

    if (status || took)
        return status;
    held->at.generation = 0;
    held->place = PAUSE_HEAP / PAUSE_UNIT + held->slab.index;
    held->bytes = PAUSE_SLAB;
    status = tern_sq_strays(w->sq);
    if (!status)
        status = work_claim(w, held->slab.at, held);
    w->count += !status;
    return status;
}

/* Points to a slab by the member's present key: it was taken with the key before an adoption. */
static struct tern_rptr slab_at(const struct pause_worker *w, const struct work_slab *held)
{
    struct tern_rptr at = held->slab.at;

    TERN_SET(RPTR, key, at.w, TERN_GET(RPTR, key, w->slabs.blocks.start.w));
    return at;
}

static int give_slab(struct pause_worker *w)
{
    const struct work_slab *held = &w->held[--w->count];
    unsigned entered;
    int status = work_yield(w, slab_at(w, held), held);

    if (status)
        return status;
    entered = tern_member_enter(w->member);
    status = tern_bfree_wait(&w->slabs, &held->slab);
    tern_member_leave(w->member, entered, status);
    if (status && status != -TERN_ST_BAD_KEY)
        pause_fault(w->board, REFUSED);
    return status;
}

int work_with_slabs(struct pause_worker *w)
{
    int status = tern_member_renew(w->member);

    if (status)
        return status;
    w->slabs.blocks.start = tern_member_at(w->member, w->board->slabs_at);
    if (w->count && (random_next(&w->random) & 1 || w->count == WORK_HELD))
        return give_slab(w);
    return take_slab(w);
}

/* ---- a table */

/*
 * Change n of a key, from 1 on, takes it out if n is a multiple of 4, else sets it to a value that
 * says n.  Each key has one client that changes it.
 */
static bool takes_out(uint64_t change)
{
    return change % 4 == 0;
}

static size_t value_of(uint64_t change, unsigned key, uint8_t value[PAUSE_RECORD])
{
    size_t bytes = 8 + (size_t)(change * 13 % 80);

    rig_fill(value, bytes, (unsigned)change * 16 + key);
    memcpy(value, &change, sizeof(change));
    return bytes;
}

static int change_key(struct pause_worker *w, unsigned key)
{
    uint64_t change = atomic_load(&w->board->begun[key]) + 1;
    uint8_t value[PAUSE_RECORD];
    size_t bytes = value_of(change, key, value);
    bool buried = work_is_buried(w);
    unsigned entered = tern_member_enter(w->member);
    char name[8];
    int status;

    snprintf(name, sizeof(name), "key%u", key);
    atomic_store(&w->board->begun[key], change);
    status = takes_out(change)
                 ? tern_table_shared_remove_wait(&w->writer, name, strlen(name), NULL)
                 : tern_table_shared_set_wait(&w->writer, name, strlen(name), value, bytes, NULL);
    if (status == -TERN_ST_FULL || status == -TERN_ST_CONTENDED)
        return settle(w, entered, 0);
    if (status && status != -TERN_ST_NOT_FOUND) {
        tern_member_leave(w->member, entered, status);
        return status;
    }
    if (buried)
        pause_fault(w->board, LATE);
    atomic_store(&w->board->done[key], change);
    return settle(w, entered, 0);
}

/* The record, which must be one that may be there now, and whole. */
static void check_record(struct pause_worker *w, unsigned key, uint64_t least,
                         const struct tern_table_record *record)
{
    uint8_t value[PAUSE_RECORD];
    uint64_t change = 0;

    if (record->whole && record->value_bytes >= sizeof(change))
        memcpy(&change, record->value, sizeof(change));
    if (change == 0 || value_of(change, key, value) != record->value_bytes ||
        memcmp(value, record->value, record->value_bytes) != 0)
        pause_fault(w->board, TORN);
    else if (change < least || change > atomic_load(&w->board->begun[key]) || takes_out(change))
        pause_fault(w->board, LOST);
}

/* It has no value: a change that took it out, or none, may be the last. */
static void check_none(struct pause_worker *w, unsigned key, uint64_t least)
{
    uint64_t most = atomic_load(&w->board->begun[key]);

    for (uint64_t change = least; change <= most; change++)
        if (takes_out(change))
            return;
    pause_fault(w->board, LOST);
}

static int look_up(struct pause_worker *w, unsigned key)
{
    uint64_t least = atomic_load(&w->board->done[key]);
    unsigned entered = tern_member_enter(w->member);
    struct tern_table_find find = {
        .lookup = {.table = w->writer.table.pointer, .region = w->region, .to = w->in,
                   .room = PAUSE_RECORD}};
    char name[8];
    int status;

    snprintf(name, sizeof(name), "key%u", key);
    find.key = name;
    find.key_bytes = strlen(name);
    find.lookup.hash = tern_table_shared_hash(&w->writer.table, name, strlen(name));
    status = work_end(w, entered, tern_table_find(w->sq, &find, 0));
    if (!status)
        check_record(w, key, least, &find.record);
    else if (status == -TERN_ST_NOT_FOUND)
        check_none(w, key, least);
    else
        return status;
    atomic_fetch_add(&w->board->checks, 1);
    return 0;
}

int work_with_table(struct pause_worker *w)
{
    unsigned key = random_below(&w->random, PAUSE_KEYS);
    int status = tern_member_renew(w->member);

    if (status)
        return status;
    tern_table_shared_at(&w->writer.table, tern_member_at(w->member, w->board->table_at));
    if (key % 2 == w->client->number % 2 && random_next(&w->random) & 1)
        return change_key(w, key);
    return look_up(w, key);
}

int work_empty_table(struct pause_worker *w)
{
    int status = tern_member_renew(w->member);

    tern_table_shared_at(&w->writer.table, tern_member_at(w->member, w->board->table_at));
    for (unsigned key = 0; !status && key < PAUSE_KEYS; key++) {
        unsigned entered = tern_member_enter(w->member);
        char name[8];

        snprintf(name, sizeof(name), "key%u", key);
        status = tern_table_shared_remove_wait(&w->writer, name, strlen(name), NULL);
        status = settle(w, entered, status == -TERN_ST_NOT_FOUND ? 0 : status);
    }
    return status;
}
