/* SPDX-License-Identifier: Apache-2.0 */
/* See progress.h. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, STEP_TERMINAL = 2, STEP_FILE = 20 };

static int percent(uint64_t done, uint64_t total)
{
    return total ? (int)(done * 100 / total) : 100;
}

char *progress_format(char *text, size_t bytes, uint64_t done, uint64_t total, uint64_t cycles)
{
    char bar[BAR_WIDTH + 1];
    int filled = percent(done, total) * BAR_WIDTH / 100;

    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = 0;
    snprintf(text, bytes, "[%s] %3d %%  %llu bytes  %llu cycles  %.2f bytes/cycle", bar,
             percent(done, total), (unsigned long long)done, (unsigned long long)cycles,
             cycles ? (double)done / (double)cycles : 0.0);
    return text;
}

void progress_start(struct progress *progress, uint64_t total)
{
    progress->total = total;
    progress->last_percent = -1;
    progress->terminal = isatty(STDERR_FILENO);
}

bool progress_due(const struct progress *progress, uint64_t done)
{
    int step = progress->terminal ? STEP_TERMINAL : STEP_FILE;
    int now = percent(done, progress->total);

    return progress->last_percent < 0 || now >= progress->last_percent + step ||
           (now == 100 && progress->last_percent < 100);
}

void progress_show(struct progress *progress, uint64_t done, uint64_t cycles)
{
    char line[160];

    progress->last_percent = percent(done, progress->total);
    progress_format(line, sizeof(line), done, progress->total, cycles);
    fprintf(stderr, progress->terminal ? "\r%s " : "%s\n", line);
}

void progress_end(struct progress *progress)
{
    if (progress->terminal && progress->last_percent >= 0)
        fprintf(stderr, "\n");
}
