/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros of the harnesses for cbmc.
 *
 * A harness is a function proof(): it takes any state, assumes what the code promises to keep (the
 * invariant), runs the code once and asserts what holds then, the invariant again among it.
 */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASSUME(what) __CPROVER_assume(what)
#define PROVE(what, why) __CPROVER_assert((what), why)

/* An end worth reaching: proofs.sh wants cbmc to find a way here, or the proof says nothing. */
#ifdef NO_MARKS
#define REACHED(where) ((void)0)
#else
#define REACHED(where) __CPROVER_assert(0, "reached: " where)
#endif

/* Any value. */
bool nondet_bool(void);
uint8_t nondet_u8(void);
uint16_t nondet_u16(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);
size_t nondet_size(void);

/* Any value up to `max`. */
static inline uint32_t any_up_to(uint32_t max)
{
    uint32_t value = nondet_u32();

    ASSUME(value <= max);
    return value;
}

#endif
