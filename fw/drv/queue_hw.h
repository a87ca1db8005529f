/* SPDX-License-Identifier: Apache-2.0 */
/* Queue registers: where rings lie, how far they are fetched and rung. */
#ifndef FW_DRV_QUEUE_HW_H
#define FW_DRV_QUEUE_HW_H

#include "hal.h"

/* Q_CFG; the fields stand here because hardware and firmware alone see them. */
#define QUEUE_HW_CFG(type, fn, log2) \
    ((uint32_t)(type) << 16 | (uint32_t)(fn) << 8 | (log2))
#define QUEUE_HW_STOP (1u << 24)

static inline uint64_t queue_hw_base(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    return (uint64_t)rd32(TERN_MMIO_Q_BASE_HI) << 32 | rd32(TERN_MMIO_Q_BASE_LO);
}

static inline uint32_t queue_hw_key(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    return rd32(TERN_MMIO_Q_KEY);
}

/* The host's last doorbell, 24 bits. */
static inline uint32_t queue_hw_doorbell(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    return rd32(TERN_MMIO_Q_DB);
}

/* Descriptors fetched, 24 bits. */
static inline uint32_t queue_hw_head(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    return rd32(TERN_MMIO_Q_HEAD);
}

/*
 * Takes the next entry of a completion queue, which gets selected: its number, 24 bits, where its
 * ring begins, its key.
 */
static inline uint32_t queue_hw_take(uint32_t queue, uint64_t *base, uint32_t *key)
{
    uint32_t head = queue_hw_head(queue);

    wr32(TERN_MMIO_Q_HEAD, head + 1);
    *base = (uint64_t)rd32(TERN_MMIO_Q_BASE_HI) << 32 | rd32(TERN_MMIO_Q_BASE_LO);
    *key = rd32(TERN_MMIO_Q_KEY);
    return head;
}

static inline void queue_hw_config(uint32_t queue, uint32_t config)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    wr32(TERN_MMIO_Q_CFG, config);
}

/* Takes the ring from the queue that had this number before. */
static inline void queue_hw_forget(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    wr32(TERN_MMIO_Q_KEY, TERN_KEY_NONE);
}

/* A new queue: ring empty, doorbell 0. */
void queue_hw_start(uint32_t queue, uint64_t base, uint32_t key, uint32_t config);

/* Fetches go on at index `head`. */
void queue_hw_resume(uint32_t queue, uint32_t head, uint32_t config);

#endif
