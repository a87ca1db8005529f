/* SPDX-License-Identifier: Apache-2.0 */
/* A client of a run of pauses as a process: works until it stops, then finds out what it lost. */
#include "pauses_work.h"

enum {
    WORKS_AFTER = 400, /* a net: one of them must fail */
    JOIN_AGAIN_MS = 500,
};

/* Joins until that works: a pause may lie in the join itself. */
static struct pause_worker *join(const struct pause_client *client)
{
    int status;

    for (;;) {
        struct pause_worker *w = pauses_worker_open(client, &status);

        if (!status)
            return w;
        atomic_fetch_add(&client->board->statuses[-status & (STATUSES - 1)], 1);
        pauses_worker_close(w);
        pool_rig_pause(JOIN_AGAIN_MS); /* the server answers one after the other */
    }
}

static struct pause_worker *join_anew(struct pause_worker *w)
{
    const struct pause_client *client = w->client;

    pauses_worker_close(w);
    atomic_fetch_add(&client->board->rejoins, 1);
    return join(client);
}

static void judge(struct pause_worker *w, int status)
{
    atomic_fetch_add(&w->board->statuses[-status & (STATUSES - 1)], 1);
    if (status != -TERN_ST_LEASE_OVER && status != -TERN_ST_BAD_KEY)
        pause_fault(w->board, OTHER_STATUS);
}

/* Works until a pause, and on until that has its consequences. */
static struct pause_worker *work_until_paused(struct pause_worker *w)
{
    unsigned had = pauses_had(), after = 0;

    do {
        int status = pauses_work(w);

        if (status)
            judge(w, status);
        if (!status && work_is_buried(w) && ++after == WORKS_AFTER)
            status = -TERN_ST_INTERNAL;
        if (status == -TERN_ST_INTERNAL)
            pause_fault(w->board, OTHER_STATUS);
        if (status)
            w = join_anew(w);
    } while (pauses_had() == had || work_is_buried(w));
    return w;
}

void pauses_client(const void *arg, int in, int out)
{
    const struct pause_client *client = arg;
    struct pause_worker *w = join(client);
    struct pause_order order;

    while (give(out, "r", 1) && get(in, &order, sizeof(order))) {
        pauses_arm(&order);
        w = work_until_paused(w);
    }
    pauses_worker_close(w);
}
