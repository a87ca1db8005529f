/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This path must be short. An ordinary put has no flags that need firmware. Its event differs from
 * its transmit command only in constant bits. Hardware checks length, destination and keys, and
 * ends puts that fail. fw_puts starts such puts; all others go through the table of opcodes.
 */
#include "quick.h"

#include "clock.h"
#include "cq.h"
#include "desc.h"
#include "lookup.h"
#include "node.h"
#include "op.h"
#include "put.h"
#include "read.h"
#include "slots.h"

_Static_assert(PLAIN_FLAGS == 7 && TERN_DFLAG_SIGNAL == 1 && TERN_DFLAG_INLINE == 2 &&
                   TERN_EV_flags_BITS == 3 && TERN_TXC_notify_LSB == TERN_EV_flags_LSB &&
                   TERN_TXC_inl_LSB == TERN_EV_flags_LSB + 1 &&
                   TERN_TXC_unacked_LSB == TERN_EV_flags_LSB + 2 &&
                   TERN_TXC_slot_LSB == TERN_EV_slot_LSB,
               "an event becomes a command by its constant bits");

/* ---- ordinary operations, one after the other; shared values stay in registers */

/* Likely branch: keeps the hot path contiguous. */
#define MOST(condition) __builtin_expect(condition, 1)

/* Keeps the compiler from computing the value again, or later than here. */
#define KEEP(variable) __asm__ volatile("" : "+r"(variable))

/* A firmware without the put handler leaves puts to the table of opcodes. */
#ifdef TERN_NO_PUT
#define PUTS_HERE false
#else
#define PUTS_HERE true
#endif

/* The lean configuration has no room for a second, faster way to do the same. */
#ifdef TERN_LEAN
#define SMALL true
#else
#define SMALL false
#endif

/* The constant bits of an ordinary put's event: all but slot, queue and flags. */
#define PUT_OTHERS \
    (~(TERN_V(EV, slot, ~0u) | TERN_V(EV, queue, ~0u) | TERN_V(EV, flags, ~0u)))
#define PUT_EVENT (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_PUT))

/*
 * An atomic operation or a read with inline operands and an answer: the upper half of its event,
 * except SIGNAL. Its command is the event plus a constant.
 */
#define UPPER 16u
#define INLINE_EVENT(op)                                                          \
    (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, op) |                    \
     TERN_V(EV, flags, TERN_DFLAG_INLINE))
#define INLINE_COMMAND(packet)                                                    \
    (TERN_V(TXC, vn, TERN_VN_REQUEST) | TERN_V(TXC, type, packet) | TERN_V(TXC, inl, 1))
#define INLINE_OTHERS (~(TERN_V(EV, flags, TERN_DFLAG_SIGNAL) >> UPPER))
#define INLINE_OVER_PUT(op) ((INLINE_EVENT(op) - PUT_EVENT) >> UPPER)
#define INLINE_CHANGE (INLINE_COMMAND(TERN_PTYPE_READ) - INLINE_EVENT(TERN_OP_READ))
#define LIKE_READ_FROM_CAS (TERN_OP_TAKE - TERN_OP_CAS + 1)
_Static_assert(TERN_EV_opcode_LSB == UPPER && TERN_OP_ADD == TERN_OP_CAS + 1 &&
                   TERN_OP_READ == TERN_OP_ADD + 1 && TERN_OP_LOOKUP == TERN_OP_READ + 1 &&
                   TERN_OP_TAKE == TERN_OP_LOOKUP + 1,
               "what they are stands lowest in the upper half");

/* A message: its event becomes its command as well, always with a report of the end. */
#define SEND_EVENT (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_SEND))
#define SEND_COMMAND                                                              \
    (TERN_V(TXC, vn, TERN_VN_REQUEST) | TERN_V(TXC, type, TERN_PTYPE_SEND) | TERN_V(TXC, msg, 1))

/*
 * Atomic operations of other nodes: the event is also the command for the atomic unit. The two
 * kinds differ in one bit.
 */
