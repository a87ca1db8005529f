/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Publishing a graph: the homes are claimed, records go to the cache, words to the homes; then the
 * run begins, with the first home last.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { CONTEXT = 1 };

struct publishing {
    const struct tern_dag *dag;
    struct tern_run *run;
    struct dag_joins *joins; /* of each node, the last one included */
    uint32_t *local, *words; /* nodes and join words of each home */
    uint32_t *number;        /* of each edge: its place among those of its end */
    uint32_t *sink;          /* of each node: its place among those without successors */
    uint32_t sinks;
    uint32_t *area;          /* of each node: its area at its home plus 1; 0: words */
    uint32_t *areas, *values; /* areas and value words of each home */
    uint32_t *fan;           /* of each node: the number of its broadcast plus 1; 0: none */
    uint32_t fans;
    uint32_t *outs;          /* successors of those nodes at each home */
};

/* ---- where the joins are */

static uint32_t ins_of(const struct publishing *p, uint32_t node)
{
    return node < p->dag->count ? p->dag->nodes[node].ins : p->sinks;
}

static int place_joins(struct publishing *p)
{
    const struct tern_dag *dag = p->dag;

    memset(p->local, 0, p->run->count * sizeof(*p->local));
    memset(p->words, 0, p->run->count * sizeof(*p->words));
    p->sinks = 0;
    for (uint32_t i = 0; i < dag->count; i++) {
        uint32_t number = 0;

        for (uint32_t e = dag->nodes[i].first_in; e != GRAPH_NONE; e = dag->edges[e].next_in)
            p->number[e] = number++;
        p->sink[i] = dag->nodes[i].outs ? GRAPH_NONE : p->sinks++;
    }
    for (uint32_t i = 0; i <= dag->count; i++) {
        unsigned home = run_home_of(p->run, i);
        uint32_t words = p->area[i] ? 0 : record_join_words(ins_of(p, i));

        p->joins[i] = (struct dag_joins){p->words[home], words ? p->words[home] + words : 0};
        if (p->area[i])
            p->joins[i].top = DAG_IS_AREA | (p->area[i] - 1);
        p->words[home] += words;
        p->local[home]++;
    }
    for (unsigned h = 0; h < p->run->count; h++)
        if (p->local[h] > p->run->homes[h].head.nodes_max ||
            p->words[h] > p->run->homes[h].head.joins_max)
            return -TERN_ST_NO_RESOURCE;
    return 0;
}

/* ---- records */

static void out_to(const struct publishing *p, uint32_t to, uint32_t number, struct dag_out *out)
{
    out->to = to;
    if (p->area[to]) {
        out->levels = 1;
        out->path[0] = (struct dag_bit){DAG_IS_AREA | (p->area[to] - 1), (uint16_t)number};
        return;
    }
    out->levels = record_path(p->joins[to].first, ins_of(p, to), number, out->path);
}

static int set_record(const struct publishing *p, uint32_t node, const struct dag_out *outs,
                      uint32_t count)
{
    char key[RECORD_KEY];
    size_t length = run_record_key(p->run, node, key), bytes;
    uint8_t *record = record_write(p->dag, node, p->fan[node], outs, count, &bytes);
    struct tern_item item = {.value = record, .bytes = bytes};
    int status;

    if (!record)
        return -TERN_ST_NO_MEMORY;
    status = tern_cache_set(p->run->cache, key, length, &item, TERN_ALWAYS);
    free(record);
    return status;
}

static int put_record(const struct publishing *p, uint32_t node)
{
    const struct graph_node *from = &p->dag->nodes[node];
    uint32_t count = from->outs ? from->outs : 1, at = 0;
    struct dag_out *outs = calloc(count, sizeof(*outs));
    int status;

    if (!outs)
        return -TERN_ST_NO_MEMORY;
    for (uint32_t e = from->first_out; e != GRAPH_NONE; e = p->dag->edges[e].next_out)
        out_to(p, p->dag->edges[e].to, p->number[e], &outs[at++]);
    if (!from->outs)
        out_to(p, p->dag->count, p->sink[node], &outs[0]);
    status = set_record(p, node, outs, count);
    free(outs);
    return status;
}

