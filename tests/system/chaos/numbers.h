/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of programs that go on for so many rounds from a seed: all of them options with a
 * number.
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

/* Takes `numbers`, which end with one without a name, and --seed; exits on anything else. */
void numbers_parse(int argc, char **argv, const char *text, const struct number *numbers,
                   uint64_t *seed);

#endif
