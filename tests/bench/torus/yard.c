/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "yard.h"

#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    FIRMWARE_MAX = 1 << 20,
    STEP = 64,
    CYCLES_MAX = 20000000, /* a net */
    CQ_LOG2 = 12, /* so large that no doorbell returns entries during a measurement */
    SQ_LOG2 = 6,
    SETTLE_CYCLES = 4000,
    THREADS = 2,
    STACK = 256 << 10
};

void yard_must(int status, const char *what)
{
    if (status < 0)
        errx(1, "%s: %s", what, tern_strerror(status));
}

/* --- all nodes' software at once: a simulator step when all threads wait for time --- */

struct actor {
    struct yard *yard;
    unsigned n;
    void (*act)(struct yard *yard, unsigned n);
    pthread_t thread;
};

static void step(struct yard *yard)
{
    tern_sim_run(yard->sim, STEP);
    yard->turn.waiting = 0;
    yard->turn.number++;
    pthread_cond_broadcast(&yard->turn.next);
}

static void wait_for_all(struct yard *yard)
{
    uint64_t number;

    pthread_mutex_lock(&yard->turn.lock);
    number = yard->turn.number;
    if (++yard->turn.waiting == yard->turn.actors)
        step(yard);
    while (yard->turn.number == number)
        pthread_cond_wait(&yard->turn.next, &yard->turn.lock);
    pthread_mutex_unlock(&yard->turn.lock);
}

static void *act(void *arg)
{
    struct actor *actor = arg;
    struct yard *yard = actor->yard;

    actor->act(yard, actor->n);
    pthread_mutex_lock(&yard->turn.lock);
    if (--yard->turn.actors && yard->turn.waiting == yard->turn.actors)
        step(yard);
    pthread_mutex_unlock(&yard->turn.lock);
    return NULL;
}

void yard_each(struct yard *yard, void (*what)(struct yard *yard, unsigned n))
{
    struct actor *actors = calloc(yard->nodes, sizeof(*actors));
    pthread_attr_t attr;

    if (!actors)
        err(1, "yard");
    yard->turn.on = true;
    yard->turn.actors = yard->nodes;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    for (unsigned n = 0; n < yard->nodes; n++) {
        actors[n] = (struct actor){ .yard = yard, .n = n, .act = what };
        if (pthread_create(&actors[n].thread, &attr, act, &actors[n]))
            errx(1, "no thread for node %u", n);
    }
    for (unsigned n = 0; n < yard->nodes; n++)
        pthread_join(actors[n].thread, NULL);
    yard->turn.on = false;
    pthread_attr_destroy(&attr);
    free(actors);
}

static int let_time_pass(void *arg)
{
    struct yard *yard = arg;

    if (yard->turn.on)
        wait_for_all(yard);
    else if (!yard->still)
        tern_sim_run(yard->sim, STEP);
    return 0;
}

/* ---- events of the chips ---- */

static void sum_up(struct yard_watch *watch, uint64_t cycle)
{
    watch->packet_cycles += (double)watch->on_way * (double)(cycle - watch->changed);
    watch->changed = cycle;
}

static void seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct yard *yard = ctx;
    struct yard_watch *watch = &yard->watch;

    if (yard->also)
        yard->also(yard->also_ctx, node, cycle, lane, id);
    if (lane == TERN_TRACE_HWR_FIRST && id >= TERN_HWTAG_CQ)
        watch->told_at[node] = cycle;
    if (lane == TERN_TRACE_TX_CMD)
        watch->sent_at[node] = cycle;
    if (lane == TERN_TRACE_DB_FIRST) {
        watch->rings[node]++;
        if (!watch->rung)
            watch->rung = cycle;
    }
    if (lane != TERN_TRACE_TX_SOP && lane != TERN_TRACE_DEP_LAST)
        return;
    /* Events of the nodes come one node after the other, a few cycles each. */
    if (cycle > watch->changed)
        sum_up(watch, cycle);
    if (lane == TERN_TRACE_TX_SOP) {
        if (!watch->left)
            watch->left = cycle;
        watch->started++;
        watch->on_way++;
        return;
    }
    if (!watch->landed++)
        watch->first = cycle;
    if (cycle > watch->last)
        watch->last = cycle;
    watch->last_at[node] = cycle;
    watch->landed_at[node]++;
    if (watch->on_way)
        watch->on_way--;
}

