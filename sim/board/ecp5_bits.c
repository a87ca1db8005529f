/* SPDX-License-Identifier: Apache-2.0 */
/* See ecp5_bits.h. */
#include "ecp5_bits.h"

#include <stdbool.h>
#include <string.h>

enum {
    POLYNOMIAL = 0x8005,
    PREAMBLE_MOST = 65536, /* bytes before the preamble */
    CHECKS_CRC = 0x80,
    CRC_AT_END = 0x40,     /* not after each frame */
    DUMMIES = 0x0f,
    EBR_FRAME_BYTES = 9
};

static const struct ecp5_device devices[] = {
    {"LFE5U-45F", 45, 0x41112043, 9470, 106},
    {"LFE5U-85F", 85, 0x41113043, 13294, 142},
};

const struct ecp5_device *ecp5_device(unsigned number)
{
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (devices[i].number == number)
            return &devices[i];
    return NULL;
}

uint16_t ecp5_crc_add(uint16_t crc, uint8_t byte)
{
    for (int i = 7; i >= 0; i--) {
        bool high = crc >> 15;

        crc = (uint16_t)(crc << 1 | (byte >> i & 1));
        if (high)
            crc ^= POLYNOMIAL;
    }
    return crc;
}

uint16_t ecp5_crc_end(uint16_t crc)
{
    return ecp5_crc_add(ecp5_crc_add(crc, 0), 0);
}

/* ---- reading ---- */

struct reader {
    const struct ecp5_device *device;
    const uint8_t *at, *end;
    uint16_t crc;
    bool short_of; /* bytes */
    bool known;    /* the id was right */
    bool framed;   /* all frames have come */
    uint8_t dictionary[ECP5_DICTIONARY];
    uint8_t bits; /* a byte of packed frames, and how many of its bits are left */
    unsigned left;
};

static uint8_t next(struct reader *in)
{
    if (in->at == in->end) {
        in->short_of = true;
        return 0;
    }
    in->crc = ecp5_crc_add(in->crc, *in->at);
    return *in->at++;
}

static uint32_t number(struct reader *in, unsigned bytes)
{
    uint32_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | next(in);
    return value;
}

static enum ecp5_error check_crc(struct reader *in)
{
    uint16_t crc = ecp5_crc_end(in->crc);
    uint32_t want = number(in, 2);

    in->crc = 0;
    return in->short_of ? ECP5_ABORTED : want == crc ? ECP5_NONE : ECP5_WRONG_CRC;
}

/* ---- packed frames ---- */

static unsigned bits(struct reader *in, unsigned count)
{
    unsigned value = 0;

    for (; count > 0; count--) {
        if (in->left == 0) {
            in->bits = next(in);
            in->left = 8;
        }
        value = value << 1 | (in->bits >> --in->left & 1);
    }
    return value;
}

/* Returns a byte: 0; 100 and the number of its only bit; 101 and a place of the dictionary; 11 and
 * the byte. */
static uint8_t packed_byte(struct reader *in)
{
    if (bits(in, 1) == 0)
        return 0;
    if (bits(in, 1) == 1)
        return (uint8_t)bits(in, 8);
    if (bits(in, 1) == 1)
        return in->dictionary[bits(in, 3)];
    return (uint8_t)(1u << bits(in, 3));
}

static void skip_frame(struct reader *in, bool packed)
{
    unsigned bytes = in->device->frame_bytes;

    if (!packed) {
        number(in, bytes);
        return;
    }
    in->left = 0;
    for (unsigned i = 0; i < (bytes + 7) / 8 * 8; i++)
        packed_byte(in);
}

/* ---- commands ---- */

static enum ecp5_error take_frames(struct reader *in, bool packed)
{
    unsigned how = next(in);
    unsigned count = number(in, 2);
    bool each = (how & CHECKS_CRC) != 0 && (how & CRC_AT_END) == 0;
    enum ecp5_error error = ECP5_NONE;

