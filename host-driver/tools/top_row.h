/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of `tern top`: the work of a NIC between two looks at it. Functions of their arguments
 * alone.
 */
#ifndef TERN_TOP_ROW_H
#define TERN_TOP_ROW_H

#include <tern/tern.h>

enum { TOP_TEXT = 192 };

/* One look. */
struct top_look {
    struct tern_info info;
    uint64_t stats[TERN_STAT_COUNT];
    uint64_t cycles, busy; /* of the core */
    int64_t ms;            /* of the host */
};

/* Returns the heading above the lines. */
const char *top_head(void);

/* Formats the line of a NIC, without a newline. Returns `text`. */
char *top_row(char *text, size_t bytes, const struct top_look *before, const struct top_look *now);

/* Formats a rate in at most 7 characters: "0", "950", "12.3k", "4.56M". Returns `text`. */
char *top_rate(char *text, size_t bytes, uint64_t count, int64_t ms);

#endif