#define ATOMIC_ASKED_LSB (TERN_RXA_add_LSB + 1)
#define ATOMIC_ASKED                                                              \
    ((TERN_V(EV, type, TERN_EV_RX) | TERN_V(EV, pkttype, TERN_PTYPE_CAS)) >> ATOMIC_ASKED_LSB)
#define TAKE_ASKED \
    ((TERN_V(EV, type, TERN_EV_RX) | TERN_V(EV, pkttype, TERN_PTYPE_TAKE)) >> TERN_EV_pkttype_LSB)
#define PACKET_BIT(type, field) \
    ((unsigned)(type) << TERN_EV_pkttype_LSB >> TERN_RXA_##field##_LSB & 1)
_Static_assert(TERN_PTYPE_CAS % 2 == 0 && TERN_PTYPE_ADD == TERN_PTYPE_CAS + 1 &&
                   TERN_RXA_slot_LSB == TERN_EV_rxslot_LSB &&
                   PACKET_BIT(TERN_PTYPE_ADD, add) == 1 && PACKET_BIT(TERN_PTYPE_CAS, walk) == 0 &&
                   PACKET_BIT(TERN_PTYPE_ADD, walk) == 0 && PACKET_BIT(TERN_PTYPE_TAKE, add) == 0 &&
                   PACKET_BIT(TERN_PTYPE_TAKE, walk) == 1,
               "a packet type has the bits of its command");

/* Another node's read, whose packet the chip copied into an own slot on arrival. */
#define COPIED_READ \
    (TERN_V(EV, type, TERN_EV_RX) | TERN_V(EV, pkttype, TERN_PTYPE_READ) | TERN_V(EV, copied, 1))

/* Handles a put with flags that need a check, most likely a fence. */
#define LOOK_EVENT                                                                \
    (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_PUT) |           \
     TERN_V(EV, err, TERN_EVERR_NONE))
_Static_assert(TERN_V(EV, look, TERN_F(EV, look, LOOK_EVENT)) == TERN_V(EV, look, 1),
               "the code for nothing wrong contains the bit that asks for a look");

/*
 * Checks of a fence before its put is parked. A check takes about 10 cycles. The answer to a put
 * takes 80 and 24 more for each link but the first; parking and restarting a put takes 400.
 */
#define FENCE_LOOKS 16u

/* The upper half of the event of an operation that ended well: without slot and queue. */
#define DONE_UPPER (TERN_V(EV, type, TERN_EV_OP) >> UPPER)

/* No event has this value, and the differences below cannot match it. */
#define NO_EVENT (~0u)

/* Check the timer, and whether descriptors wait, after so many events of a kind; a power of two. */
#define TIMER_EVENTS 16u

struct run {
    struct fw *fw;
    uintptr_t queues;
    uint32_t room;        /* of fw->tx */
    uint32_t writes;      /* of fw->hwr; enough for one event */
    uint32_t others, put; /* mask and value of an ordinary put's event */
    uint32_t which;       /* mask of a queue's offset in a shifted event */
    uint32_t puts, dones; /* not counted in fw->stat yet */
};

enum run_result { RUN_NONE, RUN_ON, RUN_END };

#define ALWAYS static inline __attribute__((always_inline))

/* Queue entries are addressed by byte offset: an event contains it, `places` stores one. */
#define WHICH_SHIFT (TERN_EV_queue_LSB - 4)
#define WHICH_MASK ((FW_QUEUES - 1u) << 4)
#define CQ_SHIFT (TERN_QDN_cq_LSB - 4)
_Static_assert(sizeof(struct fw_queue) == 16, "an offset is a number moved by 4");

ALWAYS struct fw_queue *queue_at(const struct run *run, uint32_t offset)
{
    return (struct fw_queue *)(run->queues + offset);
}

ALWAYS struct fw_queue *queue_of(const struct run *run, uint32_t event)
{
    return queue_at(run, event >> WHICH_SHIFT & run->which);
}

/* Tells whether there is room for a command. */
ALWAYS bool run_ready(struct run *run)
{
    if (!MOST(run->room != 0))
        run->room = rd32(TERN_MMIO_TX_SPACE);
    return MOST(run->room != 0);
}

