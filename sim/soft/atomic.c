/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chip's atomic unit: compare-and-swap, fetch-and-add and take of words in host memory, and
 * walks from node to node there, one at a time.
 *
 * An operation in flight has a place among the host writes. Earlier writes are then in memory and
 * later ones wait, which makes it atomic; the chip delays only those near the word. A walk takes
 * such a place for each node.
 */
#include <string.h>

#include "inside.h"

static uint32_t *header(struct soft_node *node, unsigned slot)
{
    return node->rx.slot[slot].header;
}

/*
 * Returns a field of the operands, which are the second half of a descriptor: `word` counts from
 * its start.
 */
static uint64_t operand(const struct soft_atomic *atomic, unsigned word)
{
    const uint32_t *at = &atomic->operands[word - TERN_INLINE_OFFSET / 4];

    return at[0] | (uint64_t)at[1] << 32;
}

/* ---- waiting operations ---- */

void soft_atomic_push(struct soft_node *node, uint32_t value)
{
    struct soft_atomic *atomic = &node->atomic;

    if (TERN_F(RXA, slot, value) >= SOFT_RX_SLOTS || atomic->count == SOFT_RX_SLOTS)
        return;
    atomic->waiting[(atomic->first + atomic->count++) % SOFT_RX_SLOTS] = (uint16_t)value;
}

/* Drops all receive slots; an operation in flight then ends without one. */
void soft_atomic_forget(struct soft_node *node)
{
    node->atomic.count = 0;
    node->atomic.slot = SOFT_RX_SLOTS;
}

/* ---- one operation ---- */

/*
 * Checks a walk's node: the header's address is a list link, with the generation in its upper bits.
 */
static uint8_t admit_node(struct soft_node *node, const uint32_t *w, struct soft_grant *grant)
{
    struct soft_atomic *atomic = &node->atomic;
    struct soft_check check = {
        .key = (uint32_t)TERN_GET(PKT, key, w),
        .address = TERN_GET(LNK, addr, w + TERN_PKT_addr_WORD),
        .bytes = TERN_NODE_BYTES,
        .right = TERN_RIGHT_REMOTE_READ,
        .any_function = true,
        .offset = TERN_GET(PKT, flags, w) & TERN_PFLAG_OFFSET,
    };
    uint8_t status = soft_key_check(node, &check, grant);

    atomic->generation = (uint16_t)TERN_GET(LNK, generation, w + TERN_PKT_addr_WORD);
    if (status == TERN_ST_OK && grant->address % TERN_NODE_BYTES != 0)
        status = TERN_ST_BAD_ALIGN;
    return status != TERN_ST_OK && atomic->on ? TERN_ST_BAD_LINK : status;
}

static uint8_t admit_word(struct soft_node *node, const uint32_t *w, struct soft_grant *grant)
{
    struct soft_check check = {
        .key = (uint32_t)TERN_GET(PKT, key, w),
        .address = TERN_GET(PKT, addr, w),
        .bytes = TERN_ATOMIC_BYTES,
        .right = TERN_RIGHT_REMOTE_ATOMIC,
        .any_function = true,
        .offset = TERN_GET(PKT, flags, w) & TERN_PFLAG_OFFSET,
    };
    uint8_t status = soft_key_check(node, &check, grant);

    if (status == TERN_ST_OK && grant->address % TERN_ATOMIC_BYTES != 0)
        return TERN_ST_BAD_ALIGN;
    return status;
}

static uint8_t admit(struct soft_node *node, struct soft_grant *grant)
{
    const uint32_t *w = header(node, node->atomic.slot);
    uint32_t incarnation = (uint32_t)TERN_GET(PKT, incarnation, w);

    if (incarnation != 0 && incarnation != node->sys.incarnation)
        return TERN_ST_STALE_NODE;
    if (TERN_GET(PKT, length, w) != TERN_ATO_BYTES)
        return TERN_ST_BAD_LENGTH;
    return node->atomic.walk ? admit_node(node, w, grant) : admit_word(node, w, grant);
}

