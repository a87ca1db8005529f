/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of another node's table: a chain looks at the bucket and the key; a second one writes
 * the record and swings the link.
 */
#include <string.h>

#include <tern/atomic.h>
#include <tern/chain.h>
#include <tern/read.h>
#include <tern/table_shared.h>

#include "record.h"
#include "slabs_inside.h"

enum { TRIES = 64, KEY_BYTES_MAX = UINT16_MAX };

/* Steps of chains, as their contexts. */
enum { LOOK_BUCKET = 1, LOOK_KEY, WRITE, HAND_ON, SWING, SHADOW };

/* What comes next of a change. */
enum { TO_LOOK, LOOKED, TO_TAKE, TO_CHANGE, CHANGED, TO_GIVE, OVER };

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

/* ---- what is there */

/* The bucket's link, and the newest record of the key behind it, if any; that may be a deletion. */
static void read_state(const struct tern_table_writer *w, struct tern_table_change *c, bool found)
{
    const uint32_t *record = found_in(w);

    c->link = TERN_GET(NOD, less, bucket_in(w));
    c->newest = (struct tern_table_seen){0};
    c->exists = c->other_key = false;
    if (!found)
        return;
    c->newest = tern_record_seen(record);
    c->exists = !tern_record_is_deletion(record);
    c->other_key = c->exists && !tern_record_is_key(record, c->key, c->key_bytes);
}

/*
 * First the bucket, then the key: as long as the bucket's link is the one that was read, the
 * record is the newest.
 */
static int post_look(const struct tern_table_writer *w, const struct tern_table_change *c)
{
    const struct tern_table_lookup lookup = {
        .table = w->table.pointer,
        .hash = c->hash,
        .region = w->region,
        .to = found_in(w),
        .room = (uint32_t)(RECORD_BYTES + c->key_bytes),
    };
    int status = tern_read(w->slabs.sq, tern_table_bucket(&w->table.pointer, c->hash),
                           w->region, bucket_in(w),
                           TERN_NODE_BYTES, TERN_LINK, LOOK_BUCKET);

    return status ? status : tern_table_lookup(w->slabs.sq, &lookup, 0, LOOK_KEY);
}

/* UNLIKE: it changed meanwhile. */
static int judge_look(const struct tern_table_writer *w, struct tern_table_change *c)
{
    if (c->answer == TERN_ST_STALE_POINTER && c->at == LOOK_KEY)
        return -TERN_ST_UNLIKE;
    if (c->answer != TERN_ST_OK && (c->answer != TERN_ST_NOT_FOUND || c->at != LOOK_KEY))
        return -(int)c->answer;
    read_state(w, c, c->answer == TERN_ST_OK);
    return c->answer == TERN_ST_OK && !is_seen(c->newest) ? -TERN_ST_UNLIKE : 0;
}

static int refused(const struct tern_table_change *c)
{
    struct tern_table_seen there = c->exists ? c->newest : (struct tern_table_seen){0};

    if (c->other_key)
        return -TERN_ST_QUEUE_BUSY;
    if (c->value_bytes == RECORD_DELETION && !c->exists)
        return -TERN_ST_NOT_FOUND;
    if (c->expects && (c->expected.place != there.place ||
                       c->expected.generation != there.generation))
        return -TERN_ST_UNLIKE;
    return 0;
}

/* ---- the change */

static uint64_t addr_of(struct tern_rptr at)
{
    return TERN_GET(RPTR, addr, at.w);
}

/*
 * Links between records are for any generation, as the one of a record changes when it is
 * shadowed.
 */
static uint64_t any_generation(uint64_t link)
{
    return tern_link(tern_link_addr(link), 0);
}

static uint64_t write_record(const struct tern_table_writer *w, const struct tern_table_change *c)
{
    uint32_t *record = record_in(w);
    uint16_t generation = (uint16_t)(w->slab.generation % GENERATION_MAX + 1);
    uint64_t addr = addr_of(w->slab.at);

    memset(record, 0, RECORD_BYTES);
    TERN_SET(REC, place, record, (addr - addr_of(w->table.pointer.start)) / TERN_NODE_BYTES);
    tern_record_write(record, c->hash, c->key, c->key_bytes, c->value, c->value_bytes);
    TERN_SET(REC, next, record, any_generation(c->link));
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
    struct tern_rptr record = tern_rptr_add(w->table.pointer.start,
                                            (uint64_t)old.place * TERN_NODE_BYTES);

    return tern_compare_swap_masked(w->slabs.sq, tern_rptr_add(record,
            TERN_REC_generation_WORD / 2 * sizeof(uint64_t)), &masked,
                                    0, SHADOW);
}

