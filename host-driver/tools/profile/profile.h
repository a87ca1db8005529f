/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of `tern profile`. */
#ifndef TERN_PROFILE_H
#define TERN_PROFILE_H

#include <stdbool.h>

/* Prints an error with the program's name to stderr; returns false. */
bool profile_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
