/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads in a ring of four, between hosts in processes of their own: one keeps bytes, another reads
 * pieces of all sizes; then all read from all with full queues, beside floods of messages; then the
 * keeper is killed while others read.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/counter.h>
#include <tern/read.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    KEPT = 70000,
    WINDOW_LOG2 = 4,
    WINDOW = 1 << WINDOW_LOG2,
    PIECE = 6000, /* maximum, where there are many */
    MESSAGE = 24,
    INBOX_LOG2 = 1, /* few messages fit, so receivers are often not ready */
    MARK = 0x5a,
    COUNTER = 4,
    WAIT_MS = 60000 /* a net */
};

/* Reads of each host, when all read from all. */
static unsigned reads(void)
{
    return rig_tier_is_soft() ? 3000 : 60;
}

static unsigned messages(void)
{
    return rig_tier_is_soft() ? 1000 : 30;
}

/* Returns the byte at `offset` of the pattern of the end called `name`. */
static uint8_t byte_of(unsigned name, size_t offset)
{
    return (uint8_t)(offset * 7 + (offset >> 8) * 13 + name * 59);
}

static void fill(uint8_t *memory, size_t bytes, unsigned name)
{
    for (size_t i = 0; i < bytes; i++)
        memory[i] = byte_of(name, i);
}

static bool holds(const uint8_t *at, size_t bytes, unsigned name, size_t offset)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != byte_of(name, offset + i))
            return false;
    return true;
}

/* ---- the process that owns the bytes ---- */

struct kept {
    struct tern_rptr bytes, word; /* readable; readable and writable */
};

/* Waits for the command to quit. */
static void keeping(const void *arg, int in, int out)
{
    static uint8_t memory[KEPT];
    static uint64_t word;
    struct tern_device *device = rig_open(arg, KEEPER);
    struct tern_region *region;
    struct kept kept;
    char end;

    fill(memory, KEPT, KEEPER);
    gives(tern_register(device, memory, KEPT, TERN_RIGHT_REMOTE_READ, &region), 0, "tern_register");
    kept.bytes = tern_region_pointer(region, 0);
    gives(tern_register(device, &word, sizeof(word),
                        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE, &region),
          0, "tern_register");
    kept.word = tern_region_pointer(region, 0);
    if (!give(out, &kept, sizeof(kept)))
        return;
    (void)get(in, &end, 1);
    tern_close(device);
}

static struct child keeper;
static struct kept kept;

static bool keeper_start(const struct rig *rig)
{
    keeper = child_start(keeping, rig);
    return get(keeper.from, &kept, sizeof(kept));
}

/* ---- one by one ---- */

static struct {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *place, *own;
    uint8_t memory[KEPT], bytes[KEPT]; /* destination; bytes of the own node */
} here;

static void open_here(const struct rig *rig)
{
    here.device = rig_open(rig, 0);
    fill(here.bytes, KEPT, 0);
    gives(tern_register(here.device, here.memory, KEPT, TERN_RIGHT_REMOTE_WRITE, &here.place), 0,
          "tern_register");
    gives(tern_register(here.device, here.bytes, KEPT, TERN_RIGHT_REMOTE_READ, &here.own), 0,
          "tern_register");
    gives(tern_cq_create(here.device, 6, 0, &here.cq), 0, "tern_cq_create");
    gives(tern_sq_create(here.cq, WINDOW_LOG2, &here.sq), 0, "tern_sq_create");
}

/* The memory to read. */
struct source {
    const char *text;
    struct tern_rptr at;
    unsigned name;
};

static bool only_between(size_t from, size_t to)
{
    for (size_t i = 0; i < KEPT; i++)
        if ((i < from || i >= to) && here.memory[i] != MARK)
            return false;
    return true;
}

static bool one_read(const struct source *source, size_t offset, size_t to, uint32_t bytes,
                     unsigned flags)
{
    struct tern_rptr from = tern_rptr_add(source->at, offset);
    struct tern_completion done;

    if (flags & TERN_DFLAG_OFFSET)
        TERN_SET(RPTR, addr, from.w, offset);
    memset(here.memory, MARK, KEPT);
    gives(
        tern_read(here.sq, from, here.place, here.memory + to, bytes, flags | TERN_DFLAG_SIGNAL, 9),
        0, "tern_read");
    done = next_completion(here.cq, WAIT_MS);
    if (done.status == TERN_ST_OK && done.opcode == TERN_OP_READ && done.context == 9 &&
        done.length == bytes && done.node == rig_node(source->name) &&
        holds(here.memory + to, bytes, source->name, offset) && only_between(to, to + bytes))
        return true;
    tap_note("%u bytes at %zu of %s to %zu: %s, length %u", bytes, offset, source->text, to,
             tern_strerror((int)done.status), done.length);
    return false;
}

