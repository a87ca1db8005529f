/* SPDX-License-Identifier: Apache-2.0 */
/* Check-ins (CHK in the contract): their encoding in the header of a message. Pure. */
#ifndef FW_PROTO_CHECKIN_H
#define FW_PROTO_CHECKIN_H

#include <stdint.h>

#include "tern_abi.h"

/* The fields that the header of a check-in carries for software. */
struct checkin {
    uint32_t area, place, refusal; /* `place`: slot of the area; `refusal`: status, 0: ready */
    uint32_t epoch, pass;
};

/* Decodes the word that names area, slot and refusal, the word with the epoch, and the pass. */
static inline void checkin_decode(struct checkin *c, uint32_t named, uint32_t to, uint32_t pass)
{
    c->area = TERN_F(CHK, area, named);
    c->place = TERN_F(CHK, slot, named);
    c->refusal = TERN_F(CHK, refusal, named);
    c->epoch = to & 0xffff;
    c->pass = pass;
}

/* Encodes the word that names area, slot and refusal. */
static inline uint32_t checkin_named(uint32_t area, uint32_t place, uint32_t refusal)
{
    return TERN_V(CHK, area, area) | TERN_V(CHK, slot, place) | TERN_V(CHK, refusal, refusal);
}

#endif
