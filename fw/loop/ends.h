/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of operations, messages and counters: dispatches each to the code that waits for it. */
#ifndef FW_LOOP_ENDS_H
#define FW_LOOP_ENDS_H

#include "fw.h"

/* Ends the operation of an EV_OP: completion, answer to another node, or another try. */
void fw_on_op(struct fw *fw, uint32_t event);

/* Ends the message in the slot for good; `sent`: a packet of it had left. */
void fw_message_over(struct fw *fw, uint32_t slot, uint32_t status, bool sent);

/* Ends a contribution to the tree network, EV_TREE. */
void fw_on_tree(struct fw *fw, uint32_t event);

/* Reports a byte counter that has reached zero, EV_CTR. */
void fw_on_counter(struct fw *fw, uint32_t event);

#endif
