/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a home at its server: made, and swept after each grace period and each death.
 *
 * A sweep only repeats idempotent changes, or makes those that the word's owner can no longer make:
 *   RUN of a dead holder     becomes WAIT with the same step, and is pushed
 *   DONE, SKIP, FAILED       of a dead holder loses the holder, and is pushed: the worker that
 *                            takes it tells the successors, or ends the run
 *   due, but in no queue     during three periods: is pushed. A worker that took it died, or works
 *                            on other nodes still; its claim decides
 *   a unit of a dead holder  is free, and so is one without owner during three periods
 */
#include <stdlib.h>
#include <string.h>

#include "areas.h"
#include "fans.h"
#include "operate.h"

enum {
    ALIGN = 64,
    FAN_PART = 8, /* successors at this home, on average, of a node that broadcasts its end */
    NODES_MAX = 1 << 20,
    PERIODS = 2,
};

struct dag_space {
    struct tern_pool_service service; /* first */
    struct tern_pool *pool;
    uint8_t *memory;                  /* of the pool */
    uint64_t offset;
    const volatile struct dag_head *head;
    /* for each node, then for each unit: the period in which it was first found lost, plus 1 */
    uint64_t *nodes, *units;
    struct dag_areas *areas;
    struct dag_fans *fans;
};

static uint64_t word_at(const struct dag_space *s, uint64_t offset)
{
    return *(const volatile uint64_t *)(const void *)(s->memory + offset);
}

static int push(const struct dag_space *s, uint8_t life, uint32_t place)
{
    struct dag_head head;

    memcpy(&head, s->memory + s->offset, sizeof(head));
    return operate_push(s->pool, &head, life, place);
}

static bool is_dead(const struct dag_space *s, struct tern_holder holder)
{
    return holder.owner != 0 && !tern_pool_has(s->pool, holder);
}

/* ---- nodes */

static int take_away(const struct dag_space *s, struct dag_state state, uint32_t place)
{
    uint64_t at = s->head->states + (uint64_t)place * DAG_WORD, from = dag_state_pack(state);
    bool ran = state.state == NODE_RUN;
    int status;

    state.holder = (struct tern_holder){0, 0};
    if (ran)
        state.state = NODE_WAIT;
    status = operate_swap_word(s->pool, at, from, dag_state_pack(state));
    if (status == 1 && ran) {
        status = operate_add(s->pool, s->offset + offsetof(struct dag_head, given), 1);
        status = status ? status : 1;
    }
    return status == 1 ? push(s, state.life, place) : status;
}

/* A chain ends at its limit, and areas go with their server; the words of the values stay. */
static bool have_checked_in(const struct dag_space *s, uint32_t index, uint8_t life)
{
    struct dag_area area;
    uint32_t i = 0;

    if (index >= s->head->areas_max)
        return false;
    memcpy(&area, s->memory + s->head->areas + index * sizeof(area), sizeof(area));
    if (area.value > s->head->values_max || area.slots > s->head->values_max - area.value)
        return false;
    while (i < area.slots &&
           word_at(s, s->head->values + (uint64_t)(area.value + i) * DAG_WORD) == dag_value(life))
        i++;
    return i == area.slots;
}

static bool is_joined(const struct dag_space *s, uint32_t place, uint8_t life)
{
    uint32_t top = *(const volatile uint32_t *)(const void *)(s->memory + s->head->roots +
                                                              (uint64_t)place * 4);
    uint64_t word;

    if (top == 0)
        return true;
    if (top & DAG_IS_AREA)
        return have_checked_in(s, top & ~DAG_IS_AREA, life);
    word = word_at(s, s->head->joins + (uint64_t)(top - 1) * DAG_WORD);
    return (word & DAG_ALL_BITS) == DAG_ALL_BITS;
}

static bool is_due(const struct dag_space *s, struct dag_state state, uint32_t place)
{
    if (state.state == NODE_WAIT)
        return is_joined(s, place, state.life);
    return state.holder.owner == 0 && (state.state == NODE_DONE || state.state == NODE_SKIP ||
                                       state.state == NODE_FAILED);
}

/* Tells whether this has been found in three periods, one after the other. */
static bool stays(uint64_t *seen, bool found, uint64_t period)
{
    if (!found)
        *seen = 0;
    else if (*seen == 0)
        *seen = period + 1;
    if (!found || period + 1 - *seen < PERIODS)
        return false;
    *seen = 0;
    return true;
}

