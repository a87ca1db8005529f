/* SPDX-License-Identifier: Apache-2.0 */
/* Doorbells, descriptor fetch and slots, like tern_prefetch and tern_slots. */
#include "inside.h"

#include <string.h>

enum { INDEX_MASK = 0xffffff };

static uint32_t index_step(uint32_t index, uint32_t by)
{
    return (index + by) & INDEX_MASK;
}

/* ---- slots ---- */

/* Takes the lowest free slot; there must be one. */
static unsigned slot_take(struct soft_node *node, unsigned queue, uint8_t function)
{
    unsigned slot = (unsigned)__builtin_ctz(node->prefetch.free);

    node->prefetch.free &= node->prefetch.free - 1;
    node->prefetch.slot[slot].queue = (uint16_t)queue;
    node->prefetch.slot[slot].function = function;
    return slot;
}

void soft_slot_free(struct soft_node *node, unsigned slot)
{
    if (slot < SOFT_POOL)
        node->prefetch.free |= UINT32_C(1) << slot;
}

/* Tells whether `more` slots for this function would leave less than SOFT_SPARE to others. */
static bool crowded(const struct soft_node *node, uint8_t function, unsigned more)
{
    unsigned has = 0;

    for (unsigned slot = 0; slot < SOFT_POOL; slot++)
        has += !(node->prefetch.free >> slot & 1) && node->prefetch.slot[slot].function == function;
    return has + more > SOFT_POOL - SOFT_SPARE;
}

uint32_t soft_slot_queue(const struct soft_node *node, unsigned slot)
{
    return slot < SOFT_SLOTS ? node->prefetch.slot[slot].queue : 0;
}

void soft_prefetch_init(struct soft_node *node)
{
    node->prefetch.free = (UINT32_C(1) << SOFT_POOL) - 1;
}

/* ---- events ---- */

/* Returns the summary of a descriptor in its event, in addition to slot, queue and opcode. */
static uint32_t desc_news(const uint32_t *words, uint32_t index)
{
    static const uint32_t looks = TERN_V(DESC, counted, 1) | TERN_V(DESC, decides, 1) |
        TERN_V(DESC, linked, 1);
    uint32_t flags = TERN_F(DESC, flags, words[0]);

    if (TERN_F(DESC, version, words[0]) != TERN_DESC_VERSION)
        return TERN_EVERR_VERSION;
    if (TERN_F(DESC, index, words[1]) != (index & 0xffff))
        return TERN_EVERR_INDEX;
    return flags < TERN_EVERR_NONE && !(words[0] & looks) ? flags : TERN_EVERR_NONE;
}

/* Raises the event of a descriptor; one that could not be read has no opcode. */
static void tell(struct soft_node *node, unsigned queue, unsigned slot, uint32_t news)
{
    uint32_t opcode = news == TERN_EVERR_HOST_FAULT
                          ? 0
                          : TERN_F(DESC, opcode, node->prefetch.slot[slot].words[0]);

    soft_event(node, TERN_EV_DESC,
               TERN_V(EV, opcode, opcode) | TERN_V(EV, slot, slot) |
                   TERN_V(EV, queue, queue) | TERN_V(EV, err, news));
}

/* ---- the list of waiting queues ---- */

static bool may_wait(const struct soft_queue *queue)
{
    return queue->head != queue->doorbell && queue->type == TERN_QTYPE_SQ && !queue->stop;
}

static bool flying(const struct soft_prefetch *prefetch, unsigned number)
{
    return prefetch->fetch.active && prefetch->fetch.queue == number;
}

static void list_if_behind(struct soft_prefetch *prefetch, unsigned number)
{
    struct soft_queue *queue = &prefetch->queue[number];

    if (queue->listed || !may_wait(queue) || flying(prefetch, number))
        return;
    queue->listed = true;
    prefetch->list[(prefetch->list_first + prefetch->list_count++) % SOFT_QUEUES] =
        (uint16_t)number;
}

static unsigned list_take(struct soft_prefetch *prefetch)
{
    unsigned number = prefetch->list[prefetch->list_first];

    prefetch->list_first = (prefetch->list_first + 1) % SOFT_QUEUES;
    prefetch->list_count--;
    prefetch->queue[number].listed = false;
    return number;
}

/* ---- doorbells ---- */

static void refuse_bell(struct soft_node *node, const struct soft_doorbell *bell, bool known)
{
    SOFT_COUNT(node, bad_doorbells);
    if (node->sys.events[TERN_EV_DBERR].count < SOFT_DBERRS)
        soft_event(node, TERN_EV_DBERR,
                   TERN_V(EV, err, known) | TERN_V(EV, queue, bell->queue) |
                       TERN_V(EV, dbfn, bell->function));
}

