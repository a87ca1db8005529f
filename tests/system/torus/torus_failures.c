/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts to many nodes with a handshake, during failures of wires, links, NICs, firmware, hosts,
 * arenas. A seed chooses the puts and the failures.
 *
 * usage: torus_failures [SEEDS [FIRST]]      FAILURES_VERBOSE=1 tells what happens
 *
 * The program checks:
 *   Every put ends once, within a stated number of cycles, unless its host is gone.
 *   After a put that succeeds, all members have all bytes and got one completion each.
 *   A put that fails ends with a status that fits the failure.
 *   No host gets a completion for incomplete or wrong bytes, or two for the same ones.
 *   No byte lands where no host made room for it.
 *   Afterwards the NICs' tables are as they were, and puts succeed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tern/counter.h>
#include <tern/rendezvous.h>

#include "rig.h"
#include "rig_tier.h"
#include "rooms.h"
#include "yard.h"

enum {
    NODES_MAX = 12,
    SHOTS_MAX = 12,
    EVENTS_MAX = 12,
    ORIGINS_MAX = 2,
    COUNTER = 5,
    AREA = 2, /* of a rendezvous; it also uses the next one */
    LAST_AREA = 5, /* of the final put to all */
    STEP = 512, /* cycles per step in quiet times */
    FINE_STEP = 16, /* and in busy ones */
    FINE = 3000, /* cycles after a doorbell that count as busy */
    LATE = 5000, /* cycles after the end of a put in which late completions may come */
    PATIENT = 60000, /* limit for rounds without failures */
    BOUND =
        900000, /* cycles within which a put ends: its limits, and twice the NIC's limit for acks */
    CALM = 900000, /* cycles within which all operations end */
    UP = 10000, /* cycles within which a mended link is up */
    ROUND_LOG2 = 19, /* soft: log2 of the multiple of cycles at which a round begins */
    STALL_MORE = 150, /* rtl: stalls, in total shorter than a link's limit for a dead peer */
    REFERENCE = 0x51ab000
};

enum kind {
    NONE,
    WIRES,
    LINK,
    TARGET_DIES,
    TARGET_HELD,
    ORIGIN_GONE,
    TWO_ORIGINS,
    OVERLAP,
    ARENAS,
    KINDS
};

static const char *const kind_names[KINDS] = {
    "where_nothing_fails_every_put_ends_well",
    "wires_that_damage,_drop,_repeat_and_delay_lose_nothing",
    "a_link_that_is_cut_ends_in_the_bytes_or_in_an_error,_never_in_between",
    "a_target_that_dies_ends_in_an_error_or_has_all_bytes",
    "a_target_whose_firmware_stands_still_is_reported",
    "an_origin_that_goes_away_leaves_nothing_behind",
    "two_origins_at_once_never_mix",
    "what_is_late_never_counts_for_the_next_put",
    "an_arena_that_closes_or_has_no_room_ends_in_the_bytes_or_in_an_error",
};

enum variant { DIRECT, COMBINED, LITERAL, RELAYED, VARIANTS };
static const char *const variant_names[VARIANTS] = { "direct", "combined", "literal", "relayed" };

enum action { CUT, RESTORE, KILL, STALL, NOISE, FAULT, HOLD, RELEASE, CLOSE_DEVICE, CLOSE_ARENA };

/* A failure, and its time in cycles after the doorbell of a round. */
struct event {
    enum action action;
    unsigned round, node, port;
    uint64_t after;
    bool done;
};

struct shot {
    unsigned origin; /* index of the origin */
    struct rooms_put put;
    uint64_t from;   /* cycle */
    bool ended, asked, answered;
    unsigned endings;
    struct tern_completion end;
    unsigned told[NODES_MAX];
};

struct origin {
    unsigned n;
    bool gone; /* its host is gone */
    struct tern_rendezvous *rendezvous;
    struct tern_rq *answers;
    struct tern_fifo *relay;
    struct shot *shot; /* in flight */
};

struct totals {
    unsigned seeds, puts, well, failed, wrong, problems;
};

static struct yard yard;
static struct origin origins[ORIGINS_MAX];
static struct tern_arena *arenas[NODES_MAX];
static bool host_lives[NODES_MAX], stands_still[NODES_MAX], reading[NODES_MAX];
static unsigned closed_in[NODES_MAX]; /* an arena was closed during this put or before */
static bool hurt; /* something remains broken, and later puts fail */
static struct shot shots[SHOTS_MAX];
static unsigned shot_count, origin_count, rounds;
static struct event events[EVENTS_MAX];
static unsigned event_count;
static enum kind kind;
static enum variant variant;
static uint32_t key, arena_bytes, answer_limit, lease, late_send;
static unsigned seed_now;
static struct totals totals[KINDS];
static uint64_t random_state;
static bool verbose;

