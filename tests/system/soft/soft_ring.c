/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The soft tier under faults and under load: a link cut in the middle of a message, damaged
 * packets, a core reset, packets that no node sent, and all nodes of a ring putting to each other
 * at once.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "rig.h"
#include "rig_sim.h"

enum {
    NODES = 8,
    BYTES = 1 << 20, /* of each end's buffer */
};

struct end {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
};

static struct end ends[NODES];

static void open_end(struct end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE;

    end->device = rig_sim_open(node);
    rig_need(tern_query(end->device, &end->info), "query");
    end->memory = aligned_alloc(4096, BYTES);
    rig_need(end->memory ? 0 : -TERN_ST_NO_MEMORY, "memory");
    memset(end->memory, 0, BYTES);
    rig_need(tern_register(end->device, end->memory, BYTES, rights, &end->region), "register");
    rig_need(tern_cq_create(end->device, 6, TERN_CQ_POLLED, &end->cq), "CQ");
    rig_need(tern_sq_create(end->cq, 5, &end->sq), "SQ");
}

static void close_end(struct end *end)
{
    tern_close(end->device);
    free(end->memory);
    memset(end, 0, sizeof(*end));
}

static void set_up(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = NODES;
    config.tier = TERN_TIER_SOFT;
    rig_sim_start(&config);
    for (unsigned n = 0; n < NODES; n++)
        open_end(&ends[n], n);
}

static void fill(struct end *end, unsigned seed)
{
    for (size_t i = 0; i < BYTES; i++)
        end->memory[i] = (uint8_t)(i * 131 + (i >> 8) * 7 + seed * 29);
}

static int post(unsigned from, unsigned to, uint32_t here, uint32_t there, uint32_t bytes)
{
    return tern_put(ends[from].sq, tern_region_pointer(ends[to].region, there), ends[from].region,
                    ends[from].memory + here, bytes, TERN_DFLAG_SIGNAL, bytes);
}

static enum tern_status put(unsigned from, unsigned to, uint32_t bytes)
{
    rig_need(post(from, to, 0, 0, bytes), "post");
    return rig_next(ends[from].cq).status;
}

/* ---- all nodes to all nodes */

/* Each node puts `PUTS` pieces to each other node, as fast as its queue accepts them. */
static void all_nodes_at_once(void)
{
    enum { PUTS = 40, PIECE = 2500, PART = BYTES / 2 / NODES };
    unsigned posted[NODES] = {0}, completed = 0, errors = 0;
    bool whole = true;

    for (unsigned n = 0; n < NODES; n++)
        fill(&ends[n], n);
    rig_allow_time();
    while (completed < NODES * NODES * PUTS && !rig_progress(NULL)) {
        for (unsigned n = 0; n < NODES; n++) {
            struct tern_completion done;

            /*
             * a node sends from the lower half of its buffer; the upper half has a part for each
             * node
             */
            while (posted[n] < NODES * PUTS &&
                   !post(n, posted[n] % NODES, posted[n] * 13,
                         BYTES / 2 + n * PART + posted[n] / NODES * 7, PIECE))
                posted[n]++;
            while (tern_cq_poll(ends[n].cq, &done, 1) == 1) {
                completed++;
                errors += done.status != TERN_ST_OK;
            }
        }
    }
    for (unsigned n = 0; n < NODES; n++) /* the tail of each part is from the last put */
        for (unsigned from = 0; from < NODES; from++)
            whole = whole && !memcmp(ends[n].memory + BYTES / 2 + from * PART + (PUTS - 1) * 7 +
                                     PIECE - 7, ends[from].memory + ((PUTS - 1) * NODES + n) * 13 +
                                     PIECE - 7, 7);
    printf("# %u puts, %u errors\n", completed, errors);
    tap(completed == NODES * NODES * PUTS && errors == 0 && whole,
        "a ring whose nodes all put to each other delivers everything");
}

/* ---- memory */

static struct tern_region *region_without_memory(struct end *end, uint8_t **memory)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE;
    struct tern_region *region;

    *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rig_need(*memory == MAP_FAILED ? -TERN_ST_NO_MEMORY : 0, "memory");
    rig_allow_time();
    rig_need(tern_register(end->device, *memory, 4096, rights, &region), "register");
    munmap(*memory, 4096);
    return region;
}

/*
 * The simulator copies the bytes of many puts in one call; a failing one must not affect the
 * others.
 */
static void memory_that_is_gone(void)
{
    enum { PUTS = 12, NEAR = 5, FAR = 8, PIECE = 100 };
    uint8_t *near_memory, *far_memory;
    struct tern_region *here = region_without_memory(&ends[0], &near_memory);
    struct tern_region *there = region_without_memory(&ends[1], &far_memory);
    unsigned right = 0;

    fill(&ends[0], 21);
    memset(ends[1].memory, 0, BYTES);
    for (unsigned i = 0; i < PUTS; i++) {
        const uint8_t *from = i == NEAR ? near_memory : ends[0].memory + i * PIECE;
        const struct tern_region *source = i == NEAR ? here : ends[0].region;
        const struct tern_region *target = i == FAR ? there : ends[1].region;

        rig_need(tern_put(ends[0].sq, tern_region_pointer(target, i == FAR ? 0 : i * PIECE),
                          source, from,
                      PIECE, TERN_DFLAG_SIGNAL | TERN_MORE, i),
             "post");
    }
    rig_need(tern_sq_flush(ends[0].sq), "flush");
    for (unsigned i = 0; i < PUTS; i++) {
        struct tern_completion done = rig_next(ends[0].cq);
        bool spoiled = done.context == NEAR || done.context == FAR;
        bool same = !memcmp(ends[0].memory + done.context * PIECE,
                            ends[1].memory + done.context * PIECE, PIECE);

        right += spoiled ? done.status == TERN_ST_HOST_FAULT && !same
            : done.status == TERN_ST_OK && same;
    }
    tap(right == PUTS, "memory that is gone spoils no other put");
    rig_allow_time();
    rig_need(tern_release(here), "release");
    rig_need(tern_release(there), "release");
}

