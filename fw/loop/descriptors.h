/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: from the event to the handler of the opcode. */
#ifndef FW_LOOP_DESCRIPTORS_H
#define FW_LOOP_DESCRIPTORS_H

#include "fw.h"

/* Starts, refuses or stalls the descriptor of an EV_DESC. */
void fw_on_desc(struct fw *fw, uint32_t event);

/* WORK_FENCE: starts parked descriptors whose fence is open. */
void fw_fences_work(struct fw *fw);

/*
 * Handles some of the descriptors that have come, before the next end. The chip gives ends first: a
 * chain whose steps end soon would keep those of other queues waiting.
 */
void fw_descs_turn(struct fw *fw);

/* Something of the queue has ended: starts its parked descriptors, if their fence is open. */
void fw_fence_ended(struct fw *fw, uint32_t number);

#endif
