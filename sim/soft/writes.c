/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes to the host, like tern_hwr and tern_dma_wr: deposits, firmware writes and interrupts, in
 * one order.
 */
#include <string.h>

#include "inside.h"

enum { KIND_DATA, KIND_SLOT, KIND_INTERRUPT };

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

bool soft_write_room(const struct soft_node *node)
{
    return node->writes.count < SOFT_WRITES_PUT;
}

struct soft_write *soft_write_new(struct soft_node *node, enum soft_write_kind kind)
{
    struct soft_writes *writes = &node->writes;
    struct soft_write *write =
        &writes->write[(writes->first + writes->count++) % SOFT_WRITES];

    write->kind = (uint8_t)kind;
    write->status = TERN_ST_OK;
    write->begun = false;
    return write;
}

/* ---- commands of the firmware ---- */

static void tell(struct soft_node *node, uint16_t tag, uint8_t status)
{
    soft_event(node, TERN_EV_HWR, TERN_V(EV, tag, tag) | TERN_V(EV, hwstatus, status));
}

uint32_t soft_hwr_space(const struct soft_node *node)
{
    return min(SOFT_HWR, SOFT_WRITES_FW - min(SOFT_WRITES_FW, node->writes.count));
}

/* Checks whether the write is allowed, and finds its place in host memory. */
static uint8_t check(struct soft_node *node, unsigned kind, uint32_t bytes,
                     struct soft_grant *grant)
{
    const struct soft_writes *writes = &node->writes;
    struct soft_check asked = {.key = writes->key,
                               .address = writes->address,
                               .bytes = bytes,
                               .function = writes->function,
                               .right = TERN_RIGHT_LOCAL_WRITE};

    if (kind > KIND_INTERRUPT || bytes > (kind == KIND_DATA ? TERN_INLINE_BYTES_MAX : SOFT_PAYLOAD))
        return TERN_ST_BAD_LENGTH;
    return soft_key_check(node, &asked, grant);
}

static void interrupt_new(struct soft_node *node, uint32_t go)
{
    struct soft_write *write = soft_write_new(node, WRITE_INTERRUPT);

    write->function = node->writes.function;
    write->vector = (uint16_t)node->writes.key;
    write->tag = (uint16_t)TERN_F(HWG, tag, go);
    write->notify = TERN_F(HWG, notify, go);
}

static void data_new(struct soft_node *node, uint32_t go, const struct soft_grant *grant)
{
    struct soft_write *write = soft_write_new(node, WRITE_FIRMWARE);
    unsigned slot = TERN_F(HWG, rxslot, go);

    write->function = node->writes.function;
    write->address = grant->address;
    write->bytes = (uint16_t)TERN_F(HWG, bytes, go);
    write->tag = (uint16_t)TERN_F(HWG, tag, go);
    write->notify = TERN_F(HWG, notify, go);
    if (TERN_F(HWG, kind, go) == KIND_DATA)
        memcpy(write->data, node->writes.data, write->bytes);
    else
        memcpy(write->data, node->rx.slot[slot % SOFT_RX_SLOTS].payload, write->bytes);
}

void soft_hwr_go(struct soft_node *node, uint32_t go)
{
    unsigned kind = TERN_F(HWG, kind, go), slot = TERN_F(HWG, rxslot, go);
    struct soft_grant grant;
    uint8_t status;

    if (soft_hwr_space(node) == 0)
        return;
    if (kind == KIND_INTERRUPT) {
        interrupt_new(node, go);
        return;
    }
    status = check(node, kind, TERN_F(HWG, bytes, go), &grant);
    if (status == TERN_ST_OK)
        data_new(node, go, &grant);
    else
        tell(node, (uint16_t)TERN_F(HWG, tag, go), status);
    (void)soft_writes_work(node);
    if (kind == KIND_SLOT && TERN_F(HWG, free_slot, go) && slot < SOFT_RX_SLOTS)
        node->rx.taken[slot] = false;
}

