/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library on a real node, inside this process: puts of all kinds, messages and their refusals,
 * byte counters. The test advances time, so every run is the same.
 *
 * Runs all tests twice: the NIC accesses this process's memory itself, or only by messages.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/counter.h>
#include <tern/group.h>
#include <tern/tern.h>

#include "tern_sim.h"
#include "rig_tier.h"

enum {
    BUFFER = 1 << 17,
    GUARD = 16,
    STEP_CYCLES = 64,
    WAIT_CYCLES = 3000000, /* a limit that no test reaches */
    WAIT_MS = 600000,
    QUEUE_LOG2 = 4,
};


struct side {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region;
    uint8_t *memory;
};

static struct tern_sim *sim;
static uint64_t deadline;
static struct side a, b;
static unsigned tests, failures;
static const char *how;
static const char *const fw_path = "build/fw/tern-fw.elf";

static void tap(bool good, const char *name)
{
    printf("%sok %u - %s%s\n", good ? "" : "not ", ++tests, name, how);
    fflush(stdout);
    failures += !good;
}

static void need(int status, const char *what)
{
    if (!status)
        return;
    printf("not ok %u - %s: %s\n", ++tests, what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

/* ---- two nodes */

static void *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 22;
    void *data = malloc(room);

    *bytes = file && data ? fread(data, 1, room, file) : 0;
    if (file)
        fclose(file);
    return data;
}

static int progress(void *arg)
{
    (void)arg;
    tern_sim_run(sim, STEP_CYCLES);
    if (a.device)
        tern_serve(a.device);
    if (b.device)
        tern_serve(b.device);
    return tern_sim_cycle(sim) > deadline;
}

static void allow_time(void)
{
    deadline = tern_sim_cycle(sim) + WAIT_CYCLES;
}

static void side_open(struct side *side, unsigned node)
{
    allow_time();
    need(tern_open_fd(tern_sim_connect(sim, node), progress, NULL, &side->device), "open");
    need(tern_query(side->device, &side->info), "query");
    side->memory = aligned_alloc(4096, BUFFER);
    need(tern_register(side->device, side->memory, BUFFER,
                       TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &side->region), "register");
    need(tern_cq_create(side->device, QUEUE_LOG2 + 1, TERN_CQ_POLLED, &side->cq), "create CQ");
    need(tern_sq_create(side->cq, QUEUE_LOG2, &side->sq), "create SQ");
    need(tern_rq_create(side->cq, 3, 6, TERN_QUEUE_ANY, &side->rq), "create RQ");
}

static void side_close(struct side *side)
{
    tern_close(side->device);
    side->device = NULL;
    free(side->memory);
}

static void set_up(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES] = "";
    int status;
    void *firmware = read_file(fw_path, &config.firmware_bytes);

    config.dims[0] = 2;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.firmware = firmware;
    sim = tern_sim_create(&config, error, &status);
    free(firmware);
    if (!sim)
        printf("# %s\n", error);
    need(sim ? 0 : -1, "a simulator");
    side_open(&a, 0);
    side_open(&b, 1);
}

static void tear_down(void)
{
    side_close(&a);
    side_close(&b);
    tern_sim_destroy(sim);
}

/* Returns the next completion of a side, or one with status WAIT_EXPIRED. */
static struct tern_completion next(struct side *side)
{
    struct tern_completion completion = {.status = TERN_ST_WAIT_EXPIRED};
    int got = 0;

    allow_time();
    while (got == 0 && !tern_cq_wait(side->cq, WAIT_MS))
        got = tern_cq_poll(side->cq, &completion, 1);
    return completion;
}

/* ---- puts */

static void fill(uint8_t *at, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)((i * 131 + (i >> 8) * 7 + seed * 29) ^ seed);
}

static bool is_all(const uint8_t *at, size_t bytes, uint8_t value)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != value)
            return false;
    return true;
}