void yard_watch(struct yard *yard)
{
    struct yard_watch *watch = &yard->watch;

    watch->since = watch->changed = tern_sim_cycle(yard->sim);
    watch->started = watch->landed = watch->last = watch->rung = watch->left = 0;
    watch->packet_cycles = 0;
    memset(watch->last_at, 0, yard->nodes * sizeof(*watch->last_at));
    memset(watch->landed_at, 0, yard->nodes * sizeof(*watch->landed_at));
    memset(watch->rings, 0, yard->nodes * sizeof(*watch->rings));
    memset(watch->told_at, 0, yard->nodes * sizeof(*watch->told_at));
    memset(watch->sent_at, 0, yard->nodes * sizeof(*watch->sent_at));
}

double yard_on_way(struct yard *yard)
{
    uint64_t now = tern_sim_cycle(yard->sim);

    if (now > yard->watch.changed)
        sum_up(&yard->watch, now);
    return yard->watch.packet_cycles / (double)(now - yard->watch.since);
}

void yard_run_until_landed(struct yard *yard, uint64_t count)
{
    uint64_t limit = tern_sim_cycle(yard->sim) + CYCLES_MAX;

    while (yard->watch.landed < count) {
        tern_sim_run(yard->sim, STEP);
        if (tern_sim_cycle(yard->sim) > limit)
            errx(1, "only %llu of %llu packets arrived", (unsigned long long)yard->watch.landed,
                 (unsigned long long)count);
    }
}

/* ---- making ---- */

unsigned yard_at(const struct yard *yard, unsigned x, unsigned y, unsigned z)
{
    return (z * yard->dims[1] + y) * yard->dims[0] + x;
}

unsigned yard_distance(const struct yard *yard, unsigned from, unsigned to)
{
    unsigned links = 0;

    for (unsigned d = 0; d < 3; d++) {
        unsigned side = yard->dims[d];
        unsigned ahead = ((yard->end[to].node >> 5 * d & 31) +
                          side - (yard->end[from].node >> 5 * d & 31)) % side;

        links += ahead < side - ahead ? ahead : side - ahead;
    }
    return links;
}

static void open_end(struct yard *yard, unsigned n)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_READ;
    struct yard_end *end = &yard->end[n];

    end->node = tern_node(n % yard->dims[0], n / yard->dims[0] % yard->dims[1],
                          n / yard->dims[0] / yard->dims[1]);
    yard_must(tern_open_fd(end->fd, let_time_pass, yard, &end->device), "open");
    end->buffer = aligned_alloc(PAGE, (yard->bytes + PAGE - 1) / PAGE * PAGE);
    if (!end->buffer)
        err(1, "buffer");
    memset(end->buffer, 0, yard->bytes);
    yard_must(tern_register(end->device, end->buffer, yard->bytes, rights, &end->region),
              "register");
    yard_must(tern_cq_create(end->device, CQ_LOG2, TERN_CQ_POLLED, &end->cq), "completion queue");
    yard_must(tern_sq_create(end->cq, SQ_LOG2, &end->sq), "send queue");
}

static void read_firmware(struct tern_sim_config *config)
{
    static char firmware[FIRMWARE_MAX];
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");

    if (!file)
        err(1, "build/fw/tern-fw.elf");
    config->firmware = firmware;
    config->firmware_bytes = fread(firmware, 1, sizeof(firmware), file);
    fclose(file);
}

