/* SPDX-License-Identifier: Apache-2.0 */
/* A torus of nodes with wires and sockets, run block by block. */
#include "sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "firmware.h"
#include "shares.h"
#include "tern_abi.h"
#include "turns.h"

enum {
    RESET_LIMIT = 1000000,
    DMA_LIMIT = 4000000
};

struct tern_sim_config tern_sim_config_default(void)
{
    return (struct tern_sim_config){.dims = {4, 1, 1}, .timing = tern_timing_default()};
}

static void sink_event(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    const struct tern_sim *sim = ctx;

    for (unsigned s = 0; s < sim->sink_count; s++)
        sim->sinks[s].event(sim->sinks[s].ctx, node, cycle, lane, id);
}

void tern_sim_on_event(struct tern_sim *sim,
                       void (*event)(void *ctx, unsigned node, uint64_t cycle,
                                     unsigned lane, unsigned id),
                       void *ctx)
{
    if (sim->sink_count == TERN_SIM_SINKS)
        return;
    sim->sinks[sim->sink_count++] = (struct tern_trace_sink){.ctx = ctx, .event = event};
    for (unsigned n = 0; n < sim->nodes; n++)
        sim->node[n].config.trace =
            (struct tern_trace_sink){.ctx = sim, .event = sink_event};
}

/* ---- creation ---- */

static struct tern_torus torus_of(const struct tern_sim_config *config)
{
    return (struct tern_torus){.sides = {config->dims[0], config->dims[1], config->dims[2]},
                               .mesh = config->mesh};
}

static const struct tern_model_shape *shape_of(const struct tern_sim_config *config)
{
    struct tern_torus torus = torus_of(config);

    return tern_model_find(config->model == NULL && config->tree ? "tree" : config->model,
                           tern_torus_ports(&torus));
}

static const char *config_problem(const struct tern_sim_config *config)
{
    struct tern_torus torus = torus_of(config);

    if (tern_torus_problem(&torus) != NULL)
        return tern_torus_problem(&torus);
    if (config->tier == TERN_TIER_RTL && tern_model_find(NULL, TERN_TORUS_PORTS_RING) == NULL)
        return "this build has no rtl chip: use --tier soft";
    if (config->tier == TERN_TIER_RTL && shape_of(config) == NULL && config->tree)
        return "this build has rtl chips with the tree network for rings alone (Nx1x1), or none";
    if (config->tier == TERN_TIER_RTL && shape_of(config) == NULL)
        return config->model == NULL ||
                       tern_model_find(config->model, TERN_TORUS_PORTS_RING) != NULL
                   ? "this build has rings of that rtl chip alone (Nx1x1)"
                   : "this build has no rtl chip of that name";
    if (config->tier == TERN_TIER_RTL && config->tree != (shape_of(config)->tree != 0))
        return "--tree and the rtl chip `tree` go together";
    if (config->tier == TERN_TIER_SOFT && config->model != NULL)
        return "the soft tier has one configuration";
    if (config->threads > TERN_CREW_MAX)
        return "there can be 1 to 16 threads";
    if (config->threads > 1 && config->tier == TERN_TIER_SOFT)
        return "the soft tier runs in one thread";
    return tern_timing_problem(&config->timing);
}

static bool make_nodes(struct tern_sim *sim, const struct tern_sim_config *config,
                       size_t flash_words)
{
    struct tern_node_config node = {
        .tier = config->tier,
        .dims = tern_torus_dims(&sim->torus),
        .ports = tern_torus_ports(&sim->torus),
        .tree = config->tree,
        .shape = sim->shape,
        .timing = config->timing,
        .flash = sim->flash,
        .flash_words = flash_words,
        .reset_limit = config->reset_limit ? config->reset_limit : RESET_LIMIT,
        .dma_limit = config->dma_limit ? config->dma_limit : DMA_LIMIT,
        .every_clock = config->every_clock};

    sim->node = calloc(tern_torus_nodes(&sim->torus), sizeof *sim->node);
    if (sim->node == NULL)
        return false;
    while (sim->nodes < tern_torus_nodes(&sim->torus)) {
        node.number = sim->nodes;
        node.coordinates = tern_torus_coordinates(&sim->torus, sim->nodes);
        if (!tern_node_init(&sim->node[sim->nodes], &node))
            return false;
        sim->nodes++;
    }
    return true;
}

/* Creates a crew if there are several threads; each gets at least one node. */
static bool make_crew(struct tern_sim *sim, const struct tern_sim_config *config)
{
    unsigned nodes = tern_torus_nodes(&sim->torus);

    sim->threads = config->threads < nodes ? config->threads : nodes;
    sim->apart = true;
    if (sim->threads < 2)
        sim->threads = 1;
    else
        sim->crew = tern_crew_new(sim->threads);
    return sim->threads == 1 || sim->crew != NULL;
}

