/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar, of bytes and NIC cycles or of what is counted. */
#ifndef TERN_PROGRESS_H
#define TERN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line without its end: "[#####.....]  50 %  32768 bytes  5120 cycles  6.40 bytes/cycle". */
char *progress_format(char *text, size_t bytes, uint64_t done, uint64_t total, uint64_t cycles);

struct progress {
    uint64_t total;
    int last_percent; /* shown */
    bool terminal;
};

void progress_start(struct progress *progress, uint64_t total);

/* Is there a step to show?  Asking the NIC for its cycles is not free, so ask here first. */
bool progress_due(const struct progress *progress, uint64_t done);

void progress_show(struct progress *progress, uint64_t done, uint64_t cycles);

/* The same for what is neither bytes nor timed: "[#####.....]  50 %  100 rounds". */
void progress_show_count(struct progress *progress, uint64_t done, const char *of_what);
void progress_end(struct progress *progress);

#endif
