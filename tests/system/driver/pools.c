/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool and its members, on a ring of four: rights, leases, deaths of killed and of paused
 * members, grace periods.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "pool_rig.h"

enum { BYTES = 1 << 16, MEMBERS = 6, WORDS = 8, LOOKED = 1000 };

static struct rig rig;

/* On rtl the NICs are slow, so the lease is long. */
static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 3000 : 4000;
}

/* ---- the server: an object of words, and a service that records the period */

static struct noting {
    struct tern_pool_service service;
    struct tern_pool *pool;
    uint64_t period;
    unsigned looks;
} noting;

static int note(struct tern_pool_service *service, uint64_t period)
{
    (void)service;
    __atomic_store_n(&noting.period, period, __ATOMIC_RELAXED);
    noting.looks++;
    return 0;
}

/* Adds 1 to the first byte of a member's request. */
static bool asked(struct tern_pool_service *service, struct tern_holder holder, void *words)
{
    uint8_t *bytes = words;

    (void)service;
    if (bytes[0] == 0 || !tern_pool_has(noting.pool, holder))
        return false;
    bytes[0]++;
    return true;
}

static void begin(struct tern_pool *pool, bool adopted)
{
    struct tern_pool_object object;

    noting.pool = pool;
    noting.service = (struct tern_pool_service){.look = note, .asked = asked};
    tern_pool_attach(pool, &noting.service);
    if (adopted)
        return;
    gives(tern_pool_make(pool, "words", 7, WORDS * 8, &object), 0, "tern_pool_make");
    gives(tern_pool_publish(pool, &object), 0, "tern_pool_publish");
}

static int word(struct tern_pool *pool, char letter)
{
    const struct tern_holder nobody = {0};

    if (letter == 's') /* a thread serves */
        return tern_pool_serve(pool, 0) == -TERN_ST_BAD_STATE && !tern_pool_has(pool, nobody) &&
               tern_pool_queue(pool) != NULL && tern_pool_events(pool) != NULL &&
               memcmp(tern_pool_rptr(pool, 8).w, tern_pool_rptr(pool, 0).w,
                      sizeof(struct tern_rptr)) != 0;
    return letter == 'p' ? (int)__atomic_load_n(&noting.period, __ATOMIC_RELAXED) : -1;
}

static struct pool_serving serving = {.rig = &rig, .begin = begin, .word = word};

/* --- members in processes of their own: they renew, and report what happens to them */

static struct tern_ptr first_word(struct pool_client *c)
{
    struct tern_pool_object object;

    gives(tern_member_find(c->member, "words", &object), 0, "tern_member_find");
    return (struct tern_ptr){.offset = object.offset};
}

struct end {
    int renewed;             /* status of the first renewal that failed */
    enum tern_status put;    /* by the old key */
    int why;                 /* why that put was refused */
    struct tern_rptr before, after; /* pointers by the key of the first life, and of the next */
    int rejoined;
};

/* Renews until a renewal fails, then joins anew. */
static void renewing(const void *arg, int in, int out)
{
    static struct pool_client c;
    struct end end = {0};
    struct tern_ptr at;

    (void)arg;
    (void)in;
    pool_client_open(&c, &rig, 1, TERN_POOL_WRITE);
    at = first_word(&c);
    (void)give(out, "r", 1);
    end.before = tern_member_rptr(c.member, at);
    while (!(end.renewed = tern_member_renew(c.member)))
        pool_rig_pause(lease() / 20);
    end.put = pool_client_put(&c, end.before, 99);
    end.why = tern_member_why(c.member);
    tern_member_quit(c.member);
    end.rejoined = tern_member_join(c.device, tern_node(POOL_NODE, 0, 0), POOL_TEST_NAME,
                                    TERN_POOL_WRITE, &c.member);
    end.after = tern_member_rptr(c.member, at);
    (void)give(out, &end, sizeof(end));
    pool_client_close(&c);
}

static struct child start_renewing(void)
{
    struct child child = child_start(renewing, NULL);
    char ready = 0;

    gives(get(child.from, &ready, 1), true, "a member");
    return child;
}

/* ---- tests */

static void names(const struct child *server)
{
    struct tern_pool_config same = serving.config;
    struct tern_device *device = rig_open(&rig, POOL_NODE);
    struct tern_pool *pool;
    struct tern_member *member;
    struct tern_pool_config bad = same;

    (void)server;
    tap(tern_pool_create(device, &same, &pool) == -TERN_ST_QUEUE_BUSY,
        "a node has one pool of a name");
    bad.name = "";
    tap(tern_pool_create(device, &bad, &pool) == -TERN_ST_BAD_ARGUMENT,
        "a pool without a name is refused");
    bad.name = "other";
    bad.bytes = 1;
    tap(tern_pool_create(device, &bad, &pool) == -TERN_ST_BAD_SIZE,
        "a pool of no size is refused");
    tap(tern_member_join(device, tern_node(POOL_NODE, 0, 0), "other", TERN_POOL_READ, &member) ==
            -TERN_ST_NO_POOL,
        "a pool that is not there cannot be joined");
    tap(tern_member_join(device, tern_node(0, 0, 0), POOL_TEST_NAME, TERN_POOL_READ, &member) ==
            -TERN_ST_NO_POOL,
        "a node without a server has no pool");
    tap(tern_member_join(device, tern_node(POOL_NODE, 0, 0), POOL_TEST_NAME, 8, &member) ==
            -TERN_ST_BAD_ARGUMENT,
        "rights that do not exist are refused");
    tern_close(device);
}

