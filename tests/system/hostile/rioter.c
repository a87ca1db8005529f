/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random requests of a hostile process to its NIC.
 *
 * Most fields are plausible: keys, numbers and addresses of victims, its own, or near those. It
 * makes no request that a victim's key permits, so no request may change anything of the victims.
 * Its queues are the driver's; it posts to them without the driver.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

enum {
    PACE = 16, /* acts, after which each victim must have made a lap */
    PATIENCE_MS = 60000,
    QUEUE_LOG2 = 5,
    PLACES = 1 << QUEUE_LOG2, /* of the send queue */
    MESSAGE_QUEUE = 300, /* where bystanders get messages; other messages are errors to them */
    POSTED = 1 << 16
};

/* How the process ends. */
enum end { END_CLOSE, END_LEAVE, END_RESET, END_SCRIBBLE, ENDS };

struct riot {
    struct lair lair;
    struct tried tried;
    struct tern_cqring ring;
    uint64_t random;
    uint32_t made, heard, laps[NODES]; /* heard: completions taken at the last look */
    bool foreign[POSTED]; /* by index: the descriptor reads memory of others */
    bool over;            /* the connection or the queues are gone */
};

static uint32_t below(struct riot *riot, uint32_t bound)
{
    return random_below(&riot->random, bound);
}

static bool one_in(struct riot *riot, uint32_t count)
{
    return below(riot, count) == 0;
}

static void wrong(struct riot *riot, const char *why)
{
    if (riot->tried.good)
        snprintf(riot->tried.why, sizeof(riot->tried.why), "%s", why);
    riot->tried.good = false;
}

/* ---- names of objects ---- */

static uint32_t key_of(struct tern_rptr pointer)
{
    return (uint32_t)TERN_GET(RPTR, key, pointer.w);
}

/* Tells whether the key gives access to memory of others. */
static bool is_rightful(const struct riot *riot, uint32_t key)
{
    const struct scene *scene = riot->lair.attacker->scene;

    for (unsigned n = 0; n < NODES; n++)
        if (key == key_of(scene->facts[n].target) || key == scene->facts[n].pass ||
            key == scene->facts[n].group ||
            key == scene->bystander_keys[n])
            return true;
    return false;
}

static const struct facts *any_facts(struct riot *riot)
{
    return &riot->lair.attacker->scene->facts[below(riot, NODES)];
}

static bool is_own(const struct riot *riot, uint32_t key)
{
    return key == tern_region_key(riot->lair.open) || key == tern_region_key(riot->lair.closed);
}

static uint32_t own_key(struct riot *riot)
{
    return tern_region_key(one_in(riot, 4) ? riot->lair.closed : riot->lair.open);
}

static uint32_t key_that_exists(struct riot *riot)
{
    const struct facts *facts = any_facts(riot);
    const uint32_t keys[] = {own_key(riot), own_key(riot), key_of(facts->source),
                             key_of(facts->target), key_of(facts->values), key_of(facts->room),
                             facts->released_key, facts->pass, facts->group};

    return keys[below(riot, sizeof(keys) / sizeof(keys[0]))];
}

/* A key, one near it, or one with another tag. */
static uint32_t any_key(struct riot *riot)
{
    uint32_t key = key_that_exists(riot);

    switch (below(riot, 8)) {
    case 0:
        return key + below(riot, 17) - 8;
    case 1:
        return key ^ 0x10000u << below(riot, 16);
    case 2:
        return key + (below(riot, 3) - 1) * 0x10000;
    case 3:
        return one_in(riot, 4) ? TERN_KEY_NONE : (uint32_t)random_next(&riot->random);
    default:
        return key;
    }
}