static bool make(struct tern_sim *sim, const struct tern_sim_config *config,
                 size_t flash_words)
{
    sim->tier = config->tier;
    sim->torus = torus_of(config);
    sim->shape = sim->tier == TERN_TIER_RTL ? shape_of(config) : NULL;
    sim->limit = UINT64_MAX;
    sim->timing = config->timing;
    sim->block = config->timing.link_latency;
    if (sim->block > TERN_NODE_BLOCK_MAX)
        sim->block = TERN_NODE_BLOCK_MAX;
    sim->net = tern_net_new(&sim->torus, config->timing.link_latency, config->seed);
    sim->server = tern_server_new();
    if (sim->net == NULL || sim->server == NULL ||
        (config->tree && !tern_net_add_tree(sim->net, config->seed)))
        return false;
    if (sim->tier == TERN_TIER_SOFT &&
        (!tern_net_use_packets(sim->net) ||
         (config->tree && !tern_net_use_packets(tern_net_tree(sim->net)))))
        return false;
    if (sim->tier == TERN_TIER_RTL)
        tern_net_use_beats(sim->net, sim->shape->beat_bytes);
    return make_crew(sim, config) && make_nodes(sim, config, flash_words);
}

/* Appends the tier to the file $TERN_RAN, if that is set, to show which tier a test ran. */
static void leave_word(enum tern_tier tier)
{
    const char *path = getenv("TERN_RAN");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fputs(tier == TERN_TIER_SOFT ? "soft\n" : "rtl\n", file);
    fclose(file);
}

static struct tern_sim *refuse(struct tern_sim *sim, int *status, int why)
{
    tern_sim_destroy(sim);
    *status = why;
    return NULL;
}

struct tern_sim *tern_sim_create(const struct tern_sim_config *config,
                                 char error[TERN_SIM_ERROR_BYTES], int *status)
{
    const char *problem = config_problem(config);
    struct tern_sim *sim = calloc(1, sizeof *sim);
    struct tern_torus torus = torus_of(config);
    size_t flash_words = 0;

    if (problem != NULL) {
        snprintf(error, TERN_SIM_ERROR_BYTES, "%s", problem);
        return refuse(sim, status, TERN_ST_BAD_ARGUMENT);
    }
    snprintf(error, TERN_SIM_ERROR_BYTES, "out of memory");
    if (sim == NULL)
        return refuse(sim, status, TERN_ST_NO_MEMORY);
    if (!tern_firmware_image(config->firmware, config->firmware_bytes, &sim->flash,
                             &flash_words, error, TERN_SIM_ERROR_BYTES))
        return refuse(sim, status, TERN_ST_BAD_FIRMWARE);
    sim->scenario = tern_scenario_new(config->scenario, &torus, error,
                                      TERN_SIM_ERROR_BYTES);
    if (sim->scenario == NULL)
        return refuse(sim, status, TERN_ST_BAD_ARGUMENT);
    if (!make(sim, config, flash_words))
        return refuse(sim, status, TERN_ST_NO_MEMORY);
    leave_word(sim->tier);
    error[0] = 0;
    *status = TERN_ST_OK;
    return sim;
}

void tern_sim_destroy(struct tern_sim *sim)
{
    if (sim == NULL)
        return;
    tern_span_close(sim->span);
    tern_crew_free(sim->crew);
    tern_server_free(sim->server);
    for (unsigned n = 0; n < sim->nodes; n++)
        tern_node_fini(&sim->node[n]);
    free(sim->node);
    tern_net_free(sim->net);
    tern_scenario_free(sim->scenario);
    free(sim->flash);
    free(sim);
}

/* ---- running ---- */

static void exchange_packets(struct tern_sim *sim)
{
    if (sim->span != NULL && sim->tier == TERN_TIER_SOFT)
        tern_span_work(sim->span);
}

bool tern_sim_serve(struct tern_sim *sim, int timeout_ms)
{
    bool came;

    exchange_packets(sim); /* before any wait */
    came = tern_server_receive(sim->server, timeout_ms);
    exchange_packets(sim);
    for (unsigned n = 0; n < sim->nodes; n++)
        tern_nic_work(sim->node[n].nic, sim->cycle);
    tern_server_send(sim->server);
    return came;
}

void tern_sim_block(struct tern_sim *sim, uint64_t end)
{
    if (sim->tier == TERN_TIER_SOFT) {
        tern_turns(sim, end);
        return;
    }
    tern_scenario_apply(sim->scenario, sim->net, sim->cycle);
    tern_shares_run(sim);
    if (sim->span != NULL)
        tern_span_block(sim->span, sim->cycle, sim->block, sim->idle);
    sim->cycle += sim->block;
}

void tern_sim_run(struct tern_sim *sim, uint64_t cycles)
{
    uint64_t end = sim->cycle + cycles;

    while (sim->cycle < end) {
        tern_sim_serve(sim, 0);
        tern_sim_block(sim, end);
    }
    tern_sim_serve(sim, 0); /* answers of the last block */
}

