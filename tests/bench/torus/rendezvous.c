/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts to many nodes with and without a handshake (meeting.h), on 8, 27 and 64 rtl nodes: from the
 * first beat of the doorbell to the first beat of the last target's completion.
 *
 * usage: rendezvous [nodes]
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "meeting.h"
#include "path.h"

static const char source[] = "tests/bench/torus/rendezvous.c";

static uint64_t last_told(const struct yard *yard)
{
    uint64_t last = 0;

    for (unsigned n = 1; n < yard->nodes; n++)
        if (yard->watch.told_at[n] > last)
            last = yard->watch.told_at[n];
    return last;
}

static unsigned depth_of(const struct yard *yard)
{
    return yard->dims[0] / 2 + yard->dims[1] / 2 + yard->dims[2] / 2;
}

static uint64_t doorbells(const struct yard *yard)
{
    uint64_t sum = 0;

    for (unsigned n = 0; n < yard->nodes; n++)
        sum += yard->watch.rings[n];
    return sum;
}

struct figures {
    uint64_t latency, asked, doorbells;
    struct forms took;
    struct path_time path; /* for PERSISTENT and COMBINED */
};

/* One configuration: the yard, and cycles of a message over one link. */
struct stage {
    struct yard yard;
    struct path *path;
    uint64_t hop;
};

/* Checks the packets on links, which depend on the shape alone. */
static void check_forms(const struct yard *yard, enum variant variant, uint32_t bytes,
                        const struct forms *took)
{
    struct forms wanted = forms_expected(yard, variant, bytes);

    if (memcmp(&wanted, took, sizeof(wanted)) != 0)
        errx(1,
             "%s of %u bytes to %u: %llu packets and %llu bytes on links, %llu heard; it should be "
             "%llu, %llu and %llu", variant_name(variant), bytes, yard->nodes - 1,
                 (unsigned long long)took->packets, (unsigned long long)took->bytes,
                 (unsigned long long)took->heard, (unsigned long long)wanted.packets,
                 (unsigned long long)wanted.bytes, (unsigned long long)wanted.heard);
}

static struct figures measure(struct stage *stage, enum variant variant, uint32_t bytes,
                              unsigned seed)
{
    struct yard *yard = &stage->yard;
    struct path *path = stage->path;
    struct forms before, after;
    struct figures figures = { 0 };

    meeting_prepare(yard, variant, bytes, seed);
    before = forms_counted(yard);
    yard_settle(yard);
    yard_watch(yard);
    path_begin(path);
    meeting_put(yard, variant, bytes);
    path_end(path);
    figures.latency = last_told(yard) - yard->watch.rung;
    figures.asked = yard->watch.sent_at[0] - yard->watch.rung;
    figures.doorbells = doorbells(yard);
    if (variant == COMBINED || variant == PERSISTENT)
        figures.path = path_taken(path);
    yard_settle(yard);
    after = forms_counted(yard);
    figures.took = (struct forms){ after.packets - before.packets, after.bytes - before.bytes,
                                  after.heard - before.heard };
    check_forms(yard, variant, bytes, &figures.took);
    meeting_clear(yard, variant, bytes);
    return figures;
}

static void show(const struct yard *yard, enum variant variant, uint32_t bytes,
                 const struct figures *f)
{
    printf("bench rendezvous_%s_latency %llu cycles tier=rtl source=%s bytes=%u nodes=%u depth=%u "
           "bytes_leave_after=%llu "
           "origin_heard=%llu packets=%llu link_bytes=%llu\n",
           variant_name(variant), (unsigned long long)f->latency, source, bytes, yard->nodes,
           depth_of(yard), (unsigned long long)f->asked, (unsigned long long)f->took.heard,
           (unsigned long long)f->took.packets, (unsigned long long)f->took.bytes);
    if (variant == PERSISTENT)
        printf("bench rendezvous_alone_%u %llu cycles tier=rtl source=%s nodes=%u\n"
               "bench rendezvous_alone_heard %llu messages tier=rtl source=%s bytes=%u nodes=%u\n",
               bytes, (unsigned long long)f->latency, source, yard->nodes,
               (unsigned long long)f->took.heard, source, bytes, yard->nodes);
    if (variant != LITERAL) /* one doorbell, and no other host software */
        printf("bench rendezvous_doorbells %llu doorbells tier=rtl source=%s variant=%s bytes=%u "
               "nodes=%u\n", (unsigned long long)f->doorbells, source, variant_name(variant),
                   bytes, yard->nodes);
}

