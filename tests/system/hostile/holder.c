/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of a victim, and their use: a counter, an armed area, an arena, all kinds of queues,
 * and memory with gaps. In each lap it puts to the next victim and adds 1 to a word there, which
 * must equal the number of the lap.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/counter.h>
#include <tern/atomic.h>
#include <tern/checkin.h>
#include <tern/remote_get.h>

#include "hostile.h"

enum {
    WORD = 0, /* in the target: the counted word */
    DATA = 16,
    DATA_BYTES = 1300,
    COUNTER = 40,
    ROOM_COUNTER = 41,
    LEFT = 12345, /* bytes left in the counter */
    AREA = 3,
    AREA_SLOTS = 4,
    EPOCH = 77,
    GROUP = 900, /* index of the group's key, an entry that the firmware does not choose by
                    itself */
    ADDED = 1,
    PUT = 2,
    QUEUE_LOG2 = 4
};

static void wrong(struct holder *self, const char *why, long what)
{
    if (self->verdict.wrong++ == 0)
        snprintf(self->verdict.why, sizeof(self->verdict.why), "%s (%ld)", why, what);
    atomic_store(&self->me->scene->wrong, true);
}

static void must(struct holder *self, int status, const char *what)
{
    if (status >= 0)
        return;
    printf("# victim on node %u: %s: %s\n", self->me->node, what, tern_strerror(status));
    fflush(stdout);
    atomic_store(&self->me->scene->wrong, true);
    exit(EXIT_FAILURE);
}

/* Checks memory, except the parts that others or the victim itself may write. */
static void look_around(struct holder *self, long when)
{
    const struct part parts[] = {target_part, source_part, given_part};

    if (!memory_holds(&self->memory, parts, sizeof(parts) / sizeof(parts[0])))
        wrong(self, "memory was written where nobody may", when);
}

/* ---- its objects ---- */

static void have_memory(struct holder *self)
{
    struct tern_region *before;

    must(self, memory_make(&self->memory, self->device, 100 + self->me->node), "memory");
    must(self, memory_register(&self->memory, self->device, target_part, TARGET_RIGHTS, &before),
         "register");
    self->facts->released_key = tern_region_key(before);
    must(self, tern_release(before), "release");
    must(self,
         memory_register(&self->memory, self->device, target_part, TARGET_RIGHTS, &self->target),
         "register");
    must(self,
         memory_register(&self->memory, self->device, source_part, TERN_RIGHT_LOCAL_READ,
                         &self->source),
         "register");
    must(self,
         memory_register(&self->memory, self->device, given_part, TARGET_RIGHTS, &self->given),
         "register");
    must(self,
         memory_register(&self->memory, self->device, values_part, TERN_RIGHT_LOCAL_WRITE,
                         &self->values),
         "register");
    must(self,
         memory_register(&self->memory, self->device, room_part, TERN_RIGHT_LOCAL_WRITE,
                         &self->room),
         "register");
    memset(self->memory.bytes + target_part.at, 0, target_part.bytes);
    self->facts->memory = (uintptr_t)self->memory.bytes;
    self->facts->target = tern_region_pointer(self->target, 0);
    self->facts->source = tern_region_pointer(self->source, 0);
    self->facts->given = tern_region_pointer(self->given, 0);
    self->facts->values = tern_region_pointer(self->values, 0);
    self->facts->room = tern_region_pointer(self->room, 0);
}

static void have_queues(struct holder *self)
{
    must(self, tern_cq_create(self->device, QUEUE_LOG2, 0, &self->cq), "completion queue");
    must(self, tern_cq_create(self->device, QUEUE_LOG2, TERN_CQ_POLLED, &self->told),
         "completion queue");
    must(self, tern_sq_create(self->cq, QUEUE_LOG2, &self->sq), "send queue");
    must(self, tern_rq_create(self->told, QUEUE_LOG2, 6, TERN_QUEUE_ANY, &self->rq), "FIFO");
    self->facts->sq = tern_sq_number(self->sq);
    self->facts->cq = self->cq->number;
    self->facts->rq = tern_rq_number(self->rq);
}

static void arm(struct holder *self, uint16_t epoch)
{
    const struct tern_area area = {.id = AREA,
                                   .epoch = epoch,
                                   .slots = AREA_SLOTS,
                                   .pass = self->facts->pass,
                                   .region = self->values,
                                   .values = self->memory.bytes + values_part.at};

    must(self, tern_area_arm(self->device, &area, self->told), "area");
}

static void have_arena(struct holder *self)
{
    uint32_t w[DESC_WORDS] = {0}, cqe[CQE_WORDS];

    TERN_SET(DESC, opcode, w, TERN_ADMIN_OPEN_ARENA);
    TERN_SET(ADM, addr, w, (uintptr_t)self->memory.bytes + room_part.at);
    TERN_SET(ADM, size, w, room_part.bytes);
    TERN_SET(ADM, key, w, tern_region_key(self->room));
    TERN_SET(ADM, group, w, self->facts->group);
    TERN_SET(ADM, counter, w, ROOM_COUNTER);
    TERN_SET(ADM, cq, w, self->told->number);
    must(self, tern_admin(self->device, w, NULL, 0, cqe), "arena");
    self->facts->arena = (uint16_t)TERN_GET(CQE, length, cqe);
}

/* A FIFO for remote gets: others may request puts of what they may read, which is nothing. */
static void have_fifo(struct holder *self)
{
    struct tern_fifo *fifo;

    must(self, tern_fifo_create(self->told, QUEUE_LOG2, &fifo), "FIFO for gets");
    self->facts->fifo = tern_fifo_number(fifo);
}

