/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct put: checks, an operation entry, one transmit command.
 *
 * This path has to be short: fw_puts does the ordinary case, everything else goes through
 * fw_put.
 */
#include "cq.h"
#include "desc.h"
#include "op.h"
#include "tick.h"

/* The words of the descriptor that the firmware looks at. */
struct put {
    uint32_t frame, node, bytes;
};

static inline void put_read(struct put *put, uint32_t event)
{
    uintptr_t words = mmio_block(fw_desc_words(event));

    put->frame = rd32_in(words, 0);
    put->node = TERN_F(DESC, dst_node, rd32_in(words, 4 * TERN_DESC_dst_node_WORD));
    put->bytes = put->frame & TERN_V(DESC, flags, TERN_DFLAG_INLINE)
                     ? TERN_F(DESC, inline_len, put->frame)
                     : rd32_in(words, 4 * TERN_DESC_length_WORD);
}

/* One unsigned comparison says both: not 0, not more than allowed. */
static inline bool length_ok(const struct put *put)
{
    bool is_inline = (put->frame & TERN_V(DESC, flags, TERN_DFLAG_INLINE)) != 0;

    return put->bytes - 1 < (is_inline ? TERN_INLINE_BYTES_MAX : TERN_PUT_BYTES_MAX);
}

#define COMMAND(inl_, ack_, notify_) \
    (TERN_V(TXC, vn, TERN_VN_DATA) | TERN_V(TXC, type, TERN_PTYPE_PUT) | \
     TERN_V(TXC, inl, inl_) | TERN_V(TXC, ack, ack_) | TERN_V(TXC, notify, notify_) | \
     TERN_V(TXC, free_slot, 1))

/* The command for the flags UNACKED, INLINE, SIGNAL, which are bits 2 to 0. */
static const uint32_t commands[8] = {
    COMMAND(0, 1, 0), COMMAND(0, 1, 1), COMMAND(1, 1, 0), COMMAND(1, 1, 1),
    COMMAND(0, 0, 0), COMMAND(0, 0, 1), COMMAND(1, 0, 0), COMMAND(1, 0, 1),
};
_Static_assert(TERN_DFLAG_SIGNAL == 1 && TERN_DFLAG_INLINE == 2 &&
                   TERN_DFLAG_UNACKED == 4,
               "the table goes by these bits");

/* What the end of the operation has to know.  Hardware is under way meanwhile. */
static inline void record(struct fw *fw, struct fw_queue *q, struct fw_queue *cq,
                          uint32_t event, uint32_t entry, const struct put *put)
{
    struct fw_op *op = &fw->op[entry];

    op->queue = (uint16_t)(TERN_F(EV, queue, event) % FW_QUEUES);
    op->index = (uint16_t)q->producer++;
    op->node = (uint16_t)put->node;
    op->length = put->bytes;
    op->opcode = TERN_OP_PUT;
    op->flags = OP_SILENT;
    op->idle = 0;
    op->owner = 0;
    cq->room--;
    if (put->frame & TERN_V(DESC, flags, TERN_DFLAG_SIGNAL)) {
        op->flags = OP_SIGNAL;
        cq->reserved++;
    }
}

/* The checks are done and a command fits. */
static inline void start(struct fw *fw, struct fw_queue *q, uint32_t event,
                         const struct put *put)
{
    uint32_t entry = tx_op_alloc();

    if (entry & TX_OP_NONE_FREE) {
        fw_desc_not_started(fw, q, event, FW_HOLD);
        return;
    }
    tx_start(&fw->tx, commands[TERN_F(DESC, flags, put->frame) & 7] |
                          TERN_V(TXC, slot, TERN_F(EV, slot, event)) |
                          TERN_V(TXC, op, entry));
    record(fw, q, &fw->queue[q->cq], event, entry, put);
    FW_COUNT(fw, puts);
    fw_tick_hurry(fw);
}

static uint32_t check(struct fw *fw, struct fw_queue *q, uint32_t event,
                      const struct put *put)
{
    uint32_t status = length_ok(put) ? fw_node_status(fw, put->node) : TERN_ST_BAD_LENGTH;

    if (status == TERN_ST_OK && put->frame & TERN_V(DESC, flags, TERN_DFLAG_FENCE))
        status = fw_desc_fence(fw, q, event);
    if (status == TERN_ST_OK && !tx_ready(&fw->tx))
        status = FW_HOLD;
    return status;
}

__attribute__((noinline)) static void put_checked(struct fw *fw, struct fw_queue *q,
                                                  uint32_t event)
{
    struct put put;
    uint32_t result;

    put_read(&put, event);
    result = check(fw, q, event, &put);
    if (result == TERN_ST_OK)
        start(fw, q, event, &put);
    else
        fw_desc_not_started(fw, q, event, result);
}

void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    struct put put;

    put_read(&put, event);
    if (put.node != fw->good_node || !length_ok(&put) || !tx_ready(&fw->tx) ||
        put.frame & TERN_V(DESC, flags, TERN_DFLAG_FENCE))
        put_checked(fw, q, event);
    else
        start(fw, q, event, &put);
}

/* ---- the ordinary case: one after the other, what they share stays in registers */

/* Puts of one run; then the timer has its turn. */
#define RUN_MAX 16u

#define FLAGS TERN_V(DESC, flags, ~0u)
#define RUN_FLAGS \
    TERN_V(DESC, flags, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_UNACKED)

/* The destination alone, at the top of the word. */
#define NODE_AT_TOP(word) ((word) << (32 - TERN_DESC_dst_node_BITS))
_Static_assert(TERN_DESC_dst_node_LSB == 0, "what stands above the node falls out");

