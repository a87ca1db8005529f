/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change of another node's table, in steps of one round trip:
 *   BUCKET    reads the bucket's link; puts the record into a slab, or takes one if none is stocked
 *   PREPARE   looks the key up; puts that link into the record
 *   SWING     swings the bucket's link, by compare-and-swap, from the value read to the record; if
 *             the bucket had another link, PREPARE is repeated with that link
 *   FINISH    hands the slab over to the table; marks the record that is now shadowed
 *
 * The client reads the link, then looks the key up, then compares and swaps the link. If the link
 * is still the same, the record that the lookup returned is the newest one. Until the
 * compare-and-swap succeeds the client owns the slab, and on failure keeps it in stock.
 */
#include "shared.h"
#include "slabs_inside.h"

enum { TRIES = 64, WALKS = 4096 };

/* The next step of a change. */
enum { BUCKET, READ, TAKE, PREPARE, PREPARED, SWING, SWUNG, FINISH, FINISHED, ASK, GIVE, OVER };

static bool is_seen(struct tern_table_seen seen)
{
    return seen.generation != 0;
}

static bool is_removal(const struct tern_table_change *c)
{
    return c->value_bytes == RECORD_DELETION;
}

/* ---- ends */

/* Ends the change; gives a slab of the reserve back, since the client must not keep it in stock. */
static void end(struct tern_table_writer *w, int status)
{
    struct tern_table_change *c = &w->change;
    unsigned reserve = w->table.sizes;

    c->status = status;
    c->step = OVER;
    if (!(w->stocked >> reserve & 1))
        return;
    w->stocked &= ~(1u << reserve);
    c->bfree = (struct tern_bfree){.blocks = &w->table.blocks[reserve], .holder = w->holder,
                                   .slab = w->stock[reserve]};
    tern_bfree_start(&c->bfree);
    c->step = GIVE;
}

/* Gives up without knowing whether the record is linked; the sweep of the table will handle it. */
static void give_up(struct tern_table_writer *w, int status)
{
    w->stocked &= ~(1u << w->change.size);
    (void)tern_change_hand_over(w);
    end(w, status);
}

static void try_again(struct tern_table_writer *w, uint8_t step)
{
    struct tern_table_change *c = &w->change;

    c->looked = w->blind && !c->expects && !is_removal(c);
    c->exists = false;
    c->newest = (struct tern_table_seen){0};
    c->next = 0;
    c->step = step;
    if (++c->tries > TRIES)
        end(w, -TERN_ST_CONTENDED);
}

/* ---- a slab */

static void take_of(struct tern_table_writer *w, unsigned size)
{
    struct tern_table_change *c = &w->change;
    const struct tern_blocks *blocks = &w->table.blocks[size];

    c->size = (uint8_t)size;
    c->has_slab = w->stocked >> size & 1;
    if (c->has_slab)
        return;
    c->balloc = (struct tern_balloc){.blocks = blocks, .holder = w->holder,
                                     .word = w->word[size] % tern_blocks_words(blocks)};
    tern_balloc_start(&c->balloc);
}

/* Chooses the size of the slab; a removal can use any slab in stock. */
static void choose_slab(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    unsigned size = tern_table_size_for(&w->table, tern_shared_bytes(c->key_bytes,
                                                                     c->value_bytes));

    take_of(w, size);
    for (; is_removal(c) && !c->has_slab && size < w->table.sizes; size++)
        if (w->stocked >> size & 1)
            take_of(w, size);
}

/* Uses the next larger size when all slabs are taken, and for a removal finally the reserve. */
static void choose_larger(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    unsigned last = w->table.sizes - !is_removal(c);

    if (c->size < last) {
        take_of(w, c->size + 1u);
        c->step = c->has_slab ? PREPARE : TAKE;
    } else if (is_removal(c)) {
        c->step = ASK;
    } else {
        end(w, -TERN_ST_FULL);
    }
}

/*
 * Takes a slab. Returns as tern_steps_next_fn does, except that 0 means: continue with the next
 * step.
 */
