/* SPDX-License-Identifier: Apache-2.0 */
/* See pointer.h. */
#include "pointer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *pointer_format(struct tern_rptr pointer, char text[POINTER_DIGITS + 1])
{
    snprintf(text, POINTER_DIGITS + 1, "%08" PRIx32 "%08" PRIx32 "%08" PRIx32 "%08" PRIx32, pointer.w[0],
             pointer.w[1], pointer.w[2], pointer.w[3]);
    return text;
}

bool pointer_parse(const char *text, struct tern_rptr *pointer)
{
    if (strlen(text) != POINTER_DIGITS || strspn(text, "0123456789abcdef") != POINTER_DIGITS)
        return false;
    return sscanf(text, "%8" SCNx32 "%8" SCNx32 "%8" SCNx32 "%8" SCNx32, &pointer->w[0], &pointer->w[1],
                  &pointer->w[2], &pointer->w[3]) == 4;
}
