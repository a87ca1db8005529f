/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's log as text. A record is a word {0xA5, number, arguments}, a time stamp, and
 * arguments; its text is in the contract's table, not in the firmware.
 */
#include <stdio.h>

#include "device.h"

enum { RECORD_MARK = 0xa5, ARGUMENTS_MAX = 6 };

static const char *text_of(unsigned number)
{
    switch (number) {
#define LOGMSG(name, value, args, text)                                                            \
    case value:                                                                                    \
        return text;
#include "tables.h"
    default:
        return NULL;
    }
}

static size_t append(char *text, size_t bytes, size_t used, const char *format, unsigned value)
{
    int wrote = used < bytes ? snprintf(text + used, bytes - used, format, value) : 0;

    return used + (wrote > 0 ? (size_t)wrote : 0);
}

/* Expands %u and %x of a table text with the record's arguments. */
static void expand(const char *format, const uint32_t *values, unsigned count, char *text,
                   size_t bytes, size_t used)
{
    unsigned next = 0;

    for (; *format; format++) {
        bool value = *format == '%' && (format[1] == 'u' || format[1] == 'x') && next < count;

        if (!value) {
            used = append(text, bytes, used, "%c", (unsigned char)*format);
            continue;
        }
        format++;
        used = append(text, bytes, used, *format == 'x' ? "0x%x" : "%u", values[next++]);
    }
}

unsigned tern_log_format(const uint32_t *words, unsigned count, char *text, size_t bytes)
{
    unsigned arguments = words[0] & 0xff;
    unsigned number = words[0] >> 8 & 0xffff;
    const char *format = text_of(number);
    size_t used;

    if (words[0] >> 24 != RECORD_MARK || arguments > ARGUMENTS_MAX) {
        snprintf(text, bytes, "?          stray word 0x%x", words[0]);
        return 1;
    }
    if (count < 2 + arguments)
        return 0;
    used = append(text, bytes, 0, "%10u ", words[1]);
    if (format) {
        expand(format, words + 2, arguments, text, bytes, used);
        return 2 + arguments;
    }
    used = append(text, bytes, used, "record %u:", number);
    for (unsigned i = 0; i < arguments; i++)
        used = append(text, bytes, used, " 0x%x", words[2 + i]);
    return 2 + arguments;
}