bool tern_sim_run_until(struct tern_sim *sim, bool (*done)(void *arg), void *arg,
                        uint64_t limit)
{
    uint64_t end = sim->cycle + limit;

    while (!done(arg)) {
        if (sim->cycle >= end)
            return false;
        tern_sim_serve(sim, 0);
        tern_sim_block(sim, end);
        tern_sim_serve(sim, 0);
    }
    return true;
}

int tern_sim_connect(struct tern_sim *sim, unsigned node)
{
    int ends[2];
    int error;

    if (!tern_sim_has(sim, node)) {
        errno = EINVAL;
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    error = tern_server_adopt(sim->server, sim->node[node].nic, node, ends[1]);
    if (error == 0)
        return ends[0];
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return -1;
}

/* ---- inspection ---- */

unsigned tern_sim_nodes(const struct tern_sim *sim)
{
    return sim->nodes;
}

uint64_t tern_sim_cycle(const struct tern_sim *sim)
{
    return sim->cycle;
}

uint64_t tern_sim_node_cycles(const struct tern_sim *sim)
{
    return sim->cycle * sim->nodes;
}

uint64_t tern_sim_rested(const struct tern_sim *sim)
{
    uint64_t rested = 0;

    for (unsigned n = 0; n < sim->nodes; n++)
        rested += sim->node[n].rest.rested;
    return rested;
}

const struct tern_nic_counts *tern_sim_counts(const struct tern_sim *sim, unsigned node)
{
    return tern_nic_count(sim->node[node].nic);
}

uint64_t tern_sim_retired(const struct tern_sim *sim, unsigned node)
{
    return sim->node[node].retired;
}

struct tern_net *tern_sim_net(struct tern_sim *sim)
{
    return sim->net;
}

void tern_sim_stand_in(struct tern_sim *sim, unsigned node, const struct tern_stand_in *stand_in)
{
    sim->node[node].stand_in = *stand_in;
}

bool tern_sim_span(struct tern_sim *sim, const struct tern_span_config *config,
                   char error[TERN_SIM_ERROR_BYTES])
{
    struct tern_span_shape shape = {.tier = sim->tier,
                                    .torus = sim->torus,
                                    .latency = sim->timing.link_latency,
                                    .beat = sim->shape != NULL ? sim->shape->beat_bytes : 0};

    if (sim->nodes < 2) {
        snprintf(error, TERN_SIM_ERROR_BYTES, "a torus of one node has no halves");
        return false;
    }
    if (tern_net_tree(sim->net) != NULL) {
        snprintf(error, TERN_SIM_ERROR_BYTES, "a tree network is in one simulator");
        return false;
    }
    sim->span = tern_span_open(config, &shape, sim->net, error);
    if (sim->span == NULL)
        return false;
    for (unsigned n = 0; n < sim->nodes; n++)
        sim->node[n].elsewhere = tern_span_half(&sim->torus, n) != config->half;
    /* On rtl this simulator waits for the peer only here, after each block. */
    return sim->tier == TERN_TIER_RTL ||
           tern_server_watch(sim->server, tern_span_fd(sim->span));
}

bool tern_sim_has(const struct tern_sim *sim, unsigned node)
{
    return node < sim->nodes && !sim->node[node].elsewhere;
}

const char *tern_sim_peer_dead(const struct tern_sim *sim)
{
    return sim->span != NULL ? tern_span_dead(sim->span) : NULL;
}

bool tern_sim_peer_idle(const struct tern_sim *sim)
{
    return sim->span == NULL || tern_span_idle(sim->span);
}

void tern_sim_lose_reads(struct tern_sim *sim, unsigned node, unsigned count)
{
    sim->node[node].port.lose = count;
}

void tern_sim_lose_writes(struct tern_sim *sim, unsigned node, unsigned count)
{
    if (sim->tier == TERN_TIER_SOFT)
        soft_node_lose_writes(sim->node[node].soft, count);
    else
        sim->node[node].port.lose_writes = count;
}

bool tern_sim_power_cycle(struct tern_sim *sim, unsigned node, uint64_t cycles)
{
    return tern_node_power_cycle(&sim->node[node], sim->net, cycles);
}

uint64_t tern_sim_active(const struct tern_sim *sim)
{
    uint64_t active = tern_net_active(sim->net);

    for (unsigned n = 0; n < sim->nodes; n++) {
        if (sim->node[n].port.active > active)
            active = sim->node[n].port.active;
    }
    return active;
}

bool tern_sim_busy(const struct tern_sim *sim)
{
    for (unsigned n = 0; n < sim->nodes; n++) {
        if (tern_nic_busy(sim->node[n].nic))
            return true;
    }
    return false;
}

bool tern_sim_dump(struct tern_sim *sim, unsigned node, const char *path)
{
    if (sim->tier != TERN_TIER_RTL || !tern_sim_has(sim, node))
        return false;
    tern_node_rouse(&sim->node[node]);
    sim->node[node].rest.never = true; /* a waveform needs every clock */
    if (!tern_model_dump(sim->node[node].model, path))
        return false;
    sim->dumping = true;
    return true;
}