/* Fills in the completion that hardware writes for an operation that succeeded. */
static void describe(const struct soft_slot *slot, const struct soft_place *place, uint32_t *w)
{
    const uint32_t *desc = slot->words;
    bool inlined = (TERN_F(DESC, flags, desc[0]) & TERN_DFLAG_INLINE) != 0;

    memset(w, 0, TERN_CQE_BYTES);
    TERN_SET(CQE, opcode, w, TERN_F(DESC, opcode, desc[0]));
    TERN_SET(CQE, index, w, TERN_GET(DESC, index, desc));
    TERN_SET(CQE, queue, w, slot->queue);
    TERN_SET(CQE, length, w,
             inlined ? TERN_GET(DESC, inline_len, desc) : TERN_GET(DESC, length, desc));
    TERN_SET(CQE, node, w, TERN_GET(DESC, dst_node, desc));
    TERN_SET(CQE, lap, w, place->number);
    TERN_SET(CQE, phase, w, place->phase);
    if (TERN_F(DESC, result, desc[0]))
        TERN_SET(CQE, value, w, TERN_GET(ATR, value, desc));
}

void soft_complete(struct soft_node *node, uint32_t value)
{
    unsigned number = TERN_F(QDN, cq, value), slot = TERN_F(QDN, slot, value);
    struct soft_writes *writes = &node->writes;
    struct soft_place place;

    if (number >= SOFT_QUEUES || slot >= SOFT_SLOTS)
        return;
    soft_queue_count(node, number, &place);
    writes->address = place.address;
    writes->key = place.key;
    writes->function = place.function;
    describe(&node->prefetch.slot[slot], &place, writes->data);
    soft_slot_free(node, slot);
    soft_hwr_go(node, TERN_V(HWG, bytes, TERN_CQE_BYTES) |
                          TERN_V(HWG, tag, TERN_HWTAG_CQ | number));
}

/* ---- execution ---- */

static struct soft_write *nth(struct soft_writes *writes, unsigned n)
{
    return &writes->write[(writes->first + n) % SOFT_WRITES];
}

static bool moves_bytes(const struct soft_write *write)
{
    return (write->kind == WRITE_PUT || write->kind == WRITE_FIRMWARE) && write->bytes > 0;
}

static void begin(struct soft_node *node, struct soft_write *write)
{
    if (write->begun)
        return;
    SOFT_COUNT(node, host_writes);
    SOFT_COUNT_BY(node, host_write_bytes, write->bytes);
    node->cost += COST_WRITE + write->bytes / 8u * COST_WORD;
    write->begun = true;
    write->op = (struct tern_dma_op){.address = write->address,
                                     .data = write->data,
                                     .bytes = write->bytes,
                                     .write = true,
                                     .function = write->function};
}

static void answer_put(struct soft_node *node, const struct soft_write *write)
{
    struct soft_ack ack = {
        .node = write->source, .opid = write->opid, .status = write->status, .here = write->reply};

    if (!soft_rx_whole(node, write) && write->status == TERN_ST_OK)
        ack.status = TERN_ST_PACKET_LOST;
    if (write->status == TERN_ST_OK) {
        SOFT_COUNT(node, rx_put_packets);
        SOFT_COUNT_BY(node, rx_put_bytes, write->bytes);
        soft_counter_take(node, write->counter, write->bytes);
    }
    if ((write->opid & 0xff) != TERN_OP_NONE && (write->ack || write->status != TERN_ST_OK))
        soft_rx_answer(node, &ack);
}

static void drop_oldest(struct soft_writes *writes)
{
    writes->first = (writes->first + 1) % SOFT_WRITES;
    writes->count--;
}

