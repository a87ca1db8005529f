/* SPDX-License-Identifier: Apache-2.0 */
#include "stage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rig_sim.h"
#include "tern_model.h"
#include "torus.h"

enum {
    STEP_CYCLES = 8,
    WAIT_CYCLES = 300000, /* a limit that no test reaches */
    WAIT_MS = 600000,
    SETTLE_CYCLES = 1000,
    QUEUE_LOG2 = 3,
};

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);
static const uint64_t hash_prime = UINT64_C(0x100000001b3);

/* At the same address for each model, since addresses are compared, too. */
static _Alignas(4096) uint8_t memory[STAGE_NODES][STAGE_BYTES];

void stage_say(struct stage *stage, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stage->transcript, format, args);
    va_end(args);
    fputc('\n', stage->transcript);
}

void stage_must(struct stage *stage, int status, const char *what)
{
    if (status >= 0)
        return;
    stage_say(stage, "  cannot go on after: %s: %s", what, tern_strerror(status));
    longjmp(stage->escape, 1);
}

static void note_event(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct stage *stage = ctx;
    const uint64_t words[] = {node, cycle, lane, id};

    stage->events++;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        stage->events_hash = (stage->events_hash ^ words[i]) * hash_prime;
}

static int progress(void *arg)
{
    struct stage *stage = arg;

    tern_sim_run(stage->sim, STEP_CYCLES);
    for (unsigned e = 0; e < stage->nodes; e++)
        if (stage->end[e].device)
            tern_serve(stage->end[e].device);
    return tern_sim_cycle(stage->sim) > stage->deadline;
}

static void allow_time(struct stage *stage)
{
    stage->deadline = tern_sim_cycle(stage->sim) + WAIT_CYCLES;
    if (stage->deadline > stage->limit)
        stage->deadline = stage->limit;
}

static void open_end(struct stage *stage, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
                            TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_ATOMIC;
    struct stage_end *end = &stage->end[node];

    allow_time(stage);
    stage_must(stage,
               tern_open_fd(tern_sim_connect(stage->sim, node), progress, stage, &end->device),
               "open");
    stage_must(stage, tern_query(end->device, &end->info), "query");
    end->memory = memory[node];
    memset(end->memory, 0, STAGE_BYTES);
    stage_must(stage, tern_register(end->device, end->memory, STAGE_BYTES, rights, &end->region),
               "register");
    stage_must(stage, tern_cq_create(end->device, QUEUE_LOG2 + 1, TERN_CQ_POLLED, &end->cq), "CQ");
    stage_must(stage, tern_sq_create(end->cq, QUEUE_LOG2, &end->sq), "SQ");
    stage_must(stage,
               tern_rq_create(end->cq, QUEUE_LOG2, STAGE_ENTRY_LOG2, TERN_QUEUE_ANY, &end->rq),
               "RQ");
}

void stage_open(struct stage *stage, const char *model, unsigned nodes, FILE *transcript)
{
    struct tern_sim_config config = tern_sim_config_default();

    stage->nodes = nodes;
    stage->events_hash = hash_start;
    stage->transcript = transcript;
    config.dims[0] = nodes;
    config.model = model;
    config.tree = stage->tree = tern_model_find(model, TERN_TORUS_PORTS_RING)->tree != 0;
    stage->sim = rig_sim_create(&config);
    tern_sim_on_event(stage->sim, note_event, stage);
    for (unsigned n = 0; n < nodes; n++)
        open_end(stage, n);
}

void stage_close(struct stage *stage)
{
    for (unsigned e = 0; e < stage->nodes; e++) {
        allow_time(stage);
        tern_close(stage->end[e].device);
    }
    tern_sim_destroy(stage->sim);
}

/* ---- writing the transcript */

uint64_t stage_completion(struct stage *stage, unsigned end)
{
    struct tern_completion c = {.status = TERN_ST_WAIT_EXPIRED};
    struct tern_cq *cq = stage->end[end].cq;
    int got = 0;

    allow_time(stage);
    while (got == 0 && !tern_cq_wait(cq, WAIT_MS))
        got = tern_cq_poll(cq, &c, 1);
    stage->completions++;
    stage->refused += c.status != TERN_ST_OK;
    stage_say(stage,
              "  end %u: %s op=%x flags=%x index=%u queue=%u node=%x link=%u fault=%u length=%u "
              "imm=%x value=%" PRIx64 " context=%" PRIu64 " at %" PRIu64,
              end, tern_strerror((int)c.status), c.opcode, c.flags, c.index, c.queue, c.node,
              c.link, c.fault, c.length, c.imm, c.value, c.context, tern_sim_cycle(stage->sim));
    stage_must(stage, c.status == TERN_ST_WAIT_EXPIRED ? -TERN_ST_WAIT_EXPIRED : 0, "waiting");
    return c.value;
}

void stage_expect(struct stage *stage, bool right, const char *what)
{
    if (right)
        return;
    stage_say(stage, "  wrong: %s", what);
    stage->wrong++;
}

void stage_fill(struct stage *stage, unsigned end, unsigned seed)
{
    for (size_t i = 0; i < STAGE_BYTES; i++)
        stage->end[end].memory[i] = (uint8_t)(i * 131 + (i >> 8) * 7 + seed * 29);
}

void stage_memory(struct stage *stage, unsigned end)
{
    uint64_t hash = hash_start;

    for (size_t i = 0; i < STAGE_BYTES; i++)
        hash = (hash ^ stage->end[end].memory[i]) * hash_prime;
    stage_say(stage, "  memory of end %u: %016" PRIx64, end, hash);
}

void stage_settle(struct stage *stage)
{
    uint64_t end = tern_sim_cycle(stage->sim) + SETTLE_CYCLES;

    allow_time(stage);
    while (tern_sim_cycle(stage->sim) < end)
        (void)progress(stage);
}

void stage_mark(struct stage *stage)
{
    for (unsigned n = 0; n < stage->nodes; n++)
        stage_say(stage, "  node %u retired %" PRIu64, n, tern_sim_retired(stage->sim, n));
    stage_say(stage, "  cycle %" PRIu64 ", %" PRIu64 " events %016" PRIx64,
              tern_sim_cycle(stage->sim), stage->events, stage->events_hash);
    stage->completions = stage->refused = stage->wrong = 0;
    stage->events = 0;
    stage->events_hash = hash_start;
}
