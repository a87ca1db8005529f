/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of a send ring: which hold a descriptor the NIC may still read, or an operation whose
 * completion is still to come.  Pure; knows neither memory nor NIC.
 *
 * The NIC fetches descriptors in order but ends operations in any order, and quiet operations end
 * without a word.  So a place is free again when
 *   - its operation was to complete, and did; or
 *   - it is quiet, and a completion of a later one shows that it was fetched.
 * To get such a completion in time, tern_places_take() makes a quiet operation complete when half a
 * ring went by without any: that completion is silent, for the library alone.
 *
 * Counts run freely in 32 bits; the NIC names places by the low 16 bits.
 */
#ifndef TERN_PLACES_H
#define TERN_PLACES_H

#include <stdbool.h>
#include <stdint.h>

enum tern_place_state { PLACE_QUIET, PLACE_WATCHED, PLACE_SILENT, PLACE_DONE };

struct tern_work;

struct tern_place {
    uint64_t context;
    struct tern_work *work; /* that hears how it ends, or NULL */
    uint32_t chain; /* number of the chain that it is a step of, 0 = none */
    uint8_t opcode;
    uint8_t state;
};

struct tern_places {
    struct tern_place *at;
    uint32_t made, retired, fetched;
    uint32_t quiet_run;
    unsigned log2_entries;
};

/* Initialises the places of a ring; the caller provides 2^log2_entries of them at `at`. */
void tern_places_init(struct tern_places *places, struct tern_place *at, unsigned log2_entries);

uint32_t tern_places_free(const struct tern_places *places);

/* Tells whether a quiet operation posted now must have a completion. */
bool tern_places_owe(const struct tern_places *places);

/* Takes the next place, and returns its count.  Call only if one is free. */
uint32_t tern_places_take(struct tern_places *places, uint64_t context, uint8_t opcode,
                          bool watched);

/* Records that the place taken last, `count`, is for `work` and is a step of `chain`. */
static inline void tern_places_belong(struct tern_places *places, uint32_t count,
                                      struct tern_work *work, uint32_t chain)
{
    struct tern_place *place = &places->at[count & ((UINT32_C(1) << places->log2_entries) - 1)];

    place->work = work;
    place->chain = chain;
}

/* The operation of `count`, taken as watched, completes for the library alone. */
void tern_places_silence(struct tern_places *places, uint32_t count);

/*
 * Gives the places from count `made` on back, of which the NIC does not know yet; returns how
 * many were to complete.
 */
uint32_t tern_places_undo(struct tern_places *places, uint32_t made, uint32_t quiet_run);

/* Whatever was taken for `work` belongs to `heir` now. */
void tern_places_inherit(struct tern_places *places, const struct tern_work *work,
                         struct tern_work *heir);

/*
 * A completion names `index`.  Fills `place` with what was posted there and returns true when the
 * library had counted on this completion.  An index that is not out gives an empty place and false.
 */
bool tern_places_complete(struct tern_places *places, uint16_t index, struct tern_place *place);

/* Takes the oldest watched operation that has not ended as ended; false when there is none. */
bool tern_places_abandon(struct tern_places *places, struct tern_place *place, uint16_t *index);

/* Completions still to come. */
uint32_t tern_places_watched(const struct tern_places *places);

#endif
