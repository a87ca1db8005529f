/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups and broadcasts in a torus 2x2x2, from hosts in processes of their own. One broadcasts; at
 * each of the other seven nodes one offers memory, gets a counter completion when all bytes have
 * arrived, and checks every byte. The parent has no device: it connects the hosts and collects
 * their results.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tern/counter.h>
#include <tern/group.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    OTHERS_MAX = 7, /* nodes other than the origin */
    ARENA = 8192,
    BYTES = 5000, /* of a broadcast: ten packets */
    AT = 100,     /* offset in the members' memory */
    UNTOUCHED = 0xee,
    COUNTER = 4,
    SMALL = 64,
    INDEX = 100,  /* of the group's key */
    TAG = 0x1234,
    BETWEEN = 5000 /* cycles between two broadcasts */
};

/* Returns a safety net for all waits: time-outs of the chip take minutes on a busy machine. */
static int wait_ms(void)
{
    return rig_tier_is_soft() ? 60000 : 600000;
}

/* The memory that a host registers for the group. */
enum offer { OFFERS_ALL, OFFERS_LITTLE, OFFERS_UNDER_ANOTHER_KEY, OFFERS_NOTHING };

struct host {
    const struct rig *rig;
    uint16_t node;
    enum offer offer;
};

/* Ends the process and names the failed call; the parent then gets no further answer. */
static void is(bool good, const char *what)
{
    if (good)
        return;
    printf("# failed: %s\n", what);
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

static struct tern_device *open_at(const struct rig *rig, uint16_t node)
{
    char uri[32] = "sim:";
    struct tern_device *device = NULL;

    setenv("TERN_SIM_DIR", rig->dir, 1);
    tern_node_format(node, uri + 4);
    gives(tern_open(uri, &device), 0, "tern_open");
    return device;
}

/* ---- a host that offers memory ---- */

struct offering {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_region *region;
    uint8_t memory[ARENA];
};

/* Registers memory; kinds other than OFFERS_ALL are for hosts that must get nothing. */
static void offer(struct offering *o, enum offer kind)
{
    uint32_t key = tern_group_key(INDEX, TAG);

    gives(tern_counter_watch(o->cq, COUNTER, BYTES), 0, "tern_counter_watch");
    if (kind == OFFERS_UNDER_ANOTHER_KEY)
        gives(tern_register_with(o->device,
                &(struct tern_region_attr){.addr = o->memory, .bytes = ARENA,
                                           .rights = TERN_RIGHT_REMOTE_WRITE,
                                           .keyed = true,
                                           .key = tern_group_key(INDEX, TAG + 1),
                                           .counted = true, .counter = COUNTER},
                &o->region), 0,
              "tern_register_with");
    else if (kind != OFFERS_NOTHING)
        gives(tern_register_with(o->device,
                &(struct tern_region_attr){.addr = o->memory,
                                           .bytes = kind == OFFERS_ALL ? ARENA : SMALL,
                                           .member = true, .key = key, .counted = true,
                                           .counter = COUNTER},
                &o->region), 0, "tern_register_with");
    if (kind == OFFERS_ALL)
        gives(tern_register_with(o->device,
                &(struct tern_region_attr){.addr = o->memory, .bytes = ARENA,
                                           .rights = TERN_RIGHT_REMOTE_WRITE,
                                           .keyed = true, .key = key, .counted = true,
                                           .counter = COUNTER},
                &o->region), -TERN_ST_QUEUE_BUSY, "the same key again");
}

static bool is_untouched(const uint8_t *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != UNTOUCHED)
            return false;
    return true;
}

/*
 * Checks after the counter's completion that all bytes have arrived and no others changed; then
 * resets the memory.
 */
static bool has_come(struct offering *o)
{
    struct tern_completion done = next_completion(o->cq, wait_ms());
    bool good = done.opcode == TERN_OP_COUNTER && done.index == COUNTER &&
                done.status == TERN_ST_OK && rig_holds(o->memory + AT, BYTES, 1) &&
                is_untouched(o->memory, AT) &&
                is_untouched(o->memory + AT + BYTES, ARENA - AT - BYTES);

    memset(o->memory, UNTOUCHED, ARENA);
    gives(tern_counter_watch(o->cq, COUNTER, BYTES), 0, "tern_counter_watch");
    return good;
}

