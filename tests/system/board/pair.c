/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two boards joined by a cable at their second PHYs, each with its own `tern bridge`: puts, a
 * queue pair, a broadcast; then the cable is cut and mended.
 *
 * sim.sh with PAIR=1 is the simulator; SIGUSR1 makes it cut the cable, SIGUSR2 mend it. The same
 * program runs without the cut on a simulated mesh of two nodes.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tern/counter.h>
#include <tern/group.h>
#include <tern/pair.h>

#include "rig.h"
#include "rig_tier.h"

enum {
    NODES = 2,
    MESH_OF_TWO = 0x8001,
    LONG = 20000,    /* bytes of the longest put */
    MESSAGE = 3000,
    ARENA = 8192,
    SENT = 5000,     /* bytes of a broadcast */
    INDEX = 100,     /* of the group's key */
    COUNTER = 4,
    INBOX_LOG2 = 2,
    MESSAGE_LOG2 = 12,
    PAIR_LOG2 = 5,
    POLLS = 30000,   /* of a link's state, at most */
    POLL_NS = 20000000,
    LINK_CYCLES = 1000000, /* for both ends to see a cut */
    TRIES = 3,
    PUTS = 8,        /* under way at once */
    RATE_BYTES = 65536,
    PAGE = 4096,
    LINE_MBIT = 1000
};

static struct rig rig;
static struct rig_end end[NODES];