static void end(struct soft_node *node, uint8_t status)
{
    struct soft_atomic *atomic = &node->atomic;
    struct soft_ack ack = {.node = atomic->source,
                           .opid = atomic->opid,
                           .status = status,
                           .last = true,
                           .brings = status == TERN_ST_OK,
                           .word = atomic->old};

    if ((ack.opid & 0xff) != TERN_OP_NONE)
        soft_rx_answer(node, &ack);
    if (atomic->slot < SOFT_RX_SLOTS)
        node->rx.taken[atomic->slot] = false;
    atomic->busy = false;
}

static void begin(struct soft_node *node, const struct soft_grant *grant)
{
    struct soft_atomic *atomic = &node->atomic;
    struct soft_write *write = soft_write_new(node, WRITE_ATOMIC);
    uint32_t bytes = atomic->walk ? TERN_NODE_BYTES : TERN_ATOMIC_BYTES;

    write->function = grant->function;
    write->address = grant->address;
    atomic->writes = false;
    atomic->op = (struct tern_dma_op){.address = grant->address,
                                      .data = atomic->walk ? (uint8_t *)atomic->words
                                      : (uint8_t *)&atomic->old, .bytes = bytes,
                                      .function = grant->function};
    SOFT_COUNT(node, host_reads);
    SOFT_COUNT_BY(node, host_read_bytes, bytes);
}

/* Starts the access to the word, or to the next node. */
static void go_to(struct soft_node *node)
{
    struct soft_atomic *atomic = &node->atomic;
    struct soft_grant grant;
    uint8_t status = TERN_ST_FLUSHED;

    atomic->between = false;
    if (atomic->slot < SOFT_RX_SLOTS)
        status = admit(node, &grant);
    if (status == TERN_ST_OK)
        begin(node, &grant);
    else
        end(node, status);
}

static void take(struct soft_node *node)
{
    struct soft_atomic *atomic = &node->atomic;
    uint32_t value = atomic->waiting[atomic->first];

    atomic->first = (atomic->first + 1) % SOFT_RX_SLOTS;
    atomic->count--;
    atomic->busy = true;
    atomic->slot = TERN_F(RXA, slot, value);
    atomic->add = TERN_F(RXA, add, value);
    atomic->walk = TERN_F(RXA, walk, value) && atomic->add;
    atomic->take = TERN_F(RXA, walk, value) && !atomic->add;
    atomic->tree = TERN_F(RXA, tree, value);
    atomic->on = TERN_F(RXA, on, value);
    atomic->more = TERN_F(RXA, nodes, value);
    atomic->source = (uint16_t)TERN_GET(PKT, src, header(node, atomic->slot));
    atomic->opid = (uint16_t)TERN_GET(PKT, opid, header(node, atomic->slot));
    memcpy(atomic->operands, node->rx.slot[atomic->slot].payload, sizeof atomic->operands);
    atomic->between = true;
}

bool soft_atomic_work(struct soft_node *node)
{
    const struct soft_atomic *atomic = &node->atomic;
    bool did = false;

    while ((atomic->between || (!atomic->busy && atomic->count > 0)) &&
           node->writes.count < SOFT_WRITES &&
           node->rx.ack_count < SOFT_ACKS - SOFT_ACKS_KEPT) {
        if (!atomic->busy)
            take(node);
        go_to(node);
        did = true;
    }
    return did;
}

/* ---- execution, among the writes ---- */

static bool alike(const struct soft_atomic *atomic)
{
    return ((atomic->old ^ operand(atomic, TERN_ATO_compare_WORD)) &
            operand(atomic, TERN_ATO_compare_mask_WORD)) == 0;
}

