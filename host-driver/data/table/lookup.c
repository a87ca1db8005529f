/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups in tables. One lookup is a chase that begins at a bucket, at the place where a record was
 * seen, or after a record of another key with the same hash. tern_table_find() repeats lookups
 * until it has found the key.
 */
#include <tern/table.h>

enum { NODES_MAX = (1 << TERN_LKP_nodes_BITS) - 1, TRIES = 64 };

static bool is_seen(const struct tern_table_lookup *lookup)
{
    return lookup->seen.generation != 0;
}

static struct tern_rptr first_node(const struct tern_table_lookup *lookup)
{
    if (is_seen(lookup))
        return tern_rptr_add(lookup->table.start, (uint64_t)lookup->seen.place * TERN_NODE_BYTES);
    if (lookup->next)
        return tern_link_follow(lookup->table.start, lookup->next);
    return tern_table_bucket(&lookup->table, lookup->hash);
}

int tern_table_lookup(struct tern_sq *sq, const struct tern_table_lookup *lookup,
                      unsigned flags, uint64_t context)
{
    struct tern_chase chase = {.nodes = NODES_MAX};

    if (!lookup)
        return -TERN_ST_BAD_ARGUMENT;
    chase.key = lookup->hash;
    if (is_seen(lookup)) {
        chase.nodes = 1;
        chase.generation = lookup->seen.generation;
    } else {
        if (lookup->nodes != 0)
            chase.nodes = lookup->nodes;
        chase.generation = tern_link_generation(lookup->next);
    }
    return tern_chase(sq, first_node(lookup), &chase, lookup->region, lookup->to, lookup->room,
                      flags, context);
}

/* ---- whole operations */

/* Starts again at the bucket. */
static int again(struct tern_table_find *f, int status)
{
    f->lookup.seen = (struct tern_table_seen){0};
    f->lookup.next = 0;
    f->asked = false;
    return ++f->tries == TRIES ? status : 1;
}

/* Tells whether a lookup proves nothing, because a record was replaced or its place reused. */
static bool is_no_answer(const struct tern_table_find *f, int status)
{
    return status == -TERN_ST_STALE_POINTER || status == -TERN_ST_BAD_LINK ||
           (status == -TERN_ST_NOT_FOUND && is_seen(&f->lookup));
}

/* Handles the result of a lookup; 1: another lookup is needed. */
static int judge(struct tern_table_find *f)
{
    int status = -(int)f->answer;

    if (!status)
        status = tern_table_record_read(f->lookup.to, f->lookup.room, f->key, f->key_bytes,
                                        &f->record);
    if (is_no_answer(f, status))
        return again(f, status);
    if (f->answer != TERN_ST_OK || status != -TERN_ST_NOT_FOUND || f->record.next == 0)
        return status;
    f->lookup.next = f->record.next;
    f->asked = false;
    return 1;
}

static int find_next(struct tern_steps *steps)
{
    struct tern_table_find *f = (struct tern_table_find *)(void *)steps;
    int status = f->asked ? judge(f) : 1;

    if (status <= 0)
        return status;
    status = tern_table_lookup(steps->sq, &f->lookup, TERN_DFLAG_SIGNAL, 0);
    if (status)
        return status;
    f->asked = true;
    f->lookups++;
    return 1;
}

static bool find_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    ((struct tern_table_find *)(void *)steps)->answer = done->status;
    return true;
}

int tern_table_find(struct tern_sq *sq, struct tern_table_find *f, uint64_t context)
{
    if (!f->key)
        return -TERN_ST_BAD_ARGUMENT;
    f->lookup.next = 0;
    f->tries = f->lookups = 0;
    f->asked = false;
    return tern_steps_start(&f->steps, sq, find_next, find_heard, TERN_OP_LOOKUP, context);
}