/* Takes the inline descriptor of the window directly into a slot. */
static void take_inline(struct soft_node *node, struct soft_queue *queue,
                        const struct soft_doorbell *bell)
{
    unsigned slot = slot_take(node, bell->queue, bell->function);

    SOFT_COUNT(node, inline_descs);
    memcpy(node->prefetch.slot[slot].words, bell->desc, TERN_DESC_BYTES);
    tell(node, bell->queue, slot, desc_news(bell->desc, queue->head));
    queue->head = index_step(queue->head, 1);
}

void soft_doorbell(struct soft_node *node, const struct soft_doorbell *bell)
{
    struct soft_prefetch *prefetch = &node->prefetch;
    struct soft_queue *queue = &prefetch->queue[bell->queue % SOFT_QUEUES];
    bool known = bell->queue < SOFT_QUEUES && queue->type != TERN_QTYPE_NONE &&
                 queue->function == bell->function;
    uint32_t rung = bell->commit ? index_step(queue->doorbell, 1) : bell->index;
    bool is_sq = queue->type == TERN_QTYPE_SQ;
    bool in_order = queue->head == queue->doorbell && !flying(prefetch, bell->queue);

    if (!known || (is_sq && index_step(rung, -queue->head) > UINT32_C(1) << queue->log2)) {
        refuse_bell(node, bell, known);
        return;
    }
    SOFT_COUNT(node, doorbells);
    queue->doorbell = rung;
    if (bell->inlined && bell->commit && is_sq && in_order && !queue->stop &&
        prefetch->free != 0 && !crowded(node, queue->function, 1))
        take_inline(node, queue, bell);
    list_if_behind(prefetch, bell->queue);
}

/* ---- fetch ---- */

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/*
 * Takes slots for the burst and advances the queue's head, so that no descriptor is fetched twice.
 */
static void burst_begin(struct soft_node *node, struct soft_queue *queue)
{
    struct soft_fetch *fetch = &node->prefetch.fetch;

    fetch->index = queue->head;
    for (unsigned i = 0; i < fetch->count; i++)
        fetch->slots[i] = (uint8_t)slot_take(node, fetch->queue, queue->function);
    queue->head = index_step(queue->head, fetch->count);
    fetch->active = true;
    node->cost += COST_FETCH;
}

static void burst_end(struct soft_node *node, bool failed)
{
    struct soft_fetch *fetch = &node->prefetch.fetch;

    if (failed)
        memset(fetch->words, 0, sizeof fetch->words);
    for (unsigned i = 0; i < fetch->count; i++) {
        const uint32_t *words = &fetch->words[i * SOFT_DESC_WORDS];

        memcpy(node->prefetch.slot[fetch->slots[i]].words, words, TERN_DESC_BYTES);
        tell(node, fetch->queue, fetch->slots[i],
             failed ? TERN_EVERR_HOST_FAULT : desc_news(words, fetch->index + i));
    }
    if (!failed)
        SOFT_COUNT_BY(node, fetched_descs, fetch->count);
    fetch->active = false;
    list_if_behind(&node->prefetch, fetch->queue);
}

/*
 * Checks the key of a burst and starts its read; a ring that is not aligned in host memory counts
 * as unreadable.
 */
static void fetch_begin(struct soft_node *node, unsigned number)
{
    struct soft_fetch *fetch = &node->prefetch.fetch;
    struct soft_queue *queue = &node->prefetch.queue[number];
    uint32_t entries = UINT32_C(1) << queue->log2;
    uint32_t place = queue->head & (entries - 1);
    struct soft_check check = {.key = queue->key,
                               .address = queue->base + (uint64_t)place * TERN_DESC_BYTES,
                               .function = queue->function,
                               .right = TERN_RIGHT_LOCAL_READ};
    struct soft_grant grant;
    uint8_t status;

    fetch->queue = number;
    fetch->count = min(min(SOFT_BURST, index_step(queue->doorbell, -queue->head)),
                       min(entries - place, (unsigned)__builtin_popcount(node->prefetch.free)));
    check.bytes = fetch->count * TERN_DESC_BYTES;
    status = soft_key_check(node, &check, &grant);
    if (status != TERN_ST_OK || grant.address % TERN_DESC_BYTES != 0) {
        burst_begin(node, queue);
        burst_end(node, true);
        return;
    }
    fetch->count =
        min(fetch->count, (unsigned)(4096 - grant.address % 4096) / TERN_DESC_BYTES);
    burst_begin(node, queue);
    fetch->op = (struct tern_dma_op){.address = grant.address,
                                     .data = (uint8_t *)fetch->words,
                                     .bytes = fetch->count * TERN_DESC_BYTES,
                                     .function = queue->function};
    SOFT_COUNT(node, host_reads);
    SOFT_COUNT_BY(node, host_read_bytes, fetch->op.bytes);
}

