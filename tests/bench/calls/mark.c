/* SPDX-License-Identifier: Apache-2.0 */
/* For programs in Python: ends a part of a measurement by callgrind, and begins the next. */
#include <valgrind/callgrind.h>

void call_mark(const char *name);

void call_mark(const char *name)
{
    if (name)
        CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_ZERO_STATS;
}