/* Starts one put if there is room; otherwise RUN_NONE, without changes. */
ALWAYS enum run_result run_put(struct run *run, uint32_t event, uint32_t command)
{
    struct fw_queue *q = queue_of(run, event);
    struct fw_queue *places = queue_at(run, q->places);
    uint32_t room = places->room;

    if (room == 0 || !run_ready(run))
        return RUN_NONE;
    wr32(TERN_MMIO_TX_CMD, command);
    run->room--;
    places->room = (uint16_t)(room - 1);
    q->producer++;
    return ++run->puts % TIMER_EVENTS == 0 && timer_due() ? RUN_END : RUN_ON;
}

/* Handles an unusual completion queue: with an interrupt it still takes completions here. */
__attribute__((noinline)) static bool special(struct fw *fw, const struct fw_queue *cq,
                                              uint32_t command)
{
    if (cq->flags != QUEUE_INTERRUPTS)
        return false;
    wr32(TERN_MMIO_Q_COMPLETE, command);
    hwr_interrupt(&fw->hwr, cq->fn, cq->vector, TAG_INTERRUPT);
    return true;
}

/* Tells whether a tick or descriptors that wait are due. */
__attribute__((noinline, cold)) static bool due(struct fw *fw)
{
    return fw_series_over(fw) || timer_due();
}

/* Counts an event; ends the run now and then for the timer and for descriptors that wait. */
ALWAYS enum run_result run_counted(struct fw *fw)
{
    uint32_t events = FW_COUNT(fw, events);

    return MOST(events % TIMER_EVENTS != 0) || !due(fw) ? RUN_ON : RUN_END;
}

/* Sets the flags of the operation in the slot, like fw_op_mark for one that does not wait. */
ALWAYS void run_mark(struct run *run, uint32_t slot, uint32_t flags)
{
    uint32_t bit = 1u << slot;

    run->fw->op[slot] = (struct fw_op){.flags = (uint8_t)flags};
    run->fw->marked = flags != 0 ? run->fw->marked | bit : run->fw->marked & ~bit;
}

/* Starts one message if there is room; otherwise RUN_NONE, without changes. */
ALWAYS enum run_result run_send(struct run *run, uint32_t event)
{
    struct fw_queue *q = queue_of(run, event);
    struct fw_queue *places = queue_at(run, q->places);
    uint32_t slot = TERN_F(EV, slot, event), room = places->room;
    struct fw *fw = run->fw;

    /* Messages keep their slots until the final answer; puts must still find some. */
    if (room == 0 || fw->sends >= fw->id.slots / 2 || !run_ready(run))
        return RUN_NONE;
    if (!(event & TERN_V(EV, flags, TERN_DFLAG_INLINE)) &&
        tx_slot_word(slot, TERN_DESC_length_WORD) > fw->id.payload_max)
        return RUN_NONE;
    if (!node_inside(fw_slot_node(slot), fw->id.dims))
        return RUN_NONE;
    wr32(TERN_MMIO_TX_CMD, (event ^ SEND_EVENT ^ SEND_COMMAND) | TERN_V(TXC, notify, 1));
    run_mark(run, slot, OP_SEND);
    run->room--;
    fw->sends++;
    places->room = (uint16_t)(room - 1);
    places->reserved++;
    q->producer++;
    FW_COUNT(fw, sends);
    if (!fw->tick_fast)
        fw_tick_hurry(fw);
    return run_counted(fw);
}

/* Ends a delivered message; RUN_NONE, without changes, for special cases. */
ALWAYS enum run_result run_sent(struct run *run, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0);
    uint32_t offset = queue_of(run, event)->places;
    struct fw_queue *cq = queue_at(run, offset);

    if (cq->flags != 0 || TERN_F(DESC, opcode, frame) != TERN_OP_SEND ||
        TERN_F(DESC, counted, frame))
        return RUN_NONE;
    run_mark(run, slot, 0);
    run->fw->sends--;
    cq->reserved--;
    if (!(TERN_F(DESC, flags, frame) & TERN_DFLAG_SIGNAL)) {
        cq->room++;
        tx_slot_free(slot);
        return run_counted(run->fw);
    }
    wr32(TERN_MMIO_Q_COMPLETE, event | offset << CQ_SHIFT);
    run->dones++;
    if (--run->writes >= FW_WRITES_PER_EVENT)
        return RUN_ON;
    run->writes = rd32(TERN_MMIO_HW_SPACE);
    return run->writes >= FW_WRITES_PER_EVENT ? RUN_ON : RUN_END;
}

