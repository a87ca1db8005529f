/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a profile as a picture of its call paths, and as text for other programs that draw them.
 *
 * Both have busy cycles alone. A frame of an inlined function lies above the function that contains
 * it. */
#ifndef TERN_PROFILE_FLAME_H
#define TERN_PROFILE_FLAME_H

#include "calls.h"

/*
 * Writes a flame graph as an SVG file that any browser shows. False and a message on stderr when it
 * cannot be written; so does the function below. The children must be sorted.
 */
bool flame_write_svg(const struct calls *calls, const char *title, const char *path);

/* Writes the folded form: a line for each path, "main;fw_step;fw_puts 1234". */
bool flame_write_folded(const struct calls *calls, const char *path);

#endif
