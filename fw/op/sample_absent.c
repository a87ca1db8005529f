/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces sample.c in configurations without the feature SAMPLE: no read is sampled. */
#include "sample.h"

const uint32_t fw_feature_sample = 0;

uint32_t fw_sample_set(struct fw *fw, uint32_t fn, uint32_t cq, uint32_t log2)
{
    (void)fw;
    (void)fn;
    (void)cq;
    (void)log2;
    return TERN_ST_UNSUPPORTED;
}

void fw_sample_forget(struct fw *fw, uint32_t cq)
{
    (void)fw;
    (void)cq;
}

void fw_sample_take(struct fw *fw, uint32_t from)
{
    (void)fw;
    (void)from;
}