static int put_records(const struct publishing *p)
{
    int status = 0;

    for (uint32_t i = 0; i < p->dag->count && !status; i++) {
        status = put_record(p, i);
        if (!status)
            status = run_renew(p->run);
    }
    return status;
}

/* ---- words */

static void *in_copy(const struct dag_home *home, uint64_t at)
{
    return home->copy + (at - home->offset);
}

/* A join begins with the bits set that no predecessor has. */
static void write_joins(uint64_t *words, uint32_t ins, uint8_t life)
{
    uint32_t at = 0;

    for (uint32_t level = ins; at < record_join_words(ins); level = dag_words(level))
        for (uint32_t bits = level; bits > 0; at++) {
            uint32_t here = bits < DAG_BITS ? bits : DAG_BITS;

            words[at] = life;
            for (uint32_t bit = here; bit < DAG_BITS; bit++)
                words[at] |= dag_bit(bit);
            bits -= here;
        }
}

static void write_node(const struct publishing *p, uint32_t node)
{
    const struct dag_home *home = &p->run->homes[run_home_of(p->run, node)];
    uint32_t place = run_place_of(p->run, node);
    uint32_t *roots = in_copy(home, home->head.roots);
    uint64_t *states = in_copy(home, home->head.states), *ready = in_copy(home, home->head.ready);
    uint64_t *joins = in_copy(home, home->head.joins);

    roots[place] = p->joins[node].top;
    states[place] = dag_state_pack((struct dag_state){.life = p->run->life});
    if (place % DAG_BITS == 0)
        ready[place / DAG_BITS] = p->run->life;
    if (p->joins[node].top == 0)
        ready[place / DAG_BITS] |= dag_bit(place % DAG_BITS);
    if (!p->area[node])
        write_joins(joins + p->joins[node].first, ins_of(p, node), p->run->life);
}

/* Adds a successor to the list of its home. */
static void write_out(const struct publishing *p, uint32_t node, uint32_t edge)
{
    uint32_t to = p->dag->edges[edge].to;
    const struct dag_home *home = &p->run->homes[run_home_of(p->run, to)];
    struct dag_fan *fan = (struct dag_fan *)in_copy(home, home->head.fans) + p->fan[node] - 1;
    struct dag_out *outs = in_copy(home, home->head.outs);

    if (!p->area[to])
        out_to(p, to, p->number[edge], &outs[fan->first + fan->count++]);
}

static void write_fan(const struct publishing *p, uint32_t node)
{
    for (unsigned h = 0; h < p->run->count; h++) {
        const struct dag_home *home = &p->run->homes[h];
        struct dag_fan *fan = (struct dag_fan *)in_copy(home, home->head.fans) + p->fan[node] - 1;

        fan->first = p->fan[node] == 1 ? 0 : fan[-1].first + fan[-1].count;
    }
    for (uint32_t e = p->dag->nodes[node].first_out; e != GRAPH_NONE; e = p->dag->edges[e].next_out)
        write_out(p, node, e);
}

/* Broadcasts have numbers in the order of their nodes. */
static void write_fans(const struct publishing *p)
{
    for (uint32_t i = 0; i < p->dag->count; i++)
        if (p->fan[i])
            write_fan(p, i);
}

static void write_units(const struct publishing *p)
{
    const struct dag_home *home = &p->run->homes[0];
    uint64_t *words = in_copy(home, home->head.units);
    uint64_t *owners = words + DAG_RESOURCES;

    for (unsigned r = 0; r < p->dag->resource_count; r++) {
        words[r] = p->run->life;
        for (unsigned u = 0; u < DAG_BITS; u++) {
            bool is_there = u < p->dag->resources[r].units;

            words[r] |= is_there ? 0 : dag_bit(u);
            owners[r * DAG_BITS + u] = is_there ? 0 : UINT64_MAX;
        }
    }
}