/* Commands: check that all has arrived; check that nothing has; quit. */
static void offering(const void *arg, int in, int out)
{
    static struct offering o;
    const struct host *host = arg;
    char word = 'r';

    o.device = open_at(host->rig, host->node);
    gives(tern_cq_create(o.device, 4, 0, &o.cq), 0, "tern_cq_create");
    memset(o.memory, UNTOUCHED, ARENA);
    offer(&o, host->offer);
    while (give(out, &word, 1) && get(in, &word, 1) && word != 'q') {
        struct tern_completion none;
        bool good = word == 'c'
                        ? has_come(&o)
                        : is_untouched(o.memory, ARENA) && tern_cq_poll(o.cq, &none, 1) == 0;

        word = good ? 'y' : 'n';
    }
    if (o.region)
        gives(tern_release(o.region), 0, "tern_release");
    gives(tern_counter_set(o.device, COUNTER, 0), 0, "tern_counter_set");
    gives(tern_cq_destroy(o.cq), 0, "tern_cq_destroy");
    tern_close(o.device);
}

static struct child others[OTHERS_MAX];
static struct host hosts[OTHERS_MAX];
static unsigned others_count = OTHERS_MAX; /* nodes but the origin's */

/* Returns node 1 to 7: x, y, z are the bits of the number. */
static uint16_t node_of(unsigned number)
{
    return tern_node(number & 1, number >> 1 & 1, number >> 2 & 1);
}

/* Starts the other hosts; `odd` offers something else. */
static bool start_others(const struct rig *rig, uint16_t odd, enum offer kind)
{
    bool good = true;

    for (unsigned i = 0; i < others_count; i++) {
        uint16_t node = node_of(i + 1);
        char word = 0;

        hosts[i] = (struct host){rig, node, node == odd ? kind : OFFERS_ALL};
        others[i] = child_start(offering, &hosts[i]);
        good = good && get(others[i].from, &word, 1) && word == 'r';
    }
    return good;
}

static bool other_says(struct child *other, char question)
{
    char word = 0;

    return give_word(other, question) && get(other->from, &word, 1) && word == 'y';
}

/* Returns how many answer yes. */
static unsigned others_say(char question)
{
    unsigned yes = 0;

    for (unsigned i = 0; i < others_count; i++)
        yes += others[i].pid > 0 && other_says(&others[i], question);
    return yes;
}

static bool end_others(void)
{
    bool good = true;

    for (unsigned i = 0; i < others_count; i++)
        if (others[i].pid > 0) {
            good = give_word(&others[i], 'q') && good;
            good = child_end(&others[i]) && good;
        }
    return good;
}

/* ---- the host that broadcasts ---- */

struct origin {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_group *group;
    struct tern_info info;
    uint8_t memory[ARENA];
};

static struct origin o;

static void origin_open(const struct rig *rig)
{
    o.device = open_at(rig, 0);
    rig_fill(o.memory, BYTES, 1);
    gives(tern_query(o.device, &o.info), 0, "tern_query");
    gives(tern_register(o.device, o.memory, ARENA, TERN_RIGHT_LOCAL_READ, &o.region), 0,
          "tern_register");
    gives(tern_cq_create(o.device, 5, 0, &o.cq), 0, "tern_cq_create");
    gives(tern_sq_create(o.cq, 4, &o.sq), 0, "tern_sq_create");
}

static void all_nodes(void)
{
    gives(tern_group_create(o.cq, tern_box_all(o.info.dims), tern_group_key(INDEX, TAG), AT + BYTES,
                            &o.group), 0, "tern_group_create");
}

static void origin_close(int out)
{
    tern_close(o.device);
    is(give(out, "y", 1), "the end");
}

static uint64_t stat(const char *name)
{
    uint64_t stats[TERN_STAT_COUNT];

    gives(tern_stats(o.device, stats), 0, "tern_stats");
    return stats[tern_stat_find(name)];
}

static int bcast(unsigned flags, uint64_t context)
{
    return tern_bcast(o.sq, o.group, o.region, 0, BYTES, AT, flags, context);
}

