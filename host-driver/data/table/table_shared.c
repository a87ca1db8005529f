/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of another node's table: what is there is looked at, and then a chain writes the record and swings the link. */
#include <string.h>

#include <tern/atomic.h>
#include <tern/chain.h>
#include <tern/read.h>
#include <tern/table_shared.h>

#include "record.h"
#include "slabs_inside.h"

enum { TRIES = 64, KEY_BYTES_MAX = UINT16_MAX };

/* Steps of chains, as their contexts; 0 is the put of tern_balloc_done(). */
enum { LOOK_BUCKET = 1, LOOK_KEY, WRITE, HAND_ON, SWING, SHADOW };

struct change {
    uint64_t hash;
    const void *key, *value;
    size_t key_bytes, value_bytes;
    const struct tern_table_seen *expected;
};

/* A bucket's link, and the newest record of the key behind it, if any. */
struct state {
    uint64_t link;
    struct tern_table_seen newest; /* a deletion, too */
    bool exists, other_key;
};

static bool is_seen(struct tern_table_seen seen)
{
    return seen.generation != 0;
}

/* ---- scratch: the bucket, the record that was found, the record to be written */

static uint32_t *bucket_in(const struct tern_table_writer *w)
{
    return w->scratch;
}

static uint32_t *found_in(const struct tern_table_writer *w)
{
    return (uint32_t *)w->scratch + TERN_NODE_BYTES / 4;
}

static uint32_t *record_in(const struct tern_table_writer *w)
{
    return found_in(w) + w->table.blocks.slab_bytes / 4;
}

size_t tern_table_writer_bytes(const struct tern_table_shared *table)
{
    return TERN_NODE_BYTES + 2 * (size_t)table->blocks.slab_bytes;
}

/* ---- chains, and how they end */

/* The put that says who has a slab is told of if it failed: then the call fails, too. */
static int ended(const struct tern_allocator *a, struct tern_completion *done)
{
    int failed = 0, status;

    while ((status = tern_allocator_next(a, done)) == 0 && done->context == 0)
        failed = -(int)done->status;
    return status < 0 ? status : failed;
}

static int run(const struct tern_table_writer *w, int posted, struct tern_completion *done)
{
    int status = posted < 0 ? posted : tern_chain_post(w->slabs.sq);

    if (status < 0) {
        tern_chain_drop(w->slabs.sq);
        return status;
    }
    return ended(&w->slabs, done);
}

/* ---- what is there */

static struct state state_of(const struct tern_table_writer *w, const struct change *c, bool found)
{
    struct state state = {.link = TERN_GET(NOD, less, bucket_in(w))};
    const uint32_t *record = found_in(w);

    if (!found)
        return state;
    state.newest = tern_record_seen(record);
    state.exists = !tern_record_is_deletion(record);
    state.other_key = state.exists && !tern_record_is_key(record, c->key, c->key_bytes);
    return state;
}

/* First the bucket, then the key: as long as the bucket's link is the one that was read, the record is the newest. */
static int post_look(const struct tern_table_writer *w, const struct change *c)
{
    const struct tern_table_lookup lookup = {
        .table = w->table.pointer,
        .hash = c->hash,
        .region = w->region,
        .to = found_in(w),
        .room = (uint32_t)(RECORD_BYTES + c->key_bytes),
    };
    int status = tern_chain_begin(w->slabs.sq);

    if (!status)
        status = tern_read(w->slabs.sq, tern_table_bucket(&w->table.pointer, c->hash), w->region, bucket_in(w),
                           TERN_NODE_BYTES, 0, LOOK_BUCKET);
    return status ? status : tern_table_lookup(w->slabs.sq, &lookup, 0, LOOK_KEY);
}

/* UNLIKE: it changed meanwhile. */
static int look(const struct tern_table_writer *w, const struct change *c, struct state *state)
{
    struct tern_completion done;
    int status = run(w, post_look(w, c), &done);

    if (status)
        return status;
    if (done.status == TERN_ST_STALE_POINTER && done.context == LOOK_KEY)
        return -TERN_ST_UNLIKE;
    if (done.status != TERN_ST_OK && (done.status != TERN_ST_NOT_FOUND || done.context != LOOK_KEY))
        return -(int)done.status;
    *state = state_of(w, c, done.status == TERN_ST_OK);
    return done.status == TERN_ST_OK && !is_seen(state->newest) ? -TERN_ST_UNLIKE : 0;
}

static int refused(const struct change *c, const struct state *state)
{
    struct tern_table_seen there = state->exists ? state->newest : (struct tern_table_seen){0};

    if (state->other_key)
        return -TERN_ST_QUEUE_BUSY;
    if (c->value_bytes == RECORD_DELETION && !state->exists)
        return -TERN_ST_NOT_FOUND;
    if (c->expected && (c->expected->place != there.place || c->expected->generation != there.generation))
        return -TERN_ST_UNLIKE;
    return 0;
}

/* ---- the change */

static uint64_t addr_of(struct tern_rptr at)
{
    return TERN_GET(RPTR, addr, at.w);
}

/* Links between records are for any generation, as the one of a record changes when it is shadowed. */
static uint64_t any_generation(uint64_t link)
{
    return tern_link(tern_link_addr(link), 0);
}

