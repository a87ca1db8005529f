/* SPDX-License-Identifier: Apache-2.0 */
#include "done.h"

#include "tern_abi.h"

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
    case TERN_ST_UNLIKE:
        return sent ? FAULT_TARGET : FAULT_ORIGIN;
    default:
        return FAULT_ORIGIN;
    }
}
