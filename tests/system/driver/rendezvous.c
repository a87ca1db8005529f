/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rendezvous in a ring of four, from hosts in processes of their own: one puts, three have arenas.
 * Then a target is killed, and an origin between its request and its bytes. First, the hosts of the
 * three targets choose the addresses.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tern/counter.h>
#include <tern/rendezvous.h>

#include "chaos.h"

enum {
    TARGETS = 3,
    ROOM = 8192, /* bytes of an arena */
    BYTES = 3000,
    COUNTER = 6,
    AREA = 4,
    REFERENCE = 99,
    ANSWER = 200000, /* cycles */
    LEASE = 100000,
    WAIT_MS = 60000  /* a net */
};

struct host {
    const struct rig *rig;
    unsigned x;
};

static const uint16_t key_index = 300;

static uint32_t key_of_all(void) { return tern_group_key(key_index, 0x7777); }

/* ---- a target ---- */

struct target_host {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_region *region;
    struct tern_arena *arena;
    uint8_t memory[ROOM];
};

static bool has_come(struct target_host *t)
{
    struct tern_completion done = next_completion(t->cq, WAIT_MS);

    if (done.opcode != TERN_OP_ARRIVED || done.status != TERN_ST_OK || done.length != BYTES ||
        done.imm != REFERENCE || done.index != tern_arena_number(t->arena) ||
        !rig_holds(done.data, BYTES, 1))
        return false;
    memset(t->memory, 0, ROOM);
    return tern_arena_release(t->arena, &done) == 0 &&
           tern_arena_release(t->arena, &done) == -TERN_ST_BAD_RANGE;
}

/* Commands: check that all has arrived; check that nothing has; quit. */
static void waiting(const void *arg, int in, int out)
{
    static struct target_host t;
    const struct host *host = arg;
    struct tern_arena_memory memory = {.base = t.memory, .bytes = ROOM, .counter = COUNTER};
    struct tern_arena *second;
    char word = 'r';

    t.device = rig_open(host->rig, host->x);
    gives(tern_cq_create(t.device, 4, 0, &t.cq), 0, "tern_cq_create");
    gives(tern_register(t.device, t.memory, ROOM, TERN_RIGHT_LOCAL_WRITE, &t.region), 0,
          "tern_register");
    gives(tern_counter_set(t.device, COUNTER, 0), 0, "tern_counter_set");
    gives(tern_arena_open(t.cq, key_of_all(), &memory, &t.arena), -TERN_ST_BAD_ARGUMENT,
          "no region");
    memory.region = t.region;
    gives(tern_arena_open(t.cq, key_of_all(), &memory, &t.arena), 0, "tern_arena_open");
    gives(tern_arena_open(t.cq, key_of_all(), &memory, &second), -TERN_ST_BAD_COUNTER,
          "a second arena of the counter");
    gives(tern_release(t.region), -TERN_ST_QUEUE_BUSY, "release of the arena's memory");
    gives(tern_cq_destroy(t.cq), -TERN_ST_QUEUE_BUSY, "destruction of its queue");
    while (give(out, &word, 1) && get(in, &word, 1) && word != 'q') {
        struct tern_completion none;

        word = (word == 'c' ? has_come(&t) : tern_cq_poll(t.cq, &none, 1) == 0) ? 'y' : 'n';
    }
    gives(tern_arena_close(t.arena), 0, "tern_arena_close");
    gives(tern_release(t.region), 0, "tern_release");
    gives(tern_cq_destroy(t.cq), 0, "tern_cq_destroy");
    tern_close(t.device);
}

/* ---- a target whose host chooses the address ---- */

enum { PLACE = 4096 }; /* offset in the arena, with room for BYTES */

static void open_asked(struct target_host *t, const struct host *host)
{
    struct tern_arena_memory memory = {
        .base = t->memory, .bytes = ROOM, .counter = COUNTER, .asks = true};

    t->device = rig_open(host->rig, host->x);
    gives(tern_cq_create(t->device, 4, 0, &t->cq), 0, "tern_cq_create");
    gives(tern_register(t->device, t->memory, ROOM, TERN_RIGHT_LOCAL_WRITE, &t->region), 0,
          "tern_register");
    gives(tern_counter_set(t->device, COUNTER, 0), 0, "tern_counter_set");
    memory.region = t->region;
    gives(tern_arena_open(t->cq, key_of_all(), &memory, &t->arena), 0, "tern_arena_open");
}