static void two_members(const struct child *server)
{
    static struct pool_client a, b;
    uint64_t value = 0;
    uint8_t ask[2] = {5, 9};
    struct tern_pool_object object;
    struct tern_ptr at;

    pool_client_open(&a, &rig, 0, TERN_POOL_WRITE);
    pool_client_open(&b, &rig, POOL_NODE, TERN_POOL_WRITE);
    at = first_word(&a);
    tap(pool_client_put(&a, tern_member_rptr(a.member, at), 41) == TERN_ST_OK &&
            pool_client_add(&b, tern_member_rptr(b.member, first_word(&b)), 1, &value) ==
                TERN_ST_OK && value == 41 &&
            pool_client_read(&a, tern_member_rptr(a.member, at), &value) == TERN_ST_OK &&
            value == 42,
        "members share the pool's memory, one of them on its own node");
    tap(tern_member_rptr(a.member, at).w[2] != tern_member_rptr(b.member, at).w[2],
        "each member has a key of its own");
    tap(tern_member_node(a.member) == tern_node(POOL_NODE, 0, 0) &&
            tern_member_pool(a.member) == tern_member_pool(b.member) &&
            tern_member_life(a.member) == tern_member_life(b.member) &&
            tern_member_device(a.member) == a.device && tern_device_fd(a.device) >= 0,
        "members name the same pool, each with its own device");
    tap(tern_member_lease(a.member) == lease() && tern_member_left(a.member) > 0 &&
            tern_member_left(a.member) <= (int)lease(),
        "a member knows its lease");
    tap(pool_server_ask(server, 's') == 1, "the server cannot serve where its thread does");
    tap(tern_member_find(a.member, "none", &object) == -TERN_ST_NOT_FOUND,
        "an object that was not made is not found");
    tap(tern_member_ask(a.member, ask, sizeof(ask)) == 0 && ask[0] == 6 && ask[1] == 9,
        "a service answers what a member asks");
    ask[0] = 0;
    tap(tern_member_ask(a.member, ask, sizeof(ask)) == -TERN_ST_UNSUPPORTED,
        "what no service knows is refused");
    pool_client_close(&a);
    pool_client_close(&b);
    while (pool_server_counts(server).live)
        pool_rig_pause(5);
    tap(pool_server_counts(server).leaves == 2, "members that leave give their places back");
}

static void killed(const struct child *server)
{
    struct child member = start_renewing();
    struct tern_pool_counts counts;

    child_kill(&member);
    tap(pool_server_buries(server, 1), "a member that is killed is dead after its lease");
    counts = pool_server_counts(server);
    tap(counts.live == 0, "and its place is free");
}

static void paused(const struct child *server)
{
    struct child member = start_renewing();
    struct end end = {0};

    kill(member.pid, SIGSTOP);
    tap(pool_server_buries(server, 2), "a member that is paused is dead after its lease");
    kill(member.pid, SIGCONT);
    gives(get(member.from, &end, sizeof(end)), true, "the paused member");
    tap(end.renewed == -TERN_ST_LEASE_OVER, "and finds its lease over when it goes on");
    tap(end.put == TERN_ST_BAD_KEY && end.why == -TERN_ST_LEASE_OVER,
        "and its key refused, as its lease is over");
    tap(end.rejoined == 0 && end.before.w[2] != end.after.w[2],
        "and joins anew, with another key");
    (void)child_end(&member);
}

/* ---- grace periods */

/* Waits for that many renewals. */
static void renew_for(struct pool_client *c, unsigned quarters)
{
    for (unsigned i = 0; i < quarters * 5; i++) {
        gives(tern_member_renew(c->member), 0, "tern_member_renew");
        pool_rig_pause(lease() / 20);
    }
}

static void grace(const struct child *server)
{
    static struct pool_client c;
    int begin_at, held_at;
    unsigned entered;

    pool_client_open(&c, &rig, 3, TERN_POOL_WRITE);
    renew_for(&c, 4);
    entered = tern_member_enter(c.member);
    renew_for(&c, 12);
    begin_at = pool_server_ask(server, 'p');
    renew_for(&c, 24);
    held_at = pool_server_ask(server, 'p');
    tap(held_at == begin_at, "no grace period ends while an operation is open");
    tern_member_leave(c.member, entered, 0);
    renew_for(&c, 12);
    tap(pool_server_ask(server, 'p') > held_at, "they go on when it has ended");
    entered = tern_member_enter(c.member);
    tern_member_leave(c.member, entered, -TERN_ST_TIMEOUT);
    tap(tern_member_renew(c.member) == -TERN_ST_LEASE_OVER && !tern_member_alive(c.member),
        "a member with an operation that may still land leaves");
    pool_client_close(&c);
}

/* A pause of the server itself kills no member that renewed meanwhile. */
static void paused_server(const struct child *server)
{
    static struct pool_client c;
    uint64_t deaths = pool_server_counts(server).deaths;

    pool_client_open(&c, &rig, 3, TERN_POOL_WRITE);
    renew_for(&c, 2);
    kill(server->pid, SIGSTOP);
    renew_for(&c, 12);
    kill(server->pid, SIGCONT);
    renew_for(&c, 4);
    tap(pool_server_counts(server).deaths == deaths,
        "a pause of the server kills no member that renews");
    pool_client_close(&c);
}

int main(void)
{
    const char *args[] = {"--torus", "4x1x1", NULL};
    struct child server;

    serving.config = (struct tern_pool_config){
        .name = POOL_TEST_NAME, .bytes = BYTES, .members = MEMBERS, .lease_ms = lease()};
    rig_start(&rig, args);
    server = pool_server_start(&serving, NULL);
    names(&server);
    two_members(&server);
    killed(&server);
    paused(&server);
    grace(&server);
    paused_server(&server);
    tap(pool_server_end(&server), "the server ends well");
    rig_stop(&rig);
    return tap_end();
}
