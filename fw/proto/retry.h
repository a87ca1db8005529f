/* SPDX-License-Identifier: Apache-2.0 */
/* Number and delays of the attempts to send a message again after receiver-not-ready. */
#ifndef FW_PROTO_RETRY_H
#define FW_PROTO_RETRY_H

#include <stdint.h>

#define RETRY_MAX 8u
#define RETRY_READ_MAX 255u /* for a read */
#define RETRY_WAIT_LOG2_MAX 5u

/*
 * Returns the ticks to wait before attempt `attempt` (the first repetition is 1): doubles, up to a
 * limit.
 */
static inline uint8_t retry_wait(unsigned attempt)
{
    unsigned log2 = attempt - 1;

    return (uint8_t)(1u << (log2 > RETRY_WAIT_LOG2_MAX ? RETRY_WAIT_LOG2_MAX : log2));
}

#endif