static unsigned draw(unsigned below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % below;
}

/* Draws a time; short and long ones are equally likely. */
static unsigned draw_time(unsigned most_log2)
{
    return draw(1u << (1 + draw(most_log2)));
}

static void problem(const struct shot *shot, const char *what, unsigned node)
{
    char text[128] = "has not ended";

    totals[kind].problems++;
    if (shot && shot->ended)
        (void)tern_completion_format(&shot->end, text, sizeof(text));
    tap_note("seed %u (%s, %ux%ux%u): put %d: %s, node %u; %s", seed_now, variant_names[variant],
             yard.dims[0], yard.dims[1], yard.dims[2], shot ? (int)(shot - shots) : -1, what, node,
             shot ? text : "");
}

/* ---- choosing ---- */

static unsigned draw_other(unsigned nodes, unsigned than)
{
    return (than + 1 + draw(nodes - 1)) % nodes;
}

static void plan_event(enum action action, unsigned round, unsigned node, unsigned port,
                       uint64_t after)
{
    if (event_count < EVENTS_MAX)
        events[event_count++] = (struct event){ action, round, node, port, after, false };
}

static unsigned draw_port(const unsigned dims[3])
{
    unsigned port;

    do
        port = draw(6);
    while (dims[port / 2] == 1);
    return port;
}

static void plan_failures(const unsigned dims[3])
{
    unsigned nodes = dims[0] * dims[1] * dims[2], round = draw(rounds),
             target = draw_other(nodes, origins[0].n);
    unsigned after = draw_time(rig_tier_is_soft() ? 11 : 13), port = draw_port(dims),
             node = draw(nodes);

    if (kind == LINK) {
        plan_event(CUT, round, node, port, after);
        if (draw(2))
            plan_event(RESTORE, round, node, port,
                       after + 100 + draw_time(rig_tier_is_soft() ? 15 : 12));
    } else if (kind == TARGET_DIES) {
        plan_event(KILL, round, target, 0, after);
    } else if (kind == TARGET_HELD) {
        plan_event(HOLD, round, target, 0, draw(4) ? after : 0);
        if (draw(2))
            plan_event(RELEASE, round, target, 0, after + draw_time(12));
    } else if (kind == ORIGIN_GONE) {
        plan_event(draw(2) ? CLOSE_DEVICE : KILL, round, origins[0].n, 0, after);
    } else if (kind == ARENAS && draw(2)) {
        plan_event(CLOSE_ARENA, round, target, 0, draw(4) ? after : 0);
    } else if (kind == OVERLAP || kind == WIRES) {
        for (unsigned i = 0; i < EVENTS_MAX; i++)
            plan_event(kind == OVERLAP || draw(4) == 0 ? STALL
                       : draw(3)                       ? FAULT
                                                       : NOISE,
                       draw(rounds), draw(nodes), draw_port(dims), draw_time(11));
    }
}

static void plan_limits(void)
{
    bool patient = kind == NONE || kind == WIRES;

    answer_limit = patient ? PATIENT : 7000 + draw(rig_tier_is_soft() ? 20000 : 3000);
    if (kind == OVERLAP)
        answer_limit = 1 + draw(4096);
    if (variant == RELAYED)
        answer_limit *= 2;
    if (variant == COMBINED && kind != OVERLAP)
        answer_limit += 4 * 4096; /* the remaining bytes take longer on each link from the origin */
    lease = 2 * answer_limit;
    if (kind == TWO_ORIGINS || kind == OVERLAP)
        lease = 4000 + draw(20000);
    late_send = variant == LITERAL && kind == TWO_ORIGINS && draw(2) ? draw(4 * lease) : 0;
    arena_bytes = ROOMS_ARENA_MAX;
    if (kind == ARENAS)
        arena_bytes = TERN_ARENA_ALIGN * (1 + draw(ROOMS_ARENA_MAX / TERN_ARENA_ALIGN));
    if (variant == RELAYED && arena_bytes < 512) /* a packet */
        arena_bytes = 512;
}

