/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that the hardware leaves to the firmware. */
#ifndef FW_APP_RECV_H
#define FW_APP_RECV_H

#include "fw.h"

/* EV_RX */
void fw_on_rx(struct fw *fw, uint32_t event);

/* The payload in receive slot `slot` has been written to its ring, or not. */
void fw_recv_written(struct fw *fw, uint32_t slot, uint32_t status);

/*
 * Goes on with packets that are held or written; the caller has seen to
 * FW_WRITES_PER_EVENT.
 */
void fw_recv_work(struct fw *fw);

/* Whether the packet in the slot is meant for an earlier life of the node. */
static inline bool fw_recv_is_stale(const struct fw *fw, uint32_t slot)
{
    uint32_t wanted = TERN_F(PKT, incarnation, rx_header(slot, TERN_PKT_incarnation_WORD));

    return wanted != 0 && wanted != fw->id.incarnation;
}

/* Answers what it asks for with `status`, as soon as that can be. */
void fw_recv_refuse(struct fw *fw, uint32_t slot, uint32_t status);

#endif
