/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling the successors of a node that it has ended: each has a bit for it in its join word, or in
 * a tree of join words if it has many predecessors. The worker that sets the last bit of a word
 * sets the bit of that word in the next one, and pushes the node after the last one.
 *
 * Of a node that broadcasts its end, the hosts of the homes set the bits.
 *
 * A worker checks in at a join that the NIC of the home does. If that NIC refuses, because its
 * area has gone with the process of the server, the worker writes the value word itself, and the
 * sweep of the home does the join.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { HEARD = 100, UNHEARD }; /* levels of a check-in that has ended */

struct telling {
    uint8_t *level;    /* of each successor; its levels: the last join is full */
    uint32_t *number;  /* of its operation in this round */
    bool *full;        /* the last one that was set is */
    bool broadcast;    /* all homes know */
    bool unheard;      /* a NIC has refused a check-in */
};

static bool is_area(const struct dag_out *out)
{
    return out->levels == 1 && out->path[0].join & DAG_IS_AREA;
}

static bool goes_on(const struct telling *t, const struct dag_record *record, uint32_t i)
{
    return t->full[i] && t->level[i] < record->outs[i].levels;
}

static const struct dag_area *area_of(const struct tern_run *run, const struct dag_out *out)
{
    return run_area(&run->homes[run_home_of(run, out->to)],
                    (out->path[0].join & ~DAG_IS_AREA) % DAG_AREAS);
}

static uint32_t add_bit(struct tern_run *run, const struct dag_out *out, unsigned level)
{
    const struct dag_bit *bit = &out->path[level];
    unsigned h = run_home_of(run, out->to);

    if (is_area(out)) {
        run->counts.checkins++;
        return round_checkin(run, h, area_of(run, out), bit->bit);
    }
    return round_masked(run, OP_SWAP, h,
                        run->homes[h].head.joins + (uint64_t)bit->join * DAG_WORD,
                        dag_set(run->life, dag_bit(bit->bit)));
}

static void add_bits(struct tern_run *run, const struct dag_record *record, struct telling *t)
{
    for (uint32_t i = 0; i < record->out_count; i++) {
        if (!goes_on(t, record, i))
            continue;
        t->number[i] = add_bit(run, &record->outs[i], t->level[i]);
        run->counts.joins += t->level[i] == 0;
    }
}

/* A word is full with this bit, whether this operation has set it or an earlier one. */
static void hear_bits(const struct tern_run *run, const struct dag_record *record,
                      struct telling *t)
{
    for (uint32_t i = 0; i < record->out_count; i++) {
        uint64_t word;

        if (!goes_on(t, record, i))
            continue;
        word = round_old(run, t->number[i]);
        if (is_area(&record->outs[i])) { /* its NIC pushes the node */
            t->full[i] = false;
            t->unheard |= word != 0;
            t->level[i] = word != 0 ? UNHEARD : HEARD;
            continue;
        }
        word |= dag_bit(record->outs[i].path[t->level[i]].bit);
        t->full[i] = (uint8_t)word == run->life && (word & DAG_ALL_BITS) == DAG_ALL_BITS;
        t->level[i]++;
    }
}

static bool any_goes_on(const struct telling *t, const struct dag_record *record)
{
    for (uint32_t i = 0; i < record->out_count; i++)
        if (goes_on(t, record, i))
            return true;
    return false;
}

/* Keeps one of the nodes that are due, if it has no other; the rest goes to the queues. */
static int hand_out(struct tern_run *run, const struct dag_record *record,
                    const struct telling *t)
{
    const uint64_t fresh = dag_state_pack((struct dag_state){.life = run->life});
    int status = 0;

    for (uint32_t i = 0; i < record->out_count && !status; i++) {
        if (!t->full[i] || t->level[i] < record->outs[i].levels)
            continue;
        if (run->mine_count == 0) {
            status = mine_add(run, record->outs[i].to, fresh);
            run->counts.kept++;
        } else {
            ready_push(run, record->outs[i].to);
        }
    }
    return status;
}

static int write_values(struct tern_run *run, const struct dag_record *record,
                        const struct telling *t)
{
    uint64_t value = dag_value(run->life);

    if (!t->unheard)
        return 0;
    round_begin(run);
    for (uint32_t i = 0; i < record->out_count; i++) {
        const struct dag_out *out = &record->outs[i];
        unsigned h = run_home_of(run, out->to);

        if (!is_area(out) || t->level[i] != UNHEARD)
            continue;
        (void)round_put(run, h,
                        run->homes[h].head.values +
                            (uint64_t)(area_of(run, out)->value + out->path[0].bit) * DAG_WORD,
                        &value, sizeof(value));
        run->counts.unheard++;
    }
    return round_go(run);
}

static int tell(struct tern_run *run, const struct dag_record *record, struct telling *t)
{
    int status = 0;

    for (uint32_t i = 0; i < record->out_count; i++) {
        bool hosted = t->broadcast && !is_area(&record->outs[i]);

        t->full[i] = !hosted;
        run->counts.joins += hosted;
        run->counts.hosted += hosted;
    }
    while (!status && any_goes_on(t, record)) {
        round_begin(run);
        add_bits(run, record, t);
        status = round_go(run);
        if (!status)
            hear_bits(run, record, t);
    }
    if (!status)
        status = write_values(run, record, t);
    round_begin(run);
    if (!status)
        status = hand_out(run, record, t);
    return status ? status : round_go(run);
}

int joins_tell(struct tern_run *run, struct dag_ended *ended)
{
    const struct dag_record *record = &ended->record;
    uint32_t count = record->out_count ? record->out_count : 1;
    struct telling t = {.level = calloc(count, sizeof(*t.level)),
                        .number = calloc(count, sizeof(*t.number)),
                        .full = calloc(count, sizeof(*t.full))};
    int status = t.level && t.number && t.full ? broadcast_tell(run, ended->node, record->fan)
                                               : -TERN_ST_NO_MEMORY;

    t.broadcast = status == 1;
    if (status >= 0)
        status = tell(run, record, &t);
    free(t.level);
    free(t.number);
    free(t.full);
    return status;
}
