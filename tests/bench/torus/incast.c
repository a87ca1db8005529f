/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks fairness under incast: all nodes of a torus of rtl nodes except node 0 put 64 or 512 bytes
 * to it, compare and swap one word of it, or send it messages, as fast as their queues accept.
 *
 * The figure is the number of operations of the slowest source in a window after a run-up, divided
 * by the mean of all sources. A completion other than OK ends the program: under load nothing may
 * time out.
 *
 * On eight nodes the windows are long, with their run-ups 2 M cycles, so that starvation would cause
 * time-outs; then three of them, at one, two and three links, send alone. On 64 nodes a source
 * completes about eight operations in a window. All sources begin at once there, and the first
 * packets of near sources fill the buffers on the way, so the run-up is long: after 12 000 cycles the
 * worst source has 0.33 of the mean of puts of 512 bytes, after 100 000 it has 0.86.
 *
 * usage: incast [near | few | far [KIND]]
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/atomic.h>

#include "yard.h"

enum {
    TURN = 64, /* cycles between two polls of the hosts */
    DRAIN_TURNS = 40000,
    RQ_LOG2_ENTRIES = 8,
    MESSAGE = 64,
    BUFFER = 1 << 16,
    SMALL = 64
};

static const char source[] = "tests/bench/torus/incast.c";

struct stage {
    const char *name, *suffix;
    unsigned dims[3];
    uint64_t senders;
    unsigned per;   /* operations of every source in a window, approximately */
    uint64_t least; /* minimum cycles of a window */
    uint64_t run_up; /* cycles before it, at least; a quarter of it is another bound */
};

struct incast {
    struct yard *yard;
    const struct kind *kind;
    const struct stage *stage;
    struct tern_rq *rq; /* at node 0 */
    struct tern_target mailbox;
    struct tern_region *word; /* at node 0, for compare-and-swap */
    unsigned posted[64], ended[64];
    bool drained;
};

/* ---- kinds of load: one operation of node `n`; AGAIN when there is no room ---- */

static int put(struct incast *in, unsigned n, uint32_t bytes)
{
    struct yard_end *end = &in->yard->end[n];

    return tern_put(end->sq,
                    tern_region_pointer(in->yard->end[0].region, n * YARD_PACKET),
                    end->region, end->buffer, bytes, TERN_DFLAG_SIGNAL | TERN_MORE, 0);
}

static int put_small(struct incast *in, unsigned n)
{
    return put(in, n, SMALL);
}

static int put_packet(struct incast *in, unsigned n)
{
    return put(in, n, YARD_PACKET);
}

static int swap(struct incast *in, unsigned n)
{
    return tern_compare_swap(in->yard->end[n].sq, tern_region_pointer(in->word, 0), 0, 0,
                             TERN_DFLAG_SIGNAL | TERN_MORE, 0);
}

static int message(struct incast *in, unsigned n)
{
    struct yard_end *end = &in->yard->end[n];

    return tern_send(end->sq, in->mailbox, end->region, end->buffer, MESSAGE,
                     TERN_DFLAG_SIGNAL | TERN_MORE, 0);
}

