/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: dispatches a descriptor event to the handler of its opcode. */
#ifndef FW_LOOP_DESCRIPTORS_H
#define FW_LOOP_DESCRIPTORS_H

#include "fw.h"

/* Starts, refuses or stalls the descriptor of an EV_DESC. */
void fw_on_desc(struct fw *fw, uint32_t event);

/* Handles WORK_FENCE: starts parked descriptors whose fence is open. */
void fw_fences_work(struct fw *fw);

/*
 * Handles some of the arrived descriptors before the next end of an operation. The chip delivers
 * events of ends first, so a chain of short steps would keep descriptors of other queues waiting.
 */
void fw_descs_turn(struct fw *fw);

/* Call after an operation of the queue ends: starts parked descriptors whose fence is open. */
void fw_fence_ended(struct fw *fw, uint32_t number);

#endif
