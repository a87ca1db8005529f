/* SPDX-License-Identifier: Apache-2.0 */
/* Events, log, byte counters and time, like tern_mmio and tern_ctr. */
#include "inside.h"

/* ---- events ---- */

void soft_event(struct soft_node *node, unsigned type, uint32_t word)
{
    struct soft_events *events = &node->sys.events[type];

    if (events->count == SOFT_EVENTS)
        return; /* no block raises so many events */
    events->word[(events->first + events->count++) % SOFT_EVENTS] =
        TERN_V(EV, type, type) | word;
    node->sys.pending |= UINT32_C(1) << type;
}

/* In the order of EV_POP. */
static const uint8_t order[] = {TERN_EV_OP,  TERN_EV_HWR,   TERN_EV_RX,  TERN_EV_LINK,
                                TERN_EV_BAR, TERN_EV_DBERR, TERN_EV_CTR, TERN_EV_DESC};

uint32_t soft_events_pending(const struct soft_node *node)
{
    return node->sys.pending | (uint32_t)(node->bar.control != 0) << TERN_EV_BAR;
}

static uint32_t take(struct soft_node *node, unsigned type)
{
    struct soft_events *events = &node->sys.events[type];
    uint32_t word = events->word[events->first];

    events->first = (events->first + 1) % SOFT_EVENTS;
    if (--events->count == 0)
        node->sys.pending &= ~(UINT32_C(1) << type);
    if (type == TERN_EV_OP)
        soft_op_taken(node, TERN_F(EV, slot, word));
    if (type == TERN_EV_CTR)
        node->sys.counter_listed[TERN_F(EV, counter, word) % SOFT_COUNTERS] = false;
    return word;
}

/* Takes an event of a link, or, if there is none, of the tree. */
static uint32_t take_link(struct soft_node *node)
{
    uint32_t word = soft_link_event(node);

    if (word == 0)
        word = soft_tree_event(node);
    node->sys.pending &= ~(UINT32_C(1) << TERN_EV_LINK);
    node->sys.pending |= (uint32_t)soft_tree_waits(node) << TERN_EV_LINK;
    for (unsigned p = 0; p < node->config.ports; p++)
        if (node->link[p].tell_up || node->link[p].tell_down)
            node->sys.pending |= UINT32_C(1) << TERN_EV_LINK;
    return word;
}

uint32_t soft_event_pop(struct soft_node *node)
{
    uint32_t offered = soft_events_pending(node) & node->sys.mask;

    for (unsigned i = 0; offered != 0 && i < sizeof order; i++) {
        if (!(offered >> order[i] & 1))
            continue;
        if (order[i] == TERN_EV_BAR)
            return soft_bar_event(node);
        return order[i] == TERN_EV_LINK ? take_link(node) : take(node, order[i]);
    }
    return 0;
}

/* ---- log ---- */

void soft_log_push(struct soft_node *node, uint32_t word)
{
    struct soft_sys *sys = &node->sys;

    if (sys->log_count < SOFT_LOG_WORDS)
        sys->log[(sys->log_first + sys->log_count++) % SOFT_LOG_WORDS] = word;
}

uint32_t soft_log_pop(struct soft_node *node)
{
    struct soft_sys *sys = &node->sys;
    uint32_t word = sys->log[sys->log_first];

    if (sys->log_count == 0)
        return 0;
    sys->log_first = (sys->log_first + 1) % SOFT_LOG_WORDS;
    sys->log_count--;
    return word;
}

/* ---- byte counters ---- */

/* Subtracts bytes from a counter; each counter has at most one event waiting. */
void soft_counter_take(struct soft_node *node, uint32_t counter, uint32_t bytes)
{
    struct soft_sys *sys = &node->sys;
    uint32_t before;

    if (counter >= SOFT_COUNTERS || bytes == 0)
        return;
    before = sys->counter[counter];
    sys->counter[counter] = before > bytes ? before - bytes : 0;
    if (before == 0 || sys->counter[counter] != 0 || sys->counter_listed[counter])
        return;
    sys->counter_listed[counter] = true;
    soft_event(node, TERN_EV_CTR, TERN_V(EV, counter, counter));
}

/* ---- time ---- */

/*
 * Reads the time.  It does not advance during a turn of the node, except by 1 with each read, so a
 * loop that waits for a time ends.
 */
uint64_t soft_time_read(struct soft_node *node)
{
    struct soft_sys *sys = &node->sys;

    sys->last_read = sys->now > sys->last_read ? sys->now : sys->last_read + 1;
    return sys->last_read;
}

uint64_t soft_time_seen(const struct soft_node *node)
{
    const struct soft_sys *sys = &node->sys;

    return sys->now > sys->last_read ? sys->now : sys->last_read;
}