/* Posts one put, and checks that the bytes arrive and no others change. */
static bool put_lands(uint32_t bytes, uint32_t from, uint32_t to, bool by_descriptor)
{
    struct tern_rptr target = tern_region_pointer(b.region, GUARD + to);
    struct tern_completion done;
    uint8_t *here = a.memory + from, *there = b.memory + GUARD + to;

    fill(here, bytes, bytes + from * 3 + to);
    memset(there - GUARD, 0xee, bytes + 2 * GUARD);
    if (by_descriptor)
        need(tern_put_inline(a.sq, target, here, bytes, TERN_DFLAG_SIGNAL, bytes), "post");
    else
        need(tern_put(a.sq, target, a.region, here, bytes, TERN_DFLAG_SIGNAL, bytes), "post");
    done = next(&a);
    if (done.status == TERN_ST_OK && done.context == bytes && !memcmp(here, there, bytes) &&
        is_all(there - GUARD, GUARD, 0xee) && is_all(there + bytes, GUARD, 0xee))
        return true;
    printf("# put of %u bytes from offset %u to %u: %s\n", bytes, from, to,
           tern_strerror((int)done.status));
    return false;
}

static void puts_of_many_sizes(void)
{
    static const uint32_t sizes[] = {1,   2,   7,   8,   9,    31,   63,   64,   65,    255,  256,
                                     257, 511, 512, 513, 1023, 1024, 4095, 4097, 10000, 65536};
    static const uint32_t offsets[][2] = {{0, 0}, {1, 0}, {0, 3}, {7, 7}, {5, 2}, {4093, 4090}};
    bool good = true;

    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        for (size_t o = 0; o < sizeof(offsets) / sizeof(offsets[0]); o++)
            good &= put_lands(sizes[s], offsets[o][0], offsets[o][1], false);
    tap(good, "puts of many sizes land at any alignment and nowhere else");
}

static void inline_puts(void)
{
    uint64_t before[TERN_STAT_COUNT], after[TERN_STAT_COUNT];
    bool good = true;

    need(tern_stats(a.device, before), "stats");
    for (uint32_t bytes = 1; bytes <= TERN_INLINE_BYTES_MAX; bytes++)
        good &= put_lands(bytes, bytes % 5, bytes % 7, true);
    need(tern_stats(a.device, after), "stats");
    tap(good, "inline puts of 1 to 32 bytes land");
    tap(after[TERN_STAT_inline_descs] - before[TERN_STAT_inline_descs] >= TERN_INLINE_BYTES_MAX,
        "inline puts are taken from the doorbell window");
}

/* Posts more operations than the ring has places, some of them quiet. */
static void many_puts_at_once(void)
{
    enum { PUTS = 200, BYTES = 300 };
    struct tern_completion done[8];
    unsigned posted = 0, completed = 0, errors = 0;

    fill(a.memory, PUTS * BYTES, 77);
    memset(b.memory, 0, PUTS * BYTES);
    allow_time();
    while (completed < PUTS / 10 && tern_sim_cycle(sim) < deadline) {
        unsigned flags = posted % 10 == 9 ? TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE : 0;
        int got;

        if (posted < PUTS &&
            !tern_put(a.sq, tern_region_pointer(b.region, posted * BYTES), a.region,
                      a.memory + posted * BYTES, BYTES, flags, posted)) {
            posted++;
            continue;
        }
        got = tern_cq_poll(a.cq, done, 8);
        for (int i = 0; i < got; i++)
            errors += done[i].status != TERN_ST_OK || done[i].context % 10 != 9;
        completed += got > 0 ? (unsigned)got : 0;
    }
    tap(posted == PUTS && completed == PUTS / 10 && !errors &&
            !memcmp(a.memory, b.memory, PUTS * BYTES),
        "200 puts through a ring of 16, one in ten completing behind its fence");
}

static void bad_lengths(void)
{
    struct tern_rptr target = tern_region_pointer(b.region, 0);

    need(tern_put(a.sq, target, a.region, a.memory, 0, 0, 1), "post");
    tap(next(&a).status == TERN_ST_BAD_LENGTH, "a put of length 0 is refused");
    need(tern_put(a.sq, target, a.region, a.memory, TERN_PUT_BYTES_MAX + 1, 0, 1), "post");
    tap(next(&a).status == TERN_ST_BAD_LENGTH, "a put longer than a descriptor may is refused");
    tap(put_lands(64, 0, 0, false), "the queue serves on after refusals");
}

