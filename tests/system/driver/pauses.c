/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients of heaps, of slabs and of a table in a pool, which pause for three leases or are killed,
 * each time at another boundary of their messages (pauses.h); a shadow map says who holds what.
 *
 * usage: driver_pauses [--pauses N] [--kills N] [--seed S]
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numbers.h"
#include "pauses_work.h"

enum { MEMBERS = 64, BOUNDARIES = 48, LEASES = 3, SWEEP = 3, TABLE_SWEEP = 8 };

static struct rig rig;
static struct child server;
static unsigned pauses, kills;
static uint64_t seed = 1;

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 150 : 6000;
}

/* ---- clients, one beside the other */

enum slot_state { STARTING, READY, WORKING, PAUSED };

static struct slot {
    struct pause_client client;
    struct child child;
    enum slot_state state;
    bool killed;
    int64_t since; /* when it was paused */
} slots[PAUSE_CLIENTS];

/* On rtl fewer go on beside those that stop. */
static unsigned clients(void)
{
    return rig_tier_is_soft() ? PAUSE_CLIENTS : PAUSE_STOPPED + 2;
}

static unsigned stops; /* of all of them so far */

static void start(struct slot *slot)
{
    slot->client.seed = seed++ * 77777;
    slot->child = child_start(pauses_client, &slot->client);
    slot->state = STARTING;
}

static const enum pause_kind kinds[PAUSE_CLIENTS] = {
    WITH_FAST, WITH_LITERAL, WITH_STOCK, WITH_SLABS, WITH_TABLE, WITH_TABLE, /* stop */
    WITH_FAST, WITH_FAST, WITH_LITERAL, WITH_STOCK, WITH_SLABS,              /* go on */
};
static const struct pause_order never = {.messages = UINT32_MAX};
static const struct pause_order lingering = {.messages = UINT32_MAX, .lingers = true};

static void start_all(void)
{
    for (unsigned i = 0; i < clients(); i++) {
        slots[i].client = (struct pause_client){.rig = &rig, .board = pauses_board, .number = i,
                                                .kind = kinds[i]};
        start(&slots[i]);
        if (i >= PAUSE_STOPPED)
            gives(give(slots[i].child.to, kinds[i] == WITH_FAST ? &lingering : &never,
                       sizeof(never)),
                  true, "a client");
    }
}

static void let_work(struct slot *slot, bool kill)
{
    struct pause_order order = {.messages = stops * 7 % BOUNDARIES, .after = stops / 5 % 2,
                                .kill = kill};

    gives(give(slot->child.to, &order, sizeof(order)), true, "a client");
    slot->killed = kill;
    slot->state = WORKING;
    stops++;
}

static bool is_member(uint32_t name)
{
    pauses_board->asked = pause_holder(name);
    return pool_server_ask(&server, '?') == 1;
}

static void drop(struct slot *slot)
{
    close(slot->child.to);
    close(slot->child.from);
    start(slot);
}

/* A client that works stops, one way or the other. */
static void watch(struct slot *slot)
{
    int how;

    if (waitpid(slot->child.pid, &how, WNOHANG | WUNTRACED) != slot->child.pid)
        return;
    if (WIFSTOPPED(how)) {
        slot->state = PAUSED;
        slot->since = pool_rig_now();
        return;
    }
    if (!slot->killed || !WIFSIGNALED(how))
        tap_note("client %u ends with wait status 0x%x", slot->client.number, (unsigned)how);
    gives(slot->killed && WIFSIGNALED(how), true, "a client that was not killed");
    drop(slot);
}

/* It goes on when it was away for three leases and the server has buried it. */
static void let_go_on(struct slot *slot)
{
    if (pool_rig_now() - slot->since < LEASES * (int64_t)lease() ||
        is_member(atomic_load(&pauses_board->client[slot->client.number])))
        return;
    kill(slot->child.pid, SIGCONT);
    slot->state = STARTING;
}

static void hear(struct slot *slot)
{
    struct pollfd ready = {.fd = slot->child.from, .events = POLLIN};
    char word;

    if (poll(&ready, 1, 0) != 1)
        return;
    gives(get(slot->child.from, &word, 1), true, "a client");
    slot->state = READY;
}

/* One step of a client; `more`: it may stop once more. */
static void turn(struct slot *slot, bool more, bool kill)
{
    if (slot->state == STARTING)
        hear(slot);
    else if (slot->state == WORKING)
        watch(slot);
    else if (slot->state == PAUSED)
        let_go_on(slot);
    else if (more)
        let_work(slot, kill);
}

static bool all_are(enum slot_state state)
{
    for (unsigned i = 0; i < PAUSE_STOPPED; i++)
        if (slots[i].state != state)
            return false;
    return true;
}

/* So many stops, as many of them at a time as there are clients. */
static void stop_clients(unsigned count, bool kill)
{
    unsigned end = stops + count;

    do {
        for (unsigned i = 0; i < PAUSE_STOPPED; i++)
            turn(&slots[i], stops < end, kill);
        pool_rig_pause(1);
    } while (stops < end || !all_are(READY));
}