static uint64_t start_of_something(struct riot *riot)
{
    const struct facts *facts = any_facts(riot);
    uintptr_t own = (uintptr_t)riot->lair.memory.bytes;
    const uint64_t starts[] = {own + open_part.at, own + open_part.at + open_part.bytes,
                               own + closed_part.at, own + closed_part.at + closed_part.bytes, own,
                               own + MEMORY_BYTES, facts->memory + source_part.at,
                               facts->memory + target_part.at, facts->memory,
                               facts->memory + values_part.at, 0, UINT64_MAX};

    return starts[below(riot, sizeof(starts) / sizeof(starts[0]))];
}

static uint64_t any_address(struct riot *riot)
{
    uint64_t at = start_of_something(riot);

    switch (below(riot, 6)) {
    case 0:
        return at - below(riot, 70);
    case 1:
        return at + below(riot, 5000);
    case 2:
        return random_next(&riot->random);
    default:
        return at;
    }
}

static uint32_t any_length(struct riot *riot)
{
    static const uint32_t lengths[] = {0, 1, 7, 8, 9, 31, 32, 33, 64, 511, 512, 513, 1600, 2000,
                                       3000, 4095, 4096, 8000, 8001, 65536, TERN_PUT_BYTES_MAX,
                                       TERN_PUT_BYTES_MAX + 1, 1u << 31, UINT32_MAX};

    return one_in(riot, 3) ? below(riot, 9000)
        : lengths[below(riot, sizeof(lengths) / sizeof(lengths[0]))];
}

static uint32_t any_queue(struct riot *riot)
{
    const struct facts *facts = any_facts(riot);
    const uint32_t queues[] = {facts->sq, facts->cq, facts->rq, riot->lair.sq->number,
                               riot->lair.cq->number, below(riot, 8), 64 + below(riot, 8),
                               below(riot, 512), below(riot, 1024), TERN_QUEUE_ANY};
    uint32_t queue = queues[below(riot, sizeof(queues) / sizeof(queues[0]))];

    return queue == MESSAGE_QUEUE ? 0 : queue;
}

static uint32_t any_node(struct riot *riot)
{
    return one_in(riot, 12) ? (uint32_t)random_next(&riot->random) & 0xffff : below(riot, NODES);
}

/* ---- descriptors ---- */

static uint32_t any_opcode(struct riot *riot)
{
    if (one_in(riot, 10))
        return below(riot, 256);
    return one_in(riot, 2) ? TERN_OP_PUT : below(riot, TERN_OP_ADD + 1);
}

/*
 * Makes an address for a valid key that lies entirely outside its region. The NIC checks a put
 * packet by packet, so one that begins before the region must also end there; otherwise later
 * packets would be valid.
 */
static void aim(struct riot *riot, uint32_t *w)
{
    const struct facts *facts = any_facts(riot);
    uint64_t start = facts->memory + target_part.at;

    TERN_SET(DESC, remote_key, w, key_of(facts->target));
    TERN_SET(DESC, dst_node, w, facts->node);
    TERN_SET(DESC, remote_addr, w, start + target_part.bytes + below(riot, 600));
    if (one_in(riot, 2))
        return;
    TERN_SET(DESC, remote_addr, w, start - 1 - below(riot, 600));
    TERN_SET(DESC, length, w, below(riot, 513));
}

static void aim_anywhere(struct riot *riot, uint32_t *w)
{
    uint32_t key;

    do
        key = any_key(riot);
    while (is_rightful(riot, key));
    TERN_SET(DESC, remote_key, w, key);
    TERN_SET(DESC, dst_node, w, any_node(riot));
    TERN_SET(DESC, remote_addr, w, any_address(riot));
}

static void any_source(struct riot *riot, uint32_t *w)
{
    TERN_SET(DESC, length, w, any_length(riot));
    TERN_SET(DESC, local_addr, w, any_address(riot));
    TERN_SET(DESC, local_key, w, any_key(riot));
    if (one_in(riot, 2)) { /* its own memory, mostly valid */
        TERN_SET(DESC, local_addr, w,
                 (uintptr_t)riot->lair.memory.bytes + open_part.at + below(riot, 8));
        TERN_SET(DESC, local_key, w, tern_region_key(riot->lair.open));
    }
}