static struct tern_completion question(const struct target_host *t)
{
    struct tern_completion asked = next_completion(t->cq, WAIT_MS);

    gives(asked.opcode, TERN_OP_ASKED, "what comes");
    gives(asked.length == BYTES && asked.imm == REFERENCE && asked.node == tern_node(0, 0, 0), true,
          "the question");
    return asked;
}

/* Node 1 refuses the first time, so the others are asked twice. */
static void decide(struct target_host *t, const struct host *host)
{
    struct tern_completion first = question(t), second, come;

    gives(tern_arena_refuse(t->arena, &first, TERN_ST_OK), -TERN_ST_BAD_ARGUMENT,
          "refusal without a reason");
    gives(tern_arena_accept(t->arena, &first, t->memory + ROOM - PLACE / 2), -TERN_ST_BAD_RANGE,
          "too little room");
    if (host->x == 1)
        gives(tern_arena_refuse(t->arena, &first, TERN_ST_ARENA_FULL), 0, "tern_arena_refuse");
    else
        gives(tern_arena_accept(t->arena, &first, t->memory), 0, "tern_arena_accept");
    gives(tern_arena_accept(t->arena, &first, t->memory), -TERN_ST_STALE_EPOCH, "a second answer");
    second = question(t);
    gives(tern_arena_accept(t->arena, &first, t->memory), -TERN_ST_STALE_EPOCH,
          "an answer to what was asked before");
    gives(tern_arena_accept(t->arena, &second, t->memory + PLACE), 0, "tern_arena_accept");
    come = next_completion(t->cq, WAIT_MS);
    gives(come.opcode, TERN_OP_ARRIVED, "what comes then");
    gives(come.data == t->memory + PLACE && rig_holds(come.data, BYTES, 1), true, "the bytes");
    gives(tern_arena_release(t->arena, &come), -TERN_ST_BAD_RANGE, "release");
}

static void deciding(const void *arg, int in, int out)
{
    static struct target_host t;

    (void)in;
    open_asked(&t, arg);
    (void)give(out, "r", 1);
    decide(&t, arg);
    gives(tern_arena_close(t.arena), 0, "tern_arena_close");
    tern_close(t.device);
    (void)give(out, "y", 1);
}

static struct child targets[TARGETS];
static struct host hosts[TARGETS];

static bool start_target(const struct rig *rig, unsigned i)
{
    char word = 0;

    hosts[i] = (struct host){rig, i + 1};
    targets[i] = child_start(waiting, &hosts[i]);
    return get(targets[i].from, &word, 1) && word == 'r';
}

static unsigned targets_say(char question)
{
    unsigned yes = 0;

    for (unsigned i = 0; i < TARGETS; i++) {
        char word = 0;

        yes += targets[i].pid > 0 && give_word(&targets[i], question) &&
               get(targets[i].from, &word, 1) && word == 'y';
    }
    return yes;
}

/* ---- the origin ---- */

struct origin_host {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_rendezvous *rendezvous;
    uint8_t memory[ROOM];
};

static struct origin_host o;

static void origin_open(const struct rig *rig)
{
    const struct tern_rendezvous_limits limits = {.area = AREA, .answer = ANSWER, .lease = LEASE};
    struct tern_group *group;
    struct tern_info info;

    o.device = rig_open(rig, 0);
    rig_fill(o.memory, BYTES, 1);
    gives(tern_query(o.device, &info), 0, "tern_query");
    gives(tern_register(o.device, o.memory, ROOM, TERN_RIGHT_LOCAL_READ, &o.region), 0,
          "tern_register");
    gives(tern_cq_create(o.device, 5, 0, &o.cq), 0, "tern_cq_create");
    gives(tern_sq_create(o.cq, 4, &o.sq), 0, "tern_sq_create");
    gives(tern_group_create(o.cq, tern_box_all(info.dims), key_of_all(), 1, &group), 0,
          "tern_group_create");
    gives(tern_rendezvous_create(o.cq, group, &limits, &o.rendezvous), 0, "tern_rendezvous_create");
    gives(tern_group_destroy(group), 0, "tern_group_destroy");
}

