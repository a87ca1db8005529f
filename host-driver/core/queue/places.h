/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of a send ring: which ones hold a descriptor that the NIC may still read, or an
 * operation that has not completed. Does not access memory or NIC.
 *
 * The NIC fetches descriptors in order but ends operations in any order, and a quiet operation ends
 * without a completion. So a place is free again when
 * - its operation completed, if it was to complete; or
 * - it is quiet, and the completion of a later one shows that it was fetched.
 * To get such a completion in time, tern_places_take() makes a quiet operation complete after half
 * a ring without any; the application does not see that completion.
 *
 * Counts are free-running, in 32 bits; the NIC names places by the low 16 bits.
 */
#ifndef TERN_PLACES_H
#define TERN_PLACES_H

#include <stdbool.h>
#include <stdint.h>

enum tern_place_state { PLACE_QUIET, PLACE_WATCHED, PLACE_SILENT, PLACE_DONE };

struct tern_work;

struct tern_place {
    uint64_t context;
    struct tern_work *work; /* gets the completion, or NULL */
    uint32_t chain; /* number of the chain, if it is a step of one; else 0 */
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

/* Tells whether a quiet operation posted now has to complete. */
bool tern_places_owe(const struct tern_places *places);

/* Takes the next place, and returns its count.  Call only if one is free. */
uint32_t tern_places_take(struct tern_places *places, uint64_t context, uint8_t opcode,
                          bool watched);

/* Records that the place taken last, `count`, belongs to `work` and is a step of `chain`. */
static inline void tern_places_belong(struct tern_places *places, uint32_t count,
                                      struct tern_work *work, uint32_t chain)
{
    struct tern_place *place = &places->at[count & ((UINT32_C(1) << places->log2_entries) - 1)];

    place->work = work;
    place->chain = chain;
}

/*
 * Hides the completion of the operation at `count`, which was taken as watched, from the
 * application.
 */
void tern_places_silence(struct tern_places *places, uint32_t count);

/*
 * Frees the places from count `made` on, which the NIC does not know of yet; returns how many were
 * to complete.
 */
uint32_t tern_places_undo(struct tern_places *places, uint32_t made, uint32_t quiet_run);

/* Makes `heir` the owner of all places that were taken for `work`. */
void tern_places_inherit(struct tern_places *places, const struct tern_work *work,
                         struct tern_work *heir);

/*
 * Handles a completion that names `index`. Fills in `place` with what was posted there; returns
 * true if that operation was to complete. If no operation is in flight at that index, `place` is
 * empty.
 */
bool tern_places_complete(struct tern_places *places, uint16_t index, struct tern_place *place);

/* Ends the oldest watched operation in flight; false when there is none. */
bool tern_places_abandon(struct tern_places *places, struct tern_place *place, uint16_t *index);

/* Counts the completions still to come. */
uint32_t tern_places_watched(const struct tern_places *places);

#endif
