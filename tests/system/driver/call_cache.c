/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls through a call cache, between two processes on one host, each with a NIC of its own: every
 * kind of request, by list and prepared, built, found and with holes.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tern/call.h>

#include "chaos.h"
#include "rig_tier.h"

enum { BYTES = 4096, WORD = 2048, WAIT_MS = 60000, KINDS = 64 };

/* ---- the process that has the memory and takes messages */

struct offer {
    struct tern_rptr memory;
    uint16_t queue;
    pid_t process;
};

static void owner(const void *rig, int in, int out)
{
    static uint8_t memory[BYTES];
    struct tern_device *device = rig_open(rig, 1);
    struct tern_region *region;
    struct tern_completion done;
    struct tern_cq *cq;
    struct tern_rq *rq;
    struct offer offer;
    char word;

    gives(tern_register(device, memory, BYTES,
                        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_ATOMIC,
                        &region), 0, "tern_register");
    gives(tern_cq_create(device, 6, 0, &cq), 0, "tern_cq_create");
    gives(tern_rq_create(cq, 5, 6, TERN_QUEUE_ANY, &rq), 0, "tern_rq_create");
    offer = (struct offer){tern_region_pointer(region, 0), tern_rq_number(rq), getpid()};
    (void)give(out, &offer, sizeof(offer));
    while (get(in, &word, 1) && word != 'e') { /* a message is to come: its number and bytes */
        uint8_t told[40] = {0};

        if (word == 's') { /* the figures of this NIC */
            uint64_t values[TERN_STAT_COUNT];

            gives(tern_stats(device, values), 0, "tern_stats");
            (void)give(out, values, sizeof(values));
            continue;
        }
        done = next_completion(cq, WAIT_MS);
        memcpy(told, &done.imm, sizeof(done.imm));
        if (done.opcode == TERN_OP_RECV && done.length <= 32)
            memcpy(told + 8, done.data, done.length);
        gives(tern_rq_release(rq, 1), 0, "tern_rq_release");
        (void)give(out, told, sizeof(told));
    }
    tern_close(device);
}

/* ---- the caller */

static struct {
    struct child child;
    struct offer offer;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_calls *calls;
    _Alignas(8) uint8_t from[BYTES], to[BYTES];
} me;

static struct tern_sge at(uint8_t *place, uint32_t bytes)
{
    return (struct tern_sge){me.region, place, bytes};
}

static uint64_t doorbells(void)
{
    uint64_t values[TERN_STAT_COUNT];

    gives(tern_stats(me.device, values), 0, "tern_stats");
    return values[TERN_STAT_doorbells];
}

static struct tern_calls_counts counts(void)
{
    struct tern_calls_counts counts;

    tern_calls_counts(me.calls, &counts);
    return counts;
}

/* The next completion is that of `id`, and good. */
static bool ends(uint64_t id)
{
    struct tern_completion done = next_completion(me.cq, WAIT_MS);
    char text[160];

    if (done.status != TERN_ST_OK)
        tap_note("%s", tern_completion_format(&done, text, sizeof(text)));
    return done.context == id && done.status == TERN_ST_OK;
}

/* A put of three segments and a read of what they wrote, in other pieces, as one call. */
struct copy {
    struct tern_sge put[3], read[2];
    struct tern_wr wr[2];
};

static void fill_copy(struct copy *copy)
{
    *copy = (struct copy){
        .put = {at(me.from, 100), at(me.from + 200, 60), at(me.from + 300, 8)},
        .read = {at(me.to + 8, 128), at(me.to + 600, 40)},
        .wr = {{.id = 1, .opcode = TERN_WR_PUT, .sge_count = 3, .remote = me.offer.memory},
               {.id = 2, .opcode = TERN_WR_READ, .sge_count = 2, .remote = me.offer.memory,
                .flags = TERN_WR_SIGNAL | TERN_WR_FENCE}}};
    copy->wr[0].next = &copy->wr[1];
    copy->wr[0].sges = copy->put;
    copy->wr[1].sges = copy->read;
}

static bool is_copied(void)
{
    uint8_t want[168], got[168];

    memcpy(want, me.from, 100);
    memcpy(want + 100, me.from + 200, 60);
    memcpy(want + 160, me.from + 300, 8);
    memcpy(got, me.to + 8, 128);
    memcpy(got + 128, me.to + 600, 40);
    return memcmp(want, got, sizeof(want)) == 0;
}