/* Makes a put valid in all but the owner. */
static void steal(struct riot *riot, uint32_t *w)
{
    const struct facts *near = riot->lair.near;

    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, counted, w, 0);
    TERN_SET(DESC, incarnation, w, 0);
    TERN_SET(DESC, dst_node, w, near->node);
    TERN_SET(DESC, length, w, 1 + below(riot, 600));
    TERN_SET(DESC, local_addr, w, near->memory + source_part.at + below(riot, 1000));
    TERN_SET(DESC, local_key, w, key_of(near->source));
    TERN_SET(DESC, remote_addr, w,
             (uintptr_t)riot->lair.memory.bytes + open_part.at + below(riot, 7000));
    TERN_SET(DESC, remote_key, w, tern_region_key(riot->lair.open));
}

/* A remote get has a put in its payload, which must not be valid either. */
static void ask_for_put(struct riot *riot, uint32_t *w)
{
    TERN_SET(GET, opcode, w, one_in(riot, 2) ? TERN_OP_PUT : TERN_OP_BCAST);
    TERN_SET(GET, node, w, any_node(riot));
    TERN_SET(GET, length, w, any_length(riot));
    TERN_SET(GET, remote_addr, w, any_address(riot));
    TERN_SET(GET, local_addr, w, any_address(riot));
    TERN_SET(GET, local_key, w, any_key(riot));
}

static bool reads_others(const struct riot *riot, const uint32_t *w)
{
    return TERN_GET(DESC, opcode, w) == TERN_OP_PUT &&
        !(TERN_GET(DESC, flags, w) & TERN_DFLAG_INLINE) &&
           !is_own(riot, (uint32_t)TERN_GET(DESC, local_key, w));
}

static void build(struct riot *riot, uint32_t *w)
{
    for (unsigned i = 0; i < DESC_WORDS; i++)
        w[i] = (uint32_t)random_next(&riot->random);
    TERN_SET(DESC, opcode, w, any_opcode(riot));
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | (one_in(riot, 3) ? below(riot, 256) : 0));
    TERN_SET(DESC, version, w, one_in(riot, 20) ? below(riot, 16) : TERN_DESC_VERSION);
    TERN_SET(DESC, index, w, one_in(riot, 20) ? below(riot, 65536) : riot->made);
    TERN_SET(DESC, incarnation, w, one_in(riot, 8) ? below(riot, 256) : 0);
    TERN_SET(DESC, inline_len, w, one_in(riot, 4) ? below(riot, 64) : 32);
    TERN_SET(DESC, counted, w, one_in(riot, 8));
    TERN_SET(DESC, decides, w, one_in(riot, 8));
    TERN_SET(DESC, linked, w, one_in(riot, 8));
    TERN_SET(DESC, strict, w, one_in(riot, 8));
    TERN_SET(DESC, dst_queue, w, any_queue(riot));
    if (one_in(riot, 2)) /* for check-ins, waits, requests: an existing area */
        TERN_SET(CHK, area, w, any_facts(riot)->area);
    any_source(riot, w);
    if (TERN_GET(DESC, opcode, w) == TERN_OP_WAIT) /* sometimes a wait that fails, which stops the
                                                    * queue */
        TERN_SET(CHK, guarded, w, one_in(riot, 20) ? TERN_GUARDED_ALL : 0);
    if (TERN_GET(DESC, opcode, w) == TERN_OP_GET)
        ask_for_put(riot, w);
    if (one_in(riot, 4) && TERN_GET(DESC, opcode, w) != TERN_OP_GET)
        aim(riot, w);
    else
        aim_anywhere(riot, w);
    if (one_in(riot, 12))
        steal(riot, w);
    if (TERN_GET(DESC, opcode, w) == TERN_OP_CHECKIN &&
        is_rightful(riot, (uint32_t)TERN_GET(CHK, pass, w)))
        TERN_SET(CHK, pass, w, 0);
}

