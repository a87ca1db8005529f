/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A direction of an Ethernet cable: whole frames, with their FCS, wait here in order. By a seed,
 * some are damaged, lost, repeated, or overtaken by the next one.
 */
#ifndef TERN_SIM_BOARD_WIRE_H
#define TERN_SIM_BOARD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_FRAME_BYTES = 1536, /* of a frame, with its FCS */
    BOARD_FCS_BYTES = 4,
    BOARD_WIRE_FRAMES = 64
};

struct board_frame {
    size_t count;
    uint8_t bytes[BOARD_FRAME_BYTES];
};

struct board_wire {
    uint64_t random, faults;
    unsigned flip, lose, repeat, swap; /* of 1000 frames */
    struct board_frame frame[BOARD_WIRE_FRAMES], held; /* held: waits for the next one */
    unsigned first, count;
};

void board_wire_init(struct board_wire *wire, uint64_t seed, unsigned flip, unsigned lose,
                     unsigned repeat, unsigned swap);

/* Returns how many frames may be put, whatever happens to them. */
unsigned board_wire_room(const struct board_wire *wire);

/* Puts a frame; only while there is room. */
void board_wire_put(struct board_wire *wire, const uint8_t *bytes, size_t count);

/* Moves the oldest frame out; false if there is none. */
bool board_wire_take(struct board_wire *wire, struct board_frame *frame);

/* Writes the FCS after `count` bytes of a frame. */
void board_fcs_add(uint8_t *bytes, size_t count);

/* Returns whether the last four bytes of a frame are its FCS. */
bool board_fcs_holds(const uint8_t *bytes, size_t count);

#endif
