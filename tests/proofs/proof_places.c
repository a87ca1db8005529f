/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of a send ring (host-driver/core/queue/places.c), from any state. No place is taken
 * twice; none is free before its descriptor was fetched and its completion came; and a full ring
 * has a completion to come.
 */
#include "places.c"
#include "proof.h"

enum { LOG2_MAX = 2, PLACES = 1 << LOG2_MAX };

static struct tern_place at[PLACES];
static struct tern_places places = {.at = at};

static uint32_t out(void)
{
    return places.made - places.retired;
}

static bool is_out(uint32_t count)
{
    return count - places.retired < out();
}

static uint8_t state_of(uint32_t count)
{
    return place_of(&places, count)->state;
}

static bool was_fetched(uint32_t count)
{
    return places.fetched - places.retired > count - places.retired;
}

static bool is_awaited(uint32_t count)
{
    return state_of(count) == PLACE_WATCHED || state_of(count) == PLACE_SILENT;
}

/* Tells whether a place has ended: it is outside the window, but after a watched one. */
static bool is_over(uint32_t count)
{
    return state_of(count) == PLACE_DONE || (state_of(count) == PLACE_QUIET && was_fetched(count));
}

/* Checks the places in use: those that the NIC fetched, and the count of the last quiet ones. */
static bool each_is_good(void)
{
    bool good = true;

    for (uint32_t i = 0; i < PLACES; i++) {
        uint32_t count = places.retired + i;

        if (i >= out())
            break;
        good = good && state_of(count) <= PLACE_DONE;
        good = good && (state_of(count) != PLACE_DONE || was_fetched(count));
        if (places.made - count == places.quiet_run + 1)
            good = good && state_of(count) != PLACE_QUIET;
    }
    return good;
}

static bool holds(void)
{
    return out() <= entries(&places) && places.fetched - places.retired <= out() &&
           places.quiet_run < (entries(&places) + 1) / 2 && each_is_good() &&
           (out() == 0 || !is_over(places.retired));
}

static void take_step(uint32_t witness, struct tern_place kept)
{
    uint32_t free = tern_places_free(&places), count;
    bool watched = nondet_bool(), owes = tern_places_owe(&places);

    PROVE(free <= entries(&places), "no more places are free than there are");
    if (free == 0) {
        bool awaited = false;

        for (uint32_t i = 0; i < PLACES && i < out(); i++)
            awaited = awaited || is_awaited(places.retired + i);
        PROVE(awaited, "a full ring has a completion coming");
        REACHED("a full ring");
        return;
    }
    ASSUME(is_out(witness));
    count = tern_places_take(&places, nondet_u64(), nondet_u8(), watched);
    PROVE(place_of(&places, count) != place_of(&places, witness), "no place is given twice");
    PROVE(is_out(witness) && kept.state == state_of(witness) &&
              kept.context == place_of(&places, witness)->context,
          "what is out stays as it is");
    PROVE(is_out(count) && count + 1 == places.made, "counts go up by one");
    PROVE(is_awaited(count) == (watched || owes), "watched, or owed: it will complete");
}

static void complete_step(uint32_t witness, struct tern_place kept)
{
    uint16_t index = nondet_u16();
    uint32_t awaited = tern_places_watched(&places);
    bool named = index == (uint16_t)witness;
    struct tern_place place;
    bool expected;

    ASSUME(is_out(witness));
    expected = tern_places_complete(&places, index, &place);
    PROVE(tern_places_watched(&places) + expected == awaited, "each completion is counted on once");
    if (named)
        PROVE(expected == (kept.state == PLACE_WATCHED || kept.state == PLACE_SILENT) &&
                  place.context == kept.context,
              "a completion finds what was posted there");
    if (!named && (kept.state == PLACE_WATCHED || kept.state == PLACE_SILENT))
        PROVE(is_out(witness) && state_of(witness) == kept.state &&
                  place_of(&places, witness)->context == kept.context,
              "nothing else ends with it");
    if (!is_out(witness))
        PROVE(named || kept.state == PLACE_DONE || was_fetched(witness) ||
                  kept.state == PLACE_QUIET,
              "only what is over is free again");
    if (expected && out() == 0)
        REACHED("the last completion comes");
}

static void abandon_step(uint32_t witness, struct tern_place kept)
{
    uint32_t awaited = tern_places_watched(&places);
    struct tern_place place;
    uint16_t index;

    ASSUME(is_out(witness));
    if (tern_places_abandon(&places, &place, &index)) {
        PROVE(place.state == PLACE_WATCHED, "what is abandoned was watched");
        PROVE(tern_places_watched(&places) < awaited, "each is abandoned once");
        REACHED("an operation is abandoned");
    } else {
        PROVE(kept.state != PLACE_WATCHED && out() == 0, "none is forgotten");
    }
}

void proof(void)
{
    uint32_t witness = nondet_u32();
    struct tern_place kept;

    __CPROVER_havoc_object(at);
    places.made = nondet_u32();
    places.retired = nondet_u32();
    places.fetched = nondet_u32();
    places.quiet_run = nondet_u32();
    places.log2_entries = any_up_to(LOG2_MAX);
    ASSUME(holds());
    kept = *place_of(&places, witness);
    switch (nondet_u8()) {
    case 0:
        take_step(witness, kept);
        break;
    case 1:
        complete_step(witness, kept);
        break;
    default:
        abandon_step(witness, kept);
    }
    PROVE(holds(), "the places stay good");
}