static bool fetch_go_on(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;
    enum tern_dma_result result = host->transfer(host->ctx, &node->prefetch.fetch.op);

    if (result == TERN_DMA_PENDING)
        return false;
    if (result == TERN_DMA_FAULT)
        SOFT_COUNT(node, host_faults);
    burst_end(node, result == TERN_DMA_FAULT);
    return true;
}

bool soft_prefetch_work(struct soft_node *node)
{
    struct soft_prefetch *prefetch = &node->prefetch;
    bool did = false;
    unsigned passed = 0; /* consecutive queues whose function has too many slots */

    for (;;) {
        if (prefetch->fetch.active) {
            if (!fetch_go_on(node))
                return did;
            did = true;
        }
        if (prefetch->list_count == passed || prefetch->free == 0)
            return did;
        unsigned number = list_take(prefetch);
        if (may_wait(&prefetch->queue[number]) &&
            crowded(node, prefetch->queue[number].function, SOFT_BURST)) {
            list_if_behind(prefetch, number); /* to the end of the list */
            passed++;
            continue;
        }
        passed = 0;
        did = true;
        if (may_wait(&prefetch->queue[number]))
            fetch_begin(node, number);
    }
}

void soft_queue_count(struct soft_node *node, unsigned number, struct soft_place *place)
{
    struct soft_queue *queue = &node->prefetch.queue[number];
    uint32_t at = queue->head & ((UINT32_C(1) << queue->log2) - 1);

    *place = (struct soft_place){.address = queue->base + (uint64_t)at * TERN_CQE_BYTES,
                                 .key = queue->key,
                                 .number = queue->head,
                                 .function = queue->function,
                                 .phase = !(queue->head >> queue->log2 & 1)};
    queue->head = index_step(queue->head, 1);
}

/* ---- registers ---- */

uint32_t soft_queue_read(const struct soft_node *node, uint32_t offset)
{
    const struct soft_queue *queue = &node->prefetch.queue[node->prefetch.select % SOFT_QUEUES];

    if (offset == TERN_MMIO_Q_SEL)
        return node->prefetch.select;
    if (node->prefetch.select >= SOFT_QUEUES)
        return 0;
    switch (offset) {
    case TERN_MMIO_Q_BASE_LO:
        return (uint32_t)queue->base;
    case TERN_MMIO_Q_BASE_HI:
        return (uint32_t)(queue->base >> 32);
    case TERN_MMIO_Q_KEY:
        return queue->key;
    case TERN_MMIO_Q_CFG:
        return (uint32_t)queue->stop << 24 | (uint32_t)queue->type << 16 |
               (uint32_t)queue->function << 8 | queue->log2;
    case TERN_MMIO_Q_HEAD:
        return queue->head;
    default:
        return queue->doorbell;
    }
}

static void configure(struct soft_queue *queue, uint32_t value)
{
    queue->log2 = value & 0x1f;
    queue->function = (uint8_t)(value >> 8);
    queue->type = value >> 16 & 3;
    queue->stop = value >> 24 & 1;
}

void soft_queue_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    struct soft_prefetch *prefetch = &node->prefetch;
    struct soft_queue *queue = &prefetch->queue[prefetch->select % SOFT_QUEUES];

    if (offset == TERN_MMIO_Q_SEL)
        prefetch->select = value & 0xffff;
    if (offset == TERN_MMIO_Q_SEL || prefetch->select >= SOFT_QUEUES)
        return;
    switch (offset) {
    case TERN_MMIO_Q_BASE_LO:
        queue->base = (queue->base & ~(uint64_t)UINT32_MAX) | value;
        break;
    case TERN_MMIO_Q_BASE_HI:
        queue->base = (queue->base & UINT32_MAX) | (uint64_t)value << 32;
        break;
    case TERN_MMIO_Q_KEY:
        queue->key = value;
        break;
    case TERN_MMIO_Q_HEAD:
        queue->head = value & INDEX_MASK;
        break;
    case TERN_MMIO_Q_CFG:
        configure(queue, value);
        list_if_behind(prefetch, prefetch->select);
        break;
    default:
        queue->doorbell = value & INDEX_MASK;
        list_if_behind(prefetch, prefetch->select);
    }
}
