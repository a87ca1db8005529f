/* SPDX-License-Identifier: Apache-2.0 */
#include "rig_sim.h"

#include "rig_tier.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    STEP_CYCLES = 64,
    WAIT_CYCLES = 20000000,
    WAIT_MS = 600000,
};

struct tern_sim *rig_sim;
static uint64_t deadline;

struct tern_sim *rig_sim_create(struct tern_sim_config *config)
{
    static uint8_t firmware[1 << 20];
    char error[TERN_SIM_ERROR_BYTES] = "no firmware";
    struct tern_sim *sim = NULL;
    FILE *file;
    int status;

    if (config->tier == TERN_TIER_RTL && !config->model)
        config->model = rig_model();
    file = fopen(rig_firmware(config->model), "rb");
    config->firmware = firmware;
    config->firmware_bytes = file ? fread(firmware, 1, sizeof(firmware), file) : 0;
    if (file) {
        fclose(file);
        sim = tern_sim_create(config, error, &status);
    }
    if (!sim) {
        printf("Bail out! %s\n", error);
        exit(EXIT_FAILURE);
    }
    return sim;
}

void rig_sim_start(struct tern_sim_config *config)
{
    rig_sim = rig_sim_create(config);
}

void rig_sim_stop(void)
{
    tern_sim_destroy(rig_sim);
    rig_sim = NULL;
}

void rig_need(int status, const char *what)
{
    if (status >= 0)
        return;
    printf("Bail out! %s: %s\n", what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

void rig_allow_time(void)
{
    deadline = tern_sim_cycle(rig_sim) + WAIT_CYCLES;
}

int rig_progress(void *none)
{
    (void)none;
    tern_sim_run(rig_sim, STEP_CYCLES);
    return tern_sim_cycle(rig_sim) > deadline;
}

struct tern_device *rig_sim_open(unsigned node)
{
    struct tern_device *device;

    rig_allow_time();
    rig_need(tern_open_fd(tern_sim_connect(rig_sim, node), rig_progress, NULL, &device), "open");
    return device;
}

struct tern_completion rig_next(struct tern_cq *cq)
{
    struct tern_completion done = {.status = TERN_ST_WAIT_EXPIRED};
    int got = 0;

    rig_allow_time();
    while (got == 0 && !tern_cq_wait(cq, WAIT_MS))
        got = tern_cq_poll(cq, &done, 1);
    return done;
}

uint64_t rig_stat(struct tern_device *device, enum tern_stat which)
{
    uint64_t values[TERN_STAT_COUNT];

    rig_allow_time();
    rig_need(tern_stats(device, values), "statistics");
    return values[which];
}