static uint8_t *place(const struct riot *riot, uint32_t index)
{
    return riot->lair.sq->memory.base + (size_t)(index % PLACES) * TERN_DESC_BYTES;
}

static void count(struct riot *riot, uint32_t status)
{
    atomic_fetch_add(&riot->lair.attacker->scene->ended[status % STATUSES], 1);
}

/* Takes completions; no operation may have read memory of others. */
static void reap(struct riot *riot)
{
    uint32_t cqe[CQE_WORDS];

    while (tern_cqring_take(&riot->ring, cqe)) {
        count(riot, (uint32_t)TERN_GET(CQE, status, cqe));
        if (TERN_GET(CQE, queue, cqe) == riot->lair.sq->number &&
            TERN_GET(CQE, status, cqe) == TERN_ST_OK &&
            riot->foreign[TERN_GET(CQE, index, cqe)])
            wrong(riot, "memory of another process was read for it");
    }
    (void)tern_doorbell(riot->lair.device, riot->lair.cq->number, riot->ring.head);
}

static void post(struct riot *riot)
{
    uint32_t w[DESC_WORDS];

    build(riot, w);
    memcpy(place(riot, riot->made), w, TERN_DESC_BYTES);
    riot->foreign[riot->made % POSTED] = reads_others(riot, w);
    riot->made++;
    if (one_in(riot, 3))
        (void)tern_doorbell_inline(riot->lair.device, riot->lair.sq->number, w);
    else
        (void)tern_doorbell(riot->lair.device, riot->lair.sq->number, riot->made);
    reap(riot);
}

/* Changes descriptors in the ring while the NIC may be reading them. */
static void overwrite(struct riot *riot)
{
    uint32_t w[DESC_WORDS];
    uint32_t index = riot->made - 1 - below(riot, PLACES);

    build(riot, w);
    memcpy(place(riot, index), w, TERN_DESC_BYTES);
    riot->foreign[index % POSTED] = false; /* the NIC may have read the old one */
}

/* ---- commands ---- */

/* Registers a region inside the memory that may be written, or an impossible one. */
static void region(struct riot *riot, uint32_t *w)
{
    uint32_t at = below(riot, open_part.bytes);
    bool impossible = one_in(riot, 4);

    TERN_SET(ADM, addr, w, impossible ? UINT64_MAX - below(riot, 4096)
                                      : (uintptr_t)riot->lair.memory.bytes + open_part.at + at);
    TERN_SET(ADM, size, w, impossible ? UINT64_C(1) << (12 + below(riot, 52))
             : below(riot, open_part.bytes - at));
    TERN_SET(ADM, rights, w, below(riot, 64));
    TERN_SET(ADM, counter, w, one_in(riot, 2) ? TERN_COUNTER_NONE : any_facts(riot)->counter);
    TERN_SET(ADM, key, w, one_in(riot, 2) ? TERN_KEY_NONE : any_key(riot));
}