static void plan(unsigned seed, unsigned dims[3])
{
    static const unsigned shapes[][3] = { { 2, 2, 2 }, { 3, 3, 1 }, { 3, 2, 2 } };
    static const unsigned small[3] = { 3, 1, 1 };
    unsigned nodes;

    random_state = 0x9e3779b97f4a7c15u * (seed + 1);
    for (unsigned i = 0; i < 8; i++)
        (void)draw(2);
    seed_now = seed;
    kind = (enum kind)(seed % KINDS);
    variant = (enum variant)draw(VARIANTS);
    memcpy(dims, rig_tier_is_soft() ? shapes[draw(3)] : small, sizeof(small));
    nodes = dims[0] * dims[1] * dims[2];
    rounds = rig_tier_is_soft() ? 1 + draw(4) : 1 + (kind == OVERLAP);
    memset(origins, 0, sizeof(origins));
    memset(shots, 0, sizeof(shots));
    shot_count = event_count = 0;
    hurt = false;
    origin_count = kind == TWO_ORIGINS ? 2 : 1;
    origins[0].n = draw(nodes);
    origins[1].n = draw_other(nodes, origins[0].n);
    for (unsigned n = 0; n < nodes; n++) {
        host_lives[n] = true;
        stands_still[n] = false;
        closed_in[n] = SHOTS_MAX;
        reading[n] = kind != ARENAS || draw(4) != 0;
    }
    plan_limits();
    plan_failures(dims);
}

/* ---- failures ---- */

static bool is_of_wires(enum action action)
{
    return action == CUT || action == RESTORE || action == KILL || action == STALL;
}

/* On soft one step covers much time: the simulator injects faults in between, from a scenario. */
static void write_scenario(char *text, size_t bytes)
{
    static const char *const ports[] = { "X+", "X-", "Y+", "Y-", "Z+", "Z-" };
    static const char *const verbs[] = {
        [CUT] = "cut", [RESTORE] = "restore", [KILL] = "kill", [STALL] = "stall"};
    size_t at = 0;

    text[0] = 0;
    for (struct event *e = events; e < events + event_count && rig_tier_is_soft(); e++) {
        unsigned long long cycle = ((e->round + 1ull) << ROUND_LOG2) + e->after;

        if (!is_of_wires(e->action))
            continue;
        at += (size_t)snprintf(text + at, bytes - at, "at %llu %s %u %s%s\n", cycle,
                               verbs[e->action], e->node, e->action == KILL ? "" : ports[e->port],
                               e->action == STALL ? " cycles=2048" : "");
    }
}

static void forget_host(unsigned n)
{
    host_lives[n] = false;
    arenas[n] = NULL;
    for (unsigned i = 0; i < origin_count; i++)
        if (origins[i].n == n)
            origins[i].gone = true;
}

static void fault(const struct event *e)
{
    static const enum tern_fault_kind kinds[] = {TERN_FAULT_FLIP, TERN_FAULT_DROP,
                                                 TERN_FAULT_DUPLICATE, TERN_FAULT_DELAY};
    struct tern_fault f = {.kind = kinds[draw(4)],
                           .type = TERN_ANY_TYPE,
                           .every = 1 + draw(8),
                           .count = 1 + draw(5),
                           .skip = draw(8),
                           .mask = 1u << draw(8)};

    f.at = f.kind == TERN_FAULT_DELAY ? 1 + draw(3) : draw(80);
    (void)tern_net_fault(tern_sim_net(yard.sim), e->node, e->port, &f);
}

static void strike(struct event *e)
{
    struct tern_net *net = tern_sim_net(yard.sim);
    bool written = is_of_wires(e->action) && rig_tier_is_soft();

    if (verbose)
        tap_note("cycle %llu: action %d at node %u port %u",
                 (unsigned long long)tern_sim_cycle(yard.sim), (int)e->action, e->node, e->port);
    e->done = true;
    if (e->action == KILL && !written)
        tern_net_kill(net, e->node, true);
    else if ((e->action == CUT || e->action == RESTORE) && !written)
        tern_net_cut(net, e->node, e->port, e->action == CUT);
    else if (e->action == STALL && !written)
        tern_net_stall(net, e->node, e->port, tern_sim_cycle(yard.sim) + 32 + draw(STALL_MORE));
    else if (e->action == NOISE)
        tern_net_noise(net, e->node, e->port, 200 + draw(2000));
    else if (e->action == FAULT)
        fault(e);
    if (e->action == HOLD) {
        yard_must(tern_core_hold(yard.end[e->node].device, true), "hold");
        stands_still[e->node] = true;
        forget_host(e->node);
    } else if (e->action == RELEASE) {
        yard_must(tern_core_hold(yard.end[e->node].device, false), "boot");
    } else if (e->action == CLOSE_DEVICE) {
        tern_close(yard.end[e->node].device);
        yard.end[e->node].device = NULL;
        forget_host(e->node);
    } else if (e->action == CLOSE_ARENA && arenas[e->node]) {
        yard_must(tern_arena_close(arenas[e->node]), "close");
        arenas[e->node] = NULL;
        closed_in[e->node] = shot_count - 1;
    }
}