static uint64_t changed(const struct soft_atomic *atomic)
{
    uint64_t mask = operand(atomic, TERN_ATO_swap_mask_WORD);
    uint64_t swap = operand(atomic, TERN_ATO_swap_WORD) & mask;

    if (atomic->take)
        return atomic->old | ((atomic->old + swap) & mask);
    return atomic->add ? atomic->old + swap : (atomic->old & ~mask) | swap;
}

/* Compares the word that was read; returns whether the operation is done. */
static bool compare(struct soft_node *node)
{
    struct soft_atomic *atomic = &node->atomic;

    if (!alike(atomic))
        return true;
    atomic->new_word = changed(atomic);
    atomic->writes = true;
    atomic->op = (struct tern_dma_op){.address = atomic->op.address,
                                      .data = (uint8_t *)&atomic->new_word,
                                      .bytes = TERN_ATOMIC_BYTES,
                                      .write = true,
                                      .function = atomic->op.function};
    SOFT_COUNT(node, host_writes);
    SOFT_COUNT_BY(node, host_write_bytes, TERN_ATOMIC_BYTES);
    node->cost += COST_WRITE + COST_WORD;
    return false;
}

/* ---- a node was read ---- */

/* Returns the walk to the firmware with an event, unless the core was reset meanwhile. */
static void tell(struct soft_node *node, bool found)
{
    struct soft_atomic *atomic = &node->atomic;

    if (atomic->slot >= SOFT_RX_SLOTS) {
        end(node, TERN_ST_FLUSHED);
        return;
    }
    soft_event(node, TERN_EV_RX,
               TERN_V(EV, rxslot, atomic->slot) | TERN_V(EV, walked, 1) | TERN_V(EV, found, found));
    atomic->busy = false;
}

static void follow(struct soft_node *node, const uint32_t *link)
{
    struct soft_atomic *atomic = &node->atomic;

    if (link[0] == 0) {
        end(node, TERN_ST_NOT_FOUND);
        return;
    }
    if (atomic->slot < SOFT_RX_SLOTS)
        memcpy(header(node, atomic->slot) + TERN_PKT_addr_WORD, link, 2 * sizeof *link);
    atomic->on = true;
    atomic->between = atomic->more > 0;
    if (atomic->between)
        atomic->more--;
    else
        tell(node, false);
}

static void look(struct soft_node *node)
{
    const struct soft_atomic *atomic = &node->atomic;
    const uint32_t *w = atomic->words;
    uint64_t key = TERN_GET(NOD, key, w);
    uint64_t beyond = key +
        (operand(atomic, TERN_ATO_swap_WORD) & operand(atomic, TERN_ATO_swap_mask_WORD));

    if (atomic->generation != 0 && atomic->generation != TERN_GET(NOD, generation, w))
        end(node, TERN_ST_STALE_POINTER);
    else if (beyond == 0)
        tell(node, true);
    else
        follow(node, w + (atomic->tree && beyond >= key ? TERN_NOD_more_WORD : TERN_NOD_less_WORD));
}

static bool walk_on(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;
    enum tern_dma_result result = host->transfer(host->ctx, &node->atomic.op);

    if (result == TERN_DMA_PENDING)
        return false;
    if (result == TERN_DMA_OK) {
        look(node);
        return true;
    }
    SOFT_COUNT(node, host_faults);
    end(node, TERN_ST_HOST_FAULT);
    return true;
}

bool soft_atomic_go_on(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;
    struct soft_atomic *atomic = &node->atomic;
    enum tern_dma_result result;

    if (atomic->walk)
        return walk_on(node);
    do {
        result = host->transfer(host->ctx, &atomic->op);
        if (result == TERN_DMA_PENDING)
            return false;
    } while (result == TERN_DMA_OK && !atomic->writes && !compare(node));
    if (result == TERN_DMA_FAULT)
        SOFT_COUNT(node, host_faults);
    end(node, result == TERN_DMA_OK ? TERN_ST_OK : TERN_ST_HOST_FAULT);
    return true;
}