static uint64_t write_record(const struct tern_table_writer *w, const struct change *c, const struct state *state)
{
    uint32_t *record = record_in(w);
    uint16_t generation = (uint16_t)(w->slab.generation % GENERATION_MAX + 1);
    uint64_t addr = addr_of(w->slab.at);

    memset(record, 0, RECORD_BYTES);
    TERN_SET(REC, place, record, (addr - addr_of(w->table.pointer.start)) / TERN_NODE_BYTES);
    tern_record_write(record, c->hash, c->key, c->key_bytes, c->value, c->value_bytes);
    TERN_SET(REC, next, record, any_generation(state->link));
    TERN_SET(REC, generation, record, generation);
    return tern_link(addr, generation);
}

static uint64_t generation_word(uint16_t generation)
{
    uint32_t words[RECORD_BYTES / 4] = {0};
    uint64_t word;

    TERN_SET(REC, generation, words, generation);
    memcpy(&word, words + TERN_REC_generation_WORD / 2 * 2, sizeof(word));
    return word;
}

static int post_shadow(const struct tern_table_writer *w, struct tern_table_seen old)
{
    const struct tern_masked masked = {
        .compare = generation_word(old.generation),
        .compare_mask = generation_word(UINT16_MAX),
        .swap = generation_word(TAKEN_OUT),
        .swap_mask = generation_word(TAKEN_OUT),
    };
    struct tern_rptr record = tern_rptr_add(w->table.pointer.start, (uint64_t)old.place * TERN_NODE_BYTES);

    return tern_compare_swap_masked(w->slabs.sq, tern_rptr_add(record, TERN_REC_generation_WORD / 2 * sizeof(uint64_t)), &masked,
                                    0, SHADOW);
}

/*
 * The slab is the table's before a link leads there: whoever recovers those of a client that died then leaves it alone.
 * The link is swung when the record is there.
 */
static int post_change(const struct tern_table_writer *w, const struct change *c, const struct state *state)
{
    struct tern_sq *sq = w->slabs.sq;
    uint64_t link = write_record(w, c, state);
    const uint32_t *record = record_in(w);
    struct tern_rptr at = tern_rptr_add(tern_table_bucket(&w->table.pointer, c->hash), TERN_NOD_less_WORD * 4);
    int status = tern_chain_begin(sq);

    if (!status)
        status = tern_put(sq, w->slab.at, w->region, record, (uint32_t)tern_record_bytes(record), 0, WRITE);
    if (!status)
        status = tern_slab_assign(sq, &w->table.blocks, w->table.holder, &w->slab, 0, HAND_ON);
    if (!status)
        status = tern_compare_swap(sq, at, state->link, link, 0, SWING);
    return status || !is_seen(state->newest) ? status : post_shadow(w, state->newest);
}

/* UNLIKE: others were quicker.  Otherwise the slab is gone, as the record may be in its bucket. */
static int change_it(struct tern_table_writer *w, const struct change *c, const struct state *state)
{
    struct tern_completion done;
    int status = run(w, post_change(w, c, state), &done);

    if (status == 0 && done.status == TERN_ST_UNLIKE && done.context == SWING)
        return -TERN_ST_UNLIKE;
    if (status != -TERN_ST_AGAIN)
        w->stocked = false;
    if (status || (done.status == TERN_ST_UNLIKE && done.context == SHADOW)) /* the sweep was quicker */
        return status;
    return -(int)done.status;
}

/* The table has it since the first try. */
static int give_slab_back(struct tern_table_writer *w)
{
    struct tern_allocator table = w->slabs;

    table.holder = w->table.holder;
    w->stocked = false;
    return tern_bfree_wait(&table, &w->slab);
}

static int try_often(struct tern_table_writer *w, const struct change *c)
{
    bool tried = false;
    unsigned tries;
    int status = -TERN_ST_UNLIKE;

    for (tries = 0; status == -TERN_ST_UNLIKE && tries < TRIES; tries++) {
        struct state state = {0};

        status = look(w, c, &state);
        if (status == -TERN_ST_UNLIKE)
            continue;
        if (!status && (status = refused(c, &state)) != 0)
            break;
        if (!status && (status = tern_table_writer_stock(w)) == 0) {
            tried = true;
            status = change_it(w, c, &state);
        }
    }
    if (status == -TERN_ST_UNLIKE && tries == TRIES)
        status = -TERN_ST_AGAIN;
    if (tried && w->stocked)
        (void)give_slab_back(w); /* if not, the sweep does */
    return status;
}

int tern_table_writer_stock(struct tern_table_writer *w)
{
    int status = w->stocked ? 0 : tern_balloc_wait(&w->slabs, &w->slab);

    w->stocked = status == 0;
    return status;
}

static int change(struct tern_table_writer *w, const struct change *c)
{
    uint64_t bytes = RECORD_BYTES + (uint64_t)c->key_bytes + (c->value_bytes == RECORD_DELETION ? 0 : c->value_bytes);

    if (c->key_bytes == 0 || c->key_bytes > KEY_BYTES_MAX || bytes > w->table.blocks.slab_bytes)
        return -TERN_ST_BAD_LENGTH;
    return try_often(w, c);
}

int tern_table_shared_set(struct tern_table_writer *w, const void *key, size_t key_bytes, const void *value,
                          size_t value_bytes, const struct tern_table_seen *expected)
{
    const struct change c = {tern_table_hash(key, key_bytes), key, value, key_bytes, value_bytes, expected};

    return value_bytes >= RECORD_DELETION ? -TERN_ST_BAD_LENGTH : change(w, &c);
}

int tern_table_shared_remove(struct tern_table_writer *w, const void *key, size_t key_bytes,
                             const struct tern_table_seen *expected)
{
    const struct change c = {tern_table_hash(key, key_bytes), key, NULL, key_bytes, RECORD_DELETION, expected};

    return change(w, &c);
}