static int sweep_node(const struct dag_space *s, uint8_t life, uint32_t place, uint64_t period)
{
    struct dag_state state =
        dag_state_unpack(word_at(s, s->head->states + (uint64_t)place * DAG_WORD));
    uint64_t ready = word_at(s, s->head->ready + (uint64_t)(place / DAG_BITS) * DAG_WORD);
    bool held = state.state == NODE_RUN || state.state == NODE_DONE ||
                state.state == NODE_SKIP || state.state == NODE_FAILED;

    if (state.life != life)
        return 0;
    if (held && is_dead(s, state.holder))
        return take_away(s, state, place);
    if (!stays(&s->nodes[place],
               !(ready & dag_bit(place % DAG_BITS)) && is_due(s, state, place), period))
        return 0;
    return push(s, life, place);
}

/* ---- units of resources */

static int free_unit(const struct dag_space *s, uint8_t life, unsigned resource, unsigned unit,
                     uint64_t owner)
{
    const struct tern_masked clear = {life, DAG_LIFE_MASK, 0, dag_bit(unit)};
    struct dag_head head;
    uint64_t old;
    int status;

    memcpy(&head, s->memory + s->offset, sizeof(head));
    status = operate_swap_word(s->pool, dag_unit_owner(&head, resource, unit), owner, 0);
    if (status != 1)
        return status;
    return operate_swap(s->pool, head.units + resource * (uint64_t)DAG_WORD, &clear, &old);
}

static int sweep_unit(const struct dag_space *s, uint8_t life, unsigned resource, unsigned unit,
                      uint64_t period)
{
    uint64_t *seen = &s->units[resource * DAG_BITS + unit];
    bool taken = word_at(s, s->head->units + resource * (uint64_t)DAG_WORD) & dag_bit(unit);
    uint64_t at = s->head->units +
                  ((uint64_t)DAG_RESOURCES + resource * DAG_BITS + unit) * DAG_WORD;
    uint64_t owner = word_at(s, at);
    const struct tern_holder holder = {(uint16_t)owner, (uint16_t)(owner >> 16)};

    if (owner == UINT64_MAX) /* there is no such unit */
        return 0;
    if (is_dead(s, holder) || stays(seen, taken && owner == 0, period))
        return free_unit(s, life, resource, unit, owner);
    return 0;
}

/* ---- the look */

/* A publisher that died leaves words of no run. */
static int sweep_publisher(const struct dag_space *s, struct dag_phase phase)
{
    uint64_t from = dag_phase_pack(phase);
    int status;

    if (!is_dead(s, phase.holder))
        return 0;
    phase.phase = TERN_DAG_NO_RUN;
    phase.holder = (struct tern_holder){0, 0};
    status = operate_swap_word(s->pool, s->offset + offsetof(struct dag_head, phase), from,
                       dag_phase_pack(phase));
    return status < 0 ? status : 0;
}

static int look(struct tern_pool_service *service, uint64_t period)
{
    struct dag_space *s = (struct dag_space *)(void *)service;
    struct dag_phase phase = dag_phase_unpack(s->head->phase);
    int status = 0;

    if (phase.phase == TERN_DAG_BUILDING)
        return sweep_publisher(s, phase);
    if (phase.phase != TERN_DAG_GOING)
        return 0;
    for (uint32_t i = 0; i < s->head->local && status >= 0; i++)
        status = sweep_node(s, phase.life, i, period);
    for (unsigned r = 0; s->head->home == 0 && r < s->head->resources && status >= 0; r++)
        for (unsigned u = 0; u < DAG_BITS && status >= 0; u++)
            status = sweep_unit(s, phase.life, r, u, period);
    return status < 0 ? status : 0;
}

static bool asked(struct tern_pool_service *service, struct tern_holder holder, void *words)
{
    struct dag_space *s = (struct dag_space *)(void *)service;
    struct dag_ask ask;
    struct dag_head head;

    (void)holder;
    memcpy(&ask, words, sizeof(ask));
    if (ask.magic != DAG_KIND || ask.offset != s->offset)
        return false;
    memcpy(&head, s->memory + s->offset, sizeof(head));
    ask.status = areas_arm(s->areas, &head, &ask);
    memcpy(words, &ask, sizeof(ask));
    return true;
}

static void told(struct tern_pool_service *service, const struct tern_completion *done)
{
    struct dag_space *s = (struct dag_space *)(void *)service;

    (void)fans_told(s->fans, done);
}

/* The next turn repeats a step that fails here. */
static void turn(struct tern_pool_service *service)
{
    struct dag_space *s = (struct dag_space *)(void *)service;
    struct dag_phase phase = dag_phase_unpack(s->head->phase);
    struct dag_head head;

    if (phase.phase != TERN_DAG_GOING)
        return;
    memcpy(&head, s->memory + s->offset, sizeof(head));
    (void)fans_hear(s->fans, &head, phase.life);
}

