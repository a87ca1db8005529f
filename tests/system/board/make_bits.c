/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: make_bits DEVICE BOARD SEED > FILE.bit
 *
 * Writes a bitstream as ecppack --compress does, for an LFE5U-45F or 85F (DEVICE 45, 85), whose
 * frames are random. It has the format of a board's bitstream and its usual size, but no design.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecp5_bits.h"

static struct {
    uint16_t crc;
    unsigned bits, count;
    uint64_t random;
} out;

static const uint8_t dictionary[ECP5_DICTIONARY] = {0x03, 0x05, 0x06, 0x07, 0x09, 0x0a, 0x0c, 0x0f};

static void put(uint8_t byte)
{
    out.crc = ecp5_crc_add(out.crc, byte);
    putchar(byte);
}

static void put_number(uint32_t value, unsigned bytes)
{
    while (bytes-- > 0)
        put((uint8_t)(value >> 8 * bytes));
}

static void put_command(enum ecp5_command command, uint32_t operand, unsigned bytes)
{
    put((uint8_t)command);
    put_number(0, 3);
    put_number(operand, bytes);
}

static void put_crc(void)
{
    put_number(ecp5_crc_end(out.crc), 2);
    out.crc = 0;
}

static void put_dummies(unsigned count)
{
    while (count-- > 0)
        putchar(ECP5_DUMMY);
}

static void put_bits(unsigned value, unsigned count)
{
    while (count-- > 0) {
        out.bits = out.bits << 1 | (value >> count & 1);
        if (++out.count % 8 == 0)
            put((uint8_t)out.bits);
    }
}

static unsigned draw(void)
{
    out.random = out.random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(out.random >> 33);
}

/* Packs a byte; three in four are zero, as in a design. */
static void put_random_byte(void)
{
    unsigned drawn = draw() % 16;

    if (drawn >= 4)
        put_bits(0, 1);
    else if (drawn == 0)
        put_bits(3u << 8 | (draw() & 0xff), 10);
    else
        put_bits((drawn == 1 ? 5u : 4u) << 3 | draw() % 8, 6);
}

static void put_frame(const struct ecp5_device *device)
{
    unsigned whole = (device->frame_bytes + 7) / 8 * 8;

    put_bits(0, whole - device->frame_bytes);
    for (unsigned i = 0; i < device->frame_bytes; i++)
        put_random_byte();
    put_bits(0, (8 - out.count % 8) % 8);
    put_crc();
    put(0xff);
}

static void put_all(const struct ecp5_device *device, const char *board)
{
    printf("%c%cBoard: %s%cPart: %s-6CABGA381%c%c", 0xff, 0, board, 0, device->name, 0, 0xff);
    put_number(0xffffbdb3, 4);
    put_dummies(4);
    put_command(ECP5_RESET_CRC, 0, 0);
    out.crc = 0;
    put_command(ECP5_VERIFY_ID, device->idcode, 4);
    put_command(ECP5_WRITE_CONTROL, 0x40000000, 4);
    put_command(ECP5_INIT_ADDRESS, 0, 0);
    put_command(ECP5_WRITE_DICTIONARY, 0, 0);
    for (int i = ECP5_DICTIONARY - 1; i >= 0; i--)
        put(dictionary[i]);
    put((uint8_t)ECP5_FRAMES_PACKED);
    put(0x91); /* a CRC and a dummy after each frame */
    put_number(device->frames, 2);
    for (unsigned i = 0; i < device->frames; i++)
        put_frame(device);
    put_dummies(12);
    put((uint8_t)ECP5_USERCODE);
    put_number(0x800000, 3);
    put_number(0, 4);
    put_crc();
    put_command(ECP5_DONE, 0, 0);
    put_dummies(4);
}

int main(int argc, char **argv)
{
    const struct ecp5_device *device =
        argc == 4 ? ecp5_device((unsigned)strtoul(argv[1], NULL, 10)) : NULL;

    if (device == NULL) {
        fputs("usage: make_bits DEVICE BOARD SEED\n", stderr);
        return 2;
    }
    out.random = strtoull(argv[3], NULL, 10);
    put_all(device, argv[2]);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
