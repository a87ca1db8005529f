/* SPDX-License-Identifier: Apache-2.0 */
/* A direction of a serial line on which whole frames are damaged, lost or repeated, by a seed. */
#ifndef TERN_SIM_BOARD_FAULTS_H
#define TERN_SIM_BOARD_FAULTS_H

#include <stddef.h>
#include <stdint.h>

enum { BOARD_FAULTS_BYTES = 8192 };

struct board_faults {
    uint64_t random, faults;
    unsigned flip, lose, repeat; /* of 1000 frames */
    uint8_t frame[BOARD_FAULTS_BYTES]; /* since the last flag */
    size_t frame_bytes;
    uint8_t out[3 * BOARD_FAULTS_BYTES];
    size_t out_bytes;
};

void board_faults_init(struct board_faults *faults, uint64_t seed, unsigned flip, unsigned lose,
                       unsigned repeat);

/* Takes a byte; only while there is room. */
void board_faults_byte(struct board_faults *faults, uint8_t byte);
size_t board_faults_room(const struct board_faults *faults);

/* Moves at most `room` bytes out; returns how many. */
size_t board_faults_take(struct board_faults *faults, uint8_t *bytes, size_t room);

#endif