static void renew(unsigned seed)
{
    rig_fill(me.from, BYTES, seed);
    memset(me.to, 0, BYTES);
}

static void test_copies(void)
{
    bool good = true;
    uint64_t rung, before;
    struct copy copy;

    renew(1);
    fill_copy(&copy);
    before = doorbells();
    gives(tern_call(me.calls, copy.wr, NULL), 0, "tern_call");
    good = ends(2) && is_copied();
    rung = doorbells() - before;
    tap(good && counts().misses == 1, "requests with several segments move all of them");
    for (unsigned i = 2; i < 20 && good; i++) {
        renew(i);
        fill_copy(&copy);
        gives(tern_call(me.calls, copy.wr, NULL), 0, "tern_call");
        good = ends(2) && is_copied();
    }
    tap(good && counts().hits == 18 && counts().misses == 1 && counts().unlike == 0,
        "the same call again is found, and moves what is there now");
    tap_evidence("F1", "built=%u found=%u", (unsigned)counts().misses, (unsigned)counts().hits);
    tap_evidence("F2", "built=%u found=%u", (unsigned)counts().misses, (unsigned)counts().hits);
    tap(rung <= 2, "a call leaves by one doorbell"); /* beside that of the command for figures */
    tap_evidence("F4", "requests=2 segments=5 doorbells=%u",
                 (unsigned)(rung > 1 ? rung - 1 : rung));
}

/* ---- the way to the NIC, and from one NIC to the other */

static void figures(bool there, uint64_t values[TERN_STAT_COUNT])
{
    const size_t bytes = TERN_STAT_COUNT * sizeof(*values);

    if (!there)
        gives(tern_stats(me.device, values), 0, "tern_stats");
    else if (!give(me.child.to, "s", 1) || !get(me.child.from, values, bytes))
        tap(false, "the other process sends its figures");
}

/* Descriptors of `count` puts that came by writes of the host, and those that the NIC fetched. */
static bool way_of(unsigned count, unsigned *written, unsigned *fetched)
{
    uint64_t before[TERN_STAT_COUNT], after[TERN_STAT_COUNT], command[TERN_STAT_COUNT];
    struct tern_sge sge = at(me.from, 8);
    struct tern_wr wr[8];
    bool good;

    for (unsigned i = 0; i < count; i++)
        wr[i] = (struct tern_wr){.next = i + 1 < count ? &wr[i + 1] : NULL, .id = 9,
                                 .sges = &sge, .sge_count = 1, .opcode = TERN_WR_PUT,
                                 .flags = (uint8_t)(i + 1 < count ? 0 : TERN_WR_SIGNAL),
                                 .remote = me.offer.memory};
    figures(false, command);
    figures(false, before);
    gives(tern_call(me.calls, wr, NULL), 0, "tern_call");
    good = ends(9);
    figures(false, after);
    /* without those of the command that brings the figures */
    *written = (unsigned)(after[TERN_STAT_inline_descs] - 2 * before[TERN_STAT_inline_descs] +
                          command[TERN_STAT_inline_descs]);
    *fetched = (unsigned)(after[TERN_STAT_fetched_descs] - 2 * before[TERN_STAT_fetched_descs] +
                          command[TERN_STAT_fetched_descs]);
    return good;
}

static void test_way(void)
{
    unsigned written[2], fetched[2];
    bool good = way_of(1, &written[0], &fetched[0]) && way_of(8, &written[1], &fetched[1]);

    tap(good && written[0] == 1 && fetched[0] == 0,
        "the descriptor of a call gets to the NIC by writes of the host");
    tap_evidence("F9", "requests=1 written=%u fetched=%u", written[0], fetched[0]);
    tap(good && written[1] == 0 && fetched[1] == 8,
        "the descriptors of a longer call are fetched after one write");
    tap_evidence("F9", "requests=8 by_window=%u by_index=%u", written[1], fetched[1]);
}