/* Applies due events; true when no more will come in this round. */
static bool strike_when_due(unsigned round, uint64_t since)
{
    bool all = true;

    for (struct event *e = events; e < events + event_count; e++) {
        if (!e->done && e->round == round && tern_sim_cycle(yard.sim) >= since + e->after)
            strike(e);
        all = all && (e->done || e->round != round);
    }
    return all;
}

/* ---- setting up ---- */

static void join(unsigned n)
{
    struct yard_end *end = &yard.end[n];
    struct tern_arena_memory memory = {.region = end->region,
                                       .base = end->buffer + ROOMS_ARENA,
                                       .bytes = arena_bytes,
                                       .counter = COUNTER};

    yard_must(tern_counter_set(end->device, COUNTER, 0), "counter");
    yard_must(tern_arena_open(end->cq, key, &memory, &arenas[n]), "arena");
}

static void start_end(struct yard *of, unsigned n)
{
    yard_must(tern_stats(of->end[n].device, of->end[n].stats), "statistics");
    join(n);
}

static void make_rendezvous(struct origin *origin)
{
    struct tern_rendezvous_limits limits = { .area = AREA, .answer = answer_limit, .lease = lease,
                                             .combined = variant == COMBINED };
    struct yard_end *end = &yard.end[origin->n];
    struct tern_group *group;
    struct tern_info info;

    limits.answers = origin->answers;
    limits.relay = origin->relay;
    yard_must(tern_query(end->device, &info), "query");
    yard_must(tern_group_create(end->cq, tern_box_all(info.dims), key, 1, &group), "group");
    yard_must(tern_rendezvous_create(end->cq, group, &limits, &origin->rendezvous), "rendezvous");
    yard_must(tern_group_destroy(group), "group goes");
}

static void make_ready(struct origin *origin)
{
    struct tern_cq *cq = yard.end[origin->n].cq;

    if (variant == LITERAL)
        yard_must(tern_rq_create(cq, 6, 6, TERN_QUEUE_ANY, &origin->answers), "reception FIFO");
    if (variant == RELAYED)
        yard_must(tern_fifo_create(cq, 2, &origin->relay), "FIFO");
    make_rendezvous(origin);
}

static void set_up(unsigned seed)
{
    struct tern_sim_config config = tern_sim_config_default();
    char text[EVENTS_MAX * 64];

    plan(seed, config.dims);
    write_scenario(text, sizeof(text));
    config.scenario = text;
    config.seed = seed;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, ROOMS_BYTES);
    rooms_paint(&yard);
    key = tern_group_key(200, (uint16_t)(0x6a00 + seed));
    yard_each(&yard, start_end);
    for (unsigned i = 0; i < origin_count; i++)
        make_ready(&origins[i]);
}

/* ---- completions at hosts ---- */

static void end_shot(struct shot *shot, const struct tern_completion *end)
{
    shot->endings++;
    if (shot->endings > 1) {
        problem(shot, "ends twice", end->node);
        return;
    }
    shot->ended = true;
    shot->end = *end;
    origins[shot->origin].shot = NULL;
}

static void end_as(struct shot *shot, enum tern_status status)
{
    const struct tern_completion end = { .status = status };

    end_shot(shot, &end);
}

static void hear_arrived(unsigned n, const struct tern_completion *got)
{
    struct shot *shot = &shots[got->imm - REFERENCE];

    if (got->imm - REFERENCE >= shot_count) {
        problem(NULL, "is told of what nobody has announced", n);
        return;
    }
    if (++shot->told[n] > 1)
        problem(shot, "is told twice", n);
    if (got->status != TERN_ST_OK || got->length != shot->put.bytes ||
        got->node != yard.end[origins[shot->origin].n].node || origins[shot->origin].n == n)
        problem(shot, "is told something else", n);
    if (!got->data || !rooms_told(&yard, n, &shot->put, got->data)) {
        totals[kind].wrong += got->data ? rooms_changed(&shot->put, got->data) : 1;
        problem(shot, "is told of wrong bytes", n);
    }
    if (reading[n] && arenas[n])
        yard_must(tern_arena_release(arenas[n], got), "release");
}