static void command(struct riot *riot)
{
    uint32_t w[DESC_WORDS], cqe[CQE_WORDS] = {0};
    const struct facts *facts = any_facts(riot);
    int status;

    for (unsigned i = 0; i < DESC_WORDS; i++)
        w[i] = one_in(riot, 4) ? (uint32_t)random_next(&riot->random) : 0;
    TERN_SET(DESC, opcode, w, one_in(riot, 12) ? below(riot, 256)
             : 1 + below(riot, TERN_ADMIN_SET_PAIR));
    TERN_SET(ADM, id, w, one_in(riot, 3) ? below(riot, 64) : any_queue(riot));
    TERN_SET(ADM, addr, w, one_in(riot, 2) ? any_address(riot) / TERN_RING_ALIGN * TERN_RING_ALIGN
             : any_address(riot));
    TERN_SET(ADM, key, w, any_key(riot));
    TERN_SET(ADM, length, w, any_length(riot));
    TERN_SET(ADM, cq, w, any_queue(riot));
    TERN_SET(ADM, qtype, w, below(riot, 5));
    TERN_SET(ADM, log2_entries, w, below(riot, 20));
    TERN_SET(ADM, log2_bytes, w, below(riot, 14));
    if (TERN_GET(DESC, opcode, w) == TERN_ADMIN_REG_REGION)
        region(riot, w);
    if (TERN_GET(DESC, opcode, w) == TERN_ADMIN_OPEN_ARENA)
        /* the group's own key would make it a member */
        TERN_SET(ADM, group, w, facts->group + 1 + below(riot, 100));
    status = tern_admin(riot->lair.device, w, NULL, 0, cqe);
    count(riot, (uint32_t)-status);
    if (TERN_GET(DESC, opcode, w) == TERN_ADMIN_RESET || status == -TERN_ST_DISCONNECTED)
        riot->over = true;
    else if (status == -TERN_ST_WAIT_EXPIRED || status == -TERN_ST_TIMEOUT)
        wrong(riot, "a command is not answered");
}

/* ---- registers ---- */

static void ring(struct riot *riot)
{
    uint32_t queue = any_queue(riot);

    /* not its admin queue, since the ring has no command there: END_SCRIBBLE does that */
    if (queue == riot->lair.device->admin_queue)
        return;
    (void)tern_doorbell(riot->lair.device, (uint16_t)(queue % 992),
                        one_in(riot, 2) ? below(riot, 64) : (uint32_t)random_next(&riot->random));
}

/*
 * Reads of any size anywhere; writes where the NIC takes no command: after the function's
 * registers.
 */
static void access_bar(struct riot *riot)
{
    uint8_t bytes[256];
    uint32_t offset = one_in(riot, 8) ? (uint32_t)random_next(&riot->random)
        : below(riot, TERN_BAR_BYTES + 64);
    uint32_t count = one_in(riot, 4) ? below(riot, sizeof(bytes) + 1) : 1u << below(riot, 8);
    uint32_t first = TERN_BAR_DB + (riot->lair.device->admin_queue + 1u) * TERN_BAR_DB_STRIDE;

    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)below(riot, 256);
    if (one_in(riot, 2) || offset < first)
        (void)tern_transport_read(riot->lair.device->transport, offset, bytes, count);
    else
        (void)tern_transport_write(riot->lair.device->transport, offset, bytes, count, false);
    riot->over |= tern_transport_state(riot->lair.device->transport) != 0;
}

/* ---- its end ---- */

/*
 * Writes to the registers of the function, FN_CTRL among them, as if several hosts enabled and
 * reset it.
 */
static void reset(struct riot *riot)
{
    static const uint32_t offsets[] = {TERN_REG_AQ_BASE_LO, TERN_REG_AQ_BASE_HI, TERN_REG_AQ_SIZE,
                                       TERN_REG_ABI_WANTED, TERN_REG_FN_CTRL};
    uint64_t base = any_address(riot) & ~UINT64_C(63);

    for (unsigned i = 0; i < 8; i++) {
        uint32_t offset = offsets[below(riot, sizeof(offsets) / sizeof(offsets[0]))];
        uint32_t value = (uint32_t)random_next(&riot->random);

        /* not the base: the admin queue would then use the process's own memory */
        if (offset == TERN_REG_AQ_BASE_LO)
            value = 0;
        if (offset == TERN_REG_AQ_BASE_HI)
            value = (uint32_t)(base >> 32) ^ 0x40000000;
        if (offset == TERN_REG_FN_CTRL)
            value = below(riot, 4);
        (void)tern_reg_write(riot->lair.device, offset, value);
    }
}

