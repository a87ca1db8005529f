/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link load of a put to all other nodes of a torus, in every variant (meeting.h): from
 * geometry, and as counted.
 *
 * Packets are counted by the links of the chips, bytes by the wires; control words of links are no
 * packets. No link repeats anything without a fault.
 */
#ifndef TERN_FORMS_H
#define TERN_FORMS_H

#include "meeting.h"

struct forms {
    uint64_t packets, bytes; /* sent by all links, each link for itself */
    uint64_t heard;          /* messages and check-ins that the firmware of the origin takes */
};

/* Of one put of `bytes` from node 0. */
struct forms forms_expected(const struct yard *yard, enum variant variant, uint32_t bytes);

/* All so far.  Asking takes time. */
struct forms forms_counted(struct yard *yard);

#endif
