/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of allocation that other allocators are measured by, on a heap of another node: clients
 * take and give back pieces of certain sizes in a certain order.  The test fills each byte of each
 * piece when a client takes it, and checks it when a client gives it back.
 *
 *   larson   chunks of 8 to 1000 bytes, each replaced at random 100 times over; then the next
 *            client inherits all that are left and goes on
 *   xmalloc  some clients take 64 to 128 bytes, others give them back
 *   mstress  powers of two; pieces migrate through a common array; half of them survive a phase
 *   sh8      rows of one size, given back last first or first first, every other one by a neighbour
 *
 * usage: driver_heap_patterns [--operations N] [--seed S]
 *
 * Rules: larson, xmalloc-test, mstress and sh8bench as in mimalloc-bench; written anew.
 */
#include <stdlib.h>
#include <string.h>

#include "chaos.h"
#include "heap_yard.h"
#include "numbers.h"

enum { CLIENTS = 4, BLOCKS = 1000, STOCK = 32, BLOCK = 1 << 16 };

static unsigned operations;
static uint64_t seed = 4141;

/* ---- pieces */

struct piece {
    struct tern_ptr at;
    uint64_t wanted, bytes; /* bytes: that it has */
    unsigned owner, fill;
};

static struct tally {
    uint64_t taken, given, handed, wrong, failed;
    uint64_t live, peak;  /* bytes wanted */
} tally;

static void take(struct piece *piece, unsigned client, uint64_t wanted)
{
    static unsigned fill;

    *piece = (struct piece){.wanted = wanted, .owner = client, .fill = fill++};
    if (tern_alloc(yard.heap[client], wanted, &piece->at)) {
        tally.failed++;
        piece->wanted = 0;
        return;
    }
    piece->bytes = tern_usable_bytes(yard.heap[client], piece->at);
    tally.wrong += piece->bytes < wanted;
    rig_fill(yard_bytes(piece->at), piece->bytes, piece->fill);
    tally.taken++;
    tally.live += wanted;
    if (tally.live > tally.peak)
        tally.peak = tally.live;
}

/* By any client: what another one has is handed on first. */
static void give_back(struct piece *piece, unsigned client)
{
    if (piece->wanted == 0)
        return;
    tally.wrong += !rig_holds(yard_bytes(piece->at), piece->bytes, piece->fill);
    if (piece->owner != client) {
        tally.handed++;
        tally.failed += tern_hand_on(yard.heap[piece->owner], piece->at,
                                     tern_member_holder(yard.member[client])) != 0;
    }
    tally.failed += tern_free(yard.heap[client], piece->at) != 0;
    tally.given++;
    tally.live -= piece->wanted;
    piece->wanted = 0;
}

/* ---- patterns: each takes and gives back about so many */

static void larson(unsigned pairs)
{
    enum { ROUNDS = 100, GENERATIONS = 2 };
    unsigned chunks = pairs / (CLIENTS * ROUNDS * GENERATIONS) + 1;
    struct piece *pieces = calloc((size_t)CLIENTS * chunks, sizeof(*pieces));

    rig_need(pieces ? 0 : -TERN_ST_NO_MEMORY, "memory");
    for (unsigned i = 0; i < CLIENTS * chunks; i++)
        take(&pieces[i], i / chunks, 8 + random_below(&seed, 993));
    for (unsigned generation = 0; generation < GENERATIONS; generation++)
        for (unsigned i = 0; i < CLIENTS * chunks * ROUNDS; i++) {
            unsigned row = i % CLIENTS, client = (row + generation) % CLIENTS;
            struct piece *victim = &pieces[row * chunks + random_below(&seed, chunks)];

            give_back(victim, client);
            take(victim, client, 8 + random_below(&seed, 993));
        }
    for (unsigned i = 0; i < CLIENTS * chunks; i++)
        give_back(&pieces[i], pieces[i].owner);
    free(pieces);
}

static void xmalloc(unsigned pairs)
{
    enum { BATCH = 64 };
    struct piece batch[BATCH];

    for (unsigned done = 0; done < pairs; done += BATCH) {
        unsigned taker = random_below(&seed, CLIENTS / 2);

        for (unsigned i = 0; i < BATCH; i++)
            take(&batch[i], taker, 64 + random_below(&seed, 65));
        for (unsigned i = 0; i < BATCH; i++)
            give_back(&batch[i], taker + CLIENTS / 2);
    }
}

