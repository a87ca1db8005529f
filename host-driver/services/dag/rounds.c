/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds: operations that a worker posts together and waits for together. A round is one exchange,
 * however many operations it has.
 */
#include <stdlib.h>
#include <string.h>

#include <tern/group.h>

#include "run.h"

void round_begin(struct tern_run *run)
{
    run->round.count = 0;
    run->round.number++;
    run->round.failed = false;
}

uint32_t round_add(struct tern_run *run, const struct dag_op *op)
{
    struct dag_round *round = &run->round;

    if (!graph_room(&round->ops, round->count, &round->room, sizeof(*round->ops))) {
        round->failed = true;
        return 0;
    }
    round->ops[round->count] = *op;
    return round->count++;
}

uint32_t round_masked(struct tern_run *run, enum dag_op_kind kind, unsigned home, uint64_t at,
                      struct tern_masked words)
{
    const struct dag_op op = {.kind = kind, .home = home, .at = at, .words = words};

    return round_add(run, &op);
}

uint32_t round_swap(struct tern_run *run, unsigned home, uint64_t at, uint64_t compare,
                    uint64_t swap)
{
    return round_masked(run, OP_SWAP, home, at,
                        (struct tern_masked){compare, UINT64_MAX, swap, UINT64_MAX});
}

uint32_t round_put(struct tern_run *run, unsigned home, uint64_t at, const void *from,
                   uint32_t bytes)
{
    struct dag_op op = {.kind = OP_PUT, .home = home, .at = at, .bytes = bytes};

    memcpy(op.bytes_put, from, bytes);
    return round_add(run, &op);
}

uint32_t round_checkin(struct tern_run *run, unsigned home, const struct dag_area *area,
                       uint16_t slot)
{
    const struct dag_op op = {.kind = OP_CHECKIN, .home = home, .slot = slot,
                              .area = {.node = tern_member_node(run->homes[home].member),
                                       .id = area->id, .epoch = area->epoch,
                                       .pass = area->pass}};

    return round_add(run, &op);
}

void round_read(struct tern_run *run, unsigned home, uint64_t at, uint64_t bytes)
{
    while (bytes > 0) {
        uint32_t part = bytes < run->chunk ? (uint32_t)bytes : run->chunk;
        const struct dag_op op = {.kind = OP_READ, .home = home, .at = at, .bytes = part};

        (void)round_add(run, &op);
        at += part;
        bytes -= part;
    }
}

/* ---- posting */

/* The context of an operation: its number in the round, and above it the number of the round. */
static uint64_t context_of(const struct dag_round *round, uint32_t number)
{
    return (uint64_t)round->number << 32 | number;
}

/* Finds the operation of this round that has ended; NULL: it is one of an earlier round. */
static struct dag_op *op_of(const struct dag_round *round, uint64_t context)
{
    uint32_t number = (uint32_t)context;

    if (context >> 32 != round->number || number >= round->count)
        return NULL;
    return &round->ops[number];
}

static int post(struct tern_run *run, struct dag_op *op, uint64_t context)
{
    struct dag_home *home = &run->homes[op->home];
    struct tern_rptr to = tern_member_at(home->member, op->at);
    unsigned flags = op->flags | TERN_DFLAG_SIGNAL;
    uint64_t value = dag_value(run->life);

    switch (op->kind) {
    case OP_SWAP:
        return tern_compare_swap_masked(run->sq, to, &op->words, flags, context);
    case OP_TAKE:
        return tern_take(run->sq, to, &op->words, flags, context);
    case OP_ADD:
        return tern_fetch_add(run->sq, to, op->words.swap, flags, context);
    case OP_PUT:
        return tern_put_inline(run->sq, to, op->bytes_put, op->bytes, flags, context);
    case OP_BROADCAST:
        return tern_bcast_inline(run->sq, run->group, op->bytes_put, op->bytes, op->at, flags,
                                 context);
    case OP_CHECKIN:
        return tern_checkin(run->sq, op->area, op->slot, &value, flags, context);
    default:
        return tern_read(run->sq, to, run->region, home->copy + (op->at - home->offset), op->bytes,
                         flags, context);
    }
}

static void enter(struct tern_run *run)
{
    for (uint32_t i = 0; i < run->round.count; i++) {
        struct dag_home *home = &run->homes[run->round.ops[i].home];

        if (!home->in)
            home->entered = tern_member_enter(home->member);
        home->in = true;
    }
}

/* Ends the round at each home, with the first error there. */
static int leave(struct tern_run *run)
{
    int failed = 0;

    for (unsigned h = 0; h < run->count; h++) {
        struct dag_home *home = &run->homes[h];
        int status = 0;

        for (uint32_t i = 0; home->in && !status && i < run->round.count; i++)
            if (run->round.ops[i].home == h)
                status = run->round.ops[i].status;
        if (home->in)
            tern_member_leave(home->member, home->entered, status);
        home->in = false;
        if (status && !failed)
            failed = run_told(home, status);
    }
    return failed;
}

/* A check-in or broadcast that is refused is no error: the worker tells the home in another way. */
static void take(struct dag_op *op, const struct tern_completion *done)
{
    bool may_fail = op->kind == OP_CHECKIN || op->kind == OP_BROADCAST;

    op->status = may_fail ? 0 : -(int)done->status;
    op->old = may_fail ? done->status != TERN_ST_OK : done->value;
}

static int hear(struct tern_run *run, uint32_t *ended)
{
    struct tern_completion done;
    struct dag_op *op;
    int count = tern_cq_poll(run->cq, &done, 1);

    if (count == 0) {
        int status = tern_cq_wait(run->cq, RUN_TICK_MS);

        (void)run_renew(run);
        return status == -TERN_ST_WAIT_EXPIRED ? 0 : status;
    }
    op = count > 0 ? op_of(&run->round, done.context) : NULL;
    if (op) {
        take(op, &done);
        (*ended)++;
    }
    return count < 0 ? count : 0;
}

/* Operations that were not posted, or did not end, have failed. */
static void fail_rest(struct tern_run *run, uint32_t posted, int status)
{
    for (uint32_t i = 0; i < run->round.count; i++)
        if (i >= posted || run->round.ops[i].status > 0)
            run->round.ops[i].status = status;
}

int round_go(struct tern_run *run)
{
    uint32_t posted = 0, ended = 0, count = run->round.count;
    uint64_t end = run_now_us() + UINT64_C(1000) * RUN_WAIT_MS;
    int status = run->round.failed ? -TERN_ST_NO_MEMORY : run_renew(run), failed = 0;

    if (status || count == 0)
        return status;
    run->counts.exchanges++;
    enter(run);
    for (uint32_t i = 0; i < count; i++)
        run->round.ops[i].status = 1;
    while (ended < (failed ? posted : count) && !status) {
        while (!failed && posted < count) {
            int answer = tern_sq_room(run->sq, 1) ? post(run, &run->round.ops[posted],
                                                         context_of(&run->round, posted))
                                                  : -TERN_ST_AGAIN;

            if (answer == -TERN_ST_AGAIN)
                break;
            failed = answer;
            posted += answer == 0;
        }
        if (ended < posted)
            status = hear(run, &ended);
        if (!status && run_now_us() > end)
            status = -TERN_ST_WAIT_EXPIRED;
    }
    if (status || failed)
        fail_rest(run, posted, status ? status : failed);
    return leave(run);
}