/* ---- links */

static void cut_in_the_midst(void)
{
    enum { PUTS = 8 };
    unsigned down = 0, others = 0;

    for (unsigned i = 0; i < PUTS; i++)
        rig_need(post(0, 1, 0, 0, BYTES), "post");
    while (rig_stat(ends[1].device, TERN_STAT_rx_put_packets) == 0)
        ;
    tern_net_cut(tern_sim_net(rig_sim), 0, 0, true);
    for (unsigned i = 0; i < PUTS; i++) {
        struct tern_completion done = rig_next(ends[0].cq);

        if (done.status == TERN_ST_LINK_DOWN && done.link == 1 && done.node == ends[0].info.node)
            down++;
        else
            others += done.status != TERN_ST_OK;
    }
    tap(down > 0 && others == 0, "a link that is cut in the midst of a message is named");
    tap(put(0, 1, 64) == TERN_ST_LINK_DOWN && put(0, 7, 64) == TERN_ST_OK,
        "the other link serves on");
    tern_net_cut(tern_sim_net(rig_sim), 0, 0, false);
    rig_allow_time();
    while (put(0, 1, 64) == TERN_ST_LINK_DOWN && !rig_progress(NULL))
        ;
    tap(put(0, 1, 5000) == TERN_ST_OK && !memcmp(ends[0].memory, ends[1].memory, 5000),
        "a link that is whole again comes up");
}

/* Links resend damaged packets, and count them. */
static void noise(void)
{
    unsigned lost = 0, wrong = 0;
    uint64_t counted;

    tern_net_noise(tern_sim_net(rig_sim), 0, 0, 300);
    for (unsigned i = 0; i < 60; i++) {
        fill(&ends[0], i);
        memset(ends[1].memory, 0, 4000);
        if (put(0, 1, 4000) != TERN_ST_OK)
            lost++;
        else if (memcmp(ends[0].memory, ends[1].memory, 4000) != 0)
            wrong++;
    }
    tern_net_noise(tern_sim_net(rig_sim), 0, 0, 0);
    counted = rig_stat(ends[1].device, TERN_STAT_link_bad_crc);
    printf("# %u lost, %u tails damaged\n", lost, (unsigned)counted);
    tap(wrong == 0 && lost == 0 && counted > 0 && put(0, 1, 4000) == TERN_ST_OK,
        "noise on a wire neither loses puts nor changes them");
}

static void strangers(void)
{
    uint8_t packet[TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES] = {0};
    uint64_t bad = rig_stat(ends[1].device, TERN_STAT_link_bad_header);
    uint64_t stale = rig_stat(ends[1].device, TERN_STAT_rx_stale_acks);

    rig_need(tern_net_inject(tern_sim_net(rig_sim), 0, 0, packet, sizeof(packet)) ? 0
             : -TERN_ST_AGAIN, "inject");
    tern_wire_set_word(packet, 0,
                       TERN_V(PKT, dst, ends[1].info.node) | TERN_V(PKT, vn, TERN_VN_ACK) |
                           TERN_V(PKT, words, sizeof(packet) / 8));
    tern_wire_set_word(packet, TERN_PKT_type_WORD,
                       TERN_V(PKT, type, TERN_PTYPE_ACK) | TERN_V(PKT, version, TERN_PKT_VERSION));
    tern_wire_seal(packet, sizeof(packet), TERN_SEAL_ALL);
    rig_need(tern_net_inject(tern_sim_net(rig_sim), 0, 0, packet, sizeof(packet)) ? 0
             : -TERN_ST_AGAIN, "inject");
    tap(rig_stat(ends[1].device, TERN_STAT_link_bad_header) == bad + 1 &&
            rig_stat(ends[1].device, TERN_STAT_rx_stale_acks) == stale + 1,
        "packets that nobody sent are counted");
}

/* ---- the core */

static void core_reset(void)
{
    tern_core_hold(ends[3].device, true);
    tap(put(2, 3, 1000) == TERN_ST_STALE_NODE && put(2, 4, 1000) == TERN_ST_OK,
        "a node whose core is held refuses old keys and passes packets on");
    tern_core_hold(ends[3].device, false);
    close_end(&ends[3]);
    open_end(&ends[3], 3);
    tap(ends[3].info.incarnation == 2 && put(3, 2, 1000) == TERN_ST_OK &&
        put(2, 3, 1000) == TERN_ST_OK, "a core that starts anew has a new incarnation and serves");
}

int main(void)
{
    set_up();
    all_nodes_at_once();
    memory_that_is_gone();
    cut_in_the_midst();
    noise();
    strangers();
    core_reset();
    for (unsigned n = 0; n < NODES; n++)
        close_end(&ends[n]);
    rig_sim_stop();
    return tap_end();
}
