/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the reads that this node answers, for the functions that own the memory. */
#ifndef FW_STATE_SAMPLE_H
#define FW_STATE_SAMPLE_H

#include "fw.h"

/* The feature's bit of the identify word FEATURES, or 0. */
extern const uint32_t fw_feature_sample;

/*
 * Samples one in about 2^`log2` reads of the function's memory in `cq`; 0: none. Returns a status.
 */
uint32_t fw_samples_want(struct fw *fw, uint32_t fn, uint32_t cq, uint32_t log2);

/* Ends samples to a completion queue that is gone. */
void fw_samples_forget(struct fw *fw, uint32_t fn, uint32_t cq);

/* Samples the read in receive slot `from`, whose bytes have left; draws the next. */
void fw_sample(struct fw *fw, uint32_t from);

#endif