/* ---- messages */

static struct tern_completion exchange(uint32_t bytes, uint16_t queue)
{
    struct tern_target to = {.node = b.info.node, .queue = queue, .imm = 0xabcd0000 + bytes};

    need(tern_send(a.sq, to, a.region, a.memory, bytes, TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, 5),
         "post");
    return next(&a);
}

static bool message_arrives(uint32_t bytes)
{
    struct tern_completion got;
    bool good;

    fill(a.memory, bytes, bytes);
    if (exchange(bytes, tern_rq_number(b.rq)).status != TERN_ST_OK)
        return false;
    got = next(&b);
    good = got.opcode == TERN_OP_RECV && got.length == bytes && got.imm == 0xabcd0000 + bytes &&
           got.node == a.info.node && got.value == tern_sq_number(a.sq) &&
           !memcmp(got.data, a.memory, bytes);
    return !tern_rq_release(b.rq, 1) && good;
}

static void messages(void)
{
    bool good = true;

    for (uint32_t bytes = 1; bytes <= 64; bytes++)
        good &= message_arrives(bytes);
    tap(good, "messages of 1 to 64 bytes arrive with source and immediate data");
    tap(exchange(65, tern_rq_number(b.rq)).status == TERN_ST_MSG_TOO_LONG,
        "a message longer than the entry is refused");
    tap(exchange(a.info.max_payload + 1, tern_rq_number(b.rq)).status == TERN_ST_BAD_LENGTH,
        "a message longer than a packet is refused");
    tap(exchange(8, TERN_QUEUE_ANY - 1).status == TERN_ST_BAD_QUEUE,
        "a message to a queue that does not exist is refused");
    tap(message_arrives(32), "messages arrive after refusals");
}

/* The FIFO has 8 places: the ninth message waits, is refused, and succeeds once a place is free. */
static void a_full_fifo(void)
{
    struct tern_completion done;
    bool good = true;

    good = message_arrives(8); /* an even number of releases: the library reports two at once */
    for (int i = 0; i < 8; i++)
        good &= exchange(8, tern_rq_number(b.rq)).status == TERN_ST_OK;
    done = exchange(8, tern_rq_number(b.rq));
    good &= done.status == TERN_ST_RNR;
    allow_time();
    for (int i = 0; i < 8; i++)
        good &= next(&b).opcode == TERN_OP_RECV;
    good &= !tern_rq_release(b.rq, 8);
    tap(good && message_arrives(16), "a full FIFO answers receiver-not-ready, nothing is lost");
    printf("# evidence N16 places=8 refused_with=%u\n", (unsigned)done.status);
}

/* A fenced message to the sender itself arrives after the put before it has ended. */
static void a_message_behind_a_put(void)
{
    enum { BYTES = 60000 };
    struct tern_target self = {.node = a.info.node, .imm = 0x1d};
    struct tern_completion got;
    struct tern_rq *rq;

    allow_time();
    need(tern_rq_create(a.cq, 2, 6, TERN_QUEUE_ANY, &rq), "reception FIFO");
    self.queue = tern_rq_number(rq);
    fill(a.memory, BYTES, 77);
    memset(b.memory, 0, GUARD + BYTES);
    need(tern_put(a.sq, tern_region_pointer(b.region, GUARD), a.region, a.memory, BYTES, TERN_MORE,
                  1),
         "put");
    need(tern_send(a.sq, self, NULL, "done", 4, TERN_DFLAG_IMM | TERN_DFLAG_FENCE, 2), "message");
    got = next(&a);
    tap(got.opcode == TERN_OP_RECV && got.imm == self.imm && got.length == 4 &&
            !memcmp(got.data, "done", 4) && !memcmp(a.memory, b.memory + GUARD, BYTES),
        "a message to oneself behind a put says that it is done");
    printf("# evidence N27 bytes=%u told=%u\n", (unsigned)BYTES, got.length);
    need(tern_rq_destroy(rq), "reception FIFO goes");
}

/* ---- regions */