static int put_part(struct tern_run *run, unsigned h, uint64_t at, uint64_t bytes)
{
    struct dag_home *home = &run->homes[h];
    struct tern_completion done;
    struct tern_once once;
    unsigned entered;
    int status;

    if (bytes == 0)
        return 0;
    status = run_renew(run);
    if (status)
        return status;
    entered = tern_member_enter(home->member);
    tern_once_begin(&once, run->sq, &done);
    status = tern_once_end(&once,
                           tern_put_long(run->sq, tern_member_at(home->member, at), run->region,
                                         in_copy(home, at), bytes, TERN_DFLAG_SIGNAL, CONTEXT),
                           RUN_WAIT_MS);
    if (!status && done.status != TERN_ST_OK)
        status = -(int)done.status;
    tern_member_leave(home->member, entered, status);
    return status ? run_told(home, status) : 0;
}

/* Writes the head without its first words, and without the phase. */
static int put_head(const struct publishing *p, unsigned h)
{
    struct tern_run *run = p->run;
    struct dag_head *head = in_copy(&run->homes[h], run->homes[h].offset);

    head->given = head->refused = 0;
    head->started = run->homes[0].head.started;
    head->nodes = p->dag->count + 1;
    head->homes = run->count;
    head->home = h;
    head->local = p->local[h];
    head->join_words = p->words[h];
    head->area_count = p->areas[h];
    head->value_count = p->values[h];
    head->fan_count = p->fans;
    head->out_count = p->outs[h];
    head->resources = h == 0 ? p->dag->resource_count : 0;
    run->homes[h].head = *head;
    return put_part(run, h, run->homes[h].offset + offsetof(struct dag_head, given),
                    sizeof(*head) - offsetof(struct dag_head, given));
}

static int put_words(const struct publishing *p, unsigned h)
{
    const struct dag_head *head = &p->run->homes[h].head;
    const uint64_t parts[][2] = {
        {head->roots, (uint64_t)p->local[h] * 4},
        {head->states, (uint64_t)p->local[h] * DAG_WORD},
        {head->ready, (uint64_t)dag_words(p->local[h]) * DAG_WORD},
        {head->joins, (uint64_t)p->words[h] * DAG_WORD},
        {head->times, (uint64_t)p->local[h] * sizeof(struct dag_time)},
        {head->units, h == 0 && p->dag->resource_count
                          ? (uint64_t)DAG_RESOURCES * (1 + DAG_BITS) * DAG_WORD
                          : 0},
        {head->areas, (uint64_t)p->areas[h] * sizeof(struct dag_area)},
        {head->values, (uint64_t)p->values[h] * DAG_WORD},
        {head->told, (uint64_t)p->fans * DAG_WORD},
        {head->fans, (uint64_t)p->fans * sizeof(struct dag_fan)},
        {head->outs, (uint64_t)p->outs[h] * sizeof(struct dag_out)},
    };
    int status = 0;

    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]) && !status; i++)
        status = put_part(p->run, h, parts[i][0], parts[i][1]);
    return status;
}

/* The areas are there since they were armed. */
static void clear_words(const struct dag_home *home)
{
    memset(in_copy(home, home->head.roots), 0, home->head.areas - home->head.roots);
    memset(in_copy(home, home->head.values), 0, home->head.end - home->head.values);
}

static int put_homes(const struct publishing *p)
{
    int status = 0;

    for (unsigned h = 0; h < p->run->count; h++)
        clear_words(&p->run->homes[h]);
    for (uint32_t i = 0; i <= p->dag->count; i++)
        write_node(p, i);
    write_fans(p);
    write_units(p);
    for (unsigned h = 0; h < p->run->count && !status; h++) {
        status = put_words(p, h);
        if (!status)
            status = put_head(p, h);
    }
    return status;
}

/* ---- the phase */

