/* SPDX-License-Identifier: Apache-2.0 */
#include "done.h"

#include "ring.h"
#include "tern_abi.h"

void done_encode(uint32_t w[CQE_WORDS], const struct done *done, uint32_t number,
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
    w[7] = TERN_V(CQE, lap, number) | TERN_V(CQE, phase, ring_phase(number, log2));
}

uint32_t done_fault_side(uint32_t status, bool sent)
{
    switch (status) {
    case TERN_ST_OK:
        return FAULT_NONE;
    case TERN_ST_TIMEOUT:
    case TERN_ST_LINK_DOWN:
    case TERN_ST_PACKET_LOST:
        return FAULT_NETWORK;
    case TERN_ST_BAD_KEY:
    case TERN_ST_BAD_RANGE:
    case TERN_ST_BAD_ALIGN:
    case TERN_ST_BAD_RIGHTS:
    case TERN_ST_HOST_FAULT:
    case TERN_ST_RNR:
    case TERN_ST_BAD_QUEUE:
    case TERN_ST_BAD_TYPE:
    case TERN_ST_MSG_TOO_LONG:
    case TERN_ST_STALE_NODE:
    case TERN_ST_FLUSHED:
    case TERN_ST_NOT_FOUND:
    case TERN_ST_STALE_POINTER:
    case TERN_ST_TOO_FAR:
    case TERN_ST_BAD_LINK:
        return sent ? FAULT_TARGET : FAULT_ORIGIN;
    default:
        return FAULT_ORIGIN;
    }
}
