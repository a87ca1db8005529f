/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether NICs may reach into host memory side by side.
 *
 * Two NICs whose clients have nothing in common cannot see in which order they do so.
 */
#ifndef TERN_SIM_APART_H
#define TERN_SIM_APART_H

#include <stdbool.h>
#include <stdint.h>

#include "nic.h"

/* Changes when what the clients of `nic` have mapped does. */
uint64_t tern_nic_memory_mark(const struct tern_nic *nic);

/* No memory that one of the two may write is mapped by clients of both. */
bool tern_nics_apart(const struct tern_nic *a, const struct tern_nic *b);

#endif