/*
 * Handles the end of a marked operation: a message that succeeded, or an own slot that has sent the
 * bytes of a read.  RUN_NONE: the slow path must handle it.
 */
ALWAYS enum run_result run_marked(struct run *run, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    struct fw *fw = run->fw;

    if (fw->op[slot].flags == OP_SEND)
        return run_sent(run, event);
    if (fw->op[slot].flags != (OP_OWN | OP_SERVES) || fw->reply_first != fw->reply_last)
        return RUN_NONE;
    return fw_read_left(fw, slot) ? run_counted(fw) : RUN_NONE;
}

/*
 * Completes a put; hardware writes the completion. Its queue's `places` leads to the completion
 * queue. RUN_NONE, without changes, for special cases. The timer need not be checked: never more of
 * these come in a row than there are slots.
 */
ALWAYS enum run_result run_done(struct run *run, uint32_t event)
{
    uint32_t offset = queue_of(run, event)->places;
    const struct fw_queue *cq = queue_at(run, offset);
    uint32_t flags = cq->flags, command = event | offset << CQ_SHIFT;

    if (!MOST(!(run->fw->marked >> TERN_F(EV, slot, event) & 1)))
        return run_marked(run, event);
    if (MOST(flags == 0))
        wr32(TERN_MMIO_Q_COMPLETE, command);
    else if (special(run->fw, cq, command))
        run->writes--;
    else
        return RUN_NONE;
    run->dones++;
    if (--run->writes >= FW_WRITES_PER_EVENT)
        return RUN_ON;
    run->writes = rd32(TERN_MMIO_HW_SPACE);
    return run->writes >= FW_WRITES_PER_EVENT ? RUN_ON : RUN_END;
}

/* Passes an atomic operation of another node to the atomic unit. */
ALWAYS enum run_result run_asked(struct run *run, uint32_t event)
{
    wr32(TERN_MMIO_RX_ATOMIC, event);
    return run_counted(run->fw);
}

/* Begins to answer another node's read, or its lookup that found a node. */
ALWAYS void run_read_asked(struct run *run, uint32_t event)
{
    run->fw->tx.room = run->room;
    fw_read_asked(run->fw, event);
    run->room = run->fw->tx.room;
}

/* Answers a read that the chip has copied; returns RUN_NONE, without changes, for special cases. */
ALWAYS enum run_result run_copied(struct run *run, uint32_t event)
{
    uint32_t slot = run->fw->own_next, from = TERN_F(EV, rxslot, event);

    if (!run_ready(run) || fw_read_status(run->fw, from) != TERN_ST_OK)
        return RUN_NONE;
    wr32(TERN_MMIO_TX_CMD, READ_REPLY_COMMAND | slot << TERN_TXC_slot_LSB);
    run->room--;
    run->fw->own_next = 0;
    fw_read_began(run->fw, slot, from);
    return run_counted(run->fw);
}

/* Handles a packet for the firmware. */
ALWAYS enum run_result run_packet(struct run *run, uint32_t event)
{
    if (event >> ATOMIC_ASKED_LSB == ATOMIC_ASKED || event >> TERN_EV_pkttype_LSB == TAKE_ASKED)
        return run_asked(run, event);
    if (!SMALL && (event & ~TERN_V(EV, rxslot, ~0u)) == COPIED_READ) {
        enum run_result result = run_copied(run, event);

        if (result != RUN_NONE)
            return result;
    }
    if (fw_read_is(event))
        run_read_asked(run, event);
    else if (fw_lookup_is(event))
        fw_lookup_asked(run->fw, event);
    else
        return RUN_NONE;
    return run->fw->work == 0 ? run_counted(run->fw) : RUN_END;
}

