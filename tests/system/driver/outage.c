/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients of a heap, of slabs and of a table, whose server is killed and whose keeper is stopped:
 * they read, look up, set, take and give back as before; another server adopts the pool.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "pauses_work.h"

enum {
    CLIENTS = 5, MEMBERS = 16,
    MESSAGES = 64,     /* of an adoption, at most */
    SECOND = 100000000 /* cycles, at 100 MHz */
};

static struct rig rig;
static struct child clients[CLIENTS];
static struct pause_client jobs[CLIENTS];

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 2000 : 15000;
}

/* ---- a client: pieces of work, as many as it is told to do */

/* Operations of a client since the last word, and the first status that was not 0. */
struct report {
    uint64_t works;
    int64_t status;
};

static void working(const void *arg, int in, int out)
{
    const struct pause_client *client = arg;
    struct report report = {0};
    int status;
    struct pause_worker *w = pauses_worker_open(client, &status);
    char word = 'r';

    gives(status, 0, "a client");
    for (unsigned i = 0; i < 50; i++)
        gives(pauses_work(w), 0, "work");
    (void)give(out, &word, 1);
    while (get(in, &word, 1) && word == 'g') { /* go on for a lease */
        int64_t end = pool_rig_now() + lease();

        report = (struct report){0};
        while (report.status == 0 && pool_rig_now() < end) {
            report.status = pauses_work(w);
            report.works++;
        }
        (void)give(out, &report, sizeof(report));
    }
    pauses_worker_close(w);
}

static void start_clients(void)
{
    static const enum pause_kind kinds[CLIENTS] = {WITH_FAST, WITH_LITERAL, WITH_STOCK, WITH_SLABS,
                                                   WITH_TABLE};
    char ready;

    for (unsigned i = 0; i < CLIENTS; i++) {
        jobs[i] = (struct pause_client){.rig = &rig, .board = pauses_board, .number = i,
                                        .steady = true, .kind = kinds[i], .seed = 31 + i};
        clients[i] = child_start(working, &jobs[i]);
    }
    for (unsigned i = 0; i < CLIENTS; i++)
        gives(get(clients[i].from, &ready, 1), true, "a client");
}

/* All of them work for a lease; returns how many of them did so without a failure. */
static unsigned work_for_a_lease(void)
{
    unsigned well = 0;

    for (unsigned i = 0; i < CLIENTS; i++)
        gives(give_word(&clients[i], 'g'), true, "a client");
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct report report = {0};

        gives(get(clients[i].from, &report, sizeof(report)), true, "a client");
        well += report.status == 0 && report.works > 0;
        if (report.status)
            tap_note("client %u: %s after %llu", i, tern_strerror((int)report.status),
                     (unsigned long long)report.works);
    }
    return well;
}

static uint64_t faults(void)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < PAUSE_FAULTS; i++)
        sum += atomic_load(&pauses_board->faults[i]);
    return sum;
}

/* ---- the outage */

/* Another server adopts the pool; its process begins meanwhile. */
static struct child adopt(struct pool_serving *serving, struct tern_device *watcher)
{
    uint64_t began, cycles;
    int64_t since = pool_rig_now();
    struct child next;
    int status;

    serving->adopt = true;
    pauses_board->began = 0;
    gives(tern_cycles(watcher, &began), 0, "tern_cycles");
    next = pool_server_start(serving, &status);
    gives(tern_cycles(watcher, &cycles), 0, "tern_cycles");
    cycles -= began;
    tap(status == 0 && pauses_board->began > 0 && pauses_board->began <= MESSAGES,
        "another server adopts the pool by a few exchanges");
    tap_evidence("M14", "messages=%llu cycles=%llu", (unsigned long long)pauses_board->began,
                 (unsigned long long)cycles);
    if (!rig_tier_is_soft()) /* cycles of soft nodes mean nothing */
        tap(cycles < SECOND, "and it serves before a second of the NIC's clock is over");
    tap_note("adoption: cycles=%llu ms=%lld", (unsigned long long)cycles,
             (long long)(pool_rig_now() - since));
    return next;
}

static void outage(struct pool_serving *serving)
{
    struct tern_device *watcher = rig_open(&rig, POOL_NODE);
    struct child server = pool_server_start(serving, NULL), next;
    pid_t keeper = pool_rig_keeper(server.pid);
    unsigned well;

    start_clients();
    tap(work_for_a_lease() == CLIENTS, "clients work while there is a server");
    child_kill(&server);
    kill(keeper, SIGSTOP);
    well = work_for_a_lease() + work_for_a_lease();
    tap(well == 2 * CLIENTS,
        "reads, lookups, sets and allocations go on without a server, its keeper stopped");
    next = adopt(serving, watcher);
    well = work_for_a_lease() + work_for_a_lease();
    tap(well == 2 * CLIENTS && pool_server_counts(&next).live == CLIENTS,
        "clients go on with the new server, and none had to join anew");
    for (unsigned i = 0; i < CLIENTS; i++)
        gives(give_word(&clients[i], 'q') && child_end(&clients[i]), true, "a client");
    tap(faults() == 0, "no slab has two holders, no byte is changed, no record is lost");
    tap(pool_server_end(&next), "the server ends well");
    tern_close(watcher);
}

int main(void)
{
    struct pool_serving serving = {
        .rig = &rig, .begin = pauses_begin, .word = pauses_word,
        .config = {.name = POOL_TEST_NAME, .bytes = PAUSE_HEAP + (1 << 17), .members = MEMBERS,
                   .lease_ms = lease(), .keep = true}};

    pauses_board = mmap(NULL, sizeof(*pauses_board), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gives(pauses_board != MAP_FAILED, true, "memory");
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    outage(&serving);
    rig_stop(&rig);
    return tap_end();
}