static void test_both_nics(void)
{
    uint64_t here[2][TERN_STAT_COUNT], there[2][TERN_STAT_COUNT];
    struct tern_info info;
    struct copy copy;
    unsigned sent, deposited;

    figures(false, here[0]);
    figures(true, there[0]);
    renew(90);
    fill_copy(&copy);
    gives(tern_call(me.calls, copy.wr, NULL), 0, "tern_call");
    if (!ends(2) || !is_copied())
        tap(false, "the call moves its bytes");
    figures(false, here[1]);
    figures(true, there[1]);
    sent = (unsigned)(here[1][TERN_STAT_tx_packets] - here[0][TERN_STAT_tx_packets]);
    deposited = (unsigned)(there[1][TERN_STAT_rx_put_packets] -
                           there[0][TERN_STAT_rx_put_packets]);
    gives(tern_query(me.device, &info), 0, "tern_query");
    tap(sent >= 5 && deposited == 3 && me.offer.process != getpid() &&
            getsid(me.offer.process) == getsid(0) &&
            tern_rptr_node(me.offer.memory) != info.node,
        "two processes of one host reach each other through both NICs");
    tap_evidence("F11", "processes=2 nics=2 sent=%u deposited=%u", sent, deposited);
}

static void test_atomics(void)
{
    struct tern_rptr word = tern_rptr_add(me.offer.memory, WORD);
    struct tern_wr wr[3] = {
        {.id = 1, .opcode = TERN_WR_ADD, .remote = word, .swap = 5, .flags = TERN_WR_SIGNAL},
        {.id = 2, .opcode = TERN_WR_CAS, .remote = word, .compare = 5, .swap = 9,
         .flags = TERN_WR_SIGNAL | TERN_WR_FENCE},
        {.id = 3, .opcode = TERN_WR_CAS, .remote = word, .compare = 5, .swap = 0,
         .flags = TERN_WR_SIGNAL | TERN_WR_FENCE}};
    uint64_t was[3] = {99, 99, 99};

    wr[0].next = &wr[1];
    wr[1].next = &wr[2];
    gives(tern_call(me.calls, wr, NULL), 0, "tern_call");
    for (unsigned i = 0; i < 3; i++) {
        struct tern_completion done = next_completion(me.cq, WAIT_MS);

        if (done.context >= 1 && done.context <= 3)
            was[done.context - 1] = done.value;
    }
    tap(was[0] == 0 && was[1] == 5 && was[2] == 9, "atomic requests bring the word as it was");
}

/* Sends through `post` and compares what the other process received. */
static bool is_received(uint32_t imm, const char *text)
{
    uint8_t told[40];
    uint32_t number;

    if (!give(me.child.to, "m", 1) || !get(me.child.from, told, sizeof(told)))
        return false;
    memcpy(&number, told, sizeof(number));
    return number == imm && strcmp((const char *)told + 8, text) == 0;
}

static void test_prepared(void)
{
    static const struct tern_hole holes[] = {{0, 0, TERN_HOLE_IMM}, {0, 0, TERN_HOLE_ID}};
    static const struct tern_hole moves[] = {{0, 0, TERN_HOLE_LOCAL}, {0, 0, TERN_HOLE_REMOTE},
                                             {0, 0, TERN_HOLE_LENGTH}};
    char text[2][16] = {"first ", "one"};
    struct tern_sge sges[2] = {{.addr = text[0], .bytes = 6}, {.addr = text[1], .bytes = 4}};
    struct tern_wr send = {.id = 3, .opcode = TERN_WR_SEND, .sges = sges, .sge_count = 2,
                           .target = {tern_rptr_node(me.offer.memory), me.offer.queue, 70},
                           .flags = TERN_WR_INLINE | TERN_WR_IMM | TERN_WR_SIGNAL};
    struct tern_sge piece = at(me.from, 64), back = at(me.to, 64);
    struct tern_wr put = {.id = 4, .opcode = TERN_WR_PUT, .sges = &piece, .sge_count = 1,
                          .remote = me.offer.memory},
                   read = {.id = 5, .opcode = TERN_WR_READ, .sges = &back, .sge_count = 1,
                           .remote = tern_rptr_add(me.offer.memory, 1024),
                           .flags = TERN_WR_SIGNAL | TERN_WR_FENCE};
    struct tern_prepared *message, *piecewise;
    bool good;

    gives(tern_call_prepare(me.calls, &send, holes, 2, &message, NULL), 0, "tern_call_prepare");
    gives(tern_call_execute(message), 0, "tern_call_execute");
    good = ends(3) && is_received(70, "first one");
    gives(tern_call_set(message, 0, 71), 0, "tern_call_set");
    gives(tern_call_set(message, 1, 33), 0, "tern_call_set");
    memcpy(text[1], "two", 4);
    gives(tern_call_execute(message), 0, "tern_call_execute");
    good = good && ends(33) && is_received(71, "first two");
    tap(good && counts().executed == 2,
        "a prepared message sends what is there, with its holes filled");

    renew(40);
    gives(tern_call_prepare(me.calls, &put, moves, 3, &piecewise, NULL), 0, "tern_call_prepare");
    gives(tern_call_set(piecewise, 0, (uintptr_t)me.from + 512), 0, "tern_call_set");
    gives(tern_call_set(piecewise, 1, TERN_GET(RPTR, addr, me.offer.memory.w) + 1024), 0,
          "tern_call_set");
    gives(tern_call_set(piecewise, 2, 48), 0, "tern_call_set");
    gives(tern_call_execute(piecewise), 0, "tern_call_execute");
    gives(tern_call(me.calls, &read, NULL), 0, "tern_call");
    tap(ends(5) && memcmp(me.to, me.from + 512, 48) == 0,
        "a prepared put goes from another place to another place");
    tap_evidence("F16", "executed=%u holes=5", (unsigned)counts().executed);
    tern_call_free(message);
    tern_call_free(piecewise);
}

