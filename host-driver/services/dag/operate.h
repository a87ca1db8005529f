/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations of a home's server, through its own NIC, which members use as well. */
#ifndef TERN_DAG_OPERATE_H
#define TERN_DAG_OPERATE_H

#include "layout.h"

/* Compares and swaps under masks; `*old` gets the word as it was, 0 on failure. */
int operate_swap(struct tern_pool *pool, uint64_t at, const struct tern_masked *masked,
                 uint64_t *old);
/* Returns 1 if the word was `from`. */
int operate_swap_word(struct tern_pool *pool, uint64_t at, uint64_t from, uint64_t to);
int operate_add(struct tern_pool *pool, uint64_t at, uint64_t add);
/* Sets the bit of a node in its ready word. */
int operate_push(struct tern_pool *pool, const struct dag_head *head, uint8_t life,
                 uint32_t place);

#endif