static void need(int status, const char *what)
{
    if (status == 0)
        return;
    printf("Bail out! %s: %s\n", what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

static struct tern_info info_of(unsigned node)
{
    struct tern_info info;

    need(tern_query(end[node].device, &info), "tern_query");
    return info;
}

static uint64_t cycles_of(unsigned node)
{
    uint64_t cycles = 0;

    need(tern_cycles(end[node].device, &cycles), "tern_cycles");
    return cycles;
}

/* ---- puts ---- */

/* Puts bytes from `node` to the other one; returns the status, or BAD_LENGTH for wrong bytes. */
static enum tern_status put(unsigned node, uint32_t bytes, unsigned seed)
{
    struct rig_end *from = &end[node], *to = &end[!node];
    enum tern_status status;

    rig_fill(from->buffer, bytes, seed);
    memset(to->buffer, 0, bytes + 1);
    status = rig_put(from, to, 0, bytes);
    if (status == TERN_ST_OK && (!rig_holds(to->buffer, bytes, seed) || to->buffer[bytes] != 0))
        status = TERN_ST_BAD_LENGTH;
    return status;
}

static void test_puts(void)
{
    static const uint32_t lengths[] = {1, 31, 512, 513, 4096, LONG};
    bool good = true;

    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (unsigned node = 0; node < NODES; node++)
            good = good && put(node, lengths[i], i + node) == TERN_ST_OK;
    tap(good, "puts move every byte in both directions");
}

/*
 * Several long puts at once, from memory that begins with a block of the host's. Shows the share of
 * a line that their bytes take by the board's clock; this program's own time is part of it.
 */
static void test_rate(void)
{
    static _Alignas(PAGE) uint8_t block[NODES][RATE_BYTES];
    struct tern_region *region[NODES];
    uint64_t start, took, percent;
    bool good = true;

    rig_fill(block[0], RATE_BYTES, 11);
    need(tern_register(end[0].device, block[0], RATE_BYTES, TERN_RIGHT_LOCAL_READ, &region[0]),
         "tern_register");
    need(tern_register(end[1].device, block[1], RATE_BYTES, TERN_RIGHT_REMOTE_WRITE, &region[1]),
         "tern_register");
    start = cycles_of(0);
    for (unsigned i = 0; i < PUTS; i++)
        need(tern_put(end[0].sq, tern_region_pointer(region[1], 0), region[0], block[0], RATE_BYTES,
                      TERN_DFLAG_SIGNAL, 0), "tern_put");
    for (unsigned i = 0; i < PUTS; i++)
        good = good && rig_wait(end[0].cq).status == TERN_ST_OK;
    took = cycles_of(0) - start;
    percent = (uint64_t)PUTS * RATE_BYTES * 8 * (info_of(0).clock_hz / 1000000) * 100 / took /
              LINE_MBIT;
    tap_note("evidence %u puts of %u bytes took %llu cycles, %llu %% of the line", (unsigned)PUTS,
             (unsigned)RATE_BYTES, (unsigned long long)took, (unsigned long long)percent);
    tap(good && rig_holds(block[1], RATE_BYTES, 11), "long puts under way at once arrive whole");
}

/* ---- a queue pair ---- */

struct side {
    struct tern_inbox *inbox;
    struct tern_pair *pair;
    uint8_t got[MESSAGE];
};

static void connect_pair(struct side *side)
{
    for (unsigned i = 0; i < NODES; i++) {
        need(tern_inbox_create(end[i].cq, INBOX_LOG2, MESSAGE_LOG2, 0, &side[i].inbox), "inbox");
        need(tern_pair_create(end[i].cq, TERN_PAIR_RC, PAIR_LOG2, side[i].inbox, &side[i].pair),
             "tern_pair_create");
        need(tern_inbox_post(side[i].inbox, side[i].got, MESSAGE, 0), "tern_inbox_post");
    }
    for (unsigned i = 0; i < NODES; i++) {
        struct tern_pair_peer peer = {.name = tern_pair_name(side[!i].pair)};

        need(tern_pair_connect(side[i].pair, &peer), "tern_pair_connect");
        need(tern_pair_start(side[i].pair, 0, TRIES), "tern_pair_start");
    }
}

/* Sends a message from `node`; returns whether it is sent, and arrives whole. */
static bool send_message(struct side *side, unsigned node)
{
    struct tern_completion sent, came;

    rig_fill(end[node].buffer, MESSAGE, 7 + node);
    need(tern_pair_send(side[node].pair, end[node].region, end[node].buffer, MESSAGE, 0,
                        TERN_DFLAG_SIGNAL, 0), "tern_pair_send");
    came = rig_wait(end[!node].cq);
    sent = rig_wait(end[node].cq);
    return sent.status == TERN_ST_OK && came.status == TERN_ST_OK &&
           came.opcode == TERN_OP_RECV && came.length == MESSAGE && came.node == node &&
           rig_holds(side[!node].got, MESSAGE, 7 + node);
}

static void test_pair(void)
{
    static struct side side[NODES];

    connect_pair(side);
    tap(send_message(side, 0) && send_message(side, 1),
        "a connected pair carries a message in each direction");
    for (unsigned i = 0; i < NODES; i++) {
        need(tern_pair_destroy(side[i].pair), "tern_pair_destroy");
        need(tern_inbox_destroy(side[i].inbox), "tern_inbox_destroy");
    }
}

/* ---- a broadcast ---- */

static void test_broadcast(void)
{
    static uint8_t arena[NODES][ARENA];
    struct tern_region *member[NODES];
    struct tern_group *group = NULL;
    struct tern_completion sent, came[NODES];
    uint32_t key = tern_group_key(INDEX, 1);
    uint16_t node = 0;
    bool good;

    for (unsigned i = 0; i < NODES; i++) {
        struct tern_region_attr attr = {.addr = arena[i], .bytes = ARENA, .member = true,
                                        .key = key, .counted = true, .counter = COUNTER};

        need(tern_counter_watch(end[i].cq, COUNTER, SENT), "tern_counter_watch");
        need(tern_register_with(end[i].device, &attr, &member[i]), "tern_register_with");
    }
    need(tern_group_create(end[0].cq, tern_box_all(MESH_OF_TWO), key, ARENA, &group),
         "tern_group_create");
    need(tern_group_open(group, &node), "tern_group_open");
    rig_fill(end[0].buffer, SENT, 9);
    need(tern_bcast(end[0].sq, group, end[0].region, 0, SENT, 0,
                    TERN_DFLAG_SIGNAL | TERN_DFLAG_SELF, 0), "tern_bcast");
    came[1] = rig_wait(end[1].cq);
    came[0] = rig_wait(end[0].cq);
    sent = rig_wait(end[0].cq);
    if (sent.opcode == TERN_OP_COUNTER) {
        struct tern_completion swap = sent;

        sent = came[0];
        came[0] = swap;
    }
    good = sent.status == TERN_ST_OK && sent.opcode != TERN_OP_COUNTER;
    for (unsigned i = 0; i < NODES; i++)
        good = good && came[i].opcode == TERN_OP_COUNTER && rig_holds(arena[i], SENT, 9);
    tap(good, "a broadcast reaches both nodes, every byte of it");
    need(tern_group_destroy(group), "tern_group_destroy");
}

/* ---- the cable ---- */

/* Waits until the link of both nodes is up or down; returns the cycles it took, 0: it never was. */
static uint64_t await_links(bool up)
{
    static const struct timespec pause = {.tv_nsec = POLL_NS};
    uint64_t start = cycles_of(0);

    for (unsigned i = 0; i < POLLS; i++) {
        if ((info_of(0).links_up != 0) == up && (info_of(1).links_up != 0) == up)
            return cycles_of(0) - start + 1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

static void test_cut(void)
{
    uint64_t took, start;
    enum tern_status status;
    uint32_t patience = info_of(0).op_timeout;

    kill(rig.sim, SIGUSR1);
    took = await_links(false);
    tap_note("evidence both ends reported the cut within %llu cycles", (unsigned long long)took);
    tap(took > 0 && took < LINK_CYCLES, "both nodes report that the link is down");
    start = cycles_of(0);
    status = put(0, 512, 3);
    took = cycles_of(0) - start;
    tap_note("evidence a put ended with %s after %llu cycles, op_timeout is %u",
             tern_strerror(-(int)status), (unsigned long long)took, (unsigned)patience);
    tap(status == TERN_ST_LINK_DOWN || status == TERN_ST_TIMEOUT,
        "a put over a cable that is cut ends with an error");
    tap(took < 2 * (uint64_t)patience, "it ends within twice the time-out of an operation");
    kill(rig.sim, SIGUSR2);
    took = await_links(true);
    tap_note("evidence both ends were up again within %llu cycles", (unsigned long long)took);
    tap(took > 0 && put(0, 2000, 4) == TERN_ST_OK && put(1, 2000, 5) == TERN_ST_OK,
        "puts work again when the cable is mended");
}

int main(void)
{
    bool good = true;

    setvbuf(stdout, NULL, _IOLBF, 0);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", "--mesh", NULL});
    for (unsigned i = 0; i < NODES; i++)
        rig_end_open(&end[i], &rig, i);
    await_links(true);
    for (unsigned i = 0; i < NODES; i++) {
        struct tern_info info = info_of(i);

        good = good && info.node == i && info.dims == MESH_OF_TWO && info.links_up == 1u << i;
    }
    tap(good, "each board is a node of a mesh of two, and its link is up");
    test_puts();
    test_rate();
    test_pair();
    test_broadcast();
    if (getenv("PAIR") != NULL)
        test_cut();
    for (unsigned i = 0; i < NODES; i++)
        rig_end_close(&end[i]);
    rig_stop(&rig);
    return tap_end();
}
