/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of gdb's packets (sim/debug/rsp.c). From any reachable state, any byte leads to a
 * reachable state and writes only the parser's data; a frame has room for its contents and is
 * parsed as it was written.
 */
#include "rsp.c"
#include "proof.h"

enum { FRAMED = 1 };

struct tern_rsp nondet_rsp(void);

static bool holds(const struct tern_rsp *rsp)
{
    return rsp->state <= TERN_RSP_SUM_LOW && rsp->count <= TERN_RSP_BYTES;
}

static void any_byte(void)
{
    static struct tern_rsp rsp;
    uint8_t byte = nondet_u8();
    size_t before;
    enum tern_rsp_event event;

    rsp.state = nondet_u32();
    rsp.sum = nondet_u8();
    rsp.told = nondet_u8();
    rsp.bad_digit = nondet_bool();
    rsp.too_long = nondet_bool();
    rsp.count = before = nondet_size();
    ASSUME(holds(&rsp));
    event = tern_rsp_take(&rsp, byte);
    PROVE(holds(&rsp), "the reader stays good");
    PROVE(event >= TERN_RSP_NOTHING && event <= TERN_RSP_REFUSED, "a known event");
    PROVE(rsp.count == before || rsp.count == before + 1 || rsp.count == 0, "a byte is one byte");
    if (event == TERN_RSP_PACKET)
        PROVE(rsp.data[rsp.count] == 0 && rsp.sum == rsp.told, "a packet has its end and its sum");
    if (event == TERN_RSP_PACKET && rsp.count == TERN_RSP_BYTES)
        REACHED("the largest packet");
    if (event == TERN_RSP_TOO_LONG)
        REACHED("a packet that is too long");
}

static void what_is_framed_is_read(void)
{
    static struct tern_rsp rsp;
    char data[FRAMED], frame[TERN_RSP_FRAME(FRAMED)];
    size_t count = any_up_to(FRAMED), bytes, n;
    enum tern_rsp_event event = TERN_RSP_NOTHING;

    for (n = 0; n < FRAMED; n++)
        data[n] = (char)nondet_u8();
    bytes = tern_rsp_frame(frame, data, count);
    PROVE(bytes <= TERN_RSP_FRAME(count), "a frame has the room that was promised");
    for (n = 0; n < bytes; n++)
        event = tern_rsp_take(&rsp, (uint8_t)frame[n]);
    PROVE(event == TERN_RSP_PACKET && rsp.count == count, "a frame is a packet");
    for (n = 0; n < count; n++)
        PROVE(rsp.data[n] == data[n], "with the same bytes");
    if (bytes == TERN_RSP_FRAME(FRAMED))
        REACHED("every byte is escaped");
}

void proof(void)
{
    any_byte();
    what_is_framed_is_read();
}