/* Lets the parent check the others before it goes on. */
static void look_there(int in, int out)
{
    char word;

    is(give(out, "o", 1) && get(in, &word, 1), "a word");
}

static void broadcasting(const void *arg, int in, int out)
{
    uint64_t packets, broadcasts;
    char text[TERN_BOX_TEXT];
    struct tern_box box, again;

    origin_open(arg);
    all_nodes();
    box = tern_group_box(o.group);
    is(tern_box_nodes(box, o.info.dims) == 8 && tern_box_holds(box, o.info.dims, 0) &&
           !tern_box_parse(tern_box_format(box, text), &again, NULL) && again.high == box.high,
       "the box");
    is(tern_group_members(o.group, NULL, 0) == others_count, "tern_group_members");
    gives(bcast(TERN_DFLAG_SIGNAL, 1), -TERN_ST_NO_BASE, "tern_bcast before the group is open");
    gives(tern_group_open(o.group, NULL), 0, "tern_group_open");
    packets = stat("tx_packets");
    broadcasts = stat("fw_bcasts");
    gives(bcast(TERN_DFLAG_SIGNAL, 1), 0, "tern_bcast");
    struct tern_completion done = next_completion(o.cq, wait_ms());
    gives((int)done.status, 0, "a broadcast");
    is(done.opcode == TERN_OP_BCAST && done.context == 1 && done.length == BYTES, "its completion");
    printf("# evidence N32 descriptors=%llu packets=%llu members=%u\n",
           (unsigned long long)(stat("fw_bcasts") - broadcasts),
           (unsigned long long)(stat("tx_packets") - packets), others_count);
    fflush(stdout);
    is(stat("fw_bcasts") - broadcasts == 1 && stat("tx_packets") - packets == 10,
       "one descriptor, each packet once");
    look_there(in, out);
    gives(bcast(TERN_DFLAG_SIGNAL | TERN_DFLAG_UNACKED, 2), 0, "tern_bcast");
    done = next_completion(o.cq, wait_ms());
    is(done.status == TERN_ST_OK && done.context == 2, "sent");
    look_there(in, out);
    for (uint32_t at = 0; at < BYTES; at += 25) { /* 200 pieces; the last waits for all */
        unsigned last = at + 25 == BYTES ? TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE : 0;

        while (tern_bcast_inline(o.sq, o.group, o.memory + at, 25, AT + at, last, 3) ==
               -TERN_ST_AGAIN)
            is(tern_cq_poll(o.cq, &done, 1) == 0, "nothing to tell");
    }
    gives((int)next_completion(o.cq, wait_ms()).status, 0, "many broadcasts at once");
    look_there(in, out);
    gives(tern_group_destroy(o.group), 0, "tern_group_destroy");
    origin_close(out);
}

/* This node is also a member, and gets a copy of its own broadcast. */
static void broadcasting_to_itself(const void *arg, int in, int out)
{
    static uint8_t own[ARENA];
    struct tern_region *region;

    (void)in;
    origin_open(arg);
    memset(own, UNTOUCHED, ARENA);
    gives(tern_register_with(o.device,
            &(struct tern_region_attr){.addr = own, .bytes = ARENA, .member = true,
                                       .key = tern_group_key(INDEX, TAG)},
            &region), 0, "tern_register_with");
    all_nodes();
    gives(tern_group_open(o.group, NULL), 0, "tern_group_open");
    gives(bcast(TERN_DFLAG_SIGNAL | TERN_DFLAG_SELF, 1), 0, "tern_bcast");
    gives((int)next_completion(o.cq, wait_ms()).status, 0, "a broadcast");
    is(rig_holds(own + AT, BYTES, 1) && is_untouched(own, AT) &&
           is_untouched(own + AT + BYTES, ARENA - AT - BYTES),
       "the copy of this node");
    origin_close(out);
}

/* Only two of the seven, at opposite corners: the box is still the whole torus. */
static void broadcasting_to_two(const void *arg, int in, int out)
{
    const uint16_t members[] = {node_of(7), 0, node_of(1)};

    (void)in;
    origin_open(arg);
    gives(
        tern_group_create_list(o.cq, members, 3, tern_group_key(INDEX, TAG), AT + BYTES, &o.group),
        0, "tern_group_create_list");
    is(tern_box_nodes(tern_group_box(o.group), o.info.dims) == 8, "the box around two");
    gives(tern_group_open(o.group, NULL), 0, "tern_group_open");
    gives(bcast(TERN_DFLAG_SIGNAL, 1), 0, "tern_bcast");
    gives((int)next_completion(o.cq, wait_ms()).status, 0, "a broadcast to two");
    origin_close(out);
}

