/* SPDX-License-Identifier: Apache-2.0 */
/* A victim in a process of its own. */
#define _GNU_SOURCE
#include <poll.h>

#include "hostile.h"

static bool said(int in)
{
    struct pollfd fd = {.fd = in, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

/* Carries out a command; false when it is the last. */
static bool obey(struct holder *self, char word, int out)
{
    if (word == VICTIM_LEAVE)
        return false;
    if (word != VICTIM_JUDGE)
        return give(out, &word, 1);
    holder_judge(self);
    return give(out, &self->verdict, sizeof(self->verdict));
}

void victim(const void *arg, int in, int out)
{
    static struct holder self;
    const struct seat *seat = arg;
    char word = VICTIM_REST;

    holder_begin(&self, seat, rig_open(seat->rig, seat->node));
    (void)give(out, &word, 1);
    do
        while (word == VICTIM_WORK && !said(in))
            holder_lap(&self);
    while (get(in, &word, 1) && obey(&self, word, out));
    tern_close(self.device);
}
