/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in flight: their records, their ends, their time-outs. */
#ifndef FW_APP_OP_H
#define FW_APP_OP_H

#include "fw.h"

/* Ticks without progress after which an operation fails. */
#define OP_TIMEOUT_TICKS 64u

/* EV_OP */
void fw_on_op(struct fw *fw, uint32_t event);

/* Writes the completion of an operation that has ended, or gives its place back. */
void fw_op_finish(struct fw *fw, const struct fw_op *op, uint32_t status, bool sent);

/* Silent operations in flight whose failure would complete into `cq`. */
uint32_t fw_ops_silent(const struct fw *fw, uint32_t cq);

/* Whether anything of the queue is in flight or waits to be sent again. */
bool fw_ops_of_queue(const struct fw *fw, uint32_t queue);

/* Entries of the table in use. */
uint32_t fw_ops_used(void);

/* Ends the operations that leave by `port`. */
void fw_ops_link_down(struct fw *fw, unsigned port);

/* Ends the operations of functions being taken down, without completions. */
void fw_ops_sweep(struct fw *fw);

/* Called every tick; whether anything is in flight. */
bool fw_ops_tick(struct fw *fw);

/* At boot: nothing that an earlier life started may complete. */
void fw_ops_forget(struct fw *fw);

#endif