/*
 * Sets the number of answers to a read of more bytes than a packet holds. Refuses first what the
 * chip would refuse: the chip would still wait for the other answers.
 */
__attribute__((noinline)) static bool run_expects(struct fw *fw, uint32_t event, uint32_t beyond)
{
    uint32_t slot = TERN_F(EV, slot, event);
    struct fw_queue *q = fw_op_queue(fw, slot);
    const struct fw_queue *places = (const void *)((uintptr_t)fw->queue + q->places);

    if (places->room == 0 || /* the command will not follow, so set nothing */
        fw_put_check(fw, q, event, rd32(fw_desc_words(event))) != TERN_ST_OK)
        return false;
    tx_op_members(slot, beyond / fw->id.payload_max);
    return true;
}

/* Starts a read; a long one is answered by several packets. */
ALWAYS enum run_result run_read(struct run *run, uint32_t event)
{
    uintptr_t lengths = mmio_block(TERN_MMIO_SLOT + 4 * TERN_RDR_length_WORD);
    uint32_t beyond = rd32_in(lengths + TERN_F(EV, slot, event) * TERN_MMIO_SLOT_STRIDE, 0) - 1;

    if (!MOST(beyond < run->fw->id.payload_max) &&
        (!run_ready(run) || !run_expects(run->fw, event, beyond)))
        return RUN_NONE;
    return run_put(run, event, event + INLINE_CHANGE);
}

/*
 * Tells whether the fence of a queue is open, or opens within FENCE_LOOKS checks. It stays closed
 * while an operation is in flight whose end raises an event.
 */
static bool fence_opens(const struct fw *fw, uint32_t number)
{
    for (unsigned i = 0; i < FENCE_LOOKS; i++) {
        uint32_t set = fw_ops_in_flight(fw, number), slot;

        if (set == 0)
            return fw_sends_waiting(fw) == 0 || !fw_sends_of_queue(fw, number);
        if (set & fw->marked)
            return false;
        while (i == 0 && fw_slots_take(&set, &slot))
            if (TERN_F(DESC, flags, tx_slot_word(slot, 0)) & TERN_DFLAG_SIGNAL)
                return false;
    }
    return false;
}

/* Starts a put that waits for a fence; returns false, without changes, if it cannot start now. */
__attribute__((noinline)) static bool fenced(struct fw *fw, uint32_t event, uint32_t frame)
{
    uint32_t number = TERN_F(EV, queue, event), slot = TERN_F(EV, slot, event);
    struct fw_queue *q = &fw->queue[number % FW_QUEUES];
    struct fw_queue *places = (void *)((uintptr_t)fw->queue + q->places);

    if (q->type != TERN_QTYPE_SQ || places->room == 0 || !tx_ready(&fw->tx))
        return false;
    if (TERN_F(DESC, flags, frame) & TERN_DFLAG_FENCE && !fence_opens(fw, number))
        return false;
    tx_start(&fw->tx, PUT_COMMAND | slot << TERN_TXC_slot_LSB |
                          (TERN_F(DESC, flags, frame) & PLAIN_FLAGS) << TERN_TXC_notify_LSB);
    places->room--;
    q->producer++;
    return true;
}

/* Starts a put with flags that need a check; the slow path takes those with follow-up work. */
ALWAYS enum run_result run_fenced(struct run *run, uint32_t event)
{
    static const uint32_t followed =
        TERN_V(DESC, counted, 1) | TERN_V(DESC, strict, 1) | TERN_V(DESC, decides, 1);
    uint32_t frame = tx_slot_word(TERN_F(EV, slot, event), 0);
    bool began;

    if (frame & followed)
        return RUN_NONE;
    run->fw->tx.room = run->room;
    began = fenced(run->fw, event, frame);
    run->room = run->fw->tx.room;
    if (!began)
        return RUN_NONE;
    return ++run->puts % TIMER_EVENTS == 0 && timer_due() ? RUN_END : RUN_ON;
}