static int put(uint64_t context)
{
    return tern_rendezvous_put(o.sq, o.rendezvous, o.region, o.memory, BYTES, REFERENCE, context);
}

static bool put_ends(enum tern_status status, uint16_t node)
{
    struct tern_completion done;

    gives(put(5), 0, "tern_rendezvous_put");
    gives(put(6), -TERN_ST_AGAIN, "a second put");
    gives(tern_rendezvous_destroy(o.rendezvous), -TERN_ST_QUEUE_BUSY,
          "destruction while it is out");
    done = next_completion(o.cq, WAIT_MS);
    return done.context == 5 && done.opcode == TERN_OP_BCAST && done.status == status &&
           (status == TERN_ST_OK || done.node == node);
}

static unsigned ready(void)
{
    struct tern_answer answers[TARGETS];
    unsigned count = tern_rendezvous_answers(o.rendezvous, answers, TARGETS), good = 0;

    for (unsigned i = 0; i < count; i++)
        good += answers[i].status == TERN_ST_OK;
    return good;
}

/* Returns after the members have freed their room. */
static void withdraw(void)
{
    gives(tern_rendezvous_withdraw(o.sq, o.rendezvous), 0, "tern_rendezvous_withdraw");
    gives(tern_nop(o.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 8), 0, "tern_nop");
    gives(next_completion(o.cq, WAIT_MS).context == 8, true, "the end of the withdrawal");
}

/* Reports how a put ended, and closes the origin. */
static void origin_close(bool good, int out)
{
    gives(tern_rendezvous_destroy(o.rendezvous), 0, "tern_rendezvous_destroy");
    gives(tern_sq_destroy(o.sq), 0, "tern_sq_destroy");
    gives(tern_cq_destroy(o.cq), 0, "tern_cq_destroy");
    tern_close(o.device);
    (void)give(out, good ? "y" : "n", 1);
}

static void putting(const void *arg, int in, int out)
{
    bool good;

    (void)in;
    origin_open(arg);
    gives(tern_rendezvous_put(o.sq, o.rendezvous, NULL, o.memory, BYTES, 0, 0),
          -TERN_ST_BAD_ARGUMENT, "no region");
    gives(tern_rendezvous_put(o.sq, o.rendezvous, o.region, o.memory, 0, 0, 0), -TERN_ST_BAD_LENGTH,
          "no bytes");
    good = put_ends(TERN_ST_OK, 0) && ready() == TARGETS;
    if (!good)
        withdraw();
    origin_close(good, out);
}

static void putting_to_deciders(const void *arg, int in, int out)
{
    bool good;

    (void)in;
    origin_open(arg);
    good = put_ends(TERN_ST_ARENA_FULL, tern_node(1, 0, 0));
    withdraw();
    good = put_ends(TERN_ST_OK, 0) && ready() == TARGETS && good;
    origin_close(good, out);
}

/* The same step by step: this host counts the answers. */
static void counting(const void *arg, int in, int out)
{
    struct tern_rendezvous_limits limits = {.area = AREA + 1, .lease = LEASE};
    struct tern_rendezvous *literal;
    struct tern_group *group;
    struct tern_info info;
    int left = TARGETS;

    (void)in;
    origin_open(arg);
    gives(tern_query(o.device, &info), 0, "tern_query");
    gives(tern_group_create(o.cq, tern_box_all(info.dims), key_of_all(), 1, &group), 0,
          "tern_group_create");
    gives(tern_rq_create(o.cq, 3, 6, TERN_QUEUE_ANY, &limits.answers), 0, "tern_rq_create");
    gives(tern_rendezvous_create(o.cq, group, &limits, &literal), 0, "tern_rendezvous_create");
    gives(tern_group_destroy(group), 0, "tern_group_destroy");
    gives(tern_rendezvous_ask(o.sq, o.rendezvous, BYTES, 0), -TERN_ST_BAD_ARGUMENT,
          "no reception FIFO");
    gives(tern_rendezvous_ask(o.sq, literal, BYTES, REFERENCE), 0, "tern_rendezvous_ask");
    while (left > 0) {
        struct tern_completion heard = next_completion(o.cq, WAIT_MS);

        left = tern_rendezvous_heard(literal, &heard);
    }
    gives(left, 0, "tern_rendezvous_heard");
    gives(tern_rendezvous_send(o.sq, literal, o.region, o.memory, 5), 0, "tern_rendezvous_send");
    gives(tern_rendezvous_send(o.sq, literal, o.region, o.memory, 5), -TERN_ST_AGAIN,
          "a second time");
    gives(next_completion(o.cq, WAIT_MS).status, TERN_ST_OK, "its end");
    gives(tern_rendezvous_destroy(literal), 0, "tern_rendezvous_destroy");
    gives(tern_rq_destroy(limits.answers), 0, "tern_rq_destroy");
    origin_close(true, out);
}

