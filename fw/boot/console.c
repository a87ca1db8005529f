/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's stdout, connected to the bench console. */
#include <stdio.h>

#include "hal.h"

static int put(char c, FILE *file)
{
    (void)file;
    wr32(TERN_MMIO_CONSOLE, (unsigned char)c);
    return (unsigned char)c;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);

FILE *const stdout = &console;
