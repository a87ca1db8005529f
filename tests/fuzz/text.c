/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

/* Parses one word of a line, for byte *at of the step. */
static bool word_read(const char *word, uint8_t *step, size_t record, size_t *at)
{
    char *end;
    unsigned long value = strtoul(word + (*word == '@'), &end, *word == '@' ? 10 : 16);
    unsigned long times = *end == '*' ? strtoul(end + 1, &end, 10) : 1;

    if (end == word || *end != 0)
        return false;
    if (*word == '@') {
        *at = value;
        return value <= record;
    }
    if (value > 0xff || times > record - *at)
        return false;
    memset(step + *at, (int)value, times);
    *at += times;
    return true;
}

/* False when the line is invalid; *empty when it has no step. */
static bool line_read(char *line, uint8_t *step, size_t record, bool *empty)
{
    size_t at = 0;
    char *rest = NULL;

    line[strcspn(line, "#\n")] = 0;
    memset(step, 0, record);
    *empty = true;
    for (char *word = strtok_r(line, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        *empty = false;
        if (!word_read(word, step, record, &at))
            return false;
    }
    return true;
}

bool text_read(FILE *file, size_t record, uint8_t *data, size_t room, size_t *size)
{
    char line[LINE_MAX_BYTES];
    bool empty;

    *size = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (room - *size < record || !line_read(line, data + *size, record, &empty))
            return false;
        *size += empty ? 0 : record;
    }
    return true;
}

static void step_write(FILE *file, const uint8_t *step, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        size_t times = 1;

        while (at + times < bytes && step[at + times] == step[at])
            times++;
        if (step[at] == 0 && at + times == bytes && at > 0)
            break;
        fprintf(file, times > 1 ? "%s%02x*%zu" : "%s%02x", at == 0 ? "" : " ", step[at], times);
        at += times;
    }
    fputc('\n', file);
}

void text_write(FILE *file, size_t record, const uint8_t *data, size_t size)
{
    fputs("# SPDX-License-Identifier: Apache-2.0\n", file);
    for (size_t at = 0; at < size; at += record)
        step_write(file, data + at, size - at < record ? size - at : record);
}
