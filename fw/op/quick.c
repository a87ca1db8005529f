/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This path has to be short. The event of an ordinary put, one without flags that need a look,
 * differs from its transmit command in constant bits only; hardware checks length, destination and
 * keys, and ends what it refuses. fw_puts does such puts; all others go through the table of
 * opcodes.
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

/* ---- the ordinary case: one after the other, what they share stays in registers */

/* Likely branch: keeps the hot path contiguous. */
#define MOST(condition) __builtin_expect(condition, 1)

/* The compiler shall not form the value anew each time, nor later than here. */
#define KEEP(variable) __asm__ volatile("" : "+r"(variable))

/* A firmware without the put handler leaves puts to the table of opcodes. */
#ifdef TERN_NO_PUT
#define PUTS_HERE false
#else
#define PUTS_HERE true
#endif

/* The lean configuration has no room for a second way to do what another one does. */
#ifdef TERN_LEAN
#define SMALL true
#else
#define SMALL false
#endif

/* The bits of an ordinary put's event besides slot, queue and flags. */
#define PUT_OTHERS \
    (~(TERN_V(EV, slot, ~0u) | TERN_V(EV, queue, ~0u) | TERN_V(EV, flags, ~0u)))
#define PUT_EVENT (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_PUT))

/*
 * An atomic operation or a read with its operands in the descriptor and an answer: what the upper
 * half of its event is, SIGNAL aside.  Its command is the event and a constant.
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

/* A message: its event becomes its command, too, with the end told always. */
#define SEND_EVENT (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_SEND))
#define SEND_COMMAND                                                              \
    (TERN_V(TXC, vn, TERN_VN_REQUEST) | TERN_V(TXC, type, TERN_PTYPE_SEND) | TERN_V(TXC, msg, 1))

/*
 * Atomic operations from elsewhere: their event is the command for the atomic unit; two kinds
 * differ in one bit.
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

/* A read of another node whose packet was copied into an own slot when it came. */
#define COPIED_READ \
    (TERN_V(EV, type, TERN_EV_RX) | TERN_V(EV, pkttype, TERN_PTYPE_READ) | TERN_V(EV, copied, 1))

/* A put with flags that need a look: a fence, most likely. */
#define LOOK_EVENT                                                                \
    (TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, opcode, TERN_OP_PUT) |           \
     TERN_V(EV, err, TERN_EVERR_NONE))
_Static_assert(TERN_V(EV, look, TERN_F(EV, look, LOOK_EVENT)) == TERN_V(EV, look, 1),
               "the code for nothing wrong contains the bit that asks for a look");

/*
 * Looks at a fence before its put is parked. A look takes some 10 cycles, the answer to a put 80
 * and 24 more for each link but the first, and to park a put and start it again 400.
 */
#define FENCE_LOOKS 16u

/* The event of an operation that ended well, above slot and queue. */
#define DONE_UPPER (TERN_V(EV, type, TERN_EV_OP) >> UPPER)

/* Shown by no event, and none is more than it by what one is more than PUT_EVENT. */
#define NO_EVENT (~0u)

/* Events of a kind after which the timer has its turn, a power of two. */
#define TIMER_EVENTS 16u

struct run {
    struct fw *fw;
    uintptr_t queues;
    uint32_t room;        /* of fw->tx */
    uint32_t writes;      /* of fw->hwr: enough for one event */
    uint32_t others, put; /* what tells an ordinary put */
    uint32_t which;       /* bits of an event, moved: offset of the queue */
    uint32_t puts, dones; /* not booked yet */
};

enum run_result { RUN_NONE, RUN_ON, RUN_END };

#define ALWAYS static inline __attribute__((always_inline))

/* Queue entries are found by byte offsets: an event has it in place, `places` holds one. */
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

/* Whether a command may be given. */
ALWAYS bool run_ready(struct run *run)
{
    if (!MOST(run->room != 0))
        run->room = rd32(TERN_MMIO_TX_SPACE);
    return MOST(run->room != 0);
}

/* One put, when nothing is in its way; else everything stays as it was. */
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

/* A completion queue that is not as most are: with an interrupt it takes completions too. */
__attribute__((noinline)) static bool special(struct fw *fw, const struct fw_queue *cq,
                                              uint32_t command)
{
    if (cq->flags != QUEUE_INTERRUPTS)
        return false;
    wr32(TERN_MMIO_Q_COMPLETE, command);
    hwr_interrupt(&fw->hwr, cq->fn, cq->vector, TAG_INTERRUPT);
    return true;
}

/* Counts an event; lets the timer have its turn now and then. */
ALWAYS enum run_result run_counted(struct fw *fw)
{
    uint32_t events = FW_COUNT(fw, events);

    return events % TIMER_EVENTS == 0 && timer_due() ? RUN_END : RUN_ON;
}

/* Sets the flags of the operation in the slot, as fw_op_mark does of one that does not wait. */
ALWAYS void run_mark(struct run *run, uint32_t slot, uint32_t flags)
{
    uint32_t bit = 1u << slot;

    run->fw->op[slot] = (struct fw_op){.flags = (uint8_t)flags};
    run->fw->marked = flags != 0 ? run->fw->marked | bit : run->fw->marked & ~bit;
}

/* One message, when nothing is in its way; else everything stays as it was. */
ALWAYS enum run_result run_send(struct run *run, uint32_t event)
{
    struct fw_queue *q = queue_of(run, event);
    struct fw_queue *places = queue_at(run, q->places);
    uint32_t slot = TERN_F(EV, slot, event), room = places->room;
    struct fw *fw = run->fw;

    /* Messages keep their slots until answered for good; puts must still find some. */
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

/* The end of a message that was delivered; what is not ordinary stays as it was. */
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
    fw_read_left(fw, slot);
    return run_counted(fw);
}

/*
 * The completion of a put, written by hardware; what is not ordinary stays as it was.  Its
 * queue's `places` leads to the completion queue.  The timer is not looked at: there are
 * never more of these in a row than slots.
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

/* Begins to answer another node's read, or its lookup that has found a node. */
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

/* A packet for the firmware. */
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
 * Says how many answers there are to a read of more bytes than a packet holds. The chip must not
 * refuse it: it would wait for the others.
 */
__attribute__((noinline)) static bool run_expects(struct fw *fw, uint32_t event, uint32_t beyond)
{
    uint32_t slot = TERN_F(EV, slot, event);
    struct fw_queue *q = fw_op_queue(fw, slot);
    const struct fw_queue *places = (const void *)((uintptr_t)fw->queue + q->places);

    if (places->room == 0 || /* then nothing is said of the slot: the command will not follow */
        fw_put_check(fw, q, event, rd32(fw_desc_words(event))) != TERN_ST_OK)
        return false;
    tx_op_members(slot, beyond / fw->id.payload_max);
    return true;
}

/* A read; long ones are answered by more packets than one. */
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
 * Whether the fence of a queue is open, or opens within some looks. It does not while an operation
 * is in flight whose end raises an event.
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

/*
 * Starts a put that waits for a fence; returns false, without changes, when something is in its
 * way.
 */
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

/* A put with flags that need a look; the slow path takes those that something is to follow. */
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

/* Books what was done since the last time. */
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
 * With a link down, every destination needs a look.  No LINK event in between can change
 * that: it would end the run.
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

/* One event of those that come most, if it is one. */
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
 * Whether the timer has had its turn: a tick that looks at operations alone costs less here, and
 * an event that comes meanwhile waits for half of it only.
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
    return true;
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
