/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Beginning a node: its time, units of its resources, then the compare-and-swap that makes it this
 * worker's.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* ---- units */


static uint32_t take_unit(struct tern_run *run, unsigned resource)
{
    const struct dag_head *head = &run->homes[0].head;

    return round_masked(run, OP_TAKE, 0, head->units + (uint64_t)resource * DAG_WORD,
                        (struct tern_masked){run->life, DAG_LIFE_MASK, dag_bit(0), DAG_ALL_BITS});
}

/* Returns the bit that a take has set in the word, which it found as `old`; 0: none was clear. */
static uint64_t bit_taken(uint64_t old)
{
    uint64_t clear = ~old & DAG_ALL_BITS;

    return clear & -clear;
}

static int put_owners(struct tern_run *run, const uint64_t unit[], uint64_t owner)
{
    round_begin(run);
    for (unsigned r = 0; r < DAG_RESOURCES; r++)
        for (unsigned u = 0; u < DAG_BITS; u++)
            if (unit[r] & dag_bit(u))
                (void)round_put(run, 0, dag_unit_owner(&run->homes[0].head, r, u), &owner,
                                sizeof(owner));
    return round_go(run);
}

void units_release(struct tern_run *run, uint64_t unit[])
{
    const uint64_t none = 0;

    for (unsigned r = 0; r < DAG_RESOURCES; r++) {
        struct dag_op clear = {.kind = OP_SWAP, .flags = TERN_DFLAG_FENCE,
                               .at = run->homes[0].head.units + (uint64_t)r * DAG_WORD,
                               .words = {run->life, DAG_LIFE_MASK, 0, unit[r]}};

        if (!unit[r])
            continue;
        for (unsigned u = 0; u < DAG_BITS; u++)
            if (unit[r] & dag_bit(u))
                (void)round_put(run, 0, dag_unit_owner(&run->homes[0].head, r, u), &none,
                                sizeof(none));
        (void)round_add(run, &clear);
        unit[r] = 0;
    }
}

/*
 * Takes all units that the node needs, or none: then another worker has them, and this one asks
 * again later. Returns 1 if it has them.
 */
int units_take(struct tern_run *run, const struct dag_record *record, uint32_t node,
               uint64_t unit[])
{
    uint64_t owner = dag_owner_pack(tern_member_holder(run->homes[0].member), node);
    uint32_t number = 0;
    bool all = true;
    int status;

    memset(unit, 0, DAG_RESOURCES * sizeof(unit[0]));
    if (record->need_count == 0)
        return 1;
    round_begin(run);
    for (uint32_t i = 0; i < record->need_count; i++)
        for (uint32_t k = 0; k < record->needs[i].units; k++)
            (void)take_unit(run, record->needs[i].resource % DAG_RESOURCES);
    status = round_go(run);
    if (status)
        return status;
    for (uint32_t i = 0; i < record->need_count; i++)
        for (uint32_t k = 0; k < record->needs[i].units; k++) {
            uint64_t old = round_old(run, number++);
            uint64_t bit = (uint8_t)old == run->life ? bit_taken(old) : 0;

            unit[record->needs[i].resource % DAG_RESOURCES] |= bit;
            all &= bit != 0;
        }
    if (all) {
        status = put_owners(run, unit, owner);
        return status ? status : 1;
    }
    round_begin(run);
    units_release(run, unit);
    return round_go(run);
}

/* ---- the claim */

static bool is_input(const struct dag_in *in)
{
    return in->kind != TERN_AFTER;
}

static int make_inputs(struct tern_attempt *a)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < a->record->in_count; i++)
        count += is_input(&a->record->ins[i]);
    a->inputs = calloc(count ? count : 1, sizeof(*a->inputs));
    if (!a->inputs)
        return -TERN_ST_NO_MEMORY;
    for (uint32_t i = 0; i < a->record->in_count; i++)
        if (is_input(&a->record->ins[i]))
            a->inputs[a->input_count++] = (struct dag_input){.from = a->record->ins[i].from,
                                                             .kind = a->record->ins[i].kind,
                                                             .what = a->record->ins[i].what};
    return 0;
}

static uint64_t claimed(const struct tern_run *run, uint32_t node, uint64_t word)
{
    struct dag_state state = dag_state_unpack(word);

    if (state.state == NODE_WAIT) {
        state.state = NODE_RUN;
        state.attempt++;
    }
    state.holder = tern_member_holder(run->homes[run_home_of(run, node)].member);
    return dag_state_pack(state);
}

static bool may_claim(const struct tern_run *run, uint64_t word)
{
    struct dag_state state = dag_state_unpack(word);

    return state.life == run->life && state.holder.owner == 0 &&
           (state.state == NODE_WAIT || state.state == NODE_DONE || state.state == NODE_SKIP ||
            state.state == NODE_FAILED);
}

/* Posts the claim, and reads the state words of the inputs with it. */
static int try_claim(struct tern_attempt *a, uint64_t from, uint64_t *found)
{
    struct tern_run *run = a->run;
    uint32_t number;
    int status;

    round_begin(run);
    number = round_swap(run, run_home_of(run, a->node), run_state_at(run, a->node), from,
                        claimed(run, a->node, from));
    for (unsigned i = 0; i < a->input_count; i++)
        round_read(run, run_home_of(run, a->inputs[i].from), run_state_at(run, a->inputs[i].from),
                   DAG_WORD);
    status = round_go(run);
    *found = round_old(run, number);
    for (unsigned i = 0; i < a->input_count && !status; i++)
        a->inputs[i].state = run_copied(&run->homes[run_home_of(run, a->inputs[i].from)],
                                        run_state_at(run, a->inputs[i].from));
    return status;
}

/* Returns 1: the node is this worker's, in the state `*word`; 0: it is not to be claimed. */
int claim_node(struct tern_attempt *a, uint64_t guess, uint64_t *word)
{
    int status = make_inputs(a);

    while (!status && may_claim(a->run, guess)) {
        uint64_t found;

        status = try_claim(a, guess, &found);
        if (status)
            return status;
        if (found == guess) {
            *word = claimed(a->run, a->node, guess);
            return 1;
        }
        guess = found;
    }
    return status;
}
