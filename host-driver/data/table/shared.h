/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that all nodes change: functions inside the library. */
#ifndef TERN_SHARED_H
#define TERN_SHARED_H

#include <tern/table_shared.h>

#include "record.h"

/* Alignment of the parts of a table; rounds `bytes` up to it. */
enum { TERN_TABLE_ALIGN = 64 };
static inline size_t tern_table_aligned(size_t bytes)
{
    return (bytes + TERN_TABLE_ALIGN - 1) / TERN_TABLE_ALIGN * TERN_TABLE_ALIGN;
}

/* Returns the bytes of the buckets, the first part. */
size_t tern_table_buckets_bytes(unsigned log2_buckets);

/* Returns the offset of the count of requests for a sweep. */
uint64_t tern_table_asked_at(const struct tern_table_shared *table);

/*
 * Returns the bytes of the buckets and of the line after them; the slabs of the first size follow.
 */
size_t tern_table_slabs_at(const struct tern_table_shared *table);

/* Returns the smallest size with room for a record, or `sizes` if there is none. */
unsigned tern_table_size_for(const struct tern_table_shared *table, uint64_t bytes);

/* Returns the bytes of a record; a deletion has no value. */
static inline uint64_t tern_shared_bytes(size_t key_bytes, size_t value_bytes)
{
    return RECORD_BYTES + (uint64_t)key_bytes +
           (value_bytes == RECORD_DELETION ? 0 : (uint64_t)value_bytes);
}

/* The step functions of a change: a tern_steps_next_fn and a tern_steps_heard_fn. */
int tern_change_next(struct tern_steps *steps);
bool tern_change_heard(struct tern_steps *steps, const struct tern_completion *done);
void tern_change_begin(struct tern_table_writer *writer);

/* The operations of a change. The functions post them, and read their results. */
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
/* Posts the put that makes the table the owner of the slab in use; no step waits for it. */
int tern_change_hand_over(struct tern_table_writer *w);
/*
 * Returns the link to store in a new record, for the old records of a bucket with that link; 0:
 * none.
 */
uint64_t tern_change_behind(uint64_t link);
/* Returns the link of the bucket as read. */
uint64_t tern_change_link(const struct tern_table_writer *w);
/* Tells whether the record read is the first of the bucket. */
bool tern_change_is_first(const struct tern_table_writer *w);
/* Records what was found; false if the record has another key and the walk goes on. */
bool tern_change_note(struct tern_table_writer *w);

#endif