/* Ends the oldest write. */
static void end(struct soft_node *node, bool failed)
{
    struct soft_writes *writes = &node->writes;
    struct soft_write *write = nth(writes, 0);

    if (failed) {
        SOFT_COUNT(node, host_faults);
        write->status = TERN_ST_HOST_FAULT;
    }
    if (write->kind == WRITE_PUT || write->kind == WRITE_REFUSED)
        answer_put(node, write);
    else if (failed || write->notify)
        tell(node, write->tag, write->status);
    drop_oldest(writes);
}

/* ---- answers that never come ---- */

/* Cycles after which the chip gives an answer up: 512 to 768 host round trips. */
static uint64_t patience(const struct soft_node *node)
{
    enum { ROUND_TRIPS = 640, LEAST = 128 };
    uint64_t latency = node->config.timing.host_latency;

    return ROUND_TRIPS * (latency < LEAST ? LEAST : latency);
}

/* The oldest write that is not lost has been done, and its answer is lost. */
static void lose(struct soft_node *node)
{
    struct soft_writes *writes = &node->writes;

    writes->lose--;
    nth(writes, writes->lost++)->due = node->sys.now + patience(node);
}

/* The oldest lost write fails. */
static void give_up(struct soft_node *node)
{
    node->writes.lost--;
    end(node, true);
}

/* The host has answered a later write: the channel is in order, so no answer to those before it
 * comes. */
static void pass_lost(struct soft_node *node)
{
    while (node->writes.lost > 0)
        give_up(node);
}

uint64_t soft_writes_timer(const struct soft_node *node)
{
    const struct soft_writes *writes = &node->writes;

    return writes->lost > 0 ? writes->write[writes->first].due : SOFT_NEVER;
}

static bool give_up_in_time(struct soft_node *node)
{
    bool did = false;

    for (; soft_writes_timer(node) <= node->sys.now; did = true)
        give_up(node);
    return did;
}

static void answered(struct soft_node *node, bool failed)
{
    if (node->writes.lose > 0) {
        lose(node);
        return;
    }
    pass_lost(node);
    end(node, failed);
}

/* ---- in order ---- */

/* How many acks may be caused now; those of lost writes are kept free. */
static unsigned room(const struct soft_node *node)
{
    unsigned used = SOFT_ACKS_KEPT + node->rx.ack_count + node->writes.lost;

    return used < SOFT_ACKS ? SOFT_ACKS - used : 0;
}

/* Moves the bytes of the oldest writes, as many as belong to one function and find room for their
 * answers; how many have been moved. */
static unsigned move_some(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;
    struct soft_writes *writes = &node->writes;
    struct tern_dma_op *ops[TERN_DMA_AT_ONCE];
    unsigned most = min(min(TERN_DMA_AT_ONCE, room(node)), writes->count - writes->lost);
    unsigned first = writes->lost, count = 0, ended;
    uint32_t faults;

    while (count < most && moves_bytes(nth(writes, first + count)) &&
           nth(writes, first + count)->function == nth(writes, first)->function) {
        begin(node, nth(writes, first + count));
        ops[count] = &nth(writes, first + count)->op;
        count++;
    }
    ended = host->transfer_all(host->ctx, ops, count, &faults);
    for (unsigned i = 0; i < ended; i++)
        answered(node, faults >> i & 1);
    return ended;
}

bool soft_writes_work(struct soft_node *node)
{
    const struct tern_host *host = &node->config.host;
    struct soft_writes *writes = &node->writes;
    bool did = give_up_in_time(node);

    while (writes->count > writes->lost && room(node) > 0) {
        struct soft_write *write = nth(writes, writes->lost);

        if (moves_bytes(write)) {
            if (move_some(node) == 0)
                return did;
        } else if (write->kind == WRITE_ATOMIC) {
            if (!soft_atomic_go_on(node))
                return did;
            pass_lost(node);
            drop_oldest(writes);
        } else {
            if (write->kind == WRITE_INTERRUPT) {
                SOFT_COUNT(node, interrupts);
                host->interrupt(host->ctx, write->function, write->vector);
            }
            pass_lost(node);
            end(node, false);
        }
        did = true;
    }
    return did;
}
