/* SPDX-License-Identifier: Apache-2.0 */
/* Queue registers: position of rings, number of descriptors fetched and rung. */
#ifndef FW_DRV_QUEUE_HW_H
#define FW_DRV_QUEUE_HW_H

#include "hal.h"

/* Q_CFG; its fields are defined here because only hardware and firmware use them. */
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

/* Returns the host's last doorbell, 24 bits. */
static inline uint32_t queue_hw_doorbell(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    return rd32(TERN_MMIO_Q_DB);
}

/* Returns the number of descriptors fetched, 24 bits. */
static inline uint32_t queue_hw_head(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    return rd32(TERN_MMIO_Q_HEAD);
}

/*
 * Selects a completion queue and takes its next entry: returns the entry's number (24 bits), and
 * its ring's base and key.
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

/* Removes the ring of the queue that had this number before. */
static inline void queue_hw_forget(uint32_t queue)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    wr32(TERN_MMIO_Q_KEY, TERN_KEY_NONE);
}

/* Starts a new queue: ring empty, doorbell 0. */
void queue_hw_start(uint32_t queue, uint64_t base, uint32_t key, uint32_t config);

/* Resumes fetching at index `head`. */
void queue_hw_resume(uint32_t queue, uint32_t head, uint32_t config);

#endif
