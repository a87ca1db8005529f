/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes every node of a yard a member of one group, to measure broadcasts.
 */
#ifndef TERN_CROWD_H
#define TERN_CROWD_H

#include <tern/group.h>

#include "yard.h"

/* A node sends from the first half of its buffer and receives in the second. */
uint8_t *crowd_source(const struct yard *yard, unsigned n);
uint8_t *crowd_target(const struct yard *yard, unsigned n);

/* Makes all nodes members. */
void crowd_join(struct yard *yard);

/* Opens a group of all members in `box` for broadcasts of node `n`. */
struct tern_group *crowd_group(struct yard *yard, unsigned n, struct tern_box box);

/* Fills the source of `n` with bytes of `seed`, and clears all targets. */
void crowd_fill(struct yard *yard, unsigned n, size_t bytes, unsigned seed);

/* Ends the program unless every node except `origin` has received the bytes of `seed`. */
void crowd_check(const struct yard *yard, unsigned origin, size_t bytes, unsigned seed);

#endif