/*
 * The literal variant: takes an answer; after the last one the host sends the bytes, now or later.
 */
static void hear_message(struct origin *origin, const struct tern_completion *got)
{
    int left = tern_rendezvous_heard(origin->rendezvous, got);
    struct shot *shot = origin->shot;

    yard_must(tern_rq_release(origin->answers, 1), "release");
    if (!shot || !shot->asked || shot->answered || left > 0 || left == -TERN_ST_BAD_ARGUMENT)
        return;
    if (left < 0)
        end_as(shot, (enum tern_status)-left);
    else
        shot->answered = true;
}

static void hear(unsigned n, const struct tern_completion *got)
{
    struct origin *origin = &origins[origin_count > 1 && origins[1].n == n];

    if (verbose) {
        char text[128];

        tap_note("cycle %llu: node %u hears opcode %u: %s",
                 (unsigned long long)tern_sim_cycle(yard.sim), n, got->opcode,
                 tern_completion_format(got, text, sizeof(text)));
    }
    if (got->opcode == TERN_OP_ARRIVED)
        hear_arrived(n, got);
    else if (origin->n != n)
        problem(NULL, "is told of what it did not ask", n);
    else if (got->opcode == TERN_OP_RECV)
        hear_message(origin, got);
    else if (got->opcode == TERN_OP_BCAST && got->context < shot_count)
        end_shot(&shots[got->context], got);
    else if (got->opcode == TERN_OP_RTS && origin->shot && origin->shot->asked)
        end_shot(origin->shot, got);
    else if (got->opcode != TERN_OP_RTS && got->opcode != TERN_OP_PULL)
        problem(NULL, "hears what is no end of a put", n);
}

static void poll_all(void)
{
    struct tern_completion got;

    for (unsigned n = 0; n < yard.nodes; n++)
        while (host_lives[n] && yard_poll(&yard, &yard.end[n], &got))
            hear(n, &got);
}

static void run(uint64_t cycles)
{
    for (uint64_t end = tern_sim_cycle(yard.sim) + cycles; tern_sim_cycle(yard.sim) < end;) {
        tern_sim_run(yard.sim, cycles > STEP ? STEP : cycles);
        poll_all();
    }
}

/* ---- puts ---- */

static struct shot *new_shot(struct origin *origin, uint32_t bytes)
{
    struct shot *shot = &shots[shot_count];

    *shot = (struct shot){.origin = (unsigned)(origin - origins), .from = tern_sim_cycle(yard.sim)};
    shot->put = (struct rooms_put){ shot_count, bytes, REFERENCE + shot_count, variant == RELAYED };
    shot_count++;
    totals[kind].puts++;
    return shot;
}

static void begin(struct origin *origin, uint32_t bytes)
{
    struct yard_end *end = &yard.end[origin->n];
    struct shot *shot = new_shot(origin, bytes);
    const uint8_t *from = rooms_fill(&yard, origin->n, &shot->put);
    int status;

    shot->asked = variant == LITERAL;
    if (shot->asked)
        status = tern_rendezvous_ask(end->sq, origin->rendezvous, bytes, shot->put.reference);
    else
        status = tern_rendezvous_put(end->sq, origin->rendezvous, end->region, from, bytes,
                                     shot->put.reference, shot->put.number);
    origin->shot = shot;
    if (status < 0)
        end_as(shot, (enum tern_status)-status);
}

/* The host's part of the literal variant. */
static void help(struct origin *origin)
{
    struct shot *shot = origin->shot;
    struct yard_end *end = &yard.end[origin->n];
    uint64_t waited;
    int status;

    if (!shot || !shot->asked || origin->gone)
        return;
    waited = tern_sim_cycle(yard.sim) - shot->from;
    if (!shot->answered && waited > answer_limit) {
        end_as(shot, TERN_ST_TIMEOUT);
    } else if (shot->answered && waited >= late_send) {
        shot->asked = false;
        status = tern_rendezvous_send(end->sq, origin->rendezvous, end->region,
                                      rooms_fill(&yard, origin->n, &shot->put), shot->put.number);
        if (status < 0)
            end_as(shot, (enum tern_status)-status);
    }
}