void yard_open_as(struct yard *yard, const struct tern_sim_config *wanted, size_t bytes)
{
    struct tern_sim_config config = *wanted;
    char error[TERN_SIM_ERROR_BYTES];
    int status;

    memset(yard, 0, sizeof(*yard));
    memcpy(yard->dims, config.dims, sizeof(yard->dims));
    yard->nodes = config.dims[0] * config.dims[1] * config.dims[2];
    yard->bytes = bytes;
    read_firmware(&config);
    yard->sim = tern_sim_create(&config, error, &status);
    if (!yard->sim)
        errx(1, "simulator: %s", error);
    yard->end = calloc(yard->nodes, sizeof(*yard->end));
    yard->watch.last_at = calloc(yard->nodes, sizeof(uint64_t));
    yard->watch.landed_at = calloc(yard->nodes, sizeof(uint64_t));
    yard->watch.rings = calloc(yard->nodes, sizeof(uint64_t));
    yard->watch.told_at = calloc(yard->nodes, sizeof(uint64_t));
    yard->watch.sent_at = calloc(yard->nodes, sizeof(uint64_t));
    if (!yard->end || !yard->watch.last_at || !yard->watch.landed_at || !yard->watch.rings ||
        !yard->watch.told_at || !yard->watch.sent_at)
        err(1, "yard");
    tern_sim_on_event(yard->sim, seen, yard);
    pthread_mutex_init(&yard->turn.lock, NULL);
    pthread_cond_init(&yard->turn.next, NULL);
    for (unsigned n = 0; n < yard->nodes; n++)
        yard->end[n].fd = tern_sim_connect(yard->sim, n);
    setenv("TERN_PATIENCE", "3600", 0); /* a large torus boots slowly */
    yard_each(yard, open_end);
    yard_watch(yard);
}

void yard_open(struct yard *yard, const unsigned dims[3], size_t bytes)
{
    struct tern_sim_config config = tern_sim_config_default();

    memcpy(config.dims, dims, sizeof(config.dims));
    config.threads = THREADS;
    yard_open_as(yard, &config, bytes);
}

static void close_end(struct yard *yard, unsigned n)
{
    tern_close(yard->end[n].device);
    free(yard->end[n].buffer);
}

void yard_close(struct yard *yard)
{
    yard_each(yard, close_end);
    tern_sim_destroy(yard->sim);
    pthread_cond_destroy(&yard->turn.next);
    pthread_mutex_destroy(&yard->turn.lock);
    free(yard->end);
    free(yard->watch.last_at);
    free(yard->watch.landed_at);
    free(yard->watch.rings);
    free(yard->watch.told_at);
    free(yard->watch.sent_at);
}

/* ---- host software ---- */

bool yard_poll(struct yard *yard, struct yard_end *end, struct tern_completion *got)
{
    bool any;

    yard->still = true;
    any = tern_cq_poll(end->cq, got, 1) == 1;
    yard->still = false;
    return any;
}

struct tern_completion yard_next(struct yard *yard, struct yard_end *end, uint64_t bound)
{
    struct tern_completion got = { .status = TERN_ST_WAIT_EXPIRED };
    uint64_t limit = tern_sim_cycle(yard->sim) + bound;

    while (!yard_poll(yard, end, &got) && tern_sim_cycle(yard->sim) < limit)
        tern_sim_run(yard->sim, STEP);
    return got;
}

unsigned yard_complete(struct yard_end *end)
{
    struct tern_completion completion;
    unsigned count = 0;
    char text[128];

    while (tern_cq_poll(end->cq, &completion, 1) == 1) {
        if (completion.status != TERN_ST_OK)
            errx(1, "%s", tern_completion_format(&completion, text, sizeof(text)));
        count++;
    }
    return count;
}

void yard_run_until_complete(struct yard *yard, struct yard_end *end, unsigned count)
{
    uint64_t limit = tern_sim_cycle(yard->sim) + CYCLES_MAX;

    for (unsigned have = 0; have < count; have += yard_complete(end))
        if (tern_sim_cycle(yard->sim) > limit)
            errx(1, "only %u of %u operations ended", have, count);
}

void yard_settle(struct yard *yard)
{
    tern_sim_run(yard->sim, SETTLE_CYCLES);
}

static void read_stats(struct yard *yard, unsigned n)
{
    yard_must(tern_stats(yard->end[n].device, yard->end[n].stats), "statistics");
}

uint64_t yard_stat(struct yard *yard, unsigned index)
{
    uint64_t sum = 0;

    yard_each(yard, read_stats);
    for (unsigned n = 0; n < yard->nodes; n++)
        sum += yard->end[n].stats[index];
    return sum;
}
