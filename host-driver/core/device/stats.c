/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics, byte counters, and the firmware's log. */
#include <string.h>

#include <tern/group.h>

#include "device.h"

static const struct {
    const char *name, *text;
} stats[TERN_STAT_COUNT] = {
#define STAT(name, index, text) [index] = {#name, text},
#include "tables.h"
};

const char *tern_stat_name(unsigned index)
{
    return index < TERN_STAT_COUNT ? stats[index].name : NULL;
}

const char *tern_stat_text(unsigned index)
{
    return index < TERN_STAT_COUNT ? stats[index].text : NULL;
}

int tern_stat_find(const char *name)
{
    for (int i = 0; i < TERN_STAT_COUNT; i++)
        if (stats[i].name && !strcmp(stats[i].name, name))
            return i;
    return -TERN_ST_BAD_ARGUMENT;
}

int tern_stats(struct tern_device *device, uint64_t values[TERN_STAT_COUNT])
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_ADMIN_STATS);
    return tern_admin(device, words, values, TERN_STAT_COUNT * sizeof(values[0]), NULL);
}

/*
 * Prints the complete records of `words` and moves the remaining words to the front. Returns the
 * number of lines.
 */
static int print_records(uint32_t *words, unsigned *count, void (*line)(void *, const char *),
                         void *arg)
{
    unsigned at = 0;
    int lines = 0;

    while (at < *count) {
        char text[160];
        unsigned used = tern_log_format(words + at, *count - at, text, sizeof(text));

        if (!used)
            break;
        line(arg, text);
        lines++;
        at += used;
    }
    memmove(words, words + at, (*count - at) * sizeof(*words));
    *count -= at;
    return lines;
}

int tern_log_read(struct tern_device *device, void (*line)(void *arg, const char *text), void *arg)
{
    enum { CHUNK = 256 };
    uint32_t records[LOG_CARRY + CHUNK];
    unsigned count = device->log_carried;
    int lines = 0;

    memcpy(records, device->log_words, count * sizeof(records[0]));
    for (;;) {
        uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
        uint32_t got;
        int status;

        TERN_SET(DESC, opcode, words, TERN_ADMIN_LOG);
        status = tern_admin(device, words, records + count, CHUNK * sizeof(records[0]), cqe);
        if (status)
            return status;
        got = (uint32_t)TERN_GET(CQE, length, cqe) / 4;
        count += got < CHUNK ? got : CHUNK;
        lines += print_records(records, &count, line, arg);
        if (count > LOG_CARRY)
            count = 0; /* not a record: its beginning is lost */
        if (!got)
            break;
    }
    memcpy(device->log_words, records, count * sizeof(records[0]));
    device->log_carried = count;
    return lines;
}