static void all_sizes(const struct source *source)
{
    static const uint32_t sizes[] = {1,   2,   3,   7,   8,   9,    31,   63,   64,   65,   255,
                                     256, 257, 511, 512, 513, 1023, 1024, 1025, 4096, 65536};
    static const size_t places[][2] = {{0, 0}, {1, 0}, {0, 1}, {5, 3}, {4090, 250}};
    bool good = true;

    for (size_t i = 0; good && i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t j = 0; good && j < sizeof(places) / sizeof(places[0]); j++)
            good = one_read(source, places[j][0], places[j][1], sizes[i],
                            j % 2 ? TERN_DFLAG_OFFSET : 0);
    tap(good, "what is read is what stands there, and comes where it should and nowhere else (%s)",
        source->text);
}

/* Reads without SIGNAL do not complete; the last one waits for them. */
static void quiet_ones(const struct source *source)
{
    struct tern_completion done;

    memset(here.memory, MARK, KEPT);
    for (unsigned i = 0; i < 4; i++)
        gives(tern_read(here.sq, tern_rptr_add(source->at, 700 * i), here.place,
                        here.memory + 700 * i, 700, 0, 8),
              0, "tern_read");
    gives(tern_nop(here.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 9), 0, "tern_nop");
    done = next_completion(here.cq, WAIT_MS);
    tap(done.status == TERN_ST_OK && done.context == 9 &&
            holds(here.memory, 2800, source->name, 0) && only_between(0, 2800),
        "what is behind a fence begins when the bytes are there (%s)", source->text);
}

static void counted_ones(const struct source *source)
{
    struct tern_region *counted;
    struct tern_completion done;
    uint32_t queue = 0, region = 0;

    gives(tern_counter_set(here.device, COUNTER, 10000), 0, "tern_counter_set");
    gives(tern_counter_set(here.device, COUNTER + 1, 10000), 0, "tern_counter_set");
    gives(tern_register_with(here.device,
            &(struct tern_region_attr){.addr = here.memory, .bytes = KEPT,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = COUNTER},
            &counted), 0,
          "tern_register_with");
    gives(tern_sq_count(here.sq, COUNTER + 1), 0, "tern_sq_count");
    gives(tern_read(here.sq, source->at, counted, here.memory, 1234, TERN_DFLAG_SIGNAL, 0), 0,
          "tern_read");
    done = next_completion(here.cq, WAIT_MS);
    gives(tern_sq_count(here.sq, TERN_COUNTER_NONE), 0, "tern_sq_count");
    gives(tern_counter_get(here.device, COUNTER, &region), 0, "tern_counter_get");
    gives(tern_counter_get(here.device, COUNTER + 1, &queue), 0, "tern_counter_get");
    gives(tern_release(counted), 0, "tern_release");
    tap(done.status == TERN_ST_OK && done.length == 1234 && region == 10000 - 1234 &&
            queue == 10000 - 1234,
        "byte counters of the queue and of the place count what was read (%s)", source->text);
}

/*
 * Has the own NIC sample each read of this host's memory. The lean firmware, which the board has,
 * takes no samples and says so.
 */
static void sampled_ones(const struct source *source)
{
    enum { EACH = 0, READS = 3, BYTES = 200 };
    struct tern_cq *samples;
    bool good = true;
    int status;

    gives(tern_cq_create(here.device, 3, 0, &samples), 0, "tern_cq_create");
    status = tern_read_sample(samples, EACH);
    for (unsigned i = 0; !status && good && i < READS; i++) {
        struct tern_completion done;

        good = one_read(source, i, 0, BYTES + i, 0);
        done = next_completion(samples, WAIT_MS);
        good &= done.opcode == TERN_OP_LOOKED && done.node == 0 && done.length == BYTES + i &&
            done.index == 0;
    }
    tap(rig_model() ? status == -TERN_ST_UNSUPPORTED : status == 0 && good,
        "a sample tells who read how much of the own memory, or the firmware takes none");
    gives(tern_cq_destroy(samples), 0, "tern_cq_destroy");
}

