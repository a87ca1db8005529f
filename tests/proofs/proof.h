/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros of the proof harnesses for cbmc.
 *
 * A harness is a function proof(): it starts from any state, assumes the invariant of the code,
 * runs the code once, and asserts the results, including the invariant.
 */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASSUME(what) __CPROVER_assume(what)
#define PROVE(what, why) __CPROVER_assert((what), why)

/*
 * Marks a place that must be reachable: proofs.sh requires that cbmc finds a path to it, since
 * otherwise the proof would be empty.
 */
#ifdef NO_MARKS
#define REACHED(where) ((void)0)
#else
#define REACHED(where) __CPROVER_assert(0, "reached: " where)
#endif

/* Returns any value. */
bool nondet_bool(void);
uint8_t nondet_u8(void);
uint16_t nondet_u16(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);
size_t nondet_size(void);

/* Returns any value up to `max`. */
static inline uint32_t any_up_to(uint32_t max)
{
    uint32_t value = nondet_u32();

    ASSUME(value <= max);
    return value;
}

#endif
