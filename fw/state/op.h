/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations in flight: their ends, their time-outs. A descriptor slot names an operation and keeps
 * its descriptor until it ends; hardware knows the owner of the slot.
 */
#ifndef FW_STATE_OP_H
#define FW_STATE_OP_H

#include "slots.h"

/* Ticks without progress after which a put fails. */
#define OP_TIMEOUT_TICKS (OP_LOOK_TICKS << OP_IDLE_LOG2)
/* Factor on that time for a read, whose target answers after sending all queued bytes. */
#define OP_PATIENCE 32u
/* Factor on it for an atomic operation or a message, which its target serves one at a time. */
#define OP_SERVED_PATIENCE 8u

/*
 * Writes the completion of the descriptor in the slot, whose operation has ended; `sent`: it had
 * sent a packet.  The caller accounts for the completion entry.
 */
void fw_op_finish(struct fw *fw, uint32_t slot, uint32_t status, bool sent);

/*
 * Has hardware write the completion of an operation of queue `q` that ended well, and give its slot
 * back; `frame`: its first word. False: hardware cannot complete it, and nothing has changed. The
 * caller accounts for the completion entry.
 */
bool fw_op_complete(struct fw *fw, uint32_t slot, uint32_t frame, struct fw_queue *q);

/* Subtracts the bytes of the descriptor in the slot from the counter that it names, if any. */
void fw_op_count(uint32_t slot);

/* Returns OK, or BAD_COUNTER: the descriptor in the slot names a counter of another function. */
uint32_t fw_op_counter_status(const struct fw *fw, const struct fw_queue *q, uint32_t slot);

/*
 * Marks an operation whose end a byte counter or a chain needs; call before its command.  Returns
 * the flag SIGNAL for it, with which hardware reports its end to the firmware, else 0.
 */
uint32_t fw_op_follow(struct fw *fw, uint32_t slot, uint32_t frame);

/* The same, inlined for paths that have code memory for it. */
static inline uint32_t fw_op_follow_here(struct fw *fw, uint32_t slot, uint32_t frame)
{
    if ((frame & (TERN_V(DESC, counted, 1) | TERN_V(DESC, strict, 1))) == 0)
        return 0;
    fw_op_mark(fw, slot, OP_COUNTED);
    return TERN_DFLAG_SIGNAL;
}

/*
 * Gives the slot of an ended operation of queue `q` back to the prefetcher, and opens a fence that
 * waited.
 */
void fw_op_release(struct fw *fw, uint32_t slot, const struct fw_queue *q);

/* Returns a port that the operation in the slot uses and that is down, if there is one. */
unsigned fw_op_port_down(const struct fw *fw, uint32_t slot);

/* Ends the operations that leave by `port`. */
void fw_ops_link_down(struct fw *fw, unsigned port);

/* Ends the operations of functions being taken down, without completions. */
void fw_ops_sweep(struct fw *fw);

/* Tells whether a tick has only operations to check, none of them a message. */
static inline bool fw_tick_is_plain(const struct fw *fw)
{
    return (fw->ticks_more | fw->parked | fw->work) == 0 && fw->stalled_first == FW_QUEUE_NIL;
}

/* Tells whether to check operations in flight now; without any, ticks become slow. */
static inline bool fw_ops_turn(const struct fw *fw)
{
    return !fw->ops_ticked && (fw->ticks % OP_LOOK_TICKS == 0 || tx_ops_busy() == 0);
}

/*
 * Checks operations in flight, as a part of a tick. fw_tick_rest calls it if it was not called
 * before in this tick.
 */
void fw_ops_tick(struct fw *fw);

/* Ends a tick and arms the next one; `busy`: more than operations must be checked. */
void fw_tick_rest(struct fw *fw, bool busy);

/*
 * Call at boot: gives all slots back, and kills operations started before the reset, so that none
 * of them completes.
 */
void fw_ops_forget(struct fw *fw);

#endif
