/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares all nodes of a yard for puts from the first node to all others, with and without a
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

/* The origin sends from the first half of its buffer; targets get the bytes in the second half. */
enum { MEETING_BYTES = 256 << 10, MEETING_BUFFER = 2 * MEETING_BYTES };

enum variant { PERSISTENT, DIRECT, COMBINED, LITERAL, RELAYED, VARIANTS };

const char *variant_name(enum variant variant);

void meeting_open(struct yard *yard);

/* Prepares a put of `bytes` filled by `seed`; nothing is in flight when it returns. */
void meeting_prepare(struct yard *yard, enum variant variant, uint32_t bytes, unsigned seed);

/* Puts, waits for the completions of the origin and of all targets, and checks every byte. */
void meeting_put(struct yard *yard, enum variant variant, uint32_t bytes);

/* Frees the targets' room. */
void meeting_clear(struct yard *yard, enum variant variant, uint32_t bytes);

#endif