/* The compiler shall not form the value anew each time. */
#define KEEP(variable) __asm__("" : "+r"(variable))

/* A firmware without the put handler leaves puts to the table of opcodes. */
#ifdef TERN_NO_PUT
#define PUTS_HERE false
#else
#define PUTS_HERE true
#endif

/* What an event that brings a put shows outside its slot and queue. */
#define PUT_OTHERS (~(TERN_V(EV, slot, ~0u) | TERN_V(EV, queue, ~0u)))
#define PUT_EVENT (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_PUT))

struct run {
    struct fw *fw;
    struct fw_queue *queues;
    uintptr_t registers, slots;
    uint32_t room;    /* of fw->tx */
    uint32_t node;    /* fw->good_node at the top of the word */
    uint32_t command; /* of a put without flags */
};

/*
 * Starts a put that is in order, unless a table is full.  Hardware is told first; it is
 * under way while the record is written.
 */
static inline __attribute__((always_inline)) bool run_start(struct run *run,
                                                            struct fw_queue *q,
                                                            struct fw_queue *cq,
                                                            uint32_t event,
                                                            const struct put *put,
                                                            uint32_t command)
{
    uint32_t entry;

    if (run->room == 0) {
        run->room = rd32_in(run->registers, TERN_MMIO_TX_SPACE);
        if (run->room == 0)
            return false;
    }
    entry = rd32_in(run->registers, TERN_MMIO_OP_ALLOC);
    if (entry & TX_OP_NONE_FREE)
        return false;
    wr32_in(run->registers, TERN_MMIO_TX_CMD,
            command | TERN_F(EV, slot, event) << TERN_TXC_slot_LSB |
                entry << TERN_TXC_op_LSB);
    run->room--;
    record(run->fw, q, cq, event, entry, put);
    return true;
}

/* A put with flags; those it does not know are for fw_put. */
static inline bool run_flagged(struct run *run, struct fw_queue *q, struct fw_queue *cq,
                               uint32_t event, struct put *put)
{
    if (put->frame & FLAGS & ~RUN_FLAGS)
        return false;
    if (put->frame & TERN_V(DESC, flags, TERN_DFLAG_INLINE))
        put->bytes = TERN_F(DESC, inline_len, put->frame);
    return length_ok(put) && run_start(run, q, cq, event, put,
                                       commands[TERN_F(DESC, flags, put->frame) & 7]);
}

/* One put, when nothing is in its way; false leaves everything as it was. */
static inline __attribute__((always_inline)) bool run_one(struct run *run, uint32_t event)
{
    struct fw_queue *q = &run->queues[TERN_F(EV, queue, event) % FW_QUEUES];
    struct fw_queue *cq = &run->queues[q->cq];
    uint32_t at = TERN_F(EV, slot, event) * TERN_MMIO_SLOT_STRIDE;
    struct put put = {
        .frame = rd32_in(run->slots + at, 0),
        .node = rd32_in(run->slots + at, 4 * TERN_DESC_dst_node_WORD),
        .bytes = rd32_in(run->slots + at, 4 * TERN_DESC_length_WORD),
    };

    if (q->type != TERN_QTYPE_SQ || q->flags != 0 || cq->room == 0 ||
        NODE_AT_TOP(put.node) != run->node)
        return false;
    if (__builtin_expect((put.frame & FLAGS) != 0, 0))
        return run_flagged(run, q, cq, event, &put);
    put.frame = 0; /* of which the record needs the flags */
    return put.bytes - 1 < TERN_PUT_BYTES_MAX &&
           run_start(run, q, cq, event, &put, run->command);
}

/* Books the puts started since the last time. */
static void run_note(struct run *run, uint32_t count)
{
    struct fw *fw = run->fw;

    fw->tx.room = run->room;
    if (count == 0)
        return;
    fw->stat[TERN_STAT_fw_events - FW_STAT_FIRST] += count;
    fw->stat[TERN_STAT_fw_puts - FW_STAT_FIRST] += count;
    fw_tick_hurry(fw);
}

/* No LINK event in between can make the node a bad one: it would end the run. */
static inline void run_prepare(struct run *run, struct fw *fw)
{
    *run = (struct run){
        .fw = fw,
        .queues = fw->queue,
        .registers = mmio_block(0),
        .slots = mmio_block(TERN_MMIO_SLOT),
        .room = fw->tx.room,
        .node = fw->good_node == FW_NODE_NIL ? 1 : NODE_AT_TOP(fw->good_node),
        .command = COMMAND(0, 1, 0),
    };
    KEEP(run->queues);
    KEEP(run->command);
}

uint32_t fw_puts(struct fw *fw)
{
    uint32_t others = PUT_OTHERS, put = PUT_EVENT, left = RUN_MAX, event;
    bool slept = false;
    struct run run;

    run_prepare(&run, fw);
    KEEP(others);
    KEEP(put);
    for (;;) {
        event = rd32_in(run.registers, TERN_MMIO_EV_POP);
        if (PUTS_HERE && (event & others) == put) {
            if (!run_one(&run, event))
                break;
            if (--left != 0)
                continue;
            event = 0;
            break;
        }
        if (TERN_F(EV, type, event) == TERN_EV_OP) {
            FW_COUNT(fw, events);
            fw_on_op(fw, event);
            if (fw->work == 0 && !timer_due() &&
                hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT))
                continue;
            event = 0;
            break;
        }
        if (event != 0 || slept)
            break;
        run_note(&run, RUN_MAX - left);
        left = RUN_MAX;
        wfi();
        slept = true;
        if (timer_due())
            break;
    }
    run_note(&run, RUN_MAX - left);
    return event;
}
