/* SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rig_sim.h"

enum {
    STEP_CYCLES = 64,
    WAIT_CYCLES = 5000000, /* a limit that no test reaches */
    WAIT_MS = 600000,
    SETTLE_CYCLES = 3000,
};

void world_must(int status, const char *what)
{
    if (status >= 0)
        return;
    printf("Bail out! %s: %s\n", what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

void world_say(struct world *world, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(world->transcript, format, args);
    va_end(args);
    fputc('\n', world->transcript);
}

static int progress(void *arg)
{
    struct world *world = arg;

    tern_sim_run(world->sim, STEP_CYCLES);
    for (unsigned e = 0; e < WORLD_ENDS; e++)
        if (world->end[e].device)
            tern_serve(world->end[e].device);
    return tern_sim_cycle(world->sim) > world->deadline;
}

static void allow_time(struct world *world)
{
    world->deadline = tern_sim_cycle(world->sim) + WAIT_CYCLES;
}

static void make_ring(struct world *world, enum tern_tier tier)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = WORLD_NODES;
    config.tier = tier;
    world->sim = rig_sim_create(&config);
}

static void open_end(struct world *world, struct world_end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_WRITE;

    allow_time(world);
    world_must(tern_open_fd(tern_sim_connect(world->sim, node), progress, world, &end->device),
               "open");
    world_must(tern_query(end->device, &end->info), "query");
    end->memory = aligned_alloc(4096, WORLD_BYTES);
    world_must(end->memory ? 0 : -TERN_ST_NO_MEMORY, "memory");
    memset(end->memory, 0, WORLD_BYTES);
    world_must(tern_register(end->device, end->memory, WORLD_BYTES, rights, &end->region),
               "register");
    world_must(tern_cq_create(end->device, WORLD_QUEUE_LOG2 + 1, TERN_CQ_POLLED, &end->cq), "CQ");
    world_must(tern_sq_create(end->cq, WORLD_QUEUE_LOG2, &end->sq), "SQ");
    world_must(tern_rq_create(end->cq, WORLD_FIFO_LOG2, WORLD_ENTRY_LOG2, TERN_QUEUE_ANY, &end->rq),
               "RQ");
}

uint32_t world_seed(void)
{
    const char *text = getenv("TIERS_SEED");
    uint32_t seed = text ? (uint32_t)strtoul(text, NULL, 0) : 1;

    return seed ? seed : 1; /* 0 stays 0 */
}

void world_open(struct world *world, enum tern_tier tier, FILE *transcript)
{
    static const unsigned nodes[WORLD_ENDS] = {0, 1, 2, 0};

    memset(world, 0, sizeof(*world));
    world->transcript = transcript;
    world->random = world_seed();
    make_ring(world, tier);
    for (unsigned e = 0; e < WORLD_ENDS; e++)
        open_end(world, &world->end[e], nodes[e]);
}

void world_close(struct world *world)
{
    for (unsigned e = 0; e < WORLD_ENDS; e++) {
        tern_close(world->end[e].device);
        free(world->end[e].memory);
    }
    tern_sim_destroy(world->sim);
}

/* ---- writing the transcript */

void world_status(struct world *world, const char *what, int status)
{
    world_say(world, "  %s: %s", what, status < 0 ? tern_strerror(status) : "success");
}

enum tern_status world_completion(struct world *world, unsigned end)
{
    struct tern_completion c = {.status = TERN_ST_WAIT_EXPIRED};
    struct tern_cq *cq = world->end[end].cq;
    int got = 0;

    allow_time(world);
    while (got == 0 && !tern_cq_wait(cq, WAIT_MS))
        got = tern_cq_poll(cq, &c, 1);
    world_say(world,
              "  end %u: %s op=%x flags=%x index=%u queue=%u node=%x link=%u fault=%u length=%u "
              "imm=%x value=%" PRIx64 " context=%" PRIu64,
              end, tern_strerror((int)c.status), c.opcode, c.flags, c.index, c.queue, c.node,
              c.link, c.fault, c.length, c.imm, c.value, c.context);
    return c.status;
}

void world_memory(struct world *world, unsigned end)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < WORLD_BYTES; i++)
        hash = (hash ^ world->end[end].memory[i]) * UINT64_C(0x100000001b3);
    world_say(world, "  memory of end %u: %016" PRIx64, end, hash);
}

void world_fill(struct world *world, unsigned end, unsigned seed)
{
    for (size_t i = 0; i < WORLD_BYTES; i++)
        world->end[end].memory[i] = (uint8_t)(i * 131 + (i >> 8) * 7 + seed * 29);
}

void world_settle(struct world *world)
{
    uint64_t end = tern_sim_cycle(world->sim) + SETTLE_CYCLES;

    while (tern_sim_cycle(world->sim) < end)
        (void)progress(world);
}

/* ---- statistics */

/*
 * Tells whether a statistic must be equal under load. Others depend on timing: on the words in
 * flight when the firmware looked.
 */
static bool counts_always(unsigned row)
{
    return row != TERN_STAT_fw_events;
}

static bool counts_traffic(unsigned row)
{
    switch (row) {
    case TERN_STAT_host_reads: /* descriptors are fetched in bursts of one to four */
    case TERN_STAT_host_read_bytes:
    case TERN_STAT_host_writes:
    case TERN_STAT_host_write_bytes:
    case TERN_STAT_doorbells: /* the time of polls determines when doorbells ring */
    case TERN_STAT_inline_descs:
    case TERN_STAT_fetched_descs:
    case TERN_STAT_key_checks:
    case TERN_STAT_fw_cq_stalls:
    case TERN_STAT_fw_rnr_sent:
    case TERN_STAT_fw_rnr_retries:
    case TERN_STAT_rx_fw_packets:
        return false;
    default:
        return counts_always(row);
    }
}

void world_counts_begin(struct world *world)
{
    for (unsigned e = 0; e < WORLD_ENDS; e++) {
        allow_time(world);
        world_must(tern_stats(world->end[e].device, world->before[e]), "statistics");
    }
}

void world_counts_end(struct world *world, enum world_counts which)
{
    uint64_t after[TERN_STAT_COUNT];

    world_settle(world);
    for (unsigned e = 0; e < WORLD_ENDS; e++) {
        allow_time(world);
        world_must(tern_stats(world->end[e].device, after), "statistics");
        for (unsigned row = 0; row < TERN_STAT_COUNT; row++) {
            uint64_t rise = after[row] - world->before[e][row];

            if (rise != 0 && (which == WORLD_ALL ? counts_always(row) : counts_traffic(row)))
                world_say(world, "  end %u %s +%" PRIu64, e, tern_stat_name(row), rise);
        }
    }
}