static void naming_badly(const void *arg, int in, int out)
{
    const uint16_t outside[] = {node_of(1), tern_node(2, 0, 0)};
    const uint16_t twice[] = {node_of(1), node_of(2), node_of(1)};
    const uint32_t key = tern_group_key(INDEX, TAG);
    uint64_t sent;

    (void)in;
    origin_open(arg);
    sent = stat("tx_packets");
    gives(tern_group_create_list(o.cq, outside, 2, key, BYTES, &o.group), -TERN_ST_BAD_NODE,
          "a member outside the torus");
    gives(tern_group_create_list(o.cq, twice, 3, key, BYTES, &o.group), -TERN_ST_DUP_MEMBER,
          "a member named twice");
    gives(tern_group_create(o.cq, (struct tern_box){0, tern_node(1, 1, 2)}, key, BYTES, &o.group),
          -TERN_ST_BAD_BOX, "a box beyond the torus");
    gives(tern_group_create(o.cq, (struct tern_box){node_of(1), node_of(1)}, key, BYTES, &o.group),
          -TERN_ST_BAD_BOX, "a box without the origin");
    is(stat("tx_packets") == sent, "nothing is sent");
    origin_close(out);
}

/* The errors of a member, and the side at fault, for each kind of `odd` offer. */
static const struct {
    enum offer offer;
    enum tern_status want;
    const char *name;
} odd_ones[] = {
    {OFFERS_NOTHING, TERN_ST_NO_BASE, "no memory for the group"},
    {OFFERS_UNDER_ANOTHER_KEY, TERN_ST_NO_BASE, "memory under another key"},
    {OFFERS_LITTLE, TERN_ST_BAD_RANGE, "too little memory"},
};

static unsigned odd_node = 5; /* 1.0.1 */
static unsigned odd_row;

static void opening_in_vain(const void *arg, int in, int out)
{
    struct tern_member members[OTHERS_MAX];
    uint16_t node = 0;
    uint64_t broadcasts;

    (void)in;
    origin_open(arg);
    all_nodes();
    broadcasts = stat("fw_bcasts");
    gives(tern_group_open(o.group, &node), -(int)odd_ones[odd_row].want, odd_ones[odd_row].name);
    is(node == node_of(odd_node), "the member is named");
    tern_group_members(o.group, members, others_count);
    for (unsigned i = 0; i < others_count; i++)
        is(members[i].status == (members[i].node == node ? odd_ones[odd_row].want : TERN_ST_OK),
           "tern_group_members");
    gives(bcast(TERN_DFLAG_SIGNAL, 1), -(int)odd_ones[odd_row].want, "tern_bcast");
    is(stat("fw_bcasts") == broadcasts, "nothing is sent");
    origin_close(out);
}

/*
 * Waits for cycles of the NIC between two broadcasts, so that events at the others have a known
 * time.
 */
static void let_pass(uint64_t cycles)
{
    uint64_t since = 0, now = 0;

    gives(tern_cycles(o.device, &since), 0, "tern_cycles");
    do
        gives(tern_cycles(o.device, &now), 0, "tern_cycles");
    while (now - since < cycles);
}

/* Broadcasts until one fails; returns how many were delivered. */
static unsigned broadcast_till_it_fails(struct tern_completion *failed)
{
    for (unsigned delivered = 0;; delivered++) {
        gives(bcast(TERN_DFLAG_SIGNAL, delivered), 0, "tern_bcast");
        *failed = next_completion(o.cq, wait_ms());
        if (failed->status != TERN_ST_OK) {
            is(failed->context == delivered && failed->opcode == TERN_OP_BCAST, "its completion");
            return delivered;
        }
        let_pass(BETWEEN);
    }
}

/*
 * Opens the group, then the parent kills one of the members. That NIC may notice it by a failed
 * write, before the connection ends.
 */
