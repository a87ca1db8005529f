/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of programs that run a number of rounds from a seed: options with a number each.
 */
#ifndef TERN_NUMBERS_H
#define TERN_NUMBERS_H

#include <stdint.h>

struct number {
    const char *name;
    int key;
    const char *text; /* for --help */
    unsigned *to;
};

/* Parses `numbers`, which end with an entry without a name, and --seed; exits on anything else. */
void numbers_parse(int argc, char **argv, const char *text, const struct number *numbers,
                   uint64_t *seed);

#endif
