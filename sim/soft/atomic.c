/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare-and-swap and fetch-and-add of words in host memory, one after the other: the chip's atomic unit.
 *
 * What is under way has a place among the host writes.  Whatever came before it is in memory then, whatever comes
 * behind waits for it, which makes it whole; the chip lets those go on that touch other words.
 */
#include <string.h>

#include "inside.h"

static uint32_t *header(struct soft_node *node, unsigned slot)
{
    return node->rx.slot[slot].header;
}

/* Field of the operands: its word counts from the start of a descriptor, of which they are the second half. */
static uint64_t operand(const struct soft_atomic *atomic, unsigned word)
{
    const uint32_t *at = atomic->operands + word - TERN_INLINE_OFFSET / 4;

    return at[0] | (uint64_t)at[1] << 32;
}

/* ---- what waits ---- */

void soft_atomic_push(struct soft_node *node, uint32_t value)
{
    struct soft_atomic *atomic = &node->atomic;

    if (TERN_F(RXA, slot, value) >= SOFT_RX_SLOTS || atomic->count == SOFT_RX_SLOTS)
        return;
    atomic->waiting[(atomic->first + atomic->count++) % SOFT_RX_SLOTS] = (uint16_t)value;
}

/* The slots are nobody's any more; what is under way ends without one. */
void soft_atomic_forget(struct soft_node *node)
{
    node->atomic.count = 0;
    node->atomic.slot = SOFT_RX_SLOTS;
}

/* ---- one of them ---- */

static uint8_t admit(struct soft_node *node, unsigned slot, struct soft_grant *grant)
{
    const uint32_t *w = header(node, slot);
    struct soft_check check = {
        .key = (uint32_t)TERN_GET(PKT, key, w),
        .address = TERN_GET(PKT, addr, w),
        .bytes = TERN_ATOMIC_BYTES,
        .right = TERN_RIGHT_REMOTE_ATOMIC,
        .any_function = true,
        .offset = TERN_GET(PKT, flags, w) & TERN_PFLAG_OFFSET,
    };
    uint32_t incarnation = (uint32_t)TERN_GET(PKT, incarnation, w);
    uint8_t status;

    if (incarnation != 0 && incarnation != node->sys.incarnation)
        return TERN_ST_STALE_NODE;
    if (TERN_GET(PKT, length, w) != TERN_ATO_BYTES)
        return TERN_ST_BAD_LENGTH;
    status = soft_key_check(node, &check, grant);
    if (status == TERN_ST_OK && grant->address % TERN_ATOMIC_BYTES != 0)
        return TERN_ST_BAD_ALIGN;
    return status;
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

    write->function = grant->function;
    write->address = grant->address;
    atomic->writes = false;
    atomic->op = (struct tern_dma_op){.address = grant->address,
                                      .data = (uint8_t *)&atomic->old,
                                      .bytes = TERN_ATOMIC_BYTES,
                                      .function = grant->function};
    SOFT_COUNT(node, host_reads);
    SOFT_COUNT_BY(node, host_read_bytes, TERN_ATOMIC_BYTES);
}

static void take(struct soft_node *node)
{
    struct soft_atomic *atomic = &node->atomic;
    uint32_t value = atomic->waiting[atomic->first];
    struct soft_grant grant;
    uint8_t status;

    atomic->first = (atomic->first + 1) % SOFT_RX_SLOTS;
    atomic->count--;
    atomic->busy = true;
    atomic->slot = TERN_F(RXA, slot, value);
    atomic->add = TERN_F(RXA, add, value);
    atomic->source = (uint16_t)TERN_GET(PKT, src, header(node, atomic->slot));
    atomic->opid = (uint16_t)TERN_GET(PKT, opid, header(node, atomic->slot));
    memcpy(atomic->operands, node->rx.slot[atomic->slot].payload, sizeof atomic->operands);
    status = admit(node, atomic->slot, &grant);
    if (status == TERN_ST_OK)
        begin(node, &grant);
    else
        end(node, status);
}

bool soft_atomic_work(struct soft_node *node)
{
    const struct soft_atomic *atomic = &node->atomic;
    bool did = false;

    while (!atomic->busy && atomic->count > 0 && node->writes.count < SOFT_WRITES &&
           node->rx.ack_count < SOFT_ACKS - SOFT_ACKS_KEPT) {
        take(node);
        did = true;
    }
    return did;
}

/* ---- its turn among the writes ---- */

static bool alike(const struct soft_atomic *atomic)
{
    return ((atomic->old ^ operand(atomic, TERN_ATO_compare_WORD)) &
            operand(atomic, TERN_ATO_compare_mask_WORD)) == 0;
}

static uint64_t changed(const struct soft_atomic *atomic)
{
    uint64_t mask = operand(atomic, TERN_ATO_swap_mask_WORD);
    uint64_t swap = operand(atomic, TERN_ATO_swap_WORD) & mask;

    return atomic->add ? atomic->old + swap : (atomic->old & ~mask) | swap;
}

/* The word was read; whether that was all. */
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

bool soft_atomic_go_on(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;
    struct soft_atomic *atomic = &node->atomic;
    enum tern_dma_result result;

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
