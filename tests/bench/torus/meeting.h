/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every node of a yard but the first ready for puts to many of the first, with and without a
 * handshake:
 *
 *   persistent  a group with bases fixed beforehand: no handshake
 *   direct      every target checks in with the origin's NIC
 *   combined    targets check in with the node that their copy came from
 *   literal     every target sends a message to the origin's host, which starts the put
 *   relayed     each target passes the request on, the last one starts the put
 *
 * Host software takes no simulated time.  An error ends the program.
 */
#ifndef TERN_MEETING_H
#define TERN_MEETING_H

#include <tern/rendezvous.h>

#include "yard.h"

/* The first half of a node's buffer is what the origin sends, the second where targets get it. */
enum { MEETING_BYTES = 256 << 10, MEETING_BUFFER = 2 * MEETING_BYTES };

enum variant { PERSISTENT, DIRECT, COMBINED, LITERAL, RELAYED, VARIANTS };

const char *variant_name(enum variant variant);

void meeting_open(struct yard *yard);

/* Gets ready for a put of `bytes`, with `seed` in them; nothing moves when it returns. */
void meeting_prepare(struct yard *yard, enum variant variant, uint32_t bytes, unsigned seed);

/* Puts, and waits until the origin and all targets have been told; looks at every byte. */
void meeting_put(struct yard *yard, enum variant variant, uint32_t bytes);

/* Gives the targets' room back. */
void meeting_clear(struct yard *yard, enum variant variant, uint32_t bytes);

#endif
