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

/* Returns the first cycle that counts. */
uint64_t report_from(const struct report *report);

/* Prints a summary of the cycles. */
void report_summary(const struct report *report);

/*
 * Prints the `rows` functions (0: all) with the most cycles of their own, and the sum. False and a
 * message on stderr when there is no memory.
 */
bool report_functions(const struct report *report, size_t rows);

/* Prints the source lines with the most cycles, likewise. */
bool report_lines(const struct report *report, size_t rows);

#endif
