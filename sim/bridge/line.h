/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of the host link: a session with a board, frames in order both ways (go-back-n).
 *
 * A board may have several nodes, each a channel with a session of its own: a struct tern_line for
 * each, all of which get all input.
 *
 * The line is a serial one, whose bytes come in by tern_line_input(), or Ethernet, whose frames
 * come in by tern_line_packet(). Both leave by tern_line_output(). The caller gives the time in
 * microseconds. A board that does not answer for TERN_LINE_DEAD_US is dead: tern_line_dead() tells.
 */
#ifndef TERN_BRIDGE_LINE_H
#define TERN_BRIDGE_LINE_H

#include "packet.h"

enum {
    TERN_LINE_DEAD_US = 20000000, /* of silence while an answer is due */
    TERN_LINE_OUT_BYTES = 65536
};

/* A frame that waits for its acknowledgement. */
struct tern_line_frame {
    struct tern_line_frame *next;
    bool sent; /* once: it does not change any more */
    uint32_t count;
    uint32_t words[TERN_HLINK_DOWN_WORDS];
};

struct tern_line_counts {
    uint64_t sent, again, received, bad, dropped, timeouts;
    uint64_t foreign; /* frames of Ethernet that are not of this session */
};

struct tern_line {
    void *ctx;
    void (*take)(void *ctx, const uint32_t *words, size_t count); /* a frame, in order */
    struct tern_unframe in;
    bool ether;
    uint8_t host[TERN_PACKET_ADDRESS]; /* on Ethernet: the own address */
    uint8_t channel; /* the node's number on the board; frames of others are left alone */
    unsigned more;   /* further nodes on the board, once there is a session */
    uint32_t session;
    bool synced;
    bool asks; /* once more for the session, which changes nothing but what follows */
    bool first_image; /* the board runs the first image of its firmware: the second is not right */
    bool rolled_back; /* the same: the second did not come up */
    uint8_t expect; /* number of the next frame from the board */
    bool owe, gap, gap_told;
    bool answers;   /* frames will follow soon: an acknowledgement waits for them */
    unsigned owed;  /* frames since the last acknowledgement */
    uint64_t since; /* the first of them came */
    uint8_t taken; /* BAR accesses that the board has taken, as it counts */

    struct tern_line_frame *first, **last; /* not yet acknowledged, then not yet sent */
    struct tern_line_frame *unsent;
    uint8_t oldest; /* number of the first one */
    unsigned open;  /* frames sent and not acknowledged */

    uint8_t out[TERN_LINE_OUT_BYTES];
    size_t out_at, out_bytes;
    uint64_t now, heard, due, round_trip, patience; /* microseconds */
    uint64_t asked;    /* when `measured` was sent; 0: no measurement */
    uint8_t measured;
    struct tern_line_counts counts;
};

/* Begins a session, with a number that no earlier one had. */
void tern_line_init(struct tern_line *line, uint32_t session, uint64_t now);
void tern_line_fini(struct tern_line *line);

/* Makes the line Ethernet, from the beginning on; `host` is the own address. */
void tern_line_ether(struct tern_line *line, const uint8_t host[TERN_PACKET_ADDRESS]);

/* Sends a frame: the kind and all words but head word 0. False without memory. */
bool tern_line_send(struct tern_line *line, unsigned kind, const uint32_t *words, size_t count);

/* Asks for the session again: `asks` falls when the answer has come. */
void tern_line_ask(struct tern_line *line);

/* Returns the last frame if it was not sent yet, to be lengthened; else NULL. */
struct tern_line_frame *tern_line_last_unsent(const struct tern_line *line);

/* Takes bytes of a serial line. */
void tern_line_input(struct tern_line *line, const uint8_t *bytes, size_t count);

/* Takes a frame of Ethernet, whoever sent it. */
void tern_line_packet(struct tern_line *line, const uint8_t *packet, size_t bytes);

/* Does what is due, and fills the output. */
void tern_line_work(struct tern_line *line, uint64_t now);

/* Returns bytes to send; on Ethernet those of one frame. */
const uint8_t *tern_line_output(const struct tern_line *line, size_t *count);
void tern_line_output_taken(struct tern_line *line, size_t count);

bool tern_line_dead(const struct tern_line *line);

/* Microseconds until there is something to do without input. */
uint64_t tern_line_wait(const struct tern_line *line);

#endif