/* A put and, after a fence, a read of the same word, a few times. */
static void puts_are_seen(void)
{
    bool good = true;

    for (uint64_t value = 1; value <= 20; value++) {
        uint64_t got = 0;

        gives(tern_put_inline(here.sq, kept.word, &value, sizeof(value), 0, 0), 0,
              "tern_put_inline");
        gives(tern_read(here.sq, kept.word, here.place, here.memory, sizeof(value),
                        TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0),
              0, "tern_read");
        good = next_completion(here.cq, WAIT_MS).status == TERN_ST_OK && good;
        memcpy(&got, here.memory, sizeof(got));
        good = good && got == value;
    }
    tap(good, "a read behind a fence sees the put before it");
}

static void bad_arguments(void)
{
    unsigned posted = 0;
    bool good = tern_read(here.sq, kept.bytes, NULL, here.memory, 8, 0, 0) == -TERN_ST_BAD_ARGUMENT;

    while (tern_read(here.sq, kept.bytes, here.place, here.memory, 8, TERN_DFLAG_SIGNAL | TERN_MORE,
                     0) == 0)
        posted++;
    good = good && posted == WINDOW &&
           tern_read(here.sq, kept.bytes, here.place, here.memory, 8, TERN_DFLAG_SIGNAL, 0) ==
               -TERN_ST_AGAIN;
    for (unsigned i = 0; i < posted; i++)
        good = next_completion(here.cq, WAIT_MS).status == TERN_ST_OK && good;
    tap(good, "a full queue takes no read, and those in it end");
}

/* The largest read, and one byte more. */
static void the_largest(void)
{
    uint8_t *from = malloc(TERN_PUT_BYTES_MAX), *to = calloc(1, TERN_PUT_BYTES_MAX + 1);
    struct tern_region *source, *place;
    struct tern_completion done;
    bool good;

    if (!from || !to) {
        tap(false, "memory");
        return;
    }
    fill(from, TERN_PUT_BYTES_MAX, 1);
    gives(tern_register(here.device, from, TERN_PUT_BYTES_MAX, TERN_RIGHT_REMOTE_READ, &source), 0,
          "tern_register");
    gives(tern_register(here.device, to, TERN_PUT_BYTES_MAX + 1, TERN_RIGHT_REMOTE_WRITE, &place),
          0, "tern_register");
    gives(tern_read(here.sq, tern_region_pointer(source, 0), place, to, TERN_PUT_BYTES_MAX,
                    TERN_DFLAG_SIGNAL, 0),
          0, "tern_read");
    done = next_completion(here.cq, WAIT_MS);
    good = done.status == TERN_ST_OK && done.length == TERN_PUT_BYTES_MAX &&
           !memcmp(from, to, TERN_PUT_BYTES_MAX);
    gives(
        tern_read(here.sq, tern_region_pointer(source, 0), place, to, TERN_PUT_BYTES_MAX + 1, 0, 0),
        0, "tern_read");
    done = next_completion(here.cq, WAIT_MS);
    tap(good && done.status == TERN_ST_BAD_LENGTH && done.fault == 1 && to[TERN_PUT_BYTES_MAX] == 0,
        "as much is read as one put has, and not more");
    gives(tern_release(source), 0, "tern_release");
    gives(tern_release(place), 0, "tern_release");
    free(from);
    free(to);
}

/* ---- all from all ---- */

struct offer {
    struct tern_rptr bytes;
    uint16_t node, inbox;
};

struct worker {
    const struct rig *rig;
    unsigned node;
};

struct tally {
    uint32_t read, wrong, failed, sent, not_ready;
};

struct work {
    struct tern_cq *cq;
    struct tern_sq *reading, *sending;
    struct tern_rq *inbox;
    struct tern_region *place, *letter;
    struct offer offers[RING];
    struct {
        size_t offset;
        uint32_t bytes;
        unsigned name;
    } asked[WINDOW];
    uint32_t free; /* free parts of the window, one bit each */
    unsigned read_posted, send_posted;
    uint64_t random;
    struct tally tally;
    uint8_t kept[KEPT], memory[WINDOW][PIECE], text[MESSAGE];
};

/* Returns mostly small lengths, sometimes many packets. */
static uint32_t some_bytes(uint64_t *random)
{
    static const uint32_t bounds[] = {64, 64, 64, 600, PIECE};

    return 1 + random_below(random, bounds[random_below(random, 5)]);
}

