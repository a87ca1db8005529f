/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that the hardware leaves to the firmware: from the event to the handler of the packet
 * type.
 */
#ifndef FW_LOOP_PACKETS_H
#define FW_LOOP_PACKETS_H

#include "fw.h"

/* Takes, refuses or holds the packet of an EV_RX. */
void fw_on_rx(struct fw *fw, uint32_t event);

/*
 * The payload in the receive slot has been written, or not: ends its packet, or leaves that to
 * fw_recv_work.
 */
void fw_recv_ended(struct fw *fw, uint32_t slot, uint32_t status);

/* Goes on with packets that are held or written. Call with room for FW_WRITES_PER_EVENT. */
void fw_recv_work(struct fw *fw);

#endif
