/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as tables for a terminal. */
#ifndef TERN_PROFILE_REPORT_H
#define TERN_PROFILE_REPORT_H

#include "calls.h"

struct report {
    const struct calls *calls;
    const struct trace_header *header;
    unsigned columns; /* of the terminal */
};

/* The first cycle that counts. */
uint64_t report_from(const struct report *report);

/* Prints a summary of where the cycles went. */
void report_summary(const struct report *report);

/* The functions with the most cycles of their own, `rows` of them (0: all), and their sum.
 * False and a message on stderr when there is no memory. */
bool report_functions(const struct report *report, size_t rows);

/* The source lines with the most cycles, likewise. */
bool report_lines(const struct report *report, size_t rows);

#endif