    if (!in->known || count != in->device->frames)
        return in->short_of ? ECP5_ABORTED : ECP5_WRONG_COMMAND;
    for (unsigned i = 0; i < count && error == ECP5_NONE && !in->short_of; i++) {
        skip_frame(in, packed);
        if (each || ((how & CHECKS_CRC) != 0 && i == count - 1))
            error = check_crc(in);
        number(in, how & DUMMIES);
    }
    in->framed = true;
    return error;
}

/* Skips the operand of a command, of so many bytes after the three of its own. */
static enum ecp5_error take_operand(struct reader *in, unsigned bytes)
{
    bool checks = (next(in) & CHECKS_CRC) != 0;

    number(in, 2 + bytes);
    return checks ? check_crc(in) : ECP5_NONE;
}

static enum ecp5_error take_dictionary(struct reader *in)
{
    bool checks = (next(in) & CHECKS_CRC) != 0;

    number(in, 2);
    for (int i = ECP5_DICTIONARY - 1; i >= 0; i--)
        in->dictionary[i] = next(in);
    return checks ? check_crc(in) : ECP5_NONE;
}

static enum ecp5_error take_id(struct reader *in)
{
    number(in, 3);
    in->known = number(in, 4) == in->device->idcode;
    return in->known || in->short_of ? ECP5_NONE : ECP5_WRONG_ID;
}

static enum ecp5_error take_ebr(struct reader *in)
{
    next(in);
    number(in, EBR_FRAME_BYTES * number(in, 2));
    return check_crc(in);
}

static enum ecp5_error take_command(struct reader *in, uint8_t command)
{
    switch (command) {
    case ECP5_RESET_CRC:
        number(in, 3);
        in->crc = 0;
        return ECP5_NONE;
    case ECP5_VERIFY_ID:
        return take_id(in);
    case ECP5_WRITE_CONTROL:
    case ECP5_USERCODE:
    case ECP5_EBR_ADDRESS:
        return take_operand(in, 4);
    case ECP5_INIT_ADDRESS:
    case ECP5_SPI_MODE:
    case ECP5_SECURITY:
    case ECP5_DONE:
        number(in, 3);
        return ECP5_NONE;
    case ECP5_WRITE_DICTIONARY:
        return take_dictionary(in);
    case ECP5_FRAMES:
    case ECP5_FRAMES_PACKED:
        return take_frames(in, command == ECP5_FRAMES_PACKED);
    case ECP5_EBR_WRITE:
        return take_ebr(in);
    default:
        return ECP5_WRONG_COMMAND;
    }
}

static bool find_preamble(struct reader *in)
{
    static const uint8_t preamble[] = {0xff, 0xff, 0xbd, 0xb3};
    unsigned most = PREAMBLE_MOST;

    for (; most > 0 && in->end - in->at >= (ptrdiff_t)sizeof preamble; most--, in->at++) {
        if (memcmp(in->at, preamble, sizeof preamble) == 0) {
            in->at += sizeof preamble;
            return true;
        }
    }
    return false;
}

enum ecp5_error ecp5_configure(const struct ecp5_device *device, const uint8_t *bytes,
                               size_t count)
{
    struct reader in = {.device = device, .at = bytes, .end = bytes + count};

    if (!find_preamble(&in))
        return ECP5_NO_PREAMBLE;
    while (in.at < in.end) {
        uint8_t command = *in.at;
        enum ecp5_error error;

        if (command == ECP5_DUMMY) { /* not in the CRC */
            in.at++;
            continue;
        }
        error = take_command(&in, next(&in));
        if (in.short_of)
            return ECP5_ABORTED;
        if (error != ECP5_NONE || command == ECP5_DONE)
            return error == ECP5_NONE && !in.framed ? ECP5_WRONG_COMMAND : error;
    }
    return ECP5_ABORTED;
}