static bool puts_are_out(void)
{
    bool out = false;

    for (unsigned i = 0; i < origin_count; i++)
        out = out || (origins[i].shot && !origins[i].gone);
    return out;
}

static void wait_for_puts(unsigned round, uint64_t since)
{
    while (puts_are_out() && tern_sim_cycle(yard.sim) < since + BOUND) {
        strike_when_due(round, since);
        tern_sim_run(yard.sim, tern_sim_cycle(yard.sim) < since + FINE ? FINE_STEP : STEP);
        poll_all();
        for (unsigned i = 0; i < origin_count; i++)
            help(&origins[i]);
    }
    for (unsigned i = 0; i < origin_count; i++)
        if (origins[i].shot && !origins[i].gone) {
            problem(origins[i].shot, "does not end", origins[i].n);
            hurt = true;
        }
}

static uint32_t draw_bytes(void)
{
    return 1 + draw_time(15) % ROOMS_PUT_MAX;
}

static void one_round(unsigned round)
{
    uint32_t bytes = draw_bytes();
    uint64_t since;

    if (rig_tier_is_soft())
        while (tern_sim_cycle(yard.sim) < (round + 1ull) << ROUND_LOG2)
            tern_sim_run(yard.sim, ((round + 1ull) << ROUND_LOG2) - tern_sim_cycle(yard.sim));
    since = tern_sim_cycle(yard.sim);
    for (unsigned i = 0; i < origin_count; i++) {
        if (i == 1 && draw(2))
            run(draw_time(14));
        if (!origins[i].gone)
            begin(&origins[i], draw(2) ? bytes : draw_bytes());
    }
    wait_for_puts(round, since);
    if (kind == OVERLAP && rounds > 1 && !hurt) /* start another one at once */
        for (unsigned more = draw(3); more > 0 && !hurt && shot_count < SHOTS_MAX - 4; more--) {
            begin(&origins[0], draw_bytes());
            wait_for_puts(round, since);
        }
    while (!strike_when_due(round, since))
        run(STEP);
    run(LATE);
}

/* ---- judging ---- */

/* Tells whether a put may end with `status`, given the failures. */
static bool status_fits(enum tern_status status)
{
    switch (status) {
    case TERN_ST_TIMEOUT:
        return kind >= LINK;
    case TERN_ST_LINK_DOWN:
    case TERN_ST_PACKET_LOST:
        return kind == LINK || kind == TARGET_DIES || kind == ORIGIN_GONE;
    case TERN_ST_ARENA_BUSY:
        return kind == TWO_ORIGINS;
    case TERN_ST_BAD_RIGHTS: /* the window is closed: the lease is over, or the arena was closed */
    case TERN_ST_BAD_KEY:
        return (kind == TWO_ORIGINS && late_send) || kind == OVERLAP || kind == ARENAS;
    case TERN_ST_FLUSHED: /* reported by a member whose firmware has restarted */
        return kind == TARGET_HELD && variant == RELAYED;
    case TERN_ST_NO_BASE: /* and it has no arena any more */
        return kind == ARENAS ||
               (kind == TARGET_HELD && (variant == RELAYED || variant == COMBINED));
    case TERN_ST_ARENA_FULL:
    case TERN_ST_BAD_LENGTH:
        return kind == ARENAS;
    default:
        return false;
    }
}

/*
 * A halted firmware reports nothing, nor does an arena that is closed while bytes arrive.
 */
static bool may_be_silent(const struct shot *shot, unsigned n)
{
    return stands_still[n] || closed_in[n] == shot->put.number;
}

static void judge_good(const struct shot *shot)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        if (n != origins[shot->origin].n && shot->told[n] != 1 && !may_be_silent(shot, n))
            problem(shot, "ends well, and one is not told", n);
}

static void judge_shot(const struct shot *shot)
{
    if (!shot->ended)
        return;
    if (shot->end.status == TERN_ST_OK) {
        totals[kind].well++;
        judge_good(shot);
        if (shot->end.length != shot->put.bytes)
            problem(shot, "ends with another length", 0);
    } else {
        totals[kind].failed++;
        if (!status_fits(shot->end.status))
            problem(shot, "fails with a status that does not fit", shot->end.node);
    }
}

/* Collects the puts without a completion at node `n`. */
static unsigned untold_of(unsigned n, struct rooms_put *untold)
{
    unsigned count = 0;

    for (struct shot *shot = shots; shot < shots + shot_count; shot++)
        if (shot->told[n] == 0 && origins[shot->origin].n != n)
            untold[count++] = shot->put;
    return count;
}

