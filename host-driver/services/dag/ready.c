/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ready words: a set bit is a node that waits for a worker. A push sets the bit, a take clears half
 * of a word's bits, each by one masked compare-and-swap; both may be repeated without harm.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { SPREAD = 13 /* bits between the places where two workers begin to take */ };

static uint64_t ready_at(const struct dag_home *home, uint32_t word)
{
    return home->head.ready + (uint64_t)word * DAG_WORD;
}

/* Chooses half of the bits, at most `most`, beginning at a bit that depends on the worker. */
static uint64_t choose(uint64_t word, unsigned most, unsigned from)
{
    unsigned there = (unsigned)__builtin_popcountll(word & DAG_ALL_BITS), half = (there + 1) / 2;
    uint64_t bits = 0;

    for (unsigned i = 0, left = half < most ? half : most; i < DAG_BITS && left > 0; i++) {
        uint64_t bit = dag_bit((from + i) % DAG_BITS);

        if (word & bit) {
            bits |= bit;
            left--;
        }
    }
    return bits;
}

void ready_take(struct tern_run *run, struct dag_take *take, unsigned most)
{
    take->posted = false;
    for (unsigned i = 0; i < run->count && !take->posted; i++) {
        struct dag_home *home = &run->homes[run->order[i]];
        unsigned from = tern_member_holder(home->member).owner * (unsigned)SPREAD % DAG_BITS;

        for (uint32_t w = 0; w < dag_words(home->head.local) && !take->posted; w++) {
            if (!(home->hint[w] & DAG_ALL_BITS) || (uint8_t)home->hint[w] != run->life)
                continue;
            take->posted = true;
            take->home = run->order[i];
            take->word = w;
            take->bits = choose(home->hint[w], most, from);
            take->number = round_masked(run, OP_SWAP, take->home, ready_at(home, w),
                                        dag_clear_set_bits(run->life, take->bits));
        }
    }
}

int mine_add(struct tern_run *run, uint32_t node, uint64_t guess)
{
    if (!graph_room(&run->mine, run->mine_count, &run->mine_room, sizeof(*run->mine)))
        return -TERN_ST_NO_MEMORY;
    run->mine[run->mine_count++] = (struct dag_mine){.node = node, .guess = guess};
    return 0;
}

static int take_bits(struct tern_run *run, const struct dag_take *take)
{
    const uint64_t fresh = dag_state_pack((struct dag_state){.life = run->life});
    int status = 0;

    for (unsigned bit = 0; bit < DAG_BITS && !status; bit++)
        if (take->bits & dag_bit(bit)) {
            status = mine_add(run, (take->word * DAG_BITS + bit) * run->count + take->home, fresh);
            run->counts.taken++;
        }
    return status;
}

int ready_taken(struct tern_run *run, const struct dag_take *take)
{
    struct dag_home *home = &run->homes[take->home];
    uint64_t old;
    bool good;

    if (!take->posted)
        return 0;
    old = round_old(run, take->number);
    good = (uint8_t)old == run->life && (old & take->bits) == take->bits;
    home->hint[take->word] = good ? old & ~take->bits : old;
    run->counts.takes += good;
    run->counts.missed += !good;
    run->counts.steals += good && take->home != run->order[0];
    return good ? take_bits(run, take) : 0;
}

void ready_hints(struct tern_run *run)
{
    for (unsigned h = 0; h < run->count; h++)
        for (uint32_t w = 0; w < dag_words(run->homes[h].head.local); w++)
            run->homes[h].hint[w] = run_copied(&run->homes[h], ready_at(&run->homes[h], w));
}

void ready_forget(struct tern_run *run)
{
    for (unsigned h = 0; h < run->count; h++)
        memset(run->homes[h].hint, 0, dag_words(run->homes[h].head.local) * DAG_WORD);
}

void ready_read(struct tern_run *run)
{
    for (unsigned h = 0; h < run->count; h++)
        round_read(run, h, run->homes[h].head.ready,
                   (uint64_t)dag_words(run->homes[h].head.local) * DAG_WORD);
    run->counts.looks++;
}

void ready_push(struct tern_run *run, uint32_t node)
{
    unsigned h = run_home_of(run, node);
    uint32_t place = run_place_of(run, node);

    (void)round_masked(run, OP_SWAP, h, ready_at(&run->homes[h], place / DAG_BITS),
                       dag_set(run->life, dag_bit(place % DAG_BITS)));
    run->counts.pushes++;
}

int mine_give_back(struct tern_run *run)
{
    if (run->mine_count == 0)
        return 0;
    round_begin(run);
    for (uint32_t i = 0; i < run->mine_count; i++)
        ready_push(run, run->mine[i].node);
    run->mine_count = 0;
    return round_go(run);
}