/* Returns the cycles before the bytes leave that no core works: links, host memory, stalls. */
static uint64_t idle(const struct path_time *path)
{
    return path->cycles - path->firmware;
}

/* Prints what a combined handshake adds besides firmware: links in both directions, and stalls. */
static void show_way(const struct stage *stage, uint32_t bytes, const struct figures *f,
                     const struct figures *without)
{
    const struct path_time *path = &f->path;
    unsigned depth = depth_of(&stage->yard);
    double way = (double)(idle(path) - idle(&without->path));

    printf("bench handshake_combined_answers %u messages tier=rtl source=%s bytes=%u nodes=%u\n",
           path->answers, source, bytes, stage->yard.nodes);
    printf("bench handshake_combined_way %.2f hops tier=rtl source=%s bytes=%u nodes=%u depth=%u "
           "hop=%llu path=%llu firmware=%llu "
           "links=%llu messages=%u of_a_put=%llu\n",
           way / (double)(stage->hop * depth), source, bytes, stage->yard.nodes, depth,
           (unsigned long long)stage->hop, (unsigned long long)path->cycles,
           (unsigned long long)path->firmware, (unsigned long long)path->links, path->messages,
           (unsigned long long)idle(&without->path));
}

/* Prints how much the handshake costs beyond the put alone. */
static void show_handshake(const struct stage *stage, enum variant variant, uint32_t bytes,
                           const struct figures *f, const struct figures *without)
{
    printf("bench handshake_%s_%u %lld cycles tier=rtl source=%s bytes=%u messages=%llu\n",
           variant_name(variant), stage->yard.nodes, (long long)(f->latency - without->latency),
           source, bytes, (unsigned long long)(f->took.packets - without->took.packets));
    if (variant == COMBINED)
        show_way(stage, bytes, f, without);
}

static void measure_size(struct stage *stage, uint32_t bytes, unsigned seed)
{
    struct figures f, without = { 0 };

    for (enum variant v = 0; v < VARIANTS; v++) {
        f = measure(stage, v, bytes, seed);
        show(&stage->yard, v, bytes, &f);
        if (v == PERSISTENT)
            without = f;
        else
            show_handshake(stage, v, bytes, &f, &without);
        fflush(stdout);
    }
}

/* Measures the second of two messages, when all caches and states are warm. */
static uint64_t one_link(struct stage *stage)
{
    struct yard *yard = &stage->yard;
    uint64_t word = 1;

    for (unsigned i = 0; i < 2; i++) {
        yard_settle(yard);
        yard_watch(yard);
        path_begin(stage->path);
        yard_must(tern_put_inline(yard->end[0].sq, tern_region_pointer(yard->end[1].region, 0),
                                  &word, sizeof(word), 0, 0), "put");
        yard_run_until_landed(yard, 1);
        path_end(stage->path);
    }
    return path_of_link(stage->path, 1);
}

static void measure_all(const unsigned dims[3])
{
    static const uint32_t sizes[] = { 8, 4096, MEETING_BYTES };
    struct stage stage;

    yard_open(&stage.yard, dims, MEETING_BUFFER);
    meeting_open(&stage.yard);
    stage.path = path_new(&stage.yard);
    stage.hop = one_link(&stage);
    for (enum variant v = 0; v < VARIANTS; v++)
        (void)measure(&stage, v, 8, 1); /* warms up */
    for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        measure_size(&stage, sizes[s], s + 2);
    path_free(stage.path);
    yard_close(&stage.yard);
}

int main(int argc, char **argv)
{
    unsigned only = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 } };

    for (unsigned i = 0; i < 3; i++)
        if (only == 0 || only == tori[i][0] * tori[i][1] * tori[i][2])
            measure_all(tori[i]);
    return 0;
}