static void read_more(struct work *work)
{
    while (work->free && work->read_posted < reads()) {
        unsigned at = (unsigned)__builtin_ctz(work->free), name = random_below(&work->random, RING);
        uint32_t bytes = some_bytes(&work->random);
        size_t offset = random_below(&work->random, KEPT - bytes);

        if (tern_read(work->reading, tern_rptr_add(work->offers[name].bytes, offset), work->place,
                      work->memory[at], bytes, TERN_DFLAG_SIGNAL, at))
            return;
        work->asked[at].offset = offset;
        work->asked[at].bytes = bytes;
        work->asked[at].name = name;
        work->free &= work->free - 1;
        work->read_posted++;
    }
}

static void send_more(struct work *work, unsigned me)
{
    while (work->send_posted < messages()) {
        const struct offer *to = &work->offers[random_below(&work->random, RING)];
        struct tern_target target = {to->node, to->inbox, me};

        if (tern_send(work->sending, target, work->letter, work->text, MESSAGE, TERN_DFLAG_SIGNAL,
                      WINDOW))
            return;
        work->send_posted++;
    }
}

static void read_ended(struct work *work, const struct tern_completion *done)
{
    unsigned at = (unsigned)done->context;

    if (done->status != TERN_ST_OK)
        work->tally.failed++;
    else if (!holds(work->memory[at], work->asked[at].bytes, work->asked[at].name,
                    work->asked[at].offset))
        work->tally.wrong++;
    work->tally.read++;
    work->free |= 1u << at;
}

/* Handles a completion; sends a message again whose receiver was not ready for too long. */
static void take(struct work *work, const struct tern_completion *done)
{
    if (done->opcode == TERN_OP_RECV) {
        gives(tern_rq_release(work->inbox, 1), 0, "tern_rq_release");
    } else if (done->opcode == TERN_OP_READ) {
        read_ended(work, done);
    } else if (done->status == TERN_ST_OK) {
        work->tally.sent++;
    } else {
        work->tally.not_ready += done->status == TERN_ST_RNR;
        work->tally.failed += done->status != TERN_ST_RNR;
        work->send_posted--;
    }
}

static void work_some(struct work *work, unsigned me)
{
    struct tern_completion done[8];
    int count;

    read_more(work);
    send_more(work, me);
    count = tern_cq_poll(work->cq, done, 8);
    gives(count < 0 ? count : 0, 0, "tern_cq_poll");
    for (int i = 0; i < count; i++)
        take(work, &done[i]);
}

static void work_open(struct work *work, const struct worker *worker, struct offer *mine)
{
    struct tern_device *device = rig_open(worker->rig, worker->node);
    struct tern_region *region;

    fill(work->kept, KEPT, worker->node);
    work->free = (1u << WINDOW) - 1;
    work->random = worker->node + 1;
    gives(tern_register(device, work->kept, KEPT, TERN_RIGHT_REMOTE_READ, &region), 0,
          "tern_register");
    gives(tern_register(device, work->memory, sizeof(work->memory), TERN_RIGHT_REMOTE_WRITE,
                        &work->place),
          0, "tern_register");
    gives(tern_register(device, work->text, MESSAGE, TERN_RIGHT_LOCAL_READ, &work->letter), 0,
          "tern_register");
    gives(tern_cq_create(device, 8, TERN_CQ_POLLED, &work->cq), 0, "tern_cq_create");
    gives(tern_sq_create(work->cq, WINDOW_LOG2, &work->reading), 0, "tern_sq_create");
    gives(tern_sq_create(work->cq, WINDOW_LOG2, &work->sending), 0, "tern_sq_create");
    gives(tern_rq_create(work->cq, INBOX_LOG2, 6, TERN_QUEUE_ANY, &work->inbox), 0,
          "tern_rq_create");
    *mine = (struct offer){tern_region_pointer(region, 0), rig_node(worker->node),
                           tern_rq_number(work->inbox)};
}

/*
 * Sends its offer and receives all of them; reports its results; receives messages until it gets
 * the command to quit.
 */
