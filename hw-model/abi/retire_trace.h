/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The retire trace as a file: which instruction the soft core of one node retired in which cycle,
 * from the chip's pins `retire_*`. `tern sim --retire-trace` writes it and `tern profile` reads it;
 * they share only this file.
 *
 * The file is one gzip stream (RFC 1952), so that damage and a missing end are detected. It has a
 * header, a record for each instruction, and an end record as the last. All numbers are
 * little-endian.
 *
 * A record begins with a byte: the kind in bits 1:0, the step in bits 7:2. The step is the number
 * of cycles since the previous record (for the first record, since the first cycle of the trace),
 * counted to the end of the cycle of the retirement. The least is 1: an instruction that retires in
 * the next cycle. A step above 62 is stored as 63, and follows as a number. Then come the data of
 * the kind.
 *
 * A number has seven bits per byte, the least significant first; bit 7 is set if more follow.
 */
#ifndef TERN_RETIRE_TRACE_H
#define TERN_RETIRE_TRACE_H

#define TERN_RETIRE_MAGIC "ternpcs\n" /* 8 bytes, without the NUL */

enum {
    TERN_RETIRE_VERSION = 1,

    /* Offsets of the header's fields. */
    TERN_RETIRE_AT_MAGIC = 0,
    TERN_RETIRE_AT_VERSION = 8,      /* 32 bits */
    TERN_RETIRE_AT_NODE = 12,        /* 32 bits: as NODE in bar.def */
    TERN_RETIRE_AT_CLOCK = 16,       /* 32 bits: Hz; 0: simulated, only cycles have a meaning */
    TERN_RETIRE_AT_IMAGE_BYTES = 20, /* 32 bits: of the firmware that the node boots */
    TERN_RETIRE_AT_IMAGE_CRC = 24,   /* 32 bits: CRC-32 (zlib) of the image without its header */
    TERN_RETIRE_AT_RESERVED = 28,    /* 32 bits: 0 */
    TERN_RETIRE_AT_CYCLE = 32,       /* 64 bits: the first cycle of the trace */
    TERN_RETIRE_HEADER_BYTES = 40,

    /* Kinds of records. */
    TERN_RETIRE_NEXT_2 = 0, /* pc: 2 after that of the previous record */
    TERN_RETIRE_NEXT_4 = 1, /* pc: 4 after it */
    TERN_RETIRE_JUMP = 2,   /* a number: d = pc - previous pc, 32 bits, as d << 1 ^ d >> 31 */
    TERN_RETIRE_END = 3,    /* end of the trace; a number: its count of instructions */

    TERN_RETIRE_KIND_BITS = 2,
    TERN_RETIRE_STEP_LONG = 63,
    TERN_RETIRE_NUMBER_BYTES_MAX = 10
};

/* The pc before the first record is 0. */

#endif