/* ---- in the end */

/* All clients at work die, one of them with a slab that it has not put its name to. */
static void kill_all(void)
{
    const struct pause_order unowned = {.messages = UINT32_MAX, .kill = true, .unowned = true};

    atomic_store(&pauses_board->ending, true);
    gives(give(slots[0].child.to, &unowned, sizeof(unowned)), true, "a client");
    for (unsigned i = 1; i < PAUSE_STOPPED; i++)
        gives(give(slots[i].child.to, &never, sizeof(never)), true, "a client");
    pool_rig_pause(lease() / 4);
    (void)child_end(&slots[0].child);
    for (unsigned i = 1; i < clients(); i++)
        child_kill(&slots[i].child);
}

/* Waits until the server tells `want`; false: not in a minute. */
static bool comes_to(char word, int want)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS;

    while (pool_server_ask(&server, word) != want && pool_rig_now() < end)
        pool_rig_pause(2);
    return pool_server_ask(&server, word) == want;
}

static int empty_table(void)
{
    static struct pause_client client;
    struct pause_worker *w;
    int status;

    client = (struct pause_client){.rig = &rig, .board = pauses_board, .kind = WITH_TABLE};
    w = pauses_worker_open(&client, &status);
    if (!status)
        status = work_empty_table(w);
    pauses_worker_close(w);
    return status;
}

static void all_comes_back(void)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    int looks;

    kill_all();
    tap(comes_to('h', 0) && comes_to('s', 0), "all slabs of the dead are free again");
    while ((looks = pool_server_ask(&server, 'e')) < 0 && pool_rig_now() < end)
        pool_rig_pause(2);
    tap(looks >= 0 && looks <= SWEEP, "one sweep after the last of them was buried");
    tap_evidence("M14", "looks=%d", looks);
    tap(empty_table() == 0 && comes_to('t', 0), "and so is the table's memory without its keys");
}

static uint64_t fault(enum pause_fault which)
{
    return atomic_load(&pauses_board->faults[which]);
}

static void say_evidence(void)
{
    tap_evidence("M14", "stopped=%u two_holders=%llu torn=%llu lost=%llu late=%llu", stops,
                 (unsigned long long)fault(TWO_HOLDERS), (unsigned long long)fault(TORN),
                 (unsigned long long)fault(LOST), (unsigned long long)fault(LATE));
}

/* The faults of a phase, each with a line; the counts begin anew. */
static void say_faults(const char *what)
{
    tap(fault(TWO_HOLDERS) == 0, "%s: no memory has two holders", what);
    say_evidence();
    tap(fault(TORN) == 0, "%s: no byte of held memory or of a record changes", what);
    tap(fault(LOST) == 0, "%s: no record is lost, and none comes back", what);
    tap(fault(REFUSED) == 0, "%s: a living holder gives back what it has", what);
    tap(fault(LATE) == 0, "%s: nothing that a buried member does takes effect", what);
    say_evidence();
    tap(fault(OTHER_STATUS) == 0, "%s: a buried member gets LEASE_OVER or BAD_KEY", what);
    for (unsigned i = 0; i < STATUSES; i++) {
        uint64_t count = atomic_exchange(&pauses_board->statuses[i], 0);

        if (count)
            tap_note("%s: %llu times '%s'", what, (unsigned long long)count,
                     tern_strerror(-(int)i));
    }
    tap_note("%s: stops=%u calls=%llu checks=%llu rejoins=%llu", what, stops,
             (unsigned long long)atomic_load(&pauses_board->calls),
             (unsigned long long)atomic_load(&pauses_board->checks),
             (unsigned long long)atomic_load(&pauses_board->rejoins));
}

static void run(void)
{
    start_all();
    stop_clients(pauses, false);
    tap(stops == pauses && atomic_load(&pauses_board->checks) > stops,
        "clients pause at boundaries of their messages for three leases, and go on");
    say_faults("pauses");
    stop_clients(kills, true);
    tap(stops == pauses + kills, "clients are killed there, and others come");
    say_faults("kills");
    all_comes_back();
}

int main(int argc, char **argv)
{
    const struct number numbers[] = {{"pauses", 'p', "clients that pause", &pauses},
                                     {"kills", 'k', "clients that are killed", &kills},
                                     {NULL, 0, NULL, NULL}};
    struct pool_serving serving = {
        .rig = &rig, .begin = pauses_begin, .word = pauses_word,
        .config = {.name = POOL_TEST_NAME, .bytes = PAUSE_HEAP + (1 << 17), .members = MEMBERS,
                   .lease_ms = lease()}};

    pauses = kills = rig_tier_is_soft() ? 30 : 5;
    numbers_parse(argc, argv, "Stops members of a pool at each boundary of their messages.",
                  numbers, &seed);
    pauses_board = mmap(NULL, sizeof(*pauses_board), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gives(pauses_board != MAP_FAILED, true, "memory");
    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    server = pool_server_start(&serving, NULL);
    run();
    tap(pool_server_end(&server), "the server ends well");
    rig_stop(&rig);
    return tap_end();
}