static int take(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    int status = tern_balloc_go(w->sq, &c->balloc);

    if (status > 0 || status == -TERN_ST_AGAIN)
        return status;
    w->word[c->size] = c->balloc.word;
    if (status == -TERN_ST_FULL) {
        choose_larger(w);
        return 0;
    }
    if (status) {
        end(w, status);
        return 0;
    }
    w->stock[c->size] = c->balloc.slab;
    w->stocked |= 1u << c->size;
    c->has_slab = true;
    c->step = PREPARE;
    return 0;
}

/* ---- the bucket */

/*
 * Posts the slowest operation first.  A removal takes its slab only after it has found the key.
 */
static int post_bucket(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    int count = 1, status;

    if (!tern_sq_room(w->sq, 2))
        return -TERN_ST_AGAIN;
    c->writes = c->has_slab && !c->put_there;
    status = tern_change_post_bucket(w);
    if (!status && c->writes) {
        status = tern_change_post_record(w, 0);
        count++;
    } else if (!status && !c->has_slab && !is_removal(c)) {
        status = tern_balloc_go(w->sq, &c->balloc);
        count += status > 0;
    }
    if (status < 0)
        return status;
    c->step = READ;
    return count;
}

static void after_bucket(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;

    if (c->writes && c->put != TERN_ST_OK) {
        give_up(w, -(int)c->put);
        return;
    }
    c->put_there = c->put_there || c->writes;
    if (c->read != TERN_ST_OK) {
        end(w, -(int)c->read);
        return;
    }
    c->link = tern_change_link(w);
    c->step = c->has_slab || is_removal(c) ? PREPARE : TAKE;
}

/* ---- the record and the key */

/*
 * Posts the write of the record and the lookup of its key, if they are needed: an empty bucket
 * needs no lookup, and a record that already has this link needs no write.
 */
static int post_prepare(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    uint64_t behind = tern_change_behind(c->link);
    int status = tern_sq_room(w->sq, 2) ? 0 : -TERN_ST_AGAIN;

    c->looked = c->looked || behind == 0;
    c->writes = c->has_slab && !(c->put_there && c->behind == behind);
    c->looks = !c->looked;
    if (!status && c->looks)
        status = tern_change_post_key(w);
    if (!status && c->writes)
        status = c->put_there ? tern_change_post_link(w) : tern_change_post_record(w, c->link);
    if (status)
        return status;
    c->behind = c->writes ? behind : c->behind;
    c->step = PREPARED;
    return c->writes + c->looks;
}

/* Tells whether the walk has ended; UNLIKE: another client replaced records during the walk. */
static int judge_key(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;

    if (c->found == TERN_ST_STALE_POINTER)
        return -TERN_ST_UNLIKE;
    if (c->found != TERN_ST_OK && c->found != TERN_ST_NOT_FOUND)
        return -(int)c->found;
    if (c->next == 0 && !tern_change_is_first(w))
        return -TERN_ST_UNLIKE;
    c->looked = c->found == TERN_ST_NOT_FOUND || tern_change_note(w);
    if (!c->looked && ++c->walks > WALKS)
        return -TERN_ST_TOO_FAR;
    /* another client is just replacing the newest record of the key */
    return c->looked && c->exists && !is_seen(c->newest) ? -TERN_ST_UNLIKE : 0;
}

static int refused(const struct tern_table_change *c)
{
    struct tern_table_seen there = c->exists ? c->newest : (struct tern_table_seen){0};

    if (is_removal(c) && !c->exists)
        return -TERN_ST_NOT_FOUND;
    if (c->expects && (c->expected.place != there.place ||
                       c->expected.generation != there.generation))
        return -TERN_ST_UNLIKE;
    return 0;
}

