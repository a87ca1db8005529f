/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configures an ECP5 by the bytes of a bitstream: it looks for the preamble, then follows commands
 * up to the one that sets DONE. It checks the device's id, the CRC-16 of each frame, and that all
 * frames come. Format: prjtrellis, libtrellis/src/Bitstream.cpp.
 */
#ifndef TERN_SIM_BOARD_ECP5_BITS_H
#define TERN_SIM_BOARD_ECP5_BITS_H

#include <stddef.h>
#include <stdint.h>

struct ecp5_device {
    const char *name;
    unsigned number; /* in thousands of LUTs, as it is named */
    uint32_t idcode;
    unsigned frames, frame_bytes;
};

/* Codes as in the status register. */
enum ecp5_error {
    ECP5_NONE = 0,
    ECP5_WRONG_ID = 1,
    ECP5_WRONG_COMMAND = 2,
    ECP5_WRONG_CRC = 3,
    ECP5_NO_PREAMBLE = 4,
    ECP5_ABORTED = 5
};

enum ecp5_command {
    ECP5_WRITE_DICTIONARY = 0x02,
    ECP5_WRITE_CONTROL = 0x22,
    ECP5_RESET_CRC = 0x3b,
    ECP5_INIT_ADDRESS = 0x46,
    ECP5_DONE = 0x5e,
    ECP5_SPI_MODE = 0x79,
    ECP5_FRAMES = 0x82,
    ECP5_EBR_WRITE = 0xb2,
    ECP5_FRAMES_PACKED = 0xb8,
    ECP5_USERCODE = 0xc2,
    ECP5_SECURITY = 0xce,
    ECP5_VERIFY_ID = 0xe2,
    ECP5_EBR_ADDRESS = 0xf6,
    ECP5_DUMMY = 0xff
};

enum { ECP5_DICTIONARY = 8 };

/* Returns the device of that number (45, 85), or NULL. */
const struct ecp5_device *ecp5_device(unsigned number);

/* A CRC-16 over bits, the highest of a byte first; its value is that after 16 more zeros. */
uint16_t ecp5_crc_add(uint16_t crc, uint8_t byte);
uint16_t ecp5_crc_end(uint16_t crc);

enum ecp5_error ecp5_configure(const struct ecp5_device *device, const uint8_t *bytes,
                               size_t count);

#endif
