/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link load of a put to all other nodes of a torus, in every variant (meeting.h): as computed
 * from the geometry, and as counted.
 *
 * Packets are counted by the links of the chips, bytes by the wires; control words of links are not
 * packets. Without a fault no link resends.
 */
#ifndef TERN_FORMS_H
#define TERN_FORMS_H

#include "meeting.h"

struct forms {
    uint64_t packets, bytes; /* sent by all links, added up */
    uint64_t heard;          /* messages and check-ins that the origin's firmware handles */
};

/* Returns the expected counts of one put of `bytes` from node 0. */
struct forms forms_expected(const struct yard *yard, enum variant variant, uint32_t bytes);

/* Returns all counts so far. The call takes simulated time. */
struct forms forms_counted(struct yard *yard);

#endif
