/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of gdb's remote serial protocol: $data#checksum, byte by byte.
 *
 * A reader accepts any bytes: it skips those outside a packet, and a `$` starts a new one. Escaped
 * bytes are returned unescaped.
 */
#ifndef TERN_SIM_RSP_H
#define TERN_SIM_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TERN_RSP_BYTES = 4096 }; /* largest packet, as reported to gdb */

enum tern_rsp_event {
    TERN_RSP_NOTHING,
    TERN_RSP_PACKET,   /* a complete one in `data` */
    TERN_RSP_DAMAGED,  /* its checksum is wrong */
    TERN_RSP_TOO_LONG, /* good, but larger than the buffer */
    TERN_RSP_BREAK,    /* Ctrl-C */
    TERN_RSP_REFUSED   /* the other side did not understand our last packet */
};

enum tern_rsp_state {
    TERN_RSP_OUTSIDE,
    TERN_RSP_INSIDE,
    TERN_RSP_ESCAPED,
    TERN_RSP_SUM_HIGH,
    TERN_RSP_SUM_LOW
};

struct tern_rsp {
    enum tern_rsp_state state;
    uint8_t sum, told; /* over the bytes so far; as in the packet */
    bool bad_digit, too_long;
    size_t count;
    char data[TERN_RSP_BYTES + 1]; /* with a terminating 0 that is not counted */
};

enum tern_rsp_event tern_rsp_take(struct tern_rsp *rsp, uint8_t byte);

/* Largest frame around `count` bytes. */
#define TERN_RSP_FRAME(count) (2 * (count) + 4)

/* Frames `count` bytes into `to`; returns the size of the frame. */
size_t tern_rsp_frame(char *to, const char *data, size_t count);

/* Returns the value of a hexadecimal digit, or -1. */
int tern_rsp_digit(char c);

#endif