/*
 * The slab is the table's before a link leads there: whoever recovers those of a client that
 * died then leaves it alone. The link is swung when the record is there.
 */
static int post_change(const struct tern_table_writer *w, const struct tern_table_change *c)
{
    struct tern_sq *sq = w->slabs.sq;
    uint64_t link = write_record(w, c);
    const uint32_t *record = record_in(w);
    struct tern_rptr at = tern_rptr_add(tern_table_bucket(&w->table.pointer, c->hash),
                                        TERN_NOD_less_WORD * 4);
    const unsigned more = is_seen(c->newest) ? TERN_LINK : 0;
    int status = tern_put(sq, w->slab.at, w->region, record,
                          (uint32_t)tern_record_bytes(record), TERN_LINK, WRITE);

    if (!status)
        status = tern_slab_assign(sq, &w->table.blocks, w->table.holder, &w->slab, TERN_LINK,
                                  HAND_ON);
    if (!status)
        status = tern_compare_swap(sq, at, c->link, link, more, SWING);
    return status || !more ? status : post_shadow(w, c->newest);
}

/* UNLIKE: others were quicker.  Otherwise the slab is gone, as the record may be in its bucket. */
static int judge_change(struct tern_table_writer *w, const struct tern_table_change *c)
{
    if (c->answer == TERN_ST_UNLIKE && c->at == SWING)
        return -TERN_ST_UNLIKE;
    w->stocked = false;
    if (c->answer == TERN_ST_UNLIKE && c->at == SHADOW) /* the sweep was quicker */
        return 0;
    return -(int)c->answer;
}

/* ---- one step after the other */

/*
 * It ends so; a slab that was written to has the table as its owner since, and goes back in its
 * name.
 */
static void end(struct tern_table_writer *w, struct tern_table_change *c, int status)
{
    c->status = status;
    c->step = OVER;
    if (!c->tried || !w->stocked)
        return;
    c->bfree = (struct tern_bfree){.blocks = &w->slabs.blocks, .holder = w->table.holder,
                                   .slab = w->slab};
    tern_bfree_start(&c->bfree);
    w->stocked = false;
    c->step = TO_GIVE;
}

static void look_again(struct tern_table_writer *w, struct tern_table_change *c)
{
    int status = 0;

    if (++c->tries == TRIES)
        status = -TERN_ST_CONTENDED;
    c->step = TO_LOOK;
    if (status)
        end(w, c, status);
}

static void after_look(struct tern_table_writer *w, struct tern_table_change *c)
{
    int status = judge_look(w, c);

    if (status == -TERN_ST_UNLIKE) {
        look_again(w, c);
        return;
    }
    if (!status)
        status = refused(c);
    if (status) {
        end(w, c, status);
        return;
    }
    c->step = TO_CHANGE;
    if (w->stocked)
        return;
    c->step = TO_TAKE;
    c->balloc = (struct tern_balloc){.blocks = &w->slabs.blocks, .holder = w->slabs.holder,
                                     .word = w->slabs.word % tern_blocks_words(&w->slabs.blocks)};
    tern_balloc_start(&c->balloc);
}

static void after_change(struct tern_table_writer *w, struct tern_table_change *c)
{
    int status = judge_change(w, c);

    c->tried = true;
    if (status == -TERN_ST_UNLIKE)
        look_again(w, c);
    else
        end(w, c, status);
}

/* Takes a slab.  1: an answer is to come, AGAIN; 0: it is over, well or not. */
static int take(struct tern_table_writer *w, struct tern_table_change *c)
{
    int status = tern_balloc_go(w->slabs.sq, &c->balloc);

    if (status > 0 || status == -TERN_ST_AGAIN)
        return status;
    w->slabs.word = c->balloc.word;
    w->slab = c->balloc.slab;
    w->stocked = status == 0;
    c->step = TO_CHANGE;
    if (status)
        end(w, c, status);
    return 0;
}

/* If the slab cannot be given back, the sweep does it. */
static int give(struct tern_table_writer *w, struct tern_table_change *c)
{
    int status = tern_bfree_go(w->slabs.sq, &c->bfree);

    if (status > 0 || status == -TERN_ST_AGAIN)
        return status;
    c->step = OVER;
    return 0;
}

/* Posts a chain: 1, or why that failed. */
static int posted(struct tern_table_change *c, int status, uint8_t step)
{
    if (status && status != -TERN_ST_AGAIN)
        tern_chain_drop(c->steps.sq);
    if (status)
        return status;
    c->step = step;
    return 1;
}

