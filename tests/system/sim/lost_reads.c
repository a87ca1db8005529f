/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host never answers some reads of its NIC, on rtl: the operation ends with HOST_FAULT within a
 * stated time, and the NIC keeps working, however often that happens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/tern.h>

#include "rig.h"
#include "tern_sim.h"

enum {
    FIRMWARE_MAX = 1 << 20,
    BYTES = 1 << 16,
    STEP = 64,
    CQ_LOG2 = 6,
    SQ_LOG2 = 4,
    AGAIN = 20,                 /* more than there are tags */
    ROUND_TRIPS = 768 + 64,     /* the chip's limit, and the rest of the operation */
    LEAST = 128                 /* minimum cycles of a round trip */
};

struct end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
};

static struct tern_sim *sim;
static struct end from, to;

static void need(int status, const char *what)
{
    if (status >= 0)
        return;
    printf("not ok - %s: %s\n", what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

static int let_time_pass(void *arg)
{
    tern_sim_run(arg, STEP);
    return 0;
}

static void attach(struct end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
                            TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_ATOMIC;

    need(tern_open_fd(tern_sim_connect(sim, node), let_time_pass, sim, &end->device), "open");
    end->memory = aligned_alloc(4096, BYTES);
    memset(end->memory, 1 + (int)node, BYTES);
    need(tern_register(end->device, end->memory, BYTES, rights, &end->region), "register");
    need(tern_cq_create(end->device, CQ_LOG2, TERN_CQ_POLLED, &end->cq), "completion queue");
    need(tern_sq_create(end->cq, SQ_LOG2, &end->sq), "send queue");
}

static void start(void)
{
    static char firmware[FIRMWARE_MAX];
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES];
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");
    int status;

    need(file ? 0 : -1, "build/fw/tern-fw.elf");
    config.dims[0] = 2;
    config.firmware = firmware;
    config.firmware_bytes = fread(firmware, 1, sizeof firmware, file);
    fclose(file);
    sim = tern_sim_create(&config, error, &status);
    if (!sim) {
        printf("not ok - %s\n", error);
        exit(EXIT_FAILURE);
    }
    attach(&from, 0);
    attach(&to, 1);
}

static unsigned wait_status(void)
{
    struct tern_completion completion;
    int polled;

    while ((polled = tern_cq_poll(from.cq, &completion, 1)) == 0)
        need(tern_cq_wait(from.cq, 600000), "wait");
    need(polled, "poll");
    return completion.status;
}

static unsigned put(uint32_t bytes)
{
    need(tern_put(from.sq, tern_region_pointer(to.region, 0), from.region, from.memory, bytes,
                  TERN_DFLAG_SIGNAL, 0),
         "put");
    return wait_status();
}

/* Returns the cycles of a put when the next `count` reads get no answer, and its status. */
static uint64_t lost_put(uint32_t bytes, unsigned count, unsigned *status)
{
    uint64_t begin = tern_sim_cycle(sim);

    tern_sim_lose_reads(sim, 0, count);
    *status = put(bytes);
    tern_sim_lose_reads(sim, 0, 0);
    return tern_sim_cycle(sim) - begin;
}

int main(void)
{
    const uint64_t limit = (uint64_t)ROUND_TRIPS * LEAST;
    uint64_t worst = 0;
    unsigned status, faults = 0;

    start();
    tap(put(BYTES) == TERN_ST_OK, "a put whose reads are all answered arrives");

    /* One answer is missing: that of the descriptor, or of the first bytes. */
    worst = lost_put(BYTES, 1, &status);
    tap(status == TERN_ST_HOST_FAULT && worst <= limit,
        "an operation whose host does not answer ends with a host fault");
    tap_note("after %llu cycles, at most %llu", (unsigned long long)worst,
             (unsigned long long)limit);

    /* Each of many answers is missing. */
    worst = 0;
    for (unsigned i = 0; i < AGAIN; i++) {
        uint64_t took = lost_put(4096, 1, &status);

        faults += status == TERN_ST_HOST_FAULT;
        if (took > worst)
            worst = took;
    }
    tap(faults == AGAIN && worst <= limit, "it does so as often as answers are lost");

    to.memory[100] = 0;
    memset(from.memory, 0x77, BYTES);
    tap(put(BYTES) == TERN_ST_OK && memcmp(from.memory, to.memory, BYTES) == 0,
        "the tags of lost answers are free again");
    return tap_end();
}
