/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sender and receiver of the chaos test.
 *
 * The sender's memory holds a pattern, and every put writes to the offset that it reads from. So
 * each byte of the receiver's memory has its initial value or that of the pattern, whenever a
 * process is killed. The sender reads the receiver's memory into the same offset of another memory
 * of its own, where the same holds. A message carries its number. Each operation is recorded under
 * its number, and must end once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <tern/counter.h>
#include <tern/atomic.h>
#include <tern/read.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    ARENA = 1 << 17,
    GUARD = 4096, /* bytes on both sides of the arena, never registered */
    SQ_LOG2 = 5,
    CQ_LOG2 = 7,
    RQ_LOG2 = 4,
    MESSAGE_LOG2 = 6,
    NUMBERS = 1 << 20, /* operations and messages: more than a round has */
    UNTOUCHED = 0xee,
    FUNCTION = 2, /* function number of an actor: a bystander and the watcher attach first */
    WAIT_MS = 60000 /* a net */
};

enum state { UNUSED, UNDER_WAY, ENDED };

struct message {
    uint32_t number, round;
    uint8_t rest[40];
};

/* The state of one side. */
struct work {
    const struct actor *actor;
    struct verdict verdict;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region, *place;
    uint8_t *memory, *arena;
    uint8_t landing[ARENA]; /* in `place`: the bytes that the sender has read */
    uint64_t random;
    uint32_t points; /* reached, on the side that counts them */
    uint32_t out_of, ended;
    bool counts, told_dead, told_settled, told_quit;
    int in, out;
    uint8_t *state; /* by number */
    struct tern_target mailbox;
    struct tern_rptr target;
};

static void wrong(struct work *work, const char *why, long what)
{
    if (work->verdict.wrong++ == 0)
        snprintf(work->verdict.why, sizeof(work->verdict.why), "%s (%ld)", why, what);
}

