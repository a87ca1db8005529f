/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs: 16 bits that run freely. */
#ifndef FW_PROTO_EPOCH_H
#define FW_PROTO_EPOCH_H

#include <stdint.h>

/* How far epoch `a` is ahead of `b`; negative when it is behind. */
static inline int32_t epoch_ahead(uint32_t a, uint32_t b)
{
    return (int32_t)((a - b) << 16) >> 16;
}

#endif
