/* SPDX-License-Identifier: Apache-2.0 */
/* Implements peers.h. */
#include "peers.h"

#include <stdlib.h>
#include <unistd.h>

void single(struct end *end, const struct wish *wish)
{
    end->cq = ibv_create_cq(end->context, 256, NULL, end->channel, 0);
    end->qp = qp_make(end, wish);
    if (to_init(end->qp, wish))
        exit(1);
}

void peer_open(const struct wish *wish)
{
    if (!ends_open())
        exit(1);
    single(&b, wish);
}

void peer_meet(int in, int out, const struct wish *wish)
{
    struct name mine = {b.qp->qp_num, b.mr->rkey, (uintptr_t)b.memory}, theirs;

    if (write(out, &mine, sizeof(mine)) != sizeof(mine) ||
        read(in, &theirs, sizeof(theirs)) != sizeof(theirs))
        exit(1);
    if (to_rtr(b.qp, &a, theirs.number, wish) || to_rts(b.qp, wish))
        exit(1);
}

struct child start_peer(void (*role)(int in, int out))
{
    int to[2], from[2];
    struct child child;

    if (pipe(to) || pipe(from))
        exit(1);
    child = (struct child){fork(), to[1], from[0]};
    if (!child.pid) {
        close(to[1]);
        close(from[0]);
        role(to[0], from[1]);
        _exit(1);
    }
    close(to[0]);
    close(from[1]);
    return child;
}

void meet(const struct child *child, const struct wish *wish, struct name *theirs)
{
    struct name mine = {0};

    single(&a, wish);
    mine.number = a.qp->qp_num;
    if (read(child->from, theirs, sizeof(*theirs)) != sizeof(*theirs) ||
        write(child->to, &mine, sizeof(mine)) != sizeof(mine))
        exit(1);
    if (to_rtr(a.qp, &b, theirs->number, wish) || to_rts(a.qp, wish))
        exit(1);
}
