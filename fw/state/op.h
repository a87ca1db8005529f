/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations in flight: their ends, their time-outs.  An operation goes by its descriptor
 * slot, which keeps the descriptor until it ends; hardware knows whose the slot is.
 */
#ifndef FW_STATE_OP_H
#define FW_STATE_OP_H

#include "fw.h"

/* Ticks without progress after which an operation fails. */
#define OP_TIMEOUT_TICKS (OP_LOOK_TICKS << OP_IDLE_LOG2)
/* A read, whose answer stands behind all that its target sends, has so many times as many. */
#define OP_PATIENCE 32u

/*
 * Writes the completion of the descriptor in the slot, whose operation has ended; `sent`:
 * a packet of it had left.  Its completion place is the caller's matter.
 */
void fw_op_finish(struct fw *fw, uint32_t slot, uint32_t status, bool sent);

/*
 * Has hardware write the completion of the operation in the slot, one of queue `q` that ended well,
 * and give the slot back; `frame`: its first word. False: not in this case, nothing was done. The
 * completion place is the caller's matter.
 */
bool fw_op_complete(struct fw *fw, uint32_t slot, uint32_t frame, struct fw_queue *q);

/* Takes the bytes of the descriptor in the slot off the counter that it names, if it does. */
void fw_op_count(uint32_t slot);

/* OK, or BAD_COUNTER: the descriptor in the slot names a counter that is not its function's. */
uint32_t fw_op_counter_status(const struct fw *fw, const struct fw_queue *q, uint32_t slot);

/*
 * Before its command: marks an operation that a byte counter or a chain follows.  Returns SIGNAL
 * for it, which makes hardware tell the firmware how it ends, else 0.
 */
uint32_t fw_op_follow(struct fw *fw, uint32_t slot, uint32_t frame);

/* Nothing is left to be known of the slot: it goes back to the prefetcher, and a fence may open. */
void fw_op_release(struct fw *fw, uint32_t slot);

/* A port that what is in the slot leaves by and that is down, if there is one. */
unsigned fw_op_port_down(const struct fw *fw, uint32_t slot);

/* Ends the operations that leave by `port`. */
void fw_ops_link_down(struct fw *fw, unsigned port);

/* Ends the operations of functions being taken down, without completions. */
void fw_ops_sweep(struct fw *fw);

/* Whether operations alone are to be looked after in a tick, and no message among them. */
static inline bool fw_tick_is_plain(const struct fw *fw)
{
    return (fw->ticks_more | fw->parked | fw->work) == 0 && fw->stalled_first == FW_QUEUE_NIL;
}

/* Whether to look at operations in flight now; when there are none, ticks become slow. */
static inline bool fw_ops_turn(const struct fw *fw)
{
    return !fw->ops_ticked && (fw->ticks % OP_LOOK_TICKS == 0 || tx_ops_busy() == 0);
}

/*
 * Looks at operations in flight, as a part of a tick.  fw_tick_rest calls it, if nothing else
 * has in this tick.
 */
void fw_ops_tick(struct fw *fw);

/* The end of a tick: arms the next one; `busy`: more than operations is to be looked after. */
void fw_tick_rest(struct fw *fw, bool busy);

/*
 * Call at boot: gives all slots back, and kills operations started before the reset, so that none
 * of them completes.
 */
void fw_ops_forget(struct fw *fw);

#endif
