/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a completion, and their encoding in 32 bytes.  Pure. */
#ifndef FW_PROTO_DONE_H
#define FW_PROTO_DONE_H

#include <stdbool.h>
#include <stdint.h>

#include "ring.h"
#include "tern_abi.h"

#define CQE_WORDS 8

/* The side that refused (CQE fault). */
enum done_fault {
    FAULT_NONE = 0,
    FAULT_ORIGIN = 1,
    FAULT_TARGET = 2,
    FAULT_NETWORK = 3,
};

/* The fields as words; done_encode truncates each to its size. */
struct done {
    uint32_t status, opcode, flags, link, fault;
    uint32_t queue, index, node;
    uint32_t length, imm;
    uint64_t value;
};

/* Returns the last word of completion `number`, by which its reader recognises a new one. */
static inline uint32_t done_last_word(uint32_t number, unsigned log2)
{
    return TERN_V(CQE, lap, number) | TERN_V(CQE, phase, ring_phase(number, log2));
}

/* Encodes completion `number` of a queue with 2^log2 entries. */
static inline void done_encode(uint32_t w[CQE_WORDS], const struct done *done, uint32_t number,
                               unsigned log2)
{
    w[0] = TERN_V(CQE, status, done->status) | TERN_V(CQE, opcode, done->opcode) |
           TERN_V(CQE, flags, done->flags);
    w[1] = TERN_V(CQE, index, done->index) | TERN_V(CQE, queue, done->queue);
    w[2] = done->length;
    w[3] = done->imm;
    w[4] = (uint32_t)done->value;
    w[5] = (uint32_t)(done->value >> 32);
    w[6] = TERN_V(CQE, node, done->node) | TERN_V(CQE, link, done->link) |
           TERN_V(CQE, fault, done->fault);
    w[7] = done_last_word(number, log2);
}

/* Returns the side that caused `status`; `sent`: a packet of the operation had left. */
uint32_t done_fault_side(uint32_t status, bool sent);

#endif