/* Adds the counts since the last call to fw->stat. */
ALWAYS void run_note(struct run *run)
{
    struct fw *fw = run->fw;

    fw->tx.room = run->room;
    fw->hwr.room = run->writes;
    fw->stat[TERN_STAT_fw_events - FW_STAT_FIRST] += run->puts + run->dones;
    fw->stat[TERN_STAT_fw_puts - FW_STAT_FIRST] += run->puts;
    fw->stat[TERN_STAT_fw_completions - FW_STAT_FIRST] += run->dones;
    if (run->puts != 0 && !fw->tick_fast)
        fw_tick_hurry(fw);
    run->puts = 0;
    run->dones = 0;
}

/*
 * Prepares a run. With a link down, every destination must be checked. A LINK event ends the run,
 * so this does not change during one.
 */
ALWAYS void run_prepare(struct run *run, struct fw *fw)
{
    *run = (struct run){
        .fw = fw,
        .queues = (uintptr_t)fw->queue,
        .room = fw->tx.room,
        .writes = fw->hwr.room,
        .others = PUT_OTHERS,
        .put = PUTS_HERE && fw->links_up == NODE_PORTS_ALL ? PUT_EVENT : NO_EVENT,
        .which = WHICH_MASK,
    };
    KEEP(run->queues);
    KEEP(run->others);
    KEEP(run->put);
    KEEP(run->which);
}

/* Handles one event, if it is of a frequent kind. */
ALWAYS enum run_result run_one(struct run *run, uint32_t event)
{
    uint32_t over;

    if (MOST((event & run->others) == run->put))
        return run_put(run, event, event ^ PUT_EVENT ^ PUT_COMMAND);
    if (MOST(event >> UPPER == DONE_UPPER))
        return run_done(run, event);
    if (event == 0)
        return RUN_NONE;
    if (TERN_F(EV, type, event) == TERN_EV_RX)
        return run_packet(run, event);
    over = (event - run->put) >> UPPER & INLINE_OTHERS;
    if (MOST(over == INLINE_OVER_PUT(TERN_OP_READ)))
        return run_read(run, event);
    if (over - INLINE_OVER_PUT(TERN_OP_CAS) < LIKE_READ_FROM_CAS)
        return run_put(run, event, event + INLINE_CHANGE);
    if (((event & run->others) ^ run->put) == (SEND_EVENT ^ PUT_EVENT))
        return run_send(run, event);
    if (!SMALL && event >> UPPER == LOOK_EVENT >> UPPER && run->put == PUT_EVENT)
        return run_fenced(run, event);
    return RUN_NONE;
}

/*
 * Runs a due tick if it concerns operations only; this costs less here, and an event that arrives
 * meanwhile waits for only half of it. Returns whether it did and the run can go on.
 */
__attribute__((noinline)) static bool ticked(struct fw *fw)
{
    if (!fw_tick_is_plain(fw))
        return false;
    if (fw_ops_turn(fw)) {
        fw_ops_tick(fw);
    } else if (fw->tick_fast && !fw->ops_ticked) {
        fw->ticks++;
        sys_timer_arm(fw->tick_cycles);
    } else {
        fw_tick_rest(fw, false);
    }
    return !fw_series_over(fw);
}

/* Aligned, so that its jump targets need one fetch each: saves 1.5 cycles a put. */
__attribute__((aligned(4))) uint32_t fw_puts(struct fw *fw)
{
    enum run_result result;
    struct run run;
    uint32_t event;

    run_prepare(&run, fw);
    for (event = rd32(TERN_MMIO_EV_POP);; event = rd32(TERN_MMIO_EV_POP)) {
        result = run_one(&run, event);
        if (MOST(result == RUN_ON))
            continue;
        if (result == RUN_END)
            event = 0;
        else if (event != 0)
            break;
        if (timer_due()) {
            if (!SMALL && run.writes >= FW_WRITES_PER_EVENT && ticked(fw))
                continue;
            break;
        }
        if (result == RUN_END)
            break;
        run_note(&run);
        KEEP(run.puts);
        KEEP(run.dones);
        if (!wfi())
            break;
    }
    run_note(&run);
    return event;
}
