/* SPDX-License-Identifier: Apache-2.0 */
/* The single operations of a change of another node's table, and the layout of the scratch. */
#include <string.h>

#include <tern/atomic.h>
#include <tern/read.h>

#include "shared.h"
#include "slabs_inside.h"

enum { NODES_MAX = (1 << TERN_LKP_nodes_BITS) - 1 };

static uint64_t addr_of(struct tern_rptr at)
{
    return TERN_GET(RPTR, addr, at.w);
}

/* ---- scratch: the bucket, the record found, the record to be written */

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
    return found_in(w) + w->table.blocks[w->table.sizes].slab_bytes / 4;
}

size_t tern_table_writer_bytes(const struct tern_table_shared *table)
{
    return TERN_NODE_BYTES + 2 * (size_t)table->blocks[table->sizes].slab_bytes;
}

/* ---- the bucket, and the key */

int tern_change_post_bucket(struct tern_table_writer *w)
{
    return tern_read(w->sq, tern_table_bucket(&w->table.pointer, w->change.hash), w->region,
                     bucket_in(w), TERN_NODE_BYTES, TERN_DFLAG_SIGNAL, AT_BUCKET);
}

/* Returns all 64 bits: the upper bits of an empty bucket count how often it was emptied. */
uint64_t tern_change_link(const struct tern_table_writer *w)
{
    return TERN_GET(NOD, less, bucket_in(w));
}

/* Reads the first record of the bucket, which in most cases has the key, or is the only one. */
static int post_first(struct tern_table_writer *w, uint32_t room)
{
    return tern_read(w->sq, tern_link_follow(w->table.pointer.start, w->change.link), w->region,
                     found_in(w), room, TERN_DFLAG_SIGNAL, AT_KEY);
}

/*
 * Posts the search for the key.  If the bucket's link changes meanwhile, the compare-and-swap will
 * notice.  From the second record on, the table's NIC walks the list (a lookup).
 */
int tern_change_post_key(struct tern_table_writer *w)
{
    const struct tern_table_change *c = &w->change;
    const struct tern_table_lookup lookup = {
        .table = w->table.pointer,
        .hash = c->hash,
        .region = w->region,
        .to = found_in(w),
        .room = (uint32_t)(RECORD_BYTES + c->key_bytes),
        .nodes = NODES_MAX,
        .next = c->next,
    };

    return c->next ? tern_table_lookup(w->sq, &lookup, TERN_DFLAG_SIGNAL, AT_KEY)
                   : post_first(w, lookup.room);
}

bool tern_change_is_first(const struct tern_table_writer *w)
{
    uint16_t wanted = tern_link_generation(w->change.link);

    return wanted == 0 || TERN_GET(REC, generation, found_in(w)) == wanted;
}

bool tern_change_note(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    const uint32_t *record = found_in(w);
    uint64_t next = TERN_GET(REC, next, record);

    if (!tern_record_is_key(record, c->key, c->key_bytes)) {
        c->next = (uint32_t)next == 0 ? 0 : next;
        return c->next == 0;
    }
    c->newest = tern_record_seen(record);
    c->exists = !tern_record_is_deletion(record);
    return true;
}

/* ---- the record */

/*
 * Returns the link from a new record to the old first one.  It fits any generation, because a
 * record's generation changes when a newer record shadows it.  An empty bucket's count is no link.
 */
uint64_t tern_change_behind(uint64_t link)
{
    return (uint32_t)link == 0 ? 0 : tern_link(tern_link_addr(link), 0);
}

static uint16_t generation_of(const struct tern_slab *slab)
{
    return (uint16_t)(slab->generation % GENERATION_MAX + 1);
}

static const struct tern_slab *slab_of(const struct tern_table_writer *w)
{
    return &w->stock[w->change.size];
}

struct tern_table_seen tern_change_written(const struct tern_table_writer *w)
{
    uint64_t offset = addr_of(slab_of(w)->at) - addr_of(w->table.pointer.start);

    return (struct tern_table_seen){(uint32_t)(offset / TERN_NODE_BYTES),
                                    generation_of(slab_of(w))};
}

int tern_change_post_record(struct tern_table_writer *w, uint64_t link)
{
    const struct tern_table_change *c = &w->change;
    uint32_t *record = record_in(w);
    uint64_t addr = addr_of(slab_of(w)->at);

    memset(record, 0, RECORD_BYTES);
    TERN_SET(REC, place, record, (addr - addr_of(w->table.pointer.start)) / TERN_NODE_BYTES);
    TERN_SET(REC, generation, record, generation_of(slab_of(w)));
    tern_record_write(record, c->hash, c->key, c->key_bytes, c->value, c->value_bytes);
    TERN_SET(REC, next, record, tern_change_behind(link));
    return tern_put(w->sq, slab_of(w)->at, w->region, record, (uint32_t)tern_record_bytes(record),
                    TERN_DFLAG_SIGNAL, AT_RECORD);
}

int tern_change_post_link(struct tern_table_writer *w)
{
    uint64_t link = tern_change_behind(w->change.link);

    return tern_put_inline(w->sq, tern_rptr_add(slab_of(w)->at, TERN_REC_next_WORD * 4), &link,
                           sizeof(link), TERN_DFLAG_SIGNAL, AT_RECORD);
}

/* ---- the change */

int tern_change_post_swing(struct tern_table_writer *w)
{
    struct tern_rptr bucket = tern_table_bucket(&w->table.pointer, w->change.hash);
    uint64_t link = tern_link(addr_of(slab_of(w)->at), generation_of(slab_of(w)));

    return tern_compare_swap(w->sq, tern_rptr_add(bucket, TERN_NOD_less_WORD * 4),
                             w->change.link, link, TERN_DFLAG_SIGNAL, AT_SWING);
}

static uint64_t generation_word(uint16_t generation)
{
    uint32_t words[RECORD_BYTES / 4] = {0};
    uint64_t word;

    TERN_SET(REC, generation, words, generation);
    memcpy(&word, words + TERN_REC_generation_WORD / 2 * 2, sizeof(word));
    return word;
}

int tern_change_post_shadow(struct tern_table_writer *w)
{
    struct tern_table_seen old = w->change.newest;
    const struct tern_masked masked = {
        .compare = generation_word(old.generation),
        .compare_mask = generation_word(UINT16_MAX),
        .swap = generation_word(TAKEN_OUT),
        .swap_mask = generation_word(TAKEN_OUT),
    };
    struct tern_rptr record = tern_rptr_add(w->table.pointer.start,
                                            (uint64_t)old.place * TERN_NODE_BYTES);

    return tern_compare_swap_masked(w->sq,
                                    tern_rptr_add(record, TERN_REC_generation_WORD / 2 *
                                                  sizeof(uint64_t)),
                                    &masked, TERN_DFLAG_SIGNAL, AT_SHADOW);
}

int tern_change_hand_over(struct tern_table_writer *w)
{
    struct tern_work *before = tern_sq_serve(w->sq, tern_sq_stray(w->sq));
    int status = tern_slab_assign(w->sq, &w->table.blocks[w->change.size], w->table.holder,
                                  slab_of(w), 0, 0);

    (void)tern_sq_serve(w->sq, before);
    return status;
}

int tern_change_post_ask(struct tern_table_writer *w)
{
    return tern_fetch_add(w->sq, tern_rptr_add(w->table.pointer.start,
                                               tern_table_asked_at(&w->table)),
                          1, TERN_DFLAG_SIGNAL, AT_ASK);
}
