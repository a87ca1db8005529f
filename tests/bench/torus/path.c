/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <err.h>
#include <stdlib.h>

#include "torus.h"

enum { FIRST_ROOM = 1 << 12, PORT_SHIFT = 12, ENTRY = 0xff };

struct event {
    uint64_t cycle;
    uint16_t node, id;
    uint8_t lane;
};

struct path {
    struct yard *yard;
    bool on;
    size_t count, room;
    struct event *event;
};

static bool is_wanted(unsigned lane)
{
    return lane == TERN_TRACE_DB_FIRST || lane == TERN_TRACE_TX_CMD ||
        lane == TERN_TRACE_LINK_IN || lane == TERN_TRACE_RX_GOOD ||
           lane == TERN_TRACE_ACK_IN || lane == TERN_TRACE_CORE_SLEEP ||
           lane == TERN_TRACE_CORE_WAKE;
}

static void record(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct path *path = ctx;

    if (!path->on || !is_wanted(lane))
        return;
    if (path->count == path->room) {
        path->room = path->room ? 2 * path->room : FIRST_ROOM;
        path->event = realloc(path->event, path->room * sizeof(*path->event));
        if (!path->event)
            err(1, "path");
    }
    path->event[path->count++] =
        (struct event){ .cycle = cycle, .node = (uint16_t)node, .id = (uint16_t)id,
                       .lane = (uint8_t)lane };
}

struct path *path_new(struct yard *yard)
{
    struct path *path = calloc(1, sizeof(*path));

    if (!path)
        err(1, "path");
    path->yard = yard;
    yard->also = record;
    yard->also_ctx = path;
    return path;
}

void path_free(struct path *path)
{
    path->yard->also = NULL;
    free(path->event);
    free(path);
}

void path_begin(struct path *path)
{
    path->count = 0;
    path->on = true;
}

void path_end(struct path *path)
{
    path->on = false;
}

/* ---- recorded events */

/*
 * Returns the last event in the lane up to `until`; NULL: none. Events of one node are in order;
 * those of several are not.
 */
static const struct event *last(const struct path *path, unsigned node, unsigned lane,
                                uint64_t until)
{
    const struct event *found = NULL;

    for (size_t i = 0; i < path->count; i++) {
        const struct event *event = &path->event[i];

        if (event->node == node && event->lane == lane && event->cycle <= until)
            found = event;
    }
    return found;
}

static bool is_ack(const struct path *path, const struct event *event)
{
    const struct event *ack = last(path, event->node, TERN_TRACE_ACK_IN, event->cycle);

    return ack && ack->cycle == event->cycle;
}

/* Returns the last packet other than an ack that had arrived whole at the node by cycle `until`. */
static const struct event *heard(const struct path *path, unsigned node, uint64_t until)
{
    const struct event *event = last(path, node, TERN_TRACE_RX_GOOD, until);

    while (event && is_ack(path, event))
        event = last(path, node, TERN_TRACE_RX_GOOD, event->cycle - 1);
    return event;
}

/*
 * Returns the cycles in which the core was awake between two times; a core without events sleeps.
 */
static uint64_t awake(const struct path *path, unsigned node, uint64_t from, uint64_t to)
{
    const struct event *slept = last(path, node, TERN_TRACE_CORE_SLEEP, to);
    const struct event *woke = last(path, node, TERN_TRACE_CORE_WAKE, to);
    uint64_t sum = 0;

    while (to > from) {
        uint64_t end = to, begin = woke ? woke->cycle : 0;

        if (slept && slept->cycle >= begin)
            end = slept->cycle; /* asleep from here on */
        else if (!slept && !woke)
            break;
        if (end > from)
            sum += end - (begin > from ? begin : from);
        if (begin <= from)
            break;
        to = begin - 1;
        slept = last(path, node, TERN_TRACE_CORE_SLEEP, to);
        woke = last(path, node, TERN_TRACE_CORE_WAKE, to);
    }
    return sum;
}

/* Returns the sender of a packet: the origin, or the node at the other end of the link. */
static unsigned sender(const struct path *path, const struct event *packet)
{
    const struct tern_torus torus =
        { { path->yard->dims[0], path->yard->dims[1], path->yard->dims[2] }, false };
    const struct event *beat = last(path, packet->node, TERN_TRACE_LINK_IN, packet->cycle);

    if (packet->node != 0 && !heard(path, packet->node, packet->cycle - 1))
        return 0;
    while (beat && (beat->id & ENTRY) != (packet->id & ENTRY))
        beat = last(path, packet->node, TERN_TRACE_LINK_IN, beat->cycle - 1);
    if (!beat)
        errx(1, "a packet came over no link");
    return tern_torus_neighbour(&torus, packet->node, beat->id >> PORT_SHIFT);
}

/*
 * Returns the command of a packet that node `from` sent; the packet leaves some cycles later, and
 * crosses a wire.
 */
static const struct event *sent(const struct path *path, unsigned from, const struct event *packet)
{
    const struct event *command = last(path, from, TERN_TRACE_TX_CMD, packet->cycle);

    while (command && (command->id & ENTRY) != (packet->id & ENTRY))
        command = last(path, from, TERN_TRACE_TX_CMD, command->cycle - 1);
    if (!command)
        errx(1, "node %u sent nothing that came to node %u", from, packet->node);
    return command;
}

/* Counts the messages that reached the node up to then. */
static unsigned count_heard(const struct path *path, unsigned node, uint64_t until)
{
    const struct event *packet = heard(path, node, until);
    unsigned count = 0;

    for (; packet; packet = heard(path, node, packet->cycle - 1))
        count++;
    return count;
}

struct path_time path_taken(const struct path *path)
{
    const struct event *rung = last(path, 0, TERN_TRACE_DB_FIRST, UINT64_MAX);
    const struct event *begun = last(path, 0, TERN_TRACE_TX_CMD, UINT64_MAX);
    const struct event *packet;
    struct path_time time = { 0 };
    unsigned node = 0;

    if (!rung || !begun || begun->cycle < rung->cycle)
        errx(1, "the origin has sent nothing");
    time.cycles = begun->cycle - rung->cycle;
    time.answers = count_heard(path, 0, begun->cycle);
    while ((packet = heard(path, node, begun->cycle)) != NULL) {
        time.firmware += awake(path, node, packet->cycle, begun->cycle);
        node = sender(path, packet);
        begun = sent(path, node, packet);
        time.links += packet->cycle - begun->cycle;
        time.messages++;
    }
    if (node != 0)
        errx(1, "node %u has begun by itself", node);
    time.firmware += awake(path, 0, rung->cycle, begun->cycle);
    return time;
}

uint64_t path_of_link(const struct path *path, unsigned neighbour)
{
    const struct event *packet = heard(path, neighbour, UINT64_MAX);

    if (!packet)
        errx(1, "nothing came to node %u", neighbour);
    return packet->cycle - sent(path, 0, packet)->cycle;
}
