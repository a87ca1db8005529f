/* SPDX-License-Identifier: Apache-2.0 */
/* See places.h. */
#include "places.h"

#include <string.h>

void tern_places_init(struct tern_places *places, struct tern_place *at, unsigned log2_entries)
{
    memset(places, 0, sizeof(*places));
    places->at = at;
    places->log2_entries = log2_entries;
}

static uint32_t entries(const struct tern_places *places)
{
    return UINT32_C(1) << places->log2_entries;
}

static struct tern_place *place_of(const struct tern_places *places, uint32_t count)
{
    return &places->at[count & (entries(places) - 1)];
}

uint32_t tern_places_free(const struct tern_places *places)
{
    return entries(places) - (places->made - places->retired);
}

bool tern_places_owe(const struct tern_places *places)
{
    return places->quiet_run + 1 >= (entries(places) + 1) / 2;
}

uint32_t tern_places_take(struct tern_places *places, uint64_t context, uint8_t opcode,
                          bool watched)
{
    struct tern_place *place = place_of(places, places->made);

    place->context = context;
    place->work = NULL;
    place->chain = 0;
    place->opcode = opcode;
    place->state = watched ? PLACE_WATCHED : PLACE_QUIET;
    if (!watched && tern_places_owe(places))
        place->state = PLACE_SILENT;
    places->quiet_run = place->state == PLACE_QUIET ? places->quiet_run + 1 : 0;
    return places->made++;
}

void tern_places_silence(struct tern_places *places, uint32_t count)
{
    place_of(places, count)->state = PLACE_SILENT;
}

static bool is_watched(const struct tern_place *place)
{
    return place->state == PLACE_WATCHED || place->state == PLACE_SILENT;
}

uint32_t tern_places_undo(struct tern_places *places, uint32_t made, uint32_t quiet_run)
{
    uint32_t watched = 0;

    while (places->made != made)
        watched += is_watched(place_of(places, --places->made));
    places->quiet_run = quiet_run;
    return watched;
}

void tern_places_inherit(struct tern_places *places, const struct tern_work *work,
                         struct tern_work *heir)
{
    for (uint32_t i = places->retired; i != places->made; i++)
        if (place_of(places, i)->work == work)
            place_of(places, i)->work = heir;
}

static void retire(struct tern_places *places)
{
    while (places->retired != places->made) {
        uint8_t state = place_of(places, places->retired)->state;
        bool fetched = (int32_t)(places->fetched - places->retired) > 0;

        if (state != PLACE_DONE && !(state == PLACE_QUIET && fetched))
            break;
        places->retired++;
    }
}

bool tern_places_complete(struct tern_places *places, uint16_t index, struct tern_place *place)
{
    uint32_t ahead = (uint16_t)(index - (uint16_t)places->retired);
    uint32_t count = places->retired + ahead;
    struct tern_place *found = place_of(places, count);
    bool expected;

    memset(place, 0, sizeof(*place));
    place->state = PLACE_DONE;
    if (ahead >= places->made - places->retired)
        return false;
    *place = *found;
    expected = is_watched(found);
    found->state = PLACE_DONE;
    if ((int32_t)(count + 1 - places->fetched) > 0)
        places->fetched = count + 1;
    retire(places);
    return expected;
}

bool tern_places_abandon(struct tern_places *places, struct tern_place *place, uint16_t *index)
{
    places->fetched = places->made;
    retire(places);
    while (places->retired != places->made) {
        struct tern_place *oldest = place_of(places, places->retired);
        bool watched = oldest->state == PLACE_WATCHED;

        *place = *oldest;
        *index = (uint16_t)places->retired;
        oldest->state = PLACE_DONE;
        retire(places);
        if (watched)
            return true;
    }
    return false;
}

uint32_t tern_places_watched(const struct tern_places *places)
{
    uint32_t count = 0;

    for (uint32_t i = places->retired; i != places->made; i++)
        count += is_watched(place_of(places, i));
    return count;
}
