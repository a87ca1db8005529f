/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of the host link in frames of Ethernet, one in each (HLINK_ETHER_* in
 * hw-model/abi/const.def). Without preamble and FCS, as a socket of the system gives them.
 */
#ifndef TERN_BRIDGE_PACKET_H
#define TERN_BRIDGE_PACKET_H

#include "frame.h"

enum {
    TERN_PACKET_ADDRESS = 6,                      /* bytes of an address */
    TERN_PACKET_HEAD = 4 * TERN_HLINK_ETHER_WORDS, /* bytes before the host link's */
    TERN_PACKET_LEAST = 60,
    TERN_PACKET_BYTES = TERN_PACKET_HEAD + 4 * TERN_FRAME_WORDS /* of the longest */
};

/* Writes a board's address. */
void tern_packet_board(uint8_t address[TERN_PACKET_ADDRESS]);

/*
 * Writes a frame of `count` words from `host` to the board, and its CRC, padded to the shortest
 * frame of Ethernet. `session` is the number of the session. Returns the bytes.
 */
size_t tern_packet_make(const uint32_t *words, size_t count, const uint8_t *host, uint32_t session,
                        uint8_t packet[TERN_PACKET_BYTES]);

/* Returns the bytes of a packet made so, which are not written down in it. */
size_t tern_packet_bytes(const uint8_t *packet);

/*
 * Reads a packet from the board: writes the words of its frame, returns how many without the CRC. 0
 * if there is none for `host` in this session; *bad: there is, but damaged.
 */
size_t tern_packet_words(const uint8_t *packet, size_t bytes, const uint8_t *host, uint32_t session,
                         uint32_t words[TERN_FRAME_WORDS], bool *bad);

#endif