static void byte_counter(void)
{
    struct tern_region *counted;
    struct tern_rptr pointer;
    uint32_t left = 0;

    allow_time();
    need(tern_counter_set(b.device, 3, 1000), "set counter");
    need(tern_register_with(b.device,
            &(struct tern_region_attr){.addr = b.memory, .bytes = 4096,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = 3},
            &counted),
         "register");
    pointer = tern_region_pointer(counted, 0);
    need(tern_put(a.sq, pointer, a.region, a.memory, 600, TERN_DFLAG_SIGNAL, 1), "post");
    next(&a);
    need(tern_counter_get(b.device, 3, &left), "get counter");
    tap(left == 400, "a byte counter counts what was deposited");
    need(tern_release(counted), "release");
    need(tern_put(a.sq, pointer, a.region, a.memory, 600, 0, 1), "post");
    tap(next(&a).status == TERN_ST_BAD_KEY, "the key of a released region is refused");
}

/* One counter counts puts and a message of this node, and a put into it. */
static void shared_counter(void)
{
    enum { COUNTER = 5, FAR = 600, NEAR = 8, MESSAGE = 40, BACK = 200 };
    struct tern_target to = {.node = b.info.node, .queue = tern_rq_number(b.rq)};
    struct tern_rptr far = tern_region_pointer(b.region, 0);
    struct tern_region *counted;
    struct tern_completion done;
    uint32_t left = 0, more = 0;

    allow_time();
    need(tern_counter_watch(a.cq, COUNTER, FAR + NEAR + MESSAGE + BACK), "watch");
    need(tern_register_with(a.device,
            &(struct tern_region_attr){.addr = a.memory + 4096, .bytes = 4096,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = COUNTER},
            &counted),
         "register");
    need(tern_sq_count(a.sq, COUNTER), "tern_sq_count");
    need(tern_put(a.sq, far, a.region, a.memory, FAR, 0, 1), "post");
    need(tern_put_inline(a.sq, far, a.memory, NEAR, 0, 2), "post");
    need(tern_send(a.sq, to, a.region, a.memory, MESSAGE, 0, 3), "post");
    need(tern_sq_count(a.sq, TERN_COUNTER_NONE), "tern_sq_count");
    need(tern_nop(a.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 4), "post");
    done = next(&a);
    need(tern_counter_get(a.device, COUNTER, &left), "get counter");
    tap(done.context == 4 && left == BACK,
        "a counter follows puts and messages and nothing else tells of them");
    tap(next(&b).opcode == TERN_OP_RECV && !tern_rq_release(b.rq, 1),
        "the counted message arrives");

    need(tern_sq_count(a.sq, COUNTER), "tern_sq_count");
    need(tern_put(a.sq, tern_rptr_add(far, BUFFER), a.region, a.memory, FAR, 0, 5), "post");
    done = next(&a);
    need(tern_counter_get(a.device, COUNTER, &more), "get counter");
    tap(done.status == TERN_ST_BAD_RANGE && done.context == 5 && more == BACK,
        "what fails is told and not counted");
    need(tern_sq_count(a.sq, COUNTER + 1), "tern_sq_count");
    need(tern_put(a.sq, far, a.region, a.memory, FAR, 0, 6), "post");
    tap(next(&a).status == TERN_ST_BAD_COUNTER, "a counter that nobody set is refused");
    tap(tern_sq_count(a.sq, 0x100) == -TERN_ST_BAD_COUNTER, "a counter that no NIC has is refused");
    need(tern_sq_count(a.sq, TERN_COUNTER_NONE), "tern_sq_count");

    need(tern_put(b.sq, tern_region_pointer(counted, 0), b.region, b.memory, BACK, 0, 7), "post");
    done = next(&a);
    need(tern_counter_get(a.device, COUNTER, &more), "get counter");
    tap(done.opcode == TERN_OP_COUNTER && done.index == COUNTER && more == 0,
        "bytes that left and bytes that came take one counter to zero which calls back");
    printf("# evidence N26 injected=%u received=%u left=%u\n", FAR + NEAR + MESSAGE, left, more);
    need(tern_release(counted), "release");
}