static void working(const void *arg, int in, int out)
{
    const struct worker *worker = arg;
    static struct work work;
    struct offer mine;
    struct pollfd quit = {.fd = in, .events = POLLIN};

    work_open(&work, worker, &mine);
    if (!give(out, &mine, sizeof(mine)) || !get(in, work.offers, sizeof(work.offers)))
        return;
    while (work.tally.read < reads() || work.tally.sent < messages())
        work_some(&work, worker->node);
    (void)give(out, &work.tally, sizeof(work.tally));
    while (poll(&quit, 1, 0) == 0)
        work_some(&work, worker->node);
    gives(tern_sq_destroy(work.reading), 0, "tern_sq_destroy");
    gives(tern_sq_destroy(work.sending), 0, "tern_sq_destroy");
}

static bool introduce(struct child *workers)
{
    struct offer offers[RING];

    for (unsigned i = 0; i < RING; i++)
        if (!get(workers[i].from, &offers[i], sizeof(offers[i])))
            return false;
    for (unsigned i = 0; i < RING; i++)
        if (!give(workers[i].to, offers, sizeof(offers)))
            return false;
    return true;
}

static void all_from_all(const struct rig *rig)
{
    struct worker jobs[RING];
    struct child workers[RING];
    struct tally sum = {0};
    bool good;

    for (unsigned i = 0; i < RING; i++) {
        jobs[i] = (struct worker){rig, i};
        workers[i] = child_start(working, &jobs[i]);
    }
    good = introduce(workers);
    for (unsigned i = 0; good && i < RING; i++) {
        struct tally one = {0};

        good = get(workers[i].from, &one, sizeof(one));
        sum.read += one.read;
        sum.wrong += one.wrong;
        sum.failed += one.failed;
        sum.sent += one.sent;
        sum.not_ready += one.not_ready;
    }
    tap(good && sum.read == RING * reads() && sum.sent == RING * messages() && sum.failed == 0,
        "nodes that read from each other with full queues beside floods of messages all get done");
    tap(good && sum.wrong == 0, "each of them got the bytes that it asked for");
    tap_note("reads=%u messages=%u not_ready=%u failed=%u", sum.read, sum.sent, sum.not_ready,
             sum.failed);
    tap_evidence("B7.1", "reads=%u messages=%u wrong_bytes=%u", sum.read, sum.sent, sum.wrong);
    for (unsigned i = 0; i < RING; i++)
        if (good)
            good = give_word(&workers[i], 'q') && child_end(&workers[i]);
        else
            child_kill(&workers[i]);
    tap(good, "who took part ends well");
}

/* ---- the keeper is killed ---- */

static void keeper_killed(void)
{
    struct tern_completion done;
    unsigned posted = 0, ended = 0, good = 0;

    while (tern_read(here.sq, kept.bytes, here.place, here.memory, 65536, TERN_DFLAG_SIGNAL, 0) ==
           0)
        posted++;
    child_kill(&keeper);
    for (; ended < posted; ended++)
        good += next_completion(here.cq, WAIT_MS).status == TERN_ST_OK;
    tap(posted == WINDOW, "reads end when the host that has the bytes is killed");
    tap_note("reads=%u good=%u", posted, good);
    gives(tern_read(here.sq, kept.bytes, here.place, here.memory, 64, TERN_DFLAG_SIGNAL, 0), 0,
          "tern_read");
    done = next_completion(here.cq, WAIT_MS);
    tap(done.status != TERN_ST_OK && done.node == rig_node(KEEPER) && done.length == 0,
        "memory of a host that was killed is not read, and the error names its node");
    tap_note("it ends with %s", tern_strerror((int)done.status));
}

int main(void)
{
    struct source sources[2] = {{.text = "another node", .name = KEEPER}, {.text = "the own node"}};
    struct rig rig;
    bool good;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    good = keeper_start(&rig);
    open_here(&rig);
    sources[0].at = kept.bytes;
    sources[1].at = tern_region_pointer(here.own, 0);
    for (unsigned i = 0; good && i < 2; i++) {
        all_sizes(&sources[i]);
        quiet_ones(&sources[i]);
        counted_ones(&sources[i]);
    }
    if (good) {
        puts_are_seen();
        sampled_ones(&sources[1]);
        bad_arguments();
        if (rig_tier_is_soft())
            the_largest();
        all_from_all(&rig);
        keeper_killed();
    }
    good = keeper_start(&rig) && good && give_word(&keeper, 'q');
    tap(child_end(&keeper) && good, "who keeps the bytes ends well");
    gives(tern_sq_destroy(here.sq), 0, "tern_sq_destroy");
    tern_close(here.device);
    rig_stop(&rig);
    return tap_end();
}
