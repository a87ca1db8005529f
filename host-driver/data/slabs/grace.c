/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grace periods: records the members' numbers at a look, and tells whether each has advanced
 * enough.
 */
#include <tern/grace.h>

#include "slabs_inside.h"

/*
 * How far a number must advance. Two are not enough: at the look, number n may be in flight while
 * an operation begun after it is open; n arrives, and n + 1 need not wait for that operation.
 * tests/models/alloc.pml shows this (ADVANCE=2).
 */
enum { STEPS = 3 };

static struct tern_pace pace_of(const struct tern_grace *grace, unsigned place)
{
    return grace->progress.pace(grace->progress.of, place);
}

/* Tells whether the member of a mark has ended all that it had begun, or has left. */
static bool went_on(const struct tern_pace *mark, struct tern_pace now)
{
    return !tern_holder_is(mark->holder, now.holder) || now.number - mark->number >= STEPS;
}

bool tern_grace_is_over(struct tern_grace *grace)
{
    bool over = true;

    for (unsigned place = 0; grace->begun && place < grace->progress.places; place++) {
        struct tern_pace *mark = &grace->marks[place];

        if (mark->holder.owner == 0)
            continue;
        if (went_on(mark, pace_of(grace, place)))
            mark->holder.owner = 0; /* do not check it again */
        else
            over = false;
    }
    return over;
}

void tern_grace_begin(struct tern_grace *grace)
{
    for (unsigned place = 0; place < grace->progress.places; place++)
        grace->marks[place] = pace_of(grace, place);
    grace->begun = true;
}

bool tern_grace_knows(const struct tern_grace *grace, struct tern_holder holder)
{
    for (unsigned place = 0; place < grace->progress.places; place++)
        if (tern_holder_is(pace_of(grace, place).holder, holder))
            return true;
    return grace->progress.knows && grace->progress.knows(grace->progress.of, holder);
}
