/* SPDX-License-Identifier: Apache-2.0 */
#include "lab.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRMWARE_MAX = 1 << 20,
    STEP = 8,
    SETTLE_CYCLES = 4000,
    CYCLES_MAX = 50000000, /* a net */
    CQ_LOG2 = 12,
    SQ_LOG2 = 10,
};

void lab_must(int status, const char *what)
{
    if (status < 0)
        errx(1, "%s: %s", what, tern_strerror(status));
}

static int let_time_pass(void *arg)
{
    tern_sim_run(arg, STEP);
    return 0;
}

static void seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct lab_watch *watch = ctx;

    (void)id;
    if (node == watch->target && lane == TERN_TRACE_DEP_LAST) {
        if (!watch->deposits++)
            watch->first_deposit = cycle;
        watch->last_deposit = cycle;
    }
    if (node != watch->origin)
        return;
    if (lane == TERN_TRACE_CORE_SLEEP) {
        watch->asleep = true;
        watch->slept_at = cycle;
    } else if (lane == TERN_TRACE_CORE_WAKE && watch->asleep) {
        watch->asleep = false;
        watch->sleep_cycles += cycle - watch->slept_at;
    }
}

static void open_end(struct lab *lab, struct lab_end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_READ |
                            TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC;

    lab_must(tern_open_fd(tern_sim_connect(lab->sim, node), let_time_pass, lab->sim, &end->device),
             "open");
    end->buffer = aligned_alloc(4096, LAB_BYTES);
    if (!end->buffer)
        err(1, "buffer");
    memset(end->buffer, 0x5a, LAB_BYTES);
    lab_must(tern_register(end->device, end->buffer, LAB_BYTES, rights, &end->region), "register");
    lab_must(tern_cq_create(end->device, CQ_LOG2, TERN_CQ_POLLED, &end->cq), "completion queue");
}

void lab_queues(struct lab *lab, unsigned queues)
{
    for (unsigned i = 0; i < queues; i++)
        if (!lab->origin.sq[i])
            lab_must(tern_sq_create(lab->origin.cq, SQ_LOG2, &lab->origin.sq[i]), "send queue");
}

void lab_open(struct lab *lab, unsigned nodes, unsigned posted)
{
    lab_open_tier(lab, TERN_TIER_RTL, nodes, posted);
}

void lab_open_tier(struct lab *lab, enum tern_tier tier, unsigned nodes, unsigned posted)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES];
    static char firmware[FIRMWARE_MAX];
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");
    int status;

    if (!file)
        err(1, "build/fw/tern-fw.elf");
    memset(lab, 0, sizeof(*lab));
    config.dims[0] = nodes;
    config.tier = tier;
    config.timing.posted = posted;
    config.firmware = firmware;
    config.firmware_bytes = fread(firmware, 1, sizeof(firmware), file);
    fclose(file);
    lab->sim = tern_sim_create(&config, error, &status);
    if (!lab->sim)
        errx(1, "simulator: %s", error);
    lab->watch.target = 1;
    tern_sim_on_event(lab->sim, seen, &lab->watch);
    lab->measure = tern_measure_new(lab->sim);
    if (!lab->measure)
        err(1, "measure");
    open_end(lab, &lab->origin, 0);
    open_end(lab, &lab->target, 1);
    lab_queues(lab, 1);
}

void lab_close(struct lab *lab)
{
    tern_close(lab->origin.device);
    tern_close(lab->target.device);
    tern_sim_destroy(lab->sim);
    tern_measure_free(lab->measure);
    free(lab->origin.buffer);
    free(lab->target.buffer);
}

void lab_watch(struct lab *lab)
{
    struct lab_watch *watch = &lab->watch;

    watch->deposits = 0;
    watch->sleep_cycles = 0;
    watch->slept_at = tern_sim_cycle(lab->sim);
}

void lab_run_until_deposits(struct lab *lab, uint64_t count)
{
    uint64_t limit = tern_sim_cycle(lab->sim) + CYCLES_MAX;

    while (lab->watch.deposits < count) {
        tern_sim_run(lab->sim, STEP);
        if (tern_sim_cycle(lab->sim) > limit)
            errx(1, "only %llu of %llu deposits arrived", (unsigned long long)lab->watch.deposits,
                 (unsigned long long)count);
    }
}

void lab_settle(struct lab *lab)
{
    tern_sim_run(lab->sim, SETTLE_CYCLES);
}

struct tern_completion lab_complete(struct lab_end *end, unsigned count)
{
    struct tern_completion completion = {0};
    char text[128];

    while (count) {
        int polled = tern_cq_poll(end->cq, &completion, 1);

        lab_must(polled, "poll");
        if (polled == 0) {
            lab_must(tern_cq_wait(end->cq, 60000), "wait");
            continue;
        }
        if (completion.status != TERN_ST_OK)
            errx(1, "%s", tern_completion_format(&completion, text, sizeof(text)));
        count--;
    }
    return completion;
}