static void remote_rights(void)
{
    struct tern_region *readable;

    allow_time();
    need(tern_register(b.device, b.memory, 4096, TERN_RIGHT_REMOTE_READ, &readable), "register");
    need(tern_put(a.sq, tern_region_pointer(readable, 0), a.region, a.memory, 8, 0, 1), "post");
    tap(next(&a).status == TERN_ST_BAD_RIGHTS, "a region that may only be read is not written");
    need(tern_release(readable), "release");
    need(tern_put(a.sq, tern_region_pointer(b.region, BUFFER - 4), a.region, a.memory, 8, 0, 1),
         "post");
    tap(next(&a).status == TERN_ST_BAD_RANGE, "a put over the end of a region is refused");
}

static void queues_come_and_go(void)
{
    bool good = true;

    allow_time();
    for (int i = 0; i < 20 && good; i++) {
        struct tern_cq *cq;
        struct tern_sq *sq;
        struct tern_completion done;

        good = !tern_cq_create(a.device, 2, 0, &cq) && !tern_sq_create(cq, 2, &sq) &&
               !tern_nop(sq, TERN_DFLAG_SIGNAL, 9) && !tern_cq_wait(cq, WAIT_MS) &&
               tern_cq_poll(cq, &done, 1) == 1 && done.context == 9 && !tern_sq_destroy(sq) &&
               !tern_cq_destroy(cq);
    }
    tap(good, "queues are made and destroyed over and over");
}

/*
 * Destroys queues with completions that no poll has taken, and makes others of the same numbers: the
 * old completions do not count for these.
 */
static void a_new_queue_of_an_old_number(void)
{
    enum { PLACES = 4 };
    struct tern_completion none;
    struct tern_rq *rq;
    struct tern_sq *sq;
    uint16_t number;
    bool good = true;

    allow_time();
    need(tern_rq_create(b.cq, 2, 6, TERN_QUEUE_ANY, &rq), "reception FIFO");
    number = tern_rq_number(rq);
    for (int i = 0; i < PLACES; i++)
        good &= exchange(8, number).status == TERN_ST_OK;
    need(tern_rq_destroy(rq), "reception FIFO goes");
    need(tern_rq_create(b.cq, 2, 6, number, &rq), "reception FIFO of the same number");
    good &= tern_cq_poll(b.cq, &none, 1) == 0 && tern_rq_release(rq, 1) == -TERN_ST_BAD_ARGUMENT;
    for (int i = 0; i < 3 * PLACES; i++)
        good &= exchange(16, number).status == TERN_ST_OK && next(&b).length == 16 &&
                !tern_rq_release(rq, 1);
    need(tern_rq_destroy(rq), "reception FIFO goes");
    tap(good, "messages to a FIFO that is gone do not count for a new one of its number");

    need(tern_sq_create(b.cq, 2, &sq), "send queue");
    number = tern_sq_number(sq);
    need(tern_nop(sq, TERN_DFLAG_SIGNAL, 11), "post");
    good = !tern_cq_wait(b.cq, WAIT_MS);
    need(tern_sq_destroy(sq), "send queue goes");
    need(tern_sq_create(b.cq, 2, &sq), "send queue");
    good &= tern_sq_number(sq) == number && tern_cq_poll(b.cq, &none, 1) == 0;
    need(tern_nop(sq, TERN_DFLAG_SIGNAL, 12), "post");
    good &= next(&b).context == 12 && tern_cq_poll(b.cq, &none, 1) == 0;
    need(tern_sq_destroy(sq), "send queue goes");
    tap(good, "completions of a send queue that is gone do not count for a new one of its number");
}

static void run_all(void)
{
    set_up();
    puts_of_many_sizes();
    inline_puts();
    many_puts_at_once();
    bad_lengths();
    messages();
    a_full_fifo();
    a_message_behind_a_put();
    byte_counter();
    shared_counter();
    remote_rights();
    queues_come_and_go();
    a_new_queue_of_an_old_number();
    printf("# %llu cycles\n", (unsigned long long)tern_sim_cycle(sim));
    tear_down();
}

int main(void)
{
    how = "";
    run_all();
    setenv("TERN_NO_PROCESS_VM", "1", 1);
    how = ", by messages";
    run_all();
    printf("1..%u\n", tests);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
