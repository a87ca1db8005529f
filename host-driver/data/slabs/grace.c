/* SPDX-License-Identifier: Apache-2.0 */
/* Grace periods: the members' numbers at a look, and whether each has gone on since. */
#include <tern/grace.h>

#include "slabs_inside.h"

enum { STEPS = 2 }; /* that a number must have gone on by */

static struct tern_pace pace_of(const struct tern_grace *grace, unsigned place)
{
    return grace->progress.pace(grace->progress.of, place);
}

/* Whether the member of a mark has ended what it had begun, or is no more. */
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
            mark->holder.owner = 0; /* need not be looked at again */
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
