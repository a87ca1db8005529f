/* SPDX-License-Identifier: Apache-2.0 */
/* Long answers to admin commands, written in pieces as the write channel takes them. */
#ifndef FW_CONTROL_JOB_H
#define FW_CONTROL_JOB_H

#include "fw.h"

/*
 * Starts the answer to `opcode`; its completion, from `queue`, follows. Call only without an active
 * job.
 */
void fw_job_start(struct fw *fw, uint32_t opcode, uint32_t queue, uint32_t index,
                  uint32_t bytes, const struct hwr_place *to);

/* Writes the next piece, or the completion. Call with room for FW_WRITES_PER_EVENT. */
void fw_job_step(struct fw *fw);

/* Handles the end of a piece's write. */
void fw_job_written(struct fw *fw, uint32_t tag, uint32_t status);

#endif