/* Node 2's host was killed, and its NIC has removed the arena. */
static void putting_in_vain(const void *arg, int in, int out)
{
    bool good;

    (void)in;
    origin_open(arg);
    good = put_ends(TERN_ST_TIMEOUT, tern_node(2, 0, 0)) && ready() == TARGETS - 1;
    withdraw();
    origin_close(good, out);
}

/* One target is missing, so the origin waits for answers when it is killed. */
static void putting_till_killed(const void *arg, int in, int out)
{
    char word;

    origin_open(arg);
    gives(put(5), 0, "tern_rendezvous_put");
    while (ready() < TARGETS - 1)
        usleep(1000);
    (void)give(out, "o", 1);
    (void)get(in, &word, 1);
}

/* ---- the parent ---- */

static bool origin_runs(child_fn *run, const struct rig *rig)
{
    struct child origin = child_start(run, rig);
    char word = 0;
    bool good = get(origin.from, &word, 1) && word == 'y';

    return child_end(&origin) && good;
}

/* The room reserved for a dead origin's request is free when the lease is over, and not before. */
static void origin_killed(const struct rig *rig)
{
    struct child origin = child_start(putting_till_killed, rig);
    char word = 0;
    bool good = get(origin.from, &word, 1) && word == 'o';

    child_kill(&origin);
    good = start_target(rig, 1) && good;
    for (unsigned tries = 0; tries < 100; tries++)
        if (origin_runs(putting, rig)) {
            tap(good && targets_say('c') == TARGETS,
                "room kept for an origin that was killed comes free");
            return;
        }
    tap(false, "room kept for an origin that was killed comes free");
}

static void hosts_asked(const struct rig *rig)
{
    struct child deciders[TARGETS];
    unsigned ready = 0, good = 0;
    bool put;

    for (unsigned i = 0; i < TARGETS; i++) {
        char word = 0;

        hosts[i] = (struct host){rig, i + 1};
        deciders[i] = child_start(deciding, &hosts[i]);
        ready += get(deciders[i].from, &word, 1) && word == 'r';
    }
    put = ready == TARGETS && origin_runs(putting_to_deciders, rig);
    for (unsigned i = 0; i < TARGETS; i++) {
        char word = 0;

        good += get(deciders[i].from, &word, 1) && word == 'y' && child_end(&deciders[i]);
    }
    tap(put && good == TARGETS, "hosts that are asked say where the bytes go, and one says no");
}

int main(void)
{
    struct rig rig;
    bool good = true;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    hosts_asked(&rig);
    for (unsigned i = 0; i < TARGETS; i++)
        good = start_target(&rig, i) && good;
    good = good && origin_runs(putting, &rig) && targets_say('c') == TARGETS;
    tap(good, "each of three hosts gets the bytes in its arena and is told");
    if (!good)
        return tap_end(); /* all other tests need this */
    good = origin_runs(counting, &rig) && targets_say('c') == TARGETS;
    tap(good, "a host that counts the answers itself puts, too");
    child_kill(&targets[1]);
    good = origin_runs(putting_in_vain, &rig);
    tap(good && targets_say('n') == TARGETS - 1,
        "a target that was killed is named and nobody gets anything");
    origin_killed(&rig);
    for (unsigned i = 0; i < TARGETS; i++) {
        good = give_word(&targets[i], 'q');
        tap(child_end(&targets[i]) && good, "target %u ends well", i);
    }
    rig_stop(&rig);
    return tap_end();
}
