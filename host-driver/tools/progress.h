/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar: how much of something is done. */
#ifndef TERN_PROGRESS_H
#define TERN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats a line, without a newline: "[#####.....] 50 % 32768 bytes". Returns `text`. */
char *progress_format(char *text, size_t bytes, uint64_t done, uint64_t total, const char *of_what);

struct progress {
    uint64_t total;
    int last_percent; /* shown */
    bool terminal;
};

void progress_start(struct progress *progress, uint64_t total);

/* Tells whether the bar has to advance. */
bool progress_due(const struct progress *progress, uint64_t done);

/* Prints the line to stderr. */
void progress_show(struct progress *progress, uint64_t done, const char *of_what);
void progress_end(struct progress *progress);

#endif