static const struct kind {
    const char *name;
    int (*post)(struct incast *in, unsigned n);
    unsigned each; /* cycles that node 0 takes for one, approximately */
} kinds[] = {
    { "put_512", put_packet, 80 },
    { "put_64", put_small, 30 },
    { "cas", swap, 160 },
    { "message", message, 1100 },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* ---- running ---- */

/* Takes completions of node `n`: of its operations, and on node 0 of received messages. */
static unsigned take(struct incast *in, unsigned n)
{
    struct tern_completion got;
    unsigned ended = 0, came = 0;
    char text[128];

    while (tern_cq_poll(in->yard->end[n].cq, &got, 1) == 1) {
        if (got.status != TERN_ST_OK)
            errx(1, "%s of node %u: %s", in->kind->name, n,
                 tern_completion_format(&got, text, sizeof(text)));
        if (got.opcode == TERN_OP_RECV)
            came++;
        else
            ended++;
    }
    if (came)
        yard_must(tern_rq_release(in->rq, came), "release");
    return ended;
}

static void turn(struct incast *in)
{
    in->yard->still = true;
    for (unsigned n = 0; n < in->yard->nodes; n++) {
        int status = 0;

        in->ended[n] += take(in, n);
        if (in->drained || !(in->stage->senders >> n & 1))
            continue;
        while ((status = in->kind->post(in, n)) >= 0)
            in->posted[n]++;
        if (status != -TERN_ST_AGAIN)
            yard_must(status, in->kind->name);
        yard_must(tern_sq_flush(in->yard->end[n].sq), "flush");
    }
    in->yard->still = false;
    tern_sim_run(in->yard->sim, TURN);
}

static void drain(struct incast *in)
{
    bool all = false;

    in->drained = true;
    for (unsigned turns = 0; !all; turns++) {
        turn(in);
        all = true;
        for (unsigned n = 1; n < in->yard->nodes; n++)
            all = all && in->ended[n] == in->posted[n];
        if (turns == DRAIN_TURNS)
            errx(1, "%s: operations did not end", in->kind->name);
    }
    in->drained = false;
}

static void tell(const struct incast *in, const unsigned before[64], uint64_t cycles)
{
    char shape[32];
    double least = INFINITY, most = 0, sum = 0, mean;
    unsigned senders = (unsigned)__builtin_popcountll(in->stage->senders);

    snprintf(shape, sizeof(shape), "%ux%ux%u", in->yard->dims[0], in->yard->dims[1],
             in->yard->dims[2]);
    for (unsigned n = 1; n < in->yard->nodes; n++) {
        double done = in->ended[n] - before[n];

        if (!(in->stage->senders >> n & 1))
            continue;
        fprintf(stderr, "%s, %s: node %u, %u links away: %.0f\n", shape, in->kind->name,
                n, yard_distance(in->yard, n, 0), done);
        least = fmin(least, done);
        most = fmax(most, done);
        sum += done;
    }
    mean = sum / senders;
    printf("bench incast_%s%s %.2f of_mean tier=rtl source=%s shape=%s senders=%u "
           "cycles=%llu most=%.2f rate=%.2f\n",
           in->kind->name, in->stage->suffix, mean > 0 ? least / mean : 0, source, shape,
           senders, (unsigned long long)cycles, mean > 0 ? most / mean : 0,
           sum * 1000 / (double)cycles);
    fflush(stdout);
}

static void measure(struct incast *in, uint64_t window)
{
    unsigned before[64];
    uint64_t begun;
    uint64_t run_up = window / 4 > in->stage->run_up ? window / 4 : in->stage->run_up;

    memset(in->posted, 0, sizeof(in->posted));
    memset(in->ended, 0, sizeof(in->ended));
    for (uint64_t at = 0; at < run_up; at += TURN)
        turn(in);
    memcpy(before, in->ended, sizeof(before));
    begun = tern_sim_cycle(in->yard->sim);
    for (uint64_t at = 0; at < window; at += TURN)
        turn(in);
    tell(in, before, tern_sim_cycle(in->yard->sim) - begun);
    drain(in);
}

static const struct stage stages[] = {
    { "near", "", { 2, 2, 2 }, 0xfe, 0, 400000, 100000 },
    { "few", "_few", { 2, 2, 2 }, 1 << 1 | 1 << 3 | 1 << 7, 0, 20000, 12000 },
    { "far", "_far", { 4, 4, 4 }, ~UINT64_C(1), 8, 20000, 100000 },
};

static void show(const struct stage *stage, const char *only)
{
    struct yard yard;
    struct incast in = { .yard = &yard, .stage = stage };
    _Alignas(64) static uint64_t word;

    yard_open(&yard, stage->dims, BUFFER);
    yard_must(tern_register(yard.end[0].device, &word, sizeof(word),
                            TERN_RIGHT_REMOTE_ATOMIC, &in.word),
              "register");
    yard_must(tern_rq_create(yard.end[0].cq, RQ_LOG2_ENTRIES, 6, TERN_QUEUE_ANY, &in.rq),
              "reception FIFO");
    in.mailbox =
        (struct tern_target){ .node = yard.end[0].node, .queue = tern_rq_number(in.rq) };
    for (unsigned k = 0; k < KINDS; k++) {
        uint64_t window = (uint64_t)kinds[k].each * stage->per *
                          (unsigned)__builtin_popcountll(stage->senders);

        if (only && strcmp(only, kinds[k].name) != 0)
            continue;
        in.kind = &kinds[k];
        measure(&in, window > stage->least ? window : stage->least);
    }
    yard_must(tern_rq_destroy(in.rq), "reception FIFO");
    yard_close(&yard);
}

int main(int argc, char **argv)
{
    for (unsigned s = 0; s < sizeof(stages) / sizeof(stages[0]); s++)
        if (argc == 1 || strcmp(argv[1], stages[s].name) == 0)
            show(&stages[s], argc > 2 ? argv[2] : NULL);
    return 0;
}
