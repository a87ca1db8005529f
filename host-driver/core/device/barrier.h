/* SPDX-License-Identifier: Apache-2.0 */
/* Memory order between this processor and the NIC; the only file with barriers. */
#ifndef TERN_BARRIER_H
#define TERN_BARRIER_H

#include <stdatomic.h>
#include <stdint.h>

/* Makes earlier writes to memory visible to the NIC before the next register write. */
static inline void tern_to_device(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

/* Reads a word that the NIC writes last; all that it wrote earlier is visible afterwards. */
static inline uint32_t tern_read_last(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

#endif
