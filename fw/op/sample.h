/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of reads and lookups that this node answers, for the functions that own the memory. */
#ifndef FW_OP_SAMPLE_H
#define FW_OP_SAMPLE_H

#include "fw.h"

/* The lean configuration has no room even for calls that do nothing. */
#ifdef TERN_LEAN
#define FW_SAMPLES false
#else
#define FW_SAMPLES true
#endif

/* TERN_FEATURE_SAMPLE, or 0. */
extern const uint32_t fw_feature_sample;

/*
 * Samples one in about 2^`log2` reads of the function's memory in `cq`; 0: none. OK, BAD_SIZE,
 * UNSUPPORTED.
 */
uint32_t fw_sample_set(struct fw *fw, uint32_t fn, uint32_t cq, uint32_t log2);

/* Call when a completion queue is deleted. */
void fw_sample_forget(struct fw *fw, uint32_t cq);

/* Counts a read that ends. True, and not counted: call fw_sample_take() for it. */
static inline bool fw_sample_is_due(struct fw *fw)
{
    uint32_t left = fw->sample_left - 1;

    if (!FW_SAMPLES || left == 0)
        return FW_SAMPLES;
    fw->sample_left = left;
    return false;
}

/*
 * Reports the read in receive slot `from`, whose bytes have left, to the owner of the memory, and
 * chooses the next one. Call with room for FW_WRITES_PER_EVENT.
 */
void fw_sample_take(struct fw *fw, uint32_t from);

#endif
