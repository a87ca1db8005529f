/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic.h"

#include <err.h>
#include <stdio.h>
#include <sys/mman.h>

enum { FIRMWARE_MAX = 1 << 20, STEP = 8, POST_EVERY = 1024, CQ_LOG2 = 8, SQ_LOG2 = 6 };

static void must(int status, const char *what)
{
    if (status < 0)
        errx(1, "%s: %s", what, tern_strerror(status));
}

static int let_time_pass(void *arg)
{
    tern_sim_run(arg, STEP);
    return 0;
}

void traffic_firmware(struct tern_sim_config *config)
{
    static char firmware[FIRMWARE_MAX];
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");

    if (!file)
        err(1, "build/fw/tern-fw.elf");
    config->firmware = firmware;
    config->firmware_bytes = fread(firmware, 1, sizeof(firmware), file);
    fclose(file);
}

/* ---- making ---- */

/* Fills with bytes that are different on each node. */
static void fill(uint8_t *buffer, unsigned node)
{
    for (unsigned i = 0; i < TRAFFIC_BYTES; i++)
        buffer[i] = (uint8_t)(i * 167 + (i >> 8) * 13 + node * 59);
}

static uint8_t *make_buffer(const struct traffic *traffic, unsigned node)
{
    uint8_t *buffer;

    if (traffic->shared && node > 0)
        return traffic->end[0].buffer;
    buffer = mmap(NULL, TRAFFIC_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        err(1, "buffer");
    fill(buffer, node);
    return buffer;
}

static void open_end(struct traffic *traffic, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_WRITE;
    struct traffic_end *end = &traffic->end[node];

    end->buffer = make_buffer(traffic, node);
    must(tern_register(end->device, end->buffer, TRAFFIC_BYTES, rights, &end->region), "register");
    must(tern_cq_create(end->device, CQ_LOG2, TERN_CQ_POLLED, &end->cq), "completion queue");
    must(tern_sq_create(end->cq, SQ_LOG2, &end->sq), "send queue");
}

void traffic_open(struct traffic *traffic, const struct tern_sim_config *config, bool shared)
{
    char error[TERN_SIM_ERROR_BYTES];
    int status;

    *traffic = (struct traffic){.nodes = config->dims[0], .shared = shared};
    traffic->sim = tern_sim_create(config, error, &status);
    if (!traffic->sim)
        errx(1, "simulator: %s", error);
    for (unsigned n = 0; n < traffic->nodes; n++) {
        must(tern_open_fd(tern_sim_connect(traffic->sim, n), let_time_pass, traffic->sim,
                          &traffic->end[n].device), "open");
        open_end(traffic, n);
    }
}

void traffic_attach(struct traffic *traffic, unsigned nodes, const char *dir)
{
    *traffic = (struct traffic){.nodes = nodes};
    for (unsigned n = 0; n < nodes; n++) {
        char uri[512];

        snprintf(uri, sizeof(uri), "sim:%s/nic-%u.0.0.sock", dir, n);
        must(tern_open(uri, &traffic->end[n].device), uri);
        open_end(traffic, n);
    }
}

void traffic_close(struct traffic *traffic)
{
    for (unsigned n = 0; n < traffic->nodes; n++)
        tern_close(traffic->end[n].device);
    for (unsigned n = 0; n < (traffic->shared ? 1 : traffic->nodes); n++)
        munmap(traffic->end[n].buffer, TRAFFIC_BYTES);
    tern_sim_destroy(traffic->sim);
}

/* ---- traffic ---- */

/* Posts a put to the next node; false when there is no room. */
static bool put_one(struct traffic_end *end, const struct traffic_end *right)
{
    uint32_t bytes = end->posted % 2 ? TRAFFIC_LONG : TRAFFIC_SMALL;
    uint32_t at = end->posted * TRAFFIC_LONG % (TRAFFIC_BYTES / 2);
    unsigned flags = end->posted % 16 == 15 ? TERN_DFLAG_SIGNAL : 0;
    int status = tern_put(end->sq, tern_region_pointer(right->region, TRAFFIC_BYTES / 2 + at),
                          end->region, end->buffer + at, bytes, flags | TERN_MORE, end->posted);

    if (status == -TERN_ST_AGAIN)
        return false;
    must(status, "put");
    end->posted++;
    return true;
}

static void take_completions(struct traffic_end *end)
{
    struct tern_completion completion;
    char text[128];

    while (tern_cq_poll(end->cq, &completion, 1) == 1)
        if (completion.status != TERN_ST_OK)
            errx(1, "%s", tern_completion_format(&completion, text, sizeof(text)));
}

void traffic_post(struct traffic *traffic)
{
    for (unsigned n = 0; n < traffic->nodes; n++) {
        struct traffic_end *end = &traffic->end[n];

        take_completions(end);
        while (put_one(end, &traffic->end[(n + 1) % traffic->nodes]))
            ;
        must(tern_sq_flush(end->sq), "flush");
    }
}

void traffic_run(struct traffic *traffic, uint64_t cycles)
{
    uint64_t end = tern_sim_cycle(traffic->sim) + cycles;

    while (tern_sim_cycle(traffic->sim) < end) {
        uint64_t left = end - tern_sim_cycle(traffic->sim);

        traffic_post(traffic);
        tern_sim_run(traffic->sim, left < POST_EVERY ? left : POST_EVERY);
    }
}