static int swap_phase(struct tern_run *run, unsigned h, uint64_t from, struct dag_phase to)
{
    uint32_t number;
    int status;

    round_begin(run);
    number = round_swap(run, h, run->homes[h].offset + offsetof(struct dag_head, phase), from,
                        dag_phase_pack(to));
    status = round_go(run);
    if (!status && round_old(run, number) != from)
        status = -TERN_ST_QUEUE_BUSY;
    return status;
}

/* Claims the homes for a run of the next life. */
static int claim(struct tern_run *run, struct dag_phase *phase)
{
    struct dag_phase was = dag_phase_unpack(run->homes[0].head.phase);

    if (was.phase == TERN_DAG_BUILDING || was.phase == TERN_DAG_GOING)
        return -TERN_ST_QUEUE_BUSY;
    *phase = (struct dag_phase){.life = (uint8_t)(was.life + 1), .phase = TERN_DAG_BUILDING,
                                .holder = tern_member_holder(run->homes[0].member)};
    run->life = phase->life;
    run->homes[0].head.started = run_now_us();
    return swap_phase(run, 0, run->homes[0].head.phase, *phase);
}

static int begin(struct tern_run *run, struct dag_phase phase)
{
    const struct dag_phase going = {.life = phase.life, .phase = TERN_DAG_GOING};
    int status = 0;

    for (unsigned h = 1; h < run->count && !status; h++)
        status = swap_phase(run, h, run->homes[h].head.phase, going);
    return status ? status : swap_phase(run, 0, dag_phase_pack(phase), going);
}

/* ---- areas */

static bool may_have_area(const struct publishing *p, uint32_t node)
{
    unsigned h = run_home_of(p->run, node);
    uint32_t ins = ins_of(p, node);

    return !p->area[node] && p->areas[h] < p->run->homes[h].head.areas_max &&
           ins >= p->run->homes[h].head.area_ins && ins <= TERN_CHECKIN_SLOTS;
}

/* Finds the widest of the joins that may still have an area. */
static uint32_t widest(const struct publishing *p)
{
    uint32_t best = GRAPH_NONE;

    for (uint32_t i = 0; i <= p->dag->count; i++)
        if (may_have_area(p, i) && (best == GRAPH_NONE || ins_of(p, i) > ins_of(p, best)))
            best = i;
    return best;
}

static int ask_for_area(struct publishing *p, uint32_t node)
{
    unsigned h = run_home_of(p->run, node);
    struct dag_home *home = &p->run->homes[h];
    struct dag_ask ask = {.magic = DAG_KIND, .offset = home->offset, .index = p->areas[h],
                          .life = p->run->life,
                          .area = {.place = run_place_of(p->run, node), .slots = ins_of(p, node),
                                   .value = p->values[h]}};
    uint8_t words[TERN_POOL_ASK] = {0};
    int status;

    memcpy(words, &ask, sizeof(ask));
    status = tern_member_ask(home->member, words, sizeof(words));
    memcpy(&ask, words, sizeof(ask));
    if (status || ask.status)
        return status ? status : ask.status;
    memcpy(in_copy(home, home->head.areas + p->areas[h] * sizeof(ask.area)), &ask.area,
           sizeof(ask.area));
    p->area[node] = ++p->areas[h];
    p->values[h] += ask.area.slots;
    return run_renew(p->run);
}

/*
 * Arms areas for the widest joins. A home without free areas is no error: then those joins are
 * words.
 */
static int arm_areas(struct publishing *p)
{
    int status = 0;
    uint32_t node = widest(p);

    while (node != GRAPH_NONE && !status) {
        unsigned h = run_home_of(p->run, node);

        status = ask_for_area(p, node);
        if (status == -TERN_ST_NO_RESOURCE || status == -TERN_ST_BAD_AREA) {
            p->run->homes[h].head.areas_max = p->areas[h];
            status = 0;
        }
        node = widest(p);
    }
    return status ? status : place_joins(p);
}

/* ---- broadcasts */

/* All homes are members of one group, or no node broadcasts its end. */
static bool have_group(const struct tern_run *run)
{
    for (unsigned h = 0; h < run->count; h++)
        if (run->homes[h].head.fan_key == 0 ||
            run->homes[h].head.fan_key != run->homes[0].head.fan_key)
            return false;
    return run->count > DAG_FAN_HOMES;
}