static void mstress(unsigned pairs)
{
    enum { PHASES = 25, PLACES = 256, SURVIVE = 50 /* of a hundred */ };
    static struct piece common[PLACES];

    for (unsigned phase = 0; phase < PHASES; phase++) {
        for (unsigned i = 0; i < pairs / PHASES; i++) {
            unsigned client = random_below(&seed, CLIENTS);
            struct piece *place = &common[random_below(&seed, PLACES)];

            give_back(place, random_below(&seed, 10) ? place->owner : client);
            take(place, client, UINT64_C(8) << random_below(&seed, 10));
        }
        for (unsigned i = 0; i < PLACES; i++)
            if (random_below(&seed, 100) >= SURVIVE || phase + 1 == PHASES)
                give_back(&common[i], common[i].owner);
    }
}

static void sh8(unsigned pairs)
{
    enum { ROW = 96 };
    struct piece row[ROW];

    for (unsigned done = 0; done < pairs; done += ROW) {
        unsigned client = done / ROW % CLIENTS;
        uint64_t bytes = 8 + random_below(&seed, 993);
        bool last_first = random_below(&seed, 2);

        for (unsigned i = 0; i < ROW; i++)
            take(&row[i], client, bytes);
        for (unsigned i = 0; i < ROW; i++) {
            struct piece *piece = &row[last_first ? ROW - 1 - i : i];

            give_back(piece, done / ROW % 2 ? (client + 1) % CLIENTS : client);
        }
    }
}

/* ---- figures */

struct figures {
    double each, waste; /* requests for each piece taken and given back; of a hundred */
};

struct sums {
    uint64_t requests, wanted, given, taken;
};

static struct sums sums(void)
{
    struct sums s = {0};

    for (unsigned i = 0; i < yard.count; i++) {
        struct tern_heap_counts n;

        tern_heap_counts(yard.heap[i], &n);
        s.requests += n.takes + n.word_takes + n.adds + n.owner_puts + n.owner_swaps +
                      n.header_reads + n.map_reads + n.header_swaps + n.map_swaps + n.asked;
        s.wanted += n.bytes_wanted;
        s.given += n.bytes_given;
        s.taken += n.taken;
    }
    return s;
}

/* Since `before`. */
static struct figures figures(const struct sums *before)
{
    struct sums s = sums();
    double given = (double)(s.given - before->given);

    return (struct figures){
        (double)(s.requests - before->requests) / (double)(s.taken - before->taken),
        100.0 * (given - (double)(s.wanted - before->wanted)) / given};
}

/* Each client meets a block of each class: how often that is, depends on the length of a run. */
static void meet_all(void)
{
    for (unsigned client = 0; client < CLIENTS; client++)
        for (uint64_t bytes = 64; bytes <= 1024; bytes += 16) {
            struct piece piece;

            take(&piece, client, bytes);
            give_back(&piece, client);
        }
}

static void run(const char *name, void (*pattern)(unsigned pairs), double most, double waste)
{
    const struct tern_heap_config config = {.path = TERN_ALLOC_FAST, .stock = STOCK};
    struct sums before;
    struct figures f;
    uint64_t blocks;
    unsigned left;

    tally = (struct tally){0};
    yard_join(CLIENTS, &config);
    meet_all();
    before = sums();
    pattern(operations / 2);
    f = figures(&before);
    (void)yard_taken(&blocks);
    yard_quit();
    left = yard_taken(&blocks);
    tap(tally.wrong == 0 && tally.failed == 0 && tally.given == tally.taken && tally.taken > 0,
        "%s: every byte of every piece is as it was filled", name);
    tap(left == 0, "%s: all of it is free in the end", name);
    tap(f.waste <= waste, "%s: a quarter of the memory is wasted at most", name);
    if (most > 0)
        tap(f.each <= most, "%s: a piece takes %.2f requests at most", name, most);
    tap_evidence("M15", "requests=%.3f waste=%.1f", f.each, f.waste);
    tap_note("%s: pieces=%llu handed=%llu wrong=%llu failed=%llu left=%u peak=%llu", name,
             (unsigned long long)tally.taken, (unsigned long long)tally.handed,
             (unsigned long long)tally.wrong, (unsigned long long)tally.failed, left,
             (unsigned long long)tally.peak);
}

int main(int argc, char **argv)
{
    const struct number numbers[] = {{"operations", 'o', "of each pattern", &operations},
                                     {NULL, 0, NULL, NULL}};

    operations = rig_tier_is_soft() ? 10000 : 250;
    numbers_parse(argc, argv, "Allocates by the patterns of known benchmarks.", numbers, &seed);
    yard_open(rig_tier_is_soft() ? BLOCKS : BLOCKS / 8);
    run("larson", larson, 0.13, 25);
    run("xmalloc", xmalloc, 0, 25);
    run("mstress", mstress, 0, 25);
    run("sh8", sh8, 0, 25);
    yard_close();
    return tap_end();
}