static void judge_memory(void)
{
    struct rooms_put untold[SHOTS_MAX];

    for (unsigned n = 0; n < yard.nodes; n++) {
        unsigned wrong = rooms_wrong(&yard, n, arena_bytes, untold, untold_of(n, untold));

        if (wrong != 0) {
            problem(NULL, "has bytes where nobody has made room for them", n);
            tap_note("%u bytes", wrong);
        }
        totals[kind].wrong += wrong;
    }
}

/* ---- afterwards ---- */

static void mend(void)
{
    struct tern_net *net = tern_sim_net(yard.sim);
    bool revive = draw(2);

    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned port = 0; port < 6; port++)
            if (tern_net_has(net, n, port))
                tern_net_noise(net, n, port, 0);
    for (struct event *e = events; e < events + event_count; e++) {
        if (!e->done)
            continue;
        if (e->action == CUT && revive)
            tern_net_cut(net, e->node, e->port, false);
        if (e->action == KILL && revive)
            tern_net_kill(net, e->node, false);
        if (!revive && (e->action == CUT || e->action == KILL))
            hurt = true;
    }
}

static uint64_t statistic(unsigned n, unsigned row)
{
    uint64_t stats[TERN_STAT_COUNT];

    yard_must(tern_stats(yard.end[n].device, stats), "statistics");
    return stats[row];
}

static void calm_down(void)
{
    uint64_t limit = tern_sim_cycle(yard.sim) + CALM;

    for (unsigned n = 0; n < yard.nodes; n++)
        while (host_lives[n] && statistic(n, TERN_STAT_used_operations) != 0 &&
               tern_sim_cycle(yard.sim) < limit)
            run(2048);
    run(UP);
}

static void withdraw(void)
{
    bool takes_back = (draw(2) || !rig_tier_is_soft()) && !origins[0].gone;

    for (unsigned i = 0; i < origin_count; i++)
        if (!origins[i].gone && !origins[i].shot && takes_back)
            (void)tern_rendezvous_withdraw(yard.end[origins[i].n].sq, origins[i].rendezvous);
    run(takes_back ? LATE : lease + 3 * 2048);
}

static bool all_live(void)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        if (!host_lives[n])
            return false;
    return true;
}

/* Repeats the put after all failures have ended; it must succeed. */
static void works_again(struct origin *origin)
{
    struct shot *shot;

    if (kind == OVERLAP && !origin->shot) { /* its limit was too short */
        answer_limit = lease = PATIENT;
        yard_must(tern_rendezvous_destroy(origin->rendezvous), "rendezvous goes");
        make_rendezvous(origin);
    }
    answer_limit = PATIENT;
    late_send = 0;
    begin(origin, variant == RELAYED && arena_bytes < 512 ? 1 : 64);
    shot = &shots[shot_count - 1];
    wait_for_puts(UINT32_MAX, tern_sim_cycle(yard.sim));
    run(LATE);
    if (!shot->ended || shot->end.status != TERN_ST_OK)
        problem(shot, "does not go through when all is well again", origin->n);
}

static void open_closed_arenas(void)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        if (host_lives[n] && arenas[n] && !reading[n]) {
            yard_must(tern_arena_close(arenas[n]), "close");
            arenas[n] = NULL;
        }
    for (unsigned n = 0; n < yard.nodes; n++)
        if (host_lives[n] && !arenas[n]) {
            reading[n] = true;
            join(n);
        }
}

/* Puts from a live node to all other live nodes. */
static void last_word(void)
{
    struct tern_rendezvous_limits limits = {.area = LAST_AREA, .answer = PATIENT, .lease = PATIENT};
    uint16_t members[NODES_MAX];
    unsigned count = 0, from = yard.nodes;
    struct tern_group *group;
    struct origin *origin = &origins[0];

    for (unsigned n = 0; n < yard.nodes; n++)
        if (host_lives[n] && from == yard.nodes)
            from = n;
        else if (host_lives[n])
            members[count++] = yard.end[n].node;
    variant = DIRECT;
    origin_count = 1;
    *origin = (struct origin){ .n = from };
    yard_must(tern_group_create_list(yard.end[from].cq, members, count, key, 1, &group), "group");
    yard_must(tern_rendezvous_create(yard.end[from].cq, group, &limits, &origin->rendezvous),
              "rendezvous");
    yard_must(tern_group_destroy(group), "group goes");
    works_again(origin);
}

