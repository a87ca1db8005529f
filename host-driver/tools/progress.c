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

static char *format_bar(char bar[BAR_WIDTH + 1], uint64_t done, uint64_t total)
{
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)(percent(done, total) * BAR_WIDTH / 100));
    bar[BAR_WIDTH] = 0;
    return bar;
}

char *progress_format(char *text, size_t bytes, uint64_t done, uint64_t total, const char *of_what)
{
    char bar[BAR_WIDTH + 1];

    snprintf(text, bytes, "[%s] %3d %%  %llu %s", format_bar(bar, done, total),
             percent(done, total), (unsigned long long)done, of_what);
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

void progress_show(struct progress *progress, uint64_t done, const char *of_what)
{
    char line[160];

    progress->last_percent = percent(done, progress->total);
    fprintf(stderr, progress->terminal ? "\r%s " : "%s\n",
            progress_format(line, sizeof(line), done, progress->total, of_what));
}

void progress_end(struct progress *progress)
{
    if (progress->terminal && progress->last_percent >= 0)
        fprintf(stderr, "\n");
}
