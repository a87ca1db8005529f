/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells whether NICs may access host memory in parallel.
 *
 * Two NICs whose clients share no memory cannot observe the order of their accesses.
 */
#ifndef TERN_SIM_APART_H
#define TERN_SIM_APART_H

#include <stdbool.h>
#include <stdint.h>

#include "nic.h"

/* Returns a number that changes whenever a client of `nic` maps or unmaps memory. */
uint64_t tern_nic_memory_mark(const struct tern_nic *nic);

/* Tells whether no memory that one of the two may write is mapped by clients of both. */
bool tern_nics_apart(const struct tern_nic *a, const struct tern_nic *b);

#endif