static void broadcasting_to_the_gone(const void *arg, int in, int out)
{
    struct tern_completion failed;
    uint16_t node = 0;

    origin_open(arg);
    all_nodes();
    gives(tern_group_open(o.group, NULL), 0, "tern_group_open");
    look_there(in, out);
    broadcast_till_it_fails(&failed);
    is(failed.status == TERN_ST_NO_BASE || failed.status == TERN_ST_HOST_FAULT,
       tern_strerror((int)failed.status));
    is(failed.node == node_of(odd_node), "the member is named");
    gives(bcast(0, 9), -(int)failed.status, "tern_bcast");
    while (tern_group_open(o.group, &node) == -TERN_ST_HOST_FAULT)
        is(node == node_of(odd_node), "the member is named");
    gives(bcast(0, 9), -TERN_ST_NO_BASE, "tern_bcast");
    origin_close(out);
}

/* Broadcasts until a NIC dies. */
static void broadcasting_till_one_dies(const void *arg, int in, int out)
{
    struct tern_completion failed;
    unsigned delivered;
    uint16_t node = 0;

    (void)in;
    origin_open(arg);
    all_nodes();
    gives(tern_group_open(o.group, NULL), 0, "tern_group_open");
    delivered = broadcast_till_it_fails(&failed);
    printf("# evidence N36 delivered=%u status=%u node=%x\n", delivered, failed.status,
           failed.node);
    fflush(stdout);
    gives((int)failed.status, TERN_ST_DEAD_MEMBER, "a broadcast to a NIC that died");
    is(delivered > 0 && failed.node == node_of(others_count), "the member is named");
    gives(tern_group_open(o.group, &node), -TERN_ST_DEAD_MEMBER, "tern_group_open");
    is(node == node_of(others_count), "the member is named by tern_group_open");
    origin_close(out);
}

/* ---- all cases ---- */

static bool ends_well(struct child *child)
{
    char word = 0;
    bool good = get(child->from, &word, 1) && word == 'y';

    return child_end(child) && good;
}

/* Runs the origin to its end; returns whether it succeeded. */
static bool origin_runs(child_fn *run, const struct rig *rig)
{
    struct child origin = child_start(run, rig);

    return ends_well(&origin);
}

/* Waits for the origin's broadcast, then returns how many others received it. */
static unsigned called_back(struct child *origin)
{
    char word = 0;
    unsigned count = get(origin->from, &word, 1) && word == 'o' ? others_say('c') : 0;

    return give_word(origin, 'g') ? count : 0;
}

static bool others_have_it(struct child *origin) { return called_back(origin) == others_count; }

static void delivered(const struct rig *rig)
{
    bool good = start_others(rig, 0, OFFERS_ALL);
    struct child origin = child_start(broadcasting, rig);
    unsigned targets = called_back(&origin);

    good = good && targets == others_count;
    tap_evidence("N15", "origin=1 targets=%u", targets);
    tap_evidence("B6.5", "all=%u", targets);
    tap(good, "one descriptor puts the same bytes into seven hosts, and each is called back");
    good = others_have_it(&origin) && good; /* the origin waits for the question */
    tap(good, "a broadcast that is not acked ends when it was sent, and arrives");
    good = others_have_it(&origin) && good;
    tap(good, "many small broadcasts at once arrive everywhere, and count as one message");
    good = ends_well(&origin) && good;
    good = origin_runs(broadcasting_to_itself, rig) && others_say('c') == others_count && good;
    tap(good, "the origin takes a copy too when it asks for one");
    tap(end_others() && good, "members leave the group");
}

static void not_members(const struct rig *rig)
{
    bool good = true;
    unsigned untouched = 0;

    for (unsigned i = 0; i < others_count; i++) {
        bool member = i + 1 == 1 || i + 1 == 7;
        char word = 0;

        hosts[i] = (struct host){rig, node_of(i + 1),
                                 member ? OFFERS_ALL : OFFERS_UNDER_ANOTHER_KEY};
        others[i] = child_start(offering, &hosts[i]);
        good = good && get(others[i].from, &word, 1) && word == 'r';
    }
    good = good && origin_runs(broadcasting_to_two, rig) && other_says(&others[0], 'c') &&
           other_says(&others[6], 'c');
    for (unsigned i = 1; i < 6; i++)
        untouched += other_says(&others[i], 'u');
    tap_evidence("N35", "members=2 untouched=%u", untouched);
    tap_evidence("B6.5", "subset=2 others=%u", untouched);
    tap(good && untouched == 5,
        "nodes in the box that are no members pass packets on and store nothing");
    tap(end_others(), "those that are no members leave");
}

