/* SPDX-License-Identifier: Apache-2.0 */
/* Framing of gdb's remote serial protocol. */
#include "rsp.h"

enum { CTRL_C = 3, ESCAPE = '}', FLIP = 0x20 };

int tern_rsp_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void begin(struct tern_rsp *rsp)
{
    rsp->state = TERN_RSP_INSIDE;
    rsp->sum = 0;
    rsp->count = 0;
    rsp->too_long = false;
    rsp->bad_digit = false;
}

static void keep(struct tern_rsp *rsp, uint8_t byte)
{
    if (rsp->count == TERN_RSP_BYTES)
        rsp->too_long = true;
    else
        rsp->data[rsp->count++] = (char)byte;
}

static enum tern_rsp_event end(struct tern_rsp *rsp)
{
    rsp->state = TERN_RSP_OUTSIDE;
    rsp->data[rsp->count] = 0;
    if (rsp->bad_digit || rsp->told != rsp->sum)
        return TERN_RSP_DAMAGED;
    return rsp->too_long ? TERN_RSP_TOO_LONG : TERN_RSP_PACKET;
}

static void take_digit(struct tern_rsp *rsp, uint8_t byte)
{
    int digit = tern_rsp_digit((char)byte);

    rsp->bad_digit = rsp->bad_digit || digit < 0;
    rsp->told = (uint8_t)(rsp->told << 4 | (digit & 15));
}

static void inside(struct tern_rsp *rsp, uint8_t byte)
{
    if (byte == '#' && rsp->state == TERN_RSP_INSIDE) {
        rsp->state = TERN_RSP_SUM_HIGH;
        return;
    }
    rsp->sum = (uint8_t)(rsp->sum + byte);
    if (rsp->state == TERN_RSP_ESCAPED) {
        keep(rsp, byte ^ FLIP);
        rsp->state = TERN_RSP_INSIDE;
    } else if (byte == ESCAPE) {
        rsp->state = TERN_RSP_ESCAPED;
    } else {
        keep(rsp, byte);
    }
}

static enum tern_rsp_event outside(uint8_t byte)
{
    if (byte == CTRL_C)
        return TERN_RSP_BREAK;
    return byte == '-' ? TERN_RSP_REFUSED : TERN_RSP_NOTHING;
}

enum tern_rsp_event tern_rsp_take(struct tern_rsp *rsp, uint8_t byte)
{
    if (byte == '$') {
        begin(rsp);
        return TERN_RSP_NOTHING;
    }
    switch (rsp->state) {
    case TERN_RSP_OUTSIDE:
        return outside(byte);
    case TERN_RSP_SUM_HIGH:
        take_digit(rsp, byte);
        rsp->state = TERN_RSP_SUM_LOW;
        return TERN_RSP_NOTHING;
    case TERN_RSP_SUM_LOW:
        take_digit(rsp, byte);
        return end(rsp);
    default:
        inside(rsp, byte);
        return TERN_RSP_NOTHING;
    }
}

size_t tern_rsp_frame(char *to, const char *data, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    uint8_t sum = 0;

    to[used++] = '$';
    for (size_t i = 0; i < count; i++) {
        char c = data[i];

        if (c == '$' || c == '#' || c == ESCAPE || c == '*') {
            to[used++] = ESCAPE;
            sum = (uint8_t)(sum + ESCAPE);
            c ^= FLIP;
        }
        to[used++] = c;
        sum = (uint8_t)(sum + (uint8_t)c);
    }
    to[used++] = '#';
    to[used++] = digits[sum >> 4];
    to[used++] = digits[sum & 15];
    return used;
}