static void clean_up(struct origin *origin)
{
    if (origin->gone || !origin->rendezvous)
        return;
    if (origin->shot)
        return; /* already reported */
    yard_must(tern_rendezvous_destroy(origin->rendezvous), "rendezvous goes");
    if (origin->answers)
        yard_must(tern_rq_destroy(origin->answers), "reception FIFO goes");
    if (origin->relay)
        yard_must(tern_fifo_destroy(origin->relay), "FIFO goes");
}

static uint64_t left_over[NODES_MAX][TERN_STAT_COUNT];

static void end_node(struct yard *of, unsigned n)
{
    if (!host_lives[n])
        return;
    if (arenas[n])
        yard_must(tern_arena_close(arenas[n]), "close");
    arenas[n] = NULL;
    yard_must(tern_stats(of->end[n].device, left_over[n]), "statistics");
}

static void judge_tables(void)
{
    static const unsigned rows[] = {TERN_STAT_used_regions, TERN_STAT_used_queues,
                                    TERN_STAT_used_operations};

    yard_each(&yard, end_node);
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned i = 0; host_lives[n] && i < sizeof(rows) / sizeof(rows[0]); i++)
            if (left_over[n][rows[i]] !=
                (rows[i] == TERN_STAT_used_operations ? 0 : yard.end[n].stats[rows[i]]))
                problem(NULL, tern_stat_name(rows[i]), n);
}

static void judge(void)
{
    unsigned during = shot_count;

    for (unsigned i = 0; i < during; i++)
        judge_shot(&shots[i]);
    mend();
    withdraw();
    calm_down();
    open_closed_arenas();
    if (all_live() && !hurt)
        for (unsigned i = 0; i < origin_count; i++)
            works_again(&origins[i]);
    judge_memory();
    for (unsigned i = 0; i < origin_count; i++)
        clean_up(&origins[i]);
    if (!all_live() && !hurt)
        last_word();
    for (unsigned i = during; i < shot_count; i++)
        totals[kind].well += shots[i].ended && shots[i].end.status == TERN_ST_OK;
    if (!all_live() && !hurt)
        clean_up(&origins[0]);
    judge_tables();
}

static void one_seed(unsigned seed)
{
    set_up(seed);
    if (verbose)
        tap_note("seed %u: %s, %s, %ux%ux%u, %u rounds, arenas of %u bytes, limit %u, lease %u",
                 seed, kind_names[kind], variant_names[variant], yard.dims[0], yard.dims[1],
                 yard.dims[2], rounds, arena_bytes, answer_limit, lease);
    totals[kind].seeds++;
    for (unsigned round = 0; round < rounds && !hurt; round++)
        if (!origins[0].gone)
            one_round(round);
    judge();
    yard_close(&yard);
    rooms_free();
}

static bool reported;

/* Reports the faults found so far when the program has to stop early. */
static void report_early(void)
{
    unsigned problems = 0;

    for (unsigned k = 0; k < KINDS; k++)
        problems += totals[k].problems;
    if (!reported && problems)
        tap(false, "what_is_lost,_damaged_or_repeated_is_repaired_or_reported");
}

static void report(void)
{
    struct totals all = { 0 };

    reported = true;

    for (unsigned k = 0; k < KINDS; k++) {
        const struct totals *t = &totals[k];

        if (t->seeds == 0)
            continue;
        tap(t->problems == 0 && t->wrong == 0, "%s", kind_names[k]);
        tap_note("%u seeds: %u puts, %u ended well, %u with an error", t->seeds, t->puts, t->well,
                 t->failed);
        all.seeds += t->seeds;
        all.puts += t->puts;
        all.well += t->well;
        all.failed += t->failed;
        all.wrong += t->wrong;
        all.problems += t->problems;
    }
    tap(all.problems == 0 && all.wrong == 0 && all.well != 0,
        "what_is_lost,_damaged_or_repeated_is_repaired_or_reported");
    tap_evidence("N37", "seeds=%u wrong_bytes=%u puts=%u ended_well=%u failed=%u", all.seeds,
                 all.wrong, all.puts, all.well, all.failed);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : rig_tier_is_soft() ? 100 : KINDS + 1;
    unsigned first = argc > 2 ? (unsigned)atoi(argv[2]) : 0;

    verbose = getenv("FAILURES_VERBOSE");
    atexit(report_early);
    for (unsigned seed = first; seed < first + seeds; seed++)
        one_seed(seed);
    report();
    return tap_end();
}