static void must(struct work *work, int status, const char *what)
{
    if (status >= 0)
        return;
    wrong(work, what, -status);
    (void)give(work->out, &work->verdict, sizeof(work->verdict));
    printf("# round %u: %s: %s\n", work->actor->plan.round, what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

static uint32_t below(struct work *work, uint32_t bound)
{
    return random_below(&work->random, bound);
}

/* ---- messages to and from the parent ---- */

/* Marks a place at which the parent may kill the process. */
static void point(struct work *work)
{
    const char word = SAID_POINT;

    if (work->counts && ++work->points == work->actor->plan.points)
        (void)give(work->out, &word, 1);
}

static void listen_to(struct work *work, int timeout_ms)
{
    struct pollfd fds[2] = {{.fd = work->in, .events = POLLIN},
                            {.fd = work->cq ? tern_cq_fd(work->cq) : -1, .events = POLLIN}};
    eventfd_t count;
    char word;

    if (poll(fds, 2, timeout_ms) <= 0)
        return;
    if (fds[1].revents & POLLIN)
        (void)eventfd_read(fds[1].fd, &count);
    if (!(fds[0].revents & POLLIN) || !get(work->in, &word, 1))
        return;
    work->told_dead |= word == SAY_DEAD;
    work->told_settled |= word == SAY_SETTLED;
    work->told_quit |= word == SAY_QUIT;
}

/* ---- beginning and end ---- */

static struct work *begin(const struct actor *actor, int in, int out, bool counts, bool by_message)
{
    static struct work work;

    work.actor = actor;
    work.in = in;
    work.out = out;
    work.counts = counts;
    work.random = actor->plan.random + (counts ? 1 : 0);
    work.state = calloc(1, NUMBERS);
    work.memory = mmap(NULL, ARENA + 2 * GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                       -1, 0);
    if (!work.state || work.memory == MAP_FAILED)
        must(&work, -TERN_ST_NO_MEMORY, "memory");
    work.arena = work.memory + GUARD;
    if (by_message)
        setenv("TERN_NO_PROCESS_VM", "1", 1);
    return &work;
}

static void set_up(struct work *work, unsigned node, unsigned rights)
{
    struct tern_info info;

    work->device = rig_open(work->actor->rig, node);
    must(work, tern_query(work->device, &info), "query");
    if (info.function != FUNCTION)
        wrong(work, "function was not given back", info.function);
    must(work, tern_register(work->device, work->arena, ARENA, rights, &work->region), "register");
    must(work, tern_cq_create(work->device, CQ_LOG2, 0, &work->cq), "completion queue");
}

static void finish(struct work *work)
{
    (void)give(work->out, &work->verdict, sizeof(work->verdict));
    tern_close(work->device);
}

/* ---- activities of both sides ---- */

static void open_and_leave(struct work *work, unsigned node)
{
    for (;;) {
        point(work);
        set_up(work, node, TERN_RIGHT_LOCAL_READ);
        point(work);
        tern_close(work->device);
    }
}

/*
 * Makes and frees regions, counters and queues; if the process is killed here, the NIC's tables
 * must end up as before.
 */
static void register_and_release(struct work *work)
{
    uint8_t *at = work->arena + below(work, ARENA / 2);
    uint16_t counter = (uint16_t)(8 * work->actor->plan.from + below(work, 8));
    struct tern_region *plain, *counted;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;

    point(work);
    must(
        work,
        tern_register(work->device, at, 1 + below(work, ARENA / 2), TERN_RIGHT_REMOTE_READ, &plain),
        "register");
    point(work);
    must(work, tern_counter_set(work->device, counter, 1000), "counter");
    must(work,
         tern_register_with(work->device,
                 &(struct tern_region_attr){.addr = at, .bytes = 64,
                                            .rights = TERN_RIGHT_REMOTE_WRITE,
                                            .counted = true, .counter = counter},
                 &counted),
         "register");
    point(work);
    must(work, tern_cq_create(work->device, 3, 0, &cq), "completion queue");
    must(work, tern_sq_create(cq, 3, &sq), "send queue");
    point(work);
    must(work, tern_rq_create(cq, 3, 6, TERN_QUEUE_ANY, &rq), "reception FIFO");
    must(work, tern_sq_destroy(sq), "destroy");
    must(work, tern_rq_destroy(rq), "destroy");
    must(work, tern_cq_destroy(cq), "destroy");
    point(work);
    must(work, tern_release(counted), "release");
    must(work, tern_release(plain), "release");
}

/* ---- the sender ---- */

/* Tells whether an operation may end with `status` because the other side went away. */
static bool is_fair(enum tern_status status)
{
    return status == TERN_ST_BAD_KEY || status == TERN_ST_BAD_QUEUE ||
           status == TERN_ST_HOST_FAULT || status == TERN_ST_FLUSHED || status == TERN_ST_RNR ||
           status == TERN_ST_TIMEOUT;
}

static void note(struct work *work, const struct tern_completion *done)
{
    uint64_t number = done->context;

    if (number >= work->verdict.posted || work->state[number] != UNDER_WAY) {
        wrong(work, "an operation ended twice, or never began", (long)number);
        return;
    }
    work->state[number] = ENDED;
    work->ended++;
    work->verdict.by_status[done->status % STATUSES]++;
    if (done->status == TERN_ST_OK) {
        work->verdict.good++;
        return;
    }
    work->verdict.failed++;
    if (!is_fair(done->status))
        wrong(work, "an operation ended with a status that it cannot have", done->status);
}

static void reap(struct work *work)
{
    struct tern_completion done[16];
    int count;

    while ((count = tern_cq_poll(work->cq, done, 16)) > 0)
        for (int i = 0; i < count; i++)
            note(work, &done[i]);
    if (count < 0)
        wrong(work, "the connection of a survivor is lost", -count);
}

static int post_message(struct work *work, unsigned flags, uint32_t number)
{
    struct message *message = (void *)(work->memory + ARENA + GUARD);
    uint32_t bytes = below(work, 2) ? TERN_INLINE_BYTES_MAX
                                    : 8 + below(work, TERN_INLINE_BYTES_MAX - 8);

    message->number = number;
    message->round = work->actor->plan.round;
    memset(message->rest, (int)number & 0xff, sizeof(message->rest));
    return tern_send(work->sq, work->mailbox, NULL, message, bytes, flags, number);
}

static int post_put(struct work *work, unsigned flags, uint32_t number, uint32_t most)
{
    uint32_t bytes = 1 + below(work, most);
    uint32_t offset = below(work, ARENA - bytes + 1);
    struct tern_rptr to = tern_rptr_add(work->target, offset);

    if (bytes <= TERN_INLINE_BYTES_MAX)
        return tern_put_inline(work->sq, to, work->arena + offset, bytes, flags, number);
    return tern_put(work->sq, to, work->region, work->arena + offset, bytes, flags, number);
}

/* Adds 0 to a word that puts may be changing. */
static int post_add(struct work *work, unsigned flags, uint32_t number)
{
    uint32_t offset = below(work, ARENA / TERN_ATOMIC_BYTES) * TERN_ATOMIC_BYTES;

    return tern_fetch_add(work->sq, tern_rptr_add(work->target, offset), 0, flags, number);
}

static int post_read(struct work *work, unsigned flags, uint32_t number, uint32_t most)
{
    uint32_t bytes = 1 + below(work, most);
    uint32_t offset = below(work, ARENA - bytes + 1);

    return tern_read(work->sq, tern_rptr_add(work->target, offset), work->place,
                     work->landing + offset, bytes, flags, number);
}

static int post_any(struct work *work, uint32_t number)
{
    unsigned flags = TERN_DFLAG_SIGNAL | (below(work, 8) == 0 ? TERN_DFLAG_FENCE : 0);
    enum moment moment = work->actor->plan.moment;

    if (moment == AT_RINGING && below(work, 2))
        flags |= TERN_MORE;
    if (moment != AT_MOVING && below(work, 3) == 0)
        return post_message(work, flags, number);
    if (below(work, 6) == 0)
        return post_add(work, flags, number);
    if (below(work, 4) == 0)
        return post_read(work, flags, number, moment == AT_MOVING ? ARENA : 300);
    return post_put(work, flags, number, moment == AT_MOVING ? ARENA : 300);
}

static void post(struct work *work)
{
    uint32_t number = work->verdict.posted;
    int status;

    work->state[number] = UNDER_WAY; /* the operation may end before the call returns */
    work->verdict.posted++;
    status = post_any(work, number);
    if (status == 0) {
        point(work);
        return;
    }
    work->verdict.posted--;
    work->state[number] = UNUSED;
    if (status != -TERN_ST_AGAIN)
        wrong(work, "a post failed", -status);
    (void)tern_cq_wait(work->cq, WAIT_MS);
    reap(work);
}

static void send_on(struct work *work)
{
    enum moment moment = work->actor->plan.moment;

    if (moment == AT_REGISTERING && work->counts)
        register_and_release(work);
    post(work);
    if (moment == AT_COMPLETED && below(work, 4) != 0) {
        (void)tern_cq_wait(work->cq, WAIT_MS); /* and leaves the completion there */
        return;
    }
    if (moment != AT_MOVING || below(work, 4) == 0)
        reap(work);
}

/* Waits until all operations have ended; no completion may come afterwards. */
static void drain(struct work *work)
{
    (void)tern_sq_flush(work->sq);
    while (reap(work), work->ended < work->verdict.posted && work->verdict.wrong == 0)
        if (tern_cq_wait(work->cq, WAIT_MS) == -TERN_ST_WAIT_EXPIRED)
            wrong(work, "operations do not end", (long)(work->verdict.posted - work->ended));
    must(work, tern_nop(work->sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, NUMBERS), "nop");
    if (rig_wait(work->cq).context != NUMBERS)
        wrong(work, "the queue does not serve any more", 0);
    reap(work);
}

/* Checks the bytes read: each is of the pattern, or has its initial value. */
static void judge_landing(struct work *work)
{
    for (uint32_t i = 0; i < ARENA; i++)
        if (work->landing[i] != 0 && work->landing[i] != UNTOUCHED &&
            work->landing[i] != work->arena[i])
            wrong(work, "a byte that was read is none that stood there", i);
}

static void send_all(struct work *work)
{
    struct target target;

    if (!get(work->in, &target, sizeof(target)))
        exit(EXIT_FAILURE);
    work->target = target.pointer;
    work->mailbox = (struct tern_target){.node = target.node, .queue = target.queue};
    rig_fill(work->arena, ARENA, work->actor->plan.round);
    must(work, tern_sq_create(work->cq, SQ_LOG2, &work->sq), "send queue");
    must(work,
         tern_register(work->device, work->landing, ARENA, TERN_RIGHT_REMOTE_WRITE, &work->place),
         "register");
    while (!work->told_dead && work->verdict.wrong == 0 && work->verdict.posted < NUMBERS - 1) {
        send_on(work);
        listen_to(work, 0);
    }
    drain(work);
    judge_landing(work);
}

void sender(const void *arg, int in, int out)
{
    const struct actor *actor = arg;
    const struct plan *plan = &actor->plan;
    struct work *work = begin(actor, in, out, !plan->receiver_counts, plan->sender_by_message);

    if (plan->moment == AT_OPENING)
        open_and_leave(work, plan->from);
    set_up(work, plan->from, TERN_RIGHT_LOCAL_READ);
    send_all(work);
    finish(work);
}

/* ---- the receiver ---- */

static void take_message(struct work *work, const struct tern_completion *got)
{
    struct message message = {0};
    const uint8_t *bytes = got->data;
    bool good = got->opcode == TERN_OP_RECV && got->status == TERN_ST_OK && bytes &&
                got->length >= 8 && got->length <= TERN_INLINE_BYTES_MAX;

    work->verdict.received++;
    if (good)
        memcpy(&message, bytes, 8);
    for (uint32_t i = 8; good && i < got->length; i++)
        good = bytes[i] == (uint8_t)message.number;
    if (!good || message.round != work->actor->plan.round || message.number >= NUMBERS)
        wrong(work, "a message is damaged", got->status);
    else if (work->state[message.number]++ != UNUSED)
        wrong(work, "a message came twice", message.number);
}

static void take_messages(struct work *work)
{
    struct tern_completion got[8];
    int count;

    while ((count = tern_cq_poll(work->cq, got, 8)) > 0) {
        for (int i = 0; i < count; i++)
            take_message(work, &got[i]);
        must(work, tern_rq_release(work->rq, (unsigned)count), "release of messages");
        point(work);
    }
    if (count < 0)
        wrong(work, "the connection of a survivor is lost", -count);
}

/*
 * Checks that each byte has its initial value or the sender's, and that no byte outside the region
 * changed.
 */
static void judge_memory(struct work *work)
{
    static uint8_t pattern[ARENA];

    rig_fill(pattern, ARENA, work->actor->plan.round);
    for (uint32_t i = 0; i < ARENA; i++)
        if (work->arena[i] != UNTOUCHED && work->arena[i] != pattern[i])
            wrong(work, "a byte is neither the old nor the new one", i);
    for (uint32_t i = 0; i < GUARD; i++)
        if (work->memory[i] != UNTOUCHED || work->arena[ARENA + i] != UNTOUCHED)
            wrong(work, "a byte beside the region was written", i);
}

static void introduce(struct work *work)
{
    struct target target = {.pointer = tern_region_pointer(work->region, 0),
                            .node = tern_rptr_node(tern_region_pointer(work->region, 0)),
                            .queue = tern_rq_number(work->rq)};

    (void)give(work->out, &target, sizeof(target));
}

static bool polls(const struct work *work)
{
    return work->told_dead || work->actor->plan.moment != AT_COMPLETED;
}

static void receive_all(struct work *work)
{
    static uint8_t settled[ARENA];
    const char settled_word = SAY_SETTLED;

    while (!work->told_settled && work->verdict.wrong == 0) {
        if (work->actor->plan.moment == AT_REGISTERING && work->counts)
            register_and_release(work);
        else
            listen_to(work, -1);
        if (work->counts)
            listen_to(work, 0);
        if (polls(work))
            take_messages(work);
    }
    take_messages(work);
    judge_memory(work);
    memcpy(settled, work->arena, ARENA);
    (void)give(work->out, &settled_word, 1);
    while (!work->told_quit)
        listen_to(work, -1);
    take_messages(work);
    if (memcmp(settled, work->arena, ARENA) != 0)
        wrong(work, "memory was written after the sender was gone", 0);
}

void receiver(const void *arg, int in, int out)
{
    const struct actor *actor = arg;
    const struct plan *plan = &actor->plan;
    struct work *work = begin(actor, in, out, plan->receiver_counts, plan->receiver_by_message);

    if (plan->moment == AT_OPENING)
        open_and_leave(work, plan->to);
    memset(work->memory, UNTOUCHED, ARENA + 2 * GUARD);
    set_up(work, plan->to,
           TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC);
    must(work, tern_rq_create(work->cq, RQ_LOG2, MESSAGE_LOG2, TERN_QUEUE_ANY, &work->rq), "FIFO");
    introduce(work);
    receive_all(work);
    finish(work);
}