/* Writes random commands to the admin ring, and rings its doorbell for many of them. */
static void scribble(struct riot *riot)
{
    uint32_t *words = (uint32_t *)(void *)riot->lair.device->admin_memory.base;

    for (unsigned i = 0; i < DESC_WORDS << ADMIN_LOG2; i++)
        words[i] = (uint32_t)random_next(&riot->random);
    for (unsigned i = 0; i < 1u << ADMIN_LOG2; i++) {
        uint32_t *w = words + (size_t)i * DESC_WORDS;

        TERN_SET(DESC, version, w, TERN_DESC_VERSION);
        TERN_SET(DESC, opcode, w, below(riot, 20));
        TERN_SET(DESC, index, w,
                 riot->lair.device->admin_made +
                 ((i - riot->lair.device->admin_made) & ((1u << ADMIN_LOG2) - 1)));
        if (TERN_GET(DESC, opcode, w) == TERN_ADMIN_REG_REGION)
            region(riot, w);
    }
    for (unsigned i = 0; i < 8; i++)
        (void)tern_doorbell(riot->lair.device, riot->lair.device->admin_queue,
                            riot->lair.device->admin_made + below(riot, 2u << ADMIN_LOG2));
}

static void end(struct riot *riot, enum end how)
{
    if (how == END_RESET)
        reset(riot);
    if (how == END_SCRIBBLE)
        scribble(riot);
    if (how == END_CLOSE)
        tern_close(riot->lair.device);
    else
        _exit(EXIT_SUCCESS); /* the operating system ends its connection */
}

/* ---- pace ---- */

static void note_laps(struct riot *riot)
{
    for (unsigned n = 0; n < NODES; n++)
        riot->laps[n] = atomic_load(&riot->lair.attacker->scene->laps[n]);
}

/* Waits until every victim has completed a lap; a victim that makes none was harmed. */
static void await_laps(struct riot *riot)
{
    const struct timespec pause = {.tv_nsec = 100000};
    const struct scene *scene = riot->lair.attacker->scene;
    int64_t deadline = tern_now_ms() + PATIENCE_MS;

    for (unsigned n = 0; n < NODES; n++)
        while (atomic_load(&scene->laps[n]) == riot->laps[n] && !atomic_load(&scene->wrong)) {
            nanosleep(&pause, NULL);
            if (tern_now_ms() > deadline) {
                wrong(riot, "a victim does not get on");
                return;
            }
        }
    note_laps(riot);
}

/*
 * Takes another queue if this one makes no progress: it has stopped, or waits for something that
 * never comes.
 */
static void renew(struct riot *riot)
{
    bool silent = riot->heard == riot->ring.head;

    riot->heard = riot->ring.head;
    if (!silent || riot->over)
        return;
    riot->made = 0;
    memset(riot->foreign, 0, sizeof(riot->foreign));
    riot->over = tern_sq_create(riot->lair.cq, QUEUE_LOG2, &riot->lair.sq) != 0;
}

static void act(struct riot *riot)
{
    switch (below(riot, 16)) {
    case 0:
    case 1:
    case 2:
        command(riot);
        break;
    case 3:
    case 4:
        ring(riot);
        break;
    case 5:
        access_bar(riot);
        break;
    case 6:
        overwrite(riot);
        break;
    default:
        post(riot);
    }
}

void rioter(const void *arg, int in, int out)
{
    static struct riot riot;
    const struct attacker *attacker = arg;

    (void)in;
    lair_open(&riot.lair, attacker);
    riot.tried.good = true;
    riot.random = attacker->seed * UINT64_C(0x2545f4914f6cdd1d) + attacker->round;
    riot.ring = riot.lair.cq->ring;
    note_laps(&riot);
    for (unsigned i = 0; i < attacker->acts && !riot.over && riot.tried.good; i++) {
        act(&riot);
        if (i % PACE != PACE - 1)
            continue;
        await_laps(&riot);
        renew(&riot);
    }
    if (!lair_holds(&riot.lair))
        wrong(&riot, "its own memory was written outside its regions");
    if (!give(out, &riot.tried, sizeof(riot.tried)))
        exit(EXIT_FAILURE);
    end(&riot, (enum end)(attacker->round % ENDS));
}
