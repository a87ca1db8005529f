/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that all nodes change, for the inside of the library. */
#ifndef TERN_SHARED_H
#define TERN_SHARED_H

#include <tern/table_shared.h>

#include "record.h"

/* Bytes at whose multiples the parts of a table begin; `bytes` up to such a multiple. */
enum { TERN_TABLE_ALIGN = 64 };
static inline size_t tern_table_aligned(size_t bytes)
{
    return (bytes + TERN_TABLE_ALIGN - 1) / TERN_TABLE_ALIGN * TERN_TABLE_ALIGN;
}

/* Bytes of the buckets, which are the first part. */
size_t tern_table_buckets_bytes(unsigned log2_buckets);

/* Where the count of requests for a sweep is, from the start of the table. */
uint64_t tern_table_asked_at(const struct tern_table_shared *table);

/* Bytes of the buckets and of the line behind them, where the slabs of the first size begin. */
size_t tern_table_slabs_at(const struct tern_table_shared *table);

/* The smallest size with room for a record, or `sizes` if there is none. */
unsigned tern_table_size_for(const struct tern_table_shared *table, uint64_t bytes);

/* Bytes of a record; a deletion has no value. */
static inline uint64_t tern_shared_bytes(size_t key_bytes, size_t value_bytes)
{
    return RECORD_BYTES + (uint64_t)key_bytes +
           (value_bytes == RECORD_DELETION ? 0 : (uint64_t)value_bytes);
}

/* One step of a change: as tern_steps_next_fn and tern_steps_heard_fn. */
int tern_change_next(struct tern_steps *steps);
bool tern_change_heard(struct tern_steps *steps, const struct tern_completion *done);
void tern_change_begin(struct tern_table_writer *writer);

/* The operations of a change: they post, and read what came. */
enum { AT_SLAB, AT_BUCKET, AT_RECORD, AT_KEY, AT_SWING, AT_SHADOW, AT_ASK }; /* contexts */
int tern_change_post_bucket(struct tern_table_writer *w);
int tern_change_post_record(struct tern_table_writer *w, uint64_t link);
int tern_change_post_link(struct tern_table_writer *w);
int tern_change_post_key(struct tern_table_writer *w);
int tern_change_post_swing(struct tern_table_writer *w);
int tern_change_post_shadow(struct tern_table_writer *w);
int tern_change_post_ask(struct tern_table_writer *w);
/* Where the record of the slab in use is. */
struct tern_table_seen tern_change_written(const struct tern_table_writer *w);
/* Says that the slab in use is the table's from now on; no step waits for it. */
int tern_change_hand_over(struct tern_table_writer *w);
/* The link in a record to what a bucket with that link has; 0: nothing. */
uint64_t tern_change_behind(uint64_t link);
/* The link of the bucket that was read. */
uint64_t tern_change_link(const struct tern_table_writer *w);
/* Whether what was read is the record that the bucket's link leads to. */
bool tern_change_is_first(const struct tern_table_writer *w);
/* Takes note of the record that was found: false, if it is of another key and the walk goes on. */
bool tern_change_note(struct tern_table_writer *w);

#endif