void holder_begin(struct holder *self, const struct seat *seat, struct tern_device *device)
{
    struct facts *facts = &seat->scene->facts[seat->node];

    self->me = seat;
    self->device = device;
    self->facts = facts;
    facts->pass = 0x5eaf0000u + 0x1357u * (self->me->node + 1);
    facts->group = 0x61e20000u + 0x10000u * self->me->node + GROUP;
    facts->counter = COUNTER;
    facts->area = AREA;
    facts->epoch = EPOCH;
    have_memory(self);
    have_queues(self);
    must(self, tern_counter_set(self->device, COUNTER, LEFT), "counter");
    must(self, tern_counter_set(self->device, ROOM_COUNTER, 0), "counter");
    arm(self, EPOCH);
    have_arena(self);
    have_fifo(self);
    facts->node = tern_rptr_node(facts->target);
}

/* ---- laps ---- */

/* Waits for the next completion, which must be of `context` and OK. */
static struct tern_completion ended(struct holder *self, uint64_t context)
{
    struct tern_completion done = rig_wait(self->cq);

    if (done.status != TERN_ST_OK || done.context != context) {
        printf("# victim on node %u: %s, operation %llu for %llu\n", self->me->node,
               tern_strerror((int)done.status), (unsigned long long)done.context,
               (unsigned long long)context);
        wrong(self, "an operation ended badly", (long)done.status);
    }
    return done;
}

void holder_lap(struct holder *self)
{
    const struct facts *next = &self->me->scene->facts[(self->me->node + 1) % NODES];
    uint8_t *from = self->memory.bytes + source_part.at;
    uint64_t number = ++self->lap;
    struct tern_completion done;

    rig_fill(from, DATA_BYTES, (unsigned)number);
    must(self,
         tern_put(self->sq, tern_rptr_add(next->target, DATA), self->source, from, DATA_BYTES,
                  TERN_DFLAG_SIGNAL, 2 * number),
         "put");
    (void)ended(self, 2 * number);
    must(self,
         tern_fetch_add(self->sq, tern_rptr_add(next->target, WORD), ADDED, TERN_DFLAG_SIGNAL,
                        2 * number + 1),
         "addition");
    done = ended(self, 2 * number + 1);
    if (done.value != number - 1)
        wrong(self, "a word is another one", (long)done.value);
    look_around(self, (long)number);
    atomic_fetch_add(&self->me->scene->laps[self->me->node], 1);
}

/* ---- at the end ---- */

static void expect(struct holder *self, long got, long wanted, const char *what)
{
    if (got != wanted)
        wrong(self, what, got);
}

/*
 * Checks what others sent to its FIFO, which all nodes may do; there must be no other completion.
 */
static void look_at_told(struct holder *self)
{
    struct tern_completion done;

    while (tern_cq_poll(self->told, &done, 1) > 0) {
        if (done.opcode != TERN_OP_RECV)
            wrong(self, "it was told of something that did not happen", done.opcode);
        else
            must(self, tern_rq_release(self->rq, 1), "release");
    }
    if (tern_cq_poll(self->cq, &done, 1) != 0)
        wrong(self, "there is a completion that nothing belongs to", (long)done.context);
}

static void look_at_tables(struct holder *self)
{
    uint32_t bytes = 0, missing = 0, first = 0;

    must(self, tern_counter_get(self->device, COUNTER, &bytes), "counter");
    expect(self, bytes, LEFT, "the counter was changed");
    must(self, tern_area_missing(self->device, AREA, &missing, &first), "area");
    expect(self, missing, AREA_SLOTS, "somebody has checked in");
}

static void look_at_memory(struct holder *self)
{
    const uint8_t *target = self->memory.bytes + target_part.at;
    uint32_t laps = atomic_load(&self->me->scene->laps[(self->me->node + NODES - 1) % NODES]);
    uint64_t word;

    memcpy(&word, target + WORD, sizeof(word));
    expect(self, (long)word, (long)laps, "the word that is counted in is another one");
    if (laps > 0 && !rig_holds(target + DATA, DATA_BYTES, laps))
        wrong(self, "what was put is not there", (long)laps);
    for (uint32_t at = 8; at < target_part.bytes; at++)
        if ((at < DATA || at >= DATA + DATA_BYTES) && target[at] != 0)
            wrong(self, "its target was written to by another", (long)at);
    look_around(self, 0);
}

/* Checks that the area receives its check-ins and completes once, and that the queues work. */
static void use_area(struct holder *self)
{
    const struct tern_area_name name = {
        .node = self->facts->node, .id = AREA, .epoch = EPOCH, .pass = self->facts->pass};
    struct tern_completion done;
    uint64_t value;

    for (uint16_t slot = 0; slot < AREA_SLOTS; slot++) {
        value = UINT64_C(0x1000000000) + slot;
        must(self, tern_checkin(self->sq, name, slot, &value, TERN_DFLAG_SIGNAL, slot), "check-in");
        (void)ended(self, slot);
    }
    done = rig_wait(self->told);
    expect(self, done.opcode, TERN_OP_AREA, "the area does not say that all have come");
    expect(self, (long)done.status, TERN_ST_OK, "the area has failed");
    for (uint16_t slot = 0; slot < AREA_SLOTS; slot++) {
        memcpy(&value, self->memory.bytes + values_part.at + 8 * slot, sizeof(value));
        expect(self, (long)(value - UINT64_C(0x1000000000)), slot, "a value is missing");
    }
}

static void use_arena(struct holder *self)
{
    uint32_t w[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_CLOSE_ARENA);
    TERN_SET(ADM, id, w, self->facts->arena);
    must(self, tern_admin(self->device, w, NULL, 0, NULL), "close of the arena");
}

void holder_judge(struct holder *self)
{
    look_at_told(self);
    look_at_tables(self);
    look_at_memory(self);
    use_area(self);
    use_arena(self);
    look_at_told(self);
}