/* As tern_steps_next_fn, but 0: go on. */
static int go(struct tern_table_writer *w, struct tern_table_change *c)
{
    switch (c->step) {
    case TO_LOOK:
        return posted(c, post_look(w, c), LOOKED);
    case LOOKED:
        after_look(w, c);
        return 0;
    case TO_TAKE:
        return take(w, c);
    case TO_CHANGE:
        return posted(c, post_change(w, c), CHANGED);
    case CHANGED:
        after_change(w, c);
        return 0;
    default:
        return give(w, c);
    }
}

static struct tern_table_writer *writer_of(struct tern_steps *steps)
{
    return (struct tern_table_writer *)(void *)((uint8_t *)steps -
                                                offsetof(struct tern_table_writer, change.steps));
}

static int change_next(struct tern_steps *steps)
{
    struct tern_table_writer *w = writer_of(steps);
    struct tern_table_change *c = &w->change;
    int status = 0;

    while (c->step != OVER && status == 0)
        status = go(w, c);
    if (status > 0 || status == -TERN_ST_AGAIN)
        return status;
    c->out = false;
    return status ? status : c->status;
}

static bool change_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    struct tern_table_change *c = &writer_of(steps)->change;

    c->answer = done->status;
    c->at = (uint8_t)done->context;
    if (c->step == TO_TAKE)
        tern_balloc_hear(&c->balloc, done);
    else if (c->step == TO_GIVE)
        tern_bfree_hear(&c->bfree, done);
    return true;
}

int tern_table_writer_stock(struct tern_table_writer *w)
{
    int status = w->stocked ? 0 : tern_balloc_wait(&w->slabs, &w->slab);

    w->stocked = status == 0;
    return status;
}

struct wanted {
    const void *key, *value;
    size_t key_bytes, value_bytes;
    const struct tern_table_seen *expected;
};

/* `waits`: for as long as the writer says. */
static int change(struct tern_table_writer *w, const struct wanted *wanted, bool waits,
                  uint64_t context)
{
    struct tern_table_change *c = &w->change;
    uint64_t bytes =
        RECORD_BYTES + (uint64_t)wanted->key_bytes + (wanted->value_bytes == RECORD_DELETION
                                                      ? 0 : wanted->value_bytes);
    int status;

    if (wanted->key_bytes == 0 || wanted->key_bytes > KEY_BYTES_MAX ||
        bytes > w->table.blocks.slab_bytes)
        return -TERN_ST_BAD_LENGTH;
    if (c->out)
        return -TERN_ST_AGAIN;
    *c = (struct tern_table_change){
        .key = wanted->key, .key_bytes = wanted->key_bytes, .value = wanted->value,
            .value_bytes = wanted->value_bytes,
        .hash = tern_table_hash(wanted->key, wanted->key_bytes),
            .expects = wanted->expected != NULL, .step = TO_LOOK,
        .out = true,
    };
    if (wanted->expected)
        c->expected = *wanted->expected;
    status = waits ? tern_steps_run(&c->steps, w->slabs.sq, change_next, change_heard,
                                    w->slabs.timeout_ms)
                   : tern_steps_start(&c->steps, w->slabs.sq, change_next, change_heard,
                                      TERN_OP_CAS, context);
    if (waits || status)
        c->out = false;
    return status;
}

static int set(struct tern_table_writer *w, const struct wanted *wanted, bool waits,
               uint64_t context)
{
    return wanted->value_bytes >= RECORD_DELETION ? -TERN_ST_BAD_LENGTH : change(w, wanted,
                                                                                 waits, context);
}

int tern_table_shared_set(struct tern_table_writer *w, const void *key, size_t key_bytes,
                          const void *value,
                          size_t value_bytes, const struct tern_table_seen *expected,
                              uint64_t context)
{
    return set(w, &(struct wanted){key, value, key_bytes, value_bytes, expected}, false, context);
}

int tern_table_shared_set_wait(struct tern_table_writer *w, const void *key, size_t key_bytes,
                               const void *value,
                               size_t value_bytes, const struct tern_table_seen *expected)
{
    return set(w, &(struct wanted){key, value, key_bytes, value_bytes, expected}, true, 0);
}

int tern_table_shared_remove(struct tern_table_writer *w, const void *key, size_t key_bytes,
                             const struct tern_table_seen *expected, uint64_t context)
{
    return change(w, &(struct wanted){key, NULL, key_bytes, RECORD_DELETION, expected}, false,
                  context);
}

int tern_table_shared_remove_wait(struct tern_table_writer *w, const void *key, size_t key_bytes,
                                  const struct tern_table_seen *expected)
{
    return change(w, &(struct wanted){key, NULL, key_bytes, RECORD_DELETION, expected}, true, 0);
}