static void free_space(struct tern_pool_service *service)
{
    struct dag_space *s = (struct dag_space *)(void *)service;

    areas_close(s->areas);
    fans_close(s->fans);
    free(s->nodes);
    free(s->units);
    free(s);
}

/* ---- making */

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static struct dag_head layout(const struct tern_dag_home *home)
{
    struct dag_head h = {.magic = DAG_MAGIC, .nodes_max = home->nodes,
                         .joins_max = home->joins ? home->joins
                                                  : home->nodes + home->nodes / 4 + DAG_BITS,
                         .areas_max = home->areas,
                         .area_ins = home->area_ins ? home->area_ins : DAG_BITS + 1,
                         .area_cycles = home->area_cycles ? home->area_cycles : UINT32_MAX,
                         .values_max = home->areas * TERN_CHECKIN_SLOTS,
                         .outs_max = home->fan_outs ? home->fan_outs : home->nodes,
                         .fans_max = (home->fan_outs ? home->fan_outs : home->nodes) /
                                     FAN_PART + 1};

    h.roots = aligned(sizeof(h));
    h.states = h.roots + aligned((uint64_t)h.nodes_max * 4);
    h.ready = h.states + aligned((uint64_t)h.nodes_max * DAG_WORD);
    h.joins = h.ready + aligned((uint64_t)dag_words(h.nodes_max) * DAG_WORD);
    h.times = h.joins + aligned((uint64_t)h.joins_max * DAG_WORD);
    h.units = h.times + aligned((uint64_t)h.nodes_max * sizeof(struct dag_time));
    h.areas = h.units + aligned((uint64_t)DAG_RESOURCES * (1 + DAG_BITS) * DAG_WORD);
    h.values = h.areas + aligned((uint64_t)h.areas_max * sizeof(struct dag_area));
    h.told = h.values + aligned((uint64_t)h.values_max * DAG_WORD);
    h.fans = h.told + aligned((uint64_t)h.fans_max * DAG_WORD);
    h.outs = h.fans + aligned((uint64_t)h.fans_max * sizeof(struct dag_fan));
    h.end = h.outs + aligned((uint64_t)h.outs_max * sizeof(struct dag_out));
    return h;
}

static void move_by(struct dag_head *h, uint64_t offset)
{
    h->roots += offset;
    h->states += offset;
    h->ready += offset;
    h->joins += offset;
    h->times += offset;
    h->units += offset;
    h->areas += offset;
    h->values += offset;
    h->told += offset;
    h->fans += offset;
    h->outs += offset;
    h->end += offset;
}

static int make_object(struct tern_pool *pool, const char *name, const struct tern_dag_home *home,
                       struct tern_pool_object *object)
{
    struct dag_head head = layout(home);
    int status = tern_pool_find(pool, name, object);

    if (status == 0)
        return object->kind == DAG_KIND ? 0 : -TERN_ST_QUEUE_BUSY;
    status = tern_pool_make(pool, name, DAG_KIND, head.end, object);
    if (status)
        return status;
    move_by(&head, object->offset);
    memcpy((uint8_t *)tern_pool_memory(pool, NULL) + object->offset, &head, sizeof(head));
    return tern_pool_publish(pool, object);
}

int tern_dag_make(struct tern_pool *pool, const char *name, const struct tern_dag_home *home)
{
    struct tern_pool_object object;
    struct dag_space *s;
    int status;

    if (!pool || !home)
        return -TERN_ST_BAD_ARGUMENT;
    if (home->nodes == 0 || home->nodes > NODES_MAX || home->joins > NODES_MAX ||
        home->areas > DAG_AREAS)
        return -TERN_ST_BAD_SIZE;
    status = make_object(pool, name, home, &object);
    if (status)
        return status;
    s = calloc(1, sizeof(*s));
    if (!s)
        return -TERN_ST_NO_MEMORY;
    *s = (struct dag_space){.service = {.look = look, .asked = asked, .turn = turn,
                                        .told = told, .free = free_space}, .pool = pool,
                            .memory = tern_pool_memory(pool, NULL), .offset = object.offset};
    s->head = (const volatile struct dag_head *)(const void *)(s->memory + s->offset);
    s->nodes = calloc(s->head->nodes_max, sizeof(*s->nodes));
    s->units = calloc((size_t)DAG_RESOURCES * DAG_BITS, sizeof(*s->units));
    s->areas = areas_open(pool, object.offset);
    s->fans = fans_open(pool, name, (struct dag_head *)(void *)(s->memory + s->offset));
    if (!s->nodes || !s->units || !s->areas || !s->fans) {
        free_space(&s->service);
        return -TERN_ST_NO_MEMORY;
    }
    tern_pool_attach(pool, &s->service);
    return 0;
}