static void after_prepare(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    int status = 0;

    if (c->writes && c->put != TERN_ST_OK) {
        give_up(w, -(int)c->put);
        return;
    }
    c->put_there = c->put_there || c->writes;
    if (c->looks)
        status = judge_key(w);
    if (status == -TERN_ST_UNLIKE) {
        try_again(w, BUCKET);
        return;
    }
    if (!status && c->looked)
        status = refused(c);
    if (status)
        end(w, status);
    else if (!c->looked)
        c->step = PREPARE;
    else
        c->step = c->put_there ? SWING : TAKE;
}

/* ---- the change */

static void after_swing(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;

    if (c->swap != TERN_ST_OK) {
        give_up(w, -(int)c->swap);
    } else if (c->swung != c->link) {
        c->link = c->swung;
        try_again(w, PREPARE);
    } else {
        c->step = FINISH;
    }
}

/* Waits for the mark, but not for the put that hands the slab over. */
static int finish(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;
    int status = tern_sq_room(w->sq, 2) ? 0 : -TERN_ST_AGAIN;

    c->late = TERN_ST_OK;
    if (!status && is_seen(c->newest))
        status = tern_change_post_shadow(w);
    if (!status)
        status = tern_change_hand_over(w);
    if (status)
        return status;
    w->stocked &= ~(1u << c->size);
    w->written = tern_change_written(w);
    c->step = FINISHED;
    return is_seen(c->newest) ? 1 : 0;
}

/* ---- one step after another */

/* Notes `step` as the one after the posted operation. Returns 1, or why posting failed. */
static int posted(struct tern_table_change *c, int status, uint8_t step)
{
    if (status)
        return status;
    c->step = step;
    return 1;
}

static int give(struct tern_table_writer *w)
{
    int status = tern_bfree_go(w->sq, &w->change.bfree);

    if (status > 0 || status == -TERN_ST_AGAIN)
        return status;
    w->change.step = OVER; /* the sweep finds a slab that could not be given back */
    return 0;
}

static int go(struct tern_table_writer *w)
{
    struct tern_table_change *c = &w->change;

    switch (c->step) {
    case BUCKET:
        return post_bucket(w);
    case READ:
        after_bucket(w);
        return 0;
    case TAKE:
        return take(w);
    case PREPARE:
        return post_prepare(w);
    case PREPARED:
        after_prepare(w);
        return 0;
    case SWING:
        return posted(c, tern_change_post_swing(w), SWUNG);
    case SWUNG:
        after_swing(w);
        return 0;
    case FINISH:
        return finish(w);
    case ASK:
        c->late = TERN_ST_FULL;
        return posted(c, tern_change_post_ask(w), FINISHED);
    case FINISHED:
        end(w, -(int)c->late);
        return 0;
    default:
        return give(w);
    }
}

static struct tern_table_writer *writer_of(struct tern_steps *steps)
{
    return (struct tern_table_writer *)(void *)((uint8_t *)steps -
                                                offsetof(struct tern_table_writer, change.steps));
}

int tern_change_next(struct tern_steps *steps)
{
    struct tern_table_writer *w = writer_of(steps);
    struct tern_table_change *c = &w->change;
    int status = 0;

    while (c->step != OVER && status == 0)
        status = go(w);
    if (status > 0 || status == -TERN_ST_AGAIN)
        return status;
    c->out = false;
    return status ? status : c->status;
}

/* Handles the completion of the mark.  It ignores failures, because the sweep marks, too. */
bool tern_change_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    struct tern_table_change *c = &writer_of(steps)->change;

    switch (done->context) {
    case AT_BUCKET:
        c->read = done->status;
        break;
    case AT_RECORD:
        c->put = done->status;
        break;
    case AT_KEY:
        c->found = done->status;
        break;
    case AT_SWING:
        c->swap = done->status;
        c->swung = done->value;
        break;
    case AT_SHADOW:
        c->late = done->status;
        break;
    case AT_ASK:
        break;
    default:
        if (c->step == GIVE)
            tern_bfree_hear(&c->bfree, done);
        else
            tern_balloc_hear(&c->balloc, done);
    }
    return true;
}

void tern_change_begin(struct tern_table_writer *w)
{
    w->change.tries = 0;
    choose_slab(w);
    try_again(w, BUCKET);
}