/* ---- descriptors built by hand, and watches */

static unsigned watched;

static void count_gone(struct tern_watch *watch)
{
    (void)watch;
    watched++;
}

static void test_descriptors(void)
{
    const struct tern_masked add = {.swap = 3, .swap_mask = UINT64_MAX};
    const uint64_t contexts[5] = {50, 51, 52, 53, 54};
    const struct tern_target to = {tern_rptr_node(me.offer.memory), me.offer.queue, 90};
    struct tern_rptr word = tern_rptr_add(me.offer.memory, WORD);
    struct tern_desc desc[5];
    uint64_t was = 0;
    bool good = true;

    renew(60);
    gives(tern_desc_put(&desc[0], me.offer.memory, me.region, me.from, 64, 0), 0, "tern_desc_put");
    gives(tern_desc_put_inline(&desc[1], tern_rptr_add(me.offer.memory, 64), me.from + 64, 32, 0),
          0, "tern_desc_put_inline");
    gives(tern_desc_masked(&desc[2], TERN_OP_ADD, word, &add, TERN_DFLAG_SIGNAL), 0,
          "tern_desc_masked");
    gives(tern_desc_send(&desc[3], to, me.region, me.from, 8, TERN_DFLAG_IMM), 0,
          "tern_desc_send");
    gives(tern_desc_read(&desc[4], me.offer.memory, me.region, me.to, 96,
                         TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE), 0, "tern_desc_read");
    for (unsigned round = 0; round < 3 && good; round++) {
        gives(tern_desc_post(me.sq, desc, contexts, 5), 0, "tern_desc_post");
        for (unsigned i = 0; i < 2; i++) {
            struct tern_completion done = next_completion(me.cq, WAIT_MS);

            good = good && done.status == TERN_ST_OK;
            if (done.context == 52)
                was = done.value;
        }
        good = good && was == 9 + 3 * round && memcmp(me.to, me.from, 96) == 0 &&
               give(me.child.to, "m", 1) && get(me.child.from, me.to, 40);
    }
    tap(good, "a list of descriptors does the same each time that it is posted");
}

static void test_watches(void)
{
    static uint8_t memory[2][64];
    struct tern_watch kept = {.gone = count_gone}, ended = {.gone = count_gone},
                      queue = {.gone = count_gone};
    struct tern_region *first, *second;
    struct tern_sq *sq;
    bool good = tern_sq_device(me.sq) == me.device;

    gives(tern_register(me.device, memory[0], 64, TERN_RIGHT_LOCAL_READ, &first), 0,
          "tern_register");
    gives(tern_register(me.device, memory[1], 64, TERN_RIGHT_LOCAL_READ, &second), 0,
          "tern_register");
    gives(tern_sq_create(me.cq, 4, &sq), 0, "tern_sq_create");
    gives(tern_region_watch(me.device, first, &kept), 0, "tern_region_watch");
    gives(tern_region_watch(me.device, second, &ended), 0, "tern_region_watch");
    tern_sq_watch(sq, &queue);
    tern_watch_end(&ended);
    gives(tern_release(second), 0, "tern_release");
    good = good && watched == 0 &&
           tern_region_watch(me.device, second, &ended) == -TERN_ST_STALE_POINTER;
    gives(tern_release(first), 0, "tern_release");
    good = good && watched == 1;
    gives(tern_sq_destroy(sq), 0, "tern_sq_destroy");
    tern_watch_end(&kept); /* it has ended already */
    tap(good && watched == 2, "a watch hears once that its region or queue goes");
}