/* Counts the successors of a node at each home in `here`; returns at how many homes it has some. */
static unsigned count_outs(const struct publishing *p, uint32_t node, uint32_t *here)
{
    unsigned homes = 0;

    memset(here, 0, p->run->count * sizeof(*here));
    for (uint32_t e = p->dag->nodes[node].first_out; e != GRAPH_NONE; e = p->dag->edges[e].next_out)
        if (!p->area[p->dag->edges[e].to])
            homes += here[run_home_of(p->run, p->dag->edges[e].to)]++ == 0;
    return homes;
}

static bool has_room(const struct publishing *p, const uint32_t *here)
{
    for (unsigned h = 0; h < p->run->count; h++) {
        const struct dag_head *head = &p->run->homes[h].head;

        if (p->fans == head->fans_max || here[h] > head->outs_max - p->outs[h])
            return false;
    }
    return true;
}

/* Chooses the nodes that broadcast their ends. Without room they set the bits of successors. */
static int choose_fans(struct publishing *p)
{
    uint32_t *here = calloc(p->run->count, sizeof(*here));

    if (!here)
        return -TERN_ST_NO_MEMORY;
    for (uint32_t i = 0; have_group(p->run) && i < p->dag->count; i++) {
        if (count_outs(p, i, here) <= DAG_FAN_HOMES || !has_room(p, here))
            continue;
        p->fan[i] = ++p->fans;
        for (unsigned h = 0; h < p->run->count; h++)
            p->outs[h] += here[h];
    }
    free(here);
    return 0;
}

static int publish(struct publishing *p)
{
    struct tern_run *run = p->run;
    struct dag_phase phase, none;
    int status = place_joins(p);

    if (!status)
        status = claim(run, &phase);
    if (status)
        return status;
    run_name(run, run->homes[0].head.started);
    status = arm_areas(p);
    if (!status)
        status = choose_fans(p);
    if (!status)
        status = put_records(p);
    if (!status)
        status = put_homes(p);
    if (!status)
        status = begin(run, phase);
    if (!status)
        return run_read_heads(run);
    none = (struct dag_phase){.life = phase.life};
    (void)swap_phase(run, 0, dag_phase_pack(phase), none);
    return status;
}

int tern_dag_publish(const struct tern_dag *dag, struct tern_member *const *members,
                     unsigned count, struct tern_cache *cache, const char *name,
                     struct tern_run **out)
{
    struct publishing p = {.dag = dag};
    int status = tern_dag_check(dag, NULL, 0, NULL, 0);

    if (!status)
        status = run_open(members, count, cache, name, &p.run);
    if (status)
        return status;
    p.joins = calloc((size_t)dag->count + 1, sizeof(*p.joins));
    p.local = calloc(count, sizeof(*p.local));
    p.words = calloc(count, sizeof(*p.words));
    p.number = calloc((size_t)dag->edge_count + 1, sizeof(*p.number));
    p.sink = calloc((size_t)dag->count + 1, sizeof(*p.sink));
    p.area = calloc((size_t)dag->count + 1, sizeof(*p.area));
    p.areas = calloc(count, sizeof(*p.areas));
    p.values = calloc(count, sizeof(*p.values));
    p.fan = calloc((size_t)dag->count + 1, sizeof(*p.fan));
    p.outs = calloc(count, sizeof(*p.outs));
    status = p.joins && p.local && p.words && p.number && p.sink && p.area && p.areas &&
                     p.values && p.fan && p.outs
                 ? publish(&p)
                 : -TERN_ST_NO_MEMORY;
    free(p.joins);
    free(p.local);
    free(p.words);
    free(p.number);
    free(p.sink);
    free(p.area);
    free(p.areas);
    free(p.values);
    free(p.fan);
    free(p.outs);
    if (status)
        tern_dag_leave(p.run);
    else
        *out = p.run;
    return status;
}