static void not_ready(const struct rig *rig)
{
    for (odd_row = 0; odd_row < sizeof(odd_ones) / sizeof(odd_ones[0]); odd_row++) {
        bool good = start_others(rig, node_of(odd_node), odd_ones[odd_row].offer);

        good = good && origin_runs(opening_in_vain, rig) && others_say('u') == others_count;
        tap(good, "a member with %s is named, and nothing is sent", odd_ones[odd_row].name);
        if (!end_others())
            tap(false, "the others end well");
    }
}

static void killed(const struct rig *rig)
{
    bool good = start_others(rig, 0, OFFERS_ALL);
    struct child origin = child_start(broadcasting_to_the_gone, rig);
    char word = 0;

    good = good && get(origin.from, &word, 1) && word == 'o';
    child_kill(&others[odd_node - 1]);
    good = good && give_word(&origin, 'g');
    tap(ends_well(&origin) && good,
        "a broadcast to a host that was killed ends with its node's name");
    tap(end_others(), "the other members are none the worse for it");
}

/* Kills hosts of a square of four: the chip reaches its time-outs sooner than with eight nodes. */
static void killed_in_a_square(void)
{
    struct rig rig;

    others_count = odd_node = 3;
    rig_start(&rig, (const char *const[]){"--torus", "2x2x1", NULL});
    killed(&rig);
    rig_stop(&rig);
}

static void died(void)
{
    char path[] = "/tmp/tern-groups-XXXXXX";
    int fd = mkstemp(path);
    struct rig rig;
    bool small = others_count < OTHERS_MAX;
    bool good = fd >= 0 && dprintf(fd, "at 800000 kill %s\n", small ? "1.1.0" : "1.1.1") > 0;

    rig_start(&rig, (const char *const[]){"--torus", small ? "2x2x1" : "2x2x2", "--scenario", path,
                                          NULL});
    good = good && start_others(&rig, 0, OFFERS_ALL);
    tap(origin_runs(broadcasting_till_one_dies, &rig) && good,
        "a broadcast to a NIC that died ends with its name");
    tap(end_others(), "the other hosts end");
    rig_stop(&rig);
    close(fd);
    unlink(path);
}

/* A mesh has no wrap-around. */
static void naming_in_a_mesh(const void *arg, int in, int out)
{
    const struct tern_box over_the_end = {tern_node(2, 0, 0), tern_node(0, 0, 0)};
    const uint32_t key = tern_group_key(INDEX, TAG);

    (void)in;
    origin_open(arg);
    gives(tern_group_create(o.cq, over_the_end, key, BYTES, &o.group), -TERN_ST_BAD_BOX,
          "a box over the end of a mesh");
    gives(tern_group_create(o.cq, (struct tern_box){tern_node(1, 0, 0), tern_node(2, 0, 0)}, key,
                            BYTES, &o.group),
          -TERN_ST_BAD_BOX, "a box without the origin");
    gives(tern_group_create(o.cq, tern_box_all(o.info.dims), key, BYTES, &o.group), 0,
          "all of a mesh");
    is(tern_group_members(o.group, NULL, 0) == 2, "its members");
    origin_close(out);
}

static void mesh(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "3x1x1", "--mesh", NULL});
    tap(origin_runs(naming_in_a_mesh, &rig), "a box that a mesh cannot have is refused");
    rig_stop(&rig);
}

int main(void)
{
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x2x2", NULL});
    tap(origin_runs(naming_badly, &rig),
        "members and boxes that cannot be are refused, each for its reason, and nothing is sent");
    delivered(&rig);
    not_members(&rig);
    if (rig_tier_is_soft()) { /* many hosts come and go, and time-outs take minutes on the chip */
        not_ready(&rig);
        killed(&rig);
    }
    rig_stop(&rig);
    if (!rig_tier_is_soft())
        killed_in_a_square();
    died();
    mesh();
    return tap_end();
}