/* ---- completions as objects */

struct object {
    uint8_t opcode;
    enum tern_status status;
    unsigned uses;
};

static struct object objects[KINDS];
static unsigned made;

static void *make_object(void *arg, const struct tern_completion *kind)
{
    (void)arg;
    if (made == KINDS)
        return NULL;
    objects[made] = (struct object){.opcode = kind->opcode, .status = kind->status};
    return &objects[made++];
}

static void free_object(void *arg, void *object)
{
    (void)arg;
    (void)object;
}

static void test_objects(void)
{
    struct tern_sge sge = at(me.from, 8);
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1,
                         .remote = me.offer.memory, .flags = TERN_WR_SIGNAL};
    struct object *good = NULL, *bad = NULL;
    bool right = true;

    for (unsigned i = 0; i < 10; i++) {
        struct tern_completion done;
        struct object *object;

        wr.remote = me.offer.memory;
        if (i % 2)
            wr.remote.w[2] ^= 0x5a; /* no such key */
        gives(tern_call(me.calls, &wr, NULL), 0, "tern_call");
        done = next_completion(me.cq, WAIT_MS);
        object = tern_calls_object(me.calls, &done);
        right = right && object && object->status == done.status && object->opcode == done.opcode;
        if (!object)
            break;
        object->uses++;
        *(i % 2 ? &bad : &good) = object;
    }
    tap(right && made == 2 && good && bad && good != bad && good->uses == 5 && bad->uses == 5 &&
            good->status == TERN_ST_OK && bad->status != TERN_ST_OK,
        "completions of one kind become one object of the application");
    tap_evidence("F7", "completions=10 objects=%u hits=%u", made,
                 (unsigned)counts().object_hits);
}

/* ---- what goes */

static void test_gone(void)
{
    struct tern_region *region;
    static uint8_t memory[64];
    struct tern_sge sge = {.addr = memory, .bytes = 8};
    struct tern_wr wr = {.id = 6, .opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1,
                         .remote = me.offer.memory, .flags = TERN_WR_SIGNAL};
    struct tern_completion done;
    bool good;
    int status;

    gives(tern_register(me.device, memory, sizeof(memory), TERN_RIGHT_LOCAL_READ, &region), 0,
          "tern_register");
    sge.region = region;
    gives(tern_call(me.calls, &wr, NULL), 0, "tern_call");
    good = ends(6);
    gives(tern_release(region), 0, "tern_release");
    status = tern_call(me.calls, &wr, NULL);
    good = good && status == -TERN_ST_STALE_POINTER && tern_cq_poll(me.cq, &done, 1) == 0;
    gives(tern_register(me.device, memory, sizeof(memory), TERN_RIGHT_LOCAL_READ, &region), 0,
          "tern_register");
    sge.region = region;
    gives(tern_call(me.calls, &wr, NULL), 0, "tern_call");
    good = good && ends(6);
    tap(good, "a call with a released region is refused, and one with its successor works");
    gives(tern_sq_destroy(me.sq), 0, "tern_sq_destroy");
    status = tern_call(me.calls, &wr, NULL);
    tap(status == -TERN_ST_BAD_QUEUE, "after its queue was destroyed a call is refused");
    tap_evidence("F14", "invalidated=%u refused=2", (unsigned)counts().invalidated);
}

int main(void)
{
    const struct tern_calls_config config = {.check_hits = true, .make_object = make_object,
                                             .free_object = free_object};
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    me.child = child_start(owner, &rig);
    if (!get(me.child.from, &me.offer, sizeof(me.offer)))
        tap(false, "the other process is there");
    me.device = rig_open(&rig, 0);
    gives(tern_register(me.device, &me, sizeof(me), TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE,
                        &me.region), 0, "tern_register");
    gives(tern_cq_create(me.device, 7, 0, &me.cq), 0, "tern_cq_create");
    gives(tern_sq_create(me.cq, 6, &me.sq), 0, "tern_sq_create");
    gives(tern_calls_create(me.sq, &config, &me.calls), 0, "tern_calls_create");
    test_copies();
    test_way();
    test_both_nics();
    test_atomics();
    test_prepared();
    test_descriptors();
    test_watches();
    test_objects();
    test_gone();
    tern_calls_destroy(me.calls);
    tern_close(me.device);
    (void)give(me.child.to, "e", 1);
    (void)child_end(&me.child);
    rig_stop(&rig);
    return tap_end();
}
