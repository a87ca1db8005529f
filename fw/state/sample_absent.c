/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces sample.c in configurations without the feature SAMPLE. */
#include "sample.h"

const uint32_t fw_feature_sample = 0;

uint32_t fw_samples_want(struct fw *fw, uint32_t fn, uint32_t cq, uint32_t log2)
{
    (void)fw;
    (void)fn;
    (void)cq;
    (void)log2;
    return TERN_ST_UNSUPPORTED;
}

void fw_samples_forget(struct fw *fw, uint32_t fn, uint32_t cq)
{
    (void)fw;
    (void)fn;
    (void)cq;
}

void fw_sample(struct fw *fw, uint32_t from)
{
    (void)fw;
    (void)from;
}
