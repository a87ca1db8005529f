/* SPDX-License-Identifier: Apache-2.0 */
/* The binary log: records of log.def; the host has their texts. */
#ifndef FW_DRV_LOG_H
#define FW_DRV_LOG_H

#include "hal.h"

#define LOG_MARK 0xa5u
#define LOG_ARGS(record) ((record)&0xffu)
/* Words of the longest record: head, time, arguments. */
#define LOG_WORDS_MAX 5u

void log_write(uint32_t number, uint32_t count, const uint32_t *args);

/* LOG(LINK, port, up): the compiler compares the number of arguments with the row's. */
#define LOG(name, ...) \
    do { \
        const uint32_t log_args_[] = {__VA_ARGS__}; \
        _Static_assert(sizeof(log_args_) == 4 * TERN_LOG_##name##_ARGS, \
                       "arguments of " #name); \
        log_write(TERN_LOG_##name, TERN_LOG_##name##_ARGS, log_args_); \
    } while (0)

static inline uint32_t log_pop(void)
{
    return rd32(TERN_MMIO_LOG_POP);
}

#endif
