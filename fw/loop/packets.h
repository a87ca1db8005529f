/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that hardware leaves to the firmware: dispatches a packet event to the handler of its
 * type.
 */
#ifndef FW_LOOP_PACKETS_H
#define FW_LOOP_PACKETS_H

#include "fw.h"

/* Takes, refuses or holds the packet of an EV_RX. */
void fw_on_rx(struct fw *fw, uint32_t event);

/*
 * Handles the end of the write of a receive slot's payload: ends its packet, or leaves that to
 * fw_recv_work.
 */
void fw_recv_ended(struct fw *fw, uint32_t slot, uint32_t status);

/* Continues with held and written packets. Call with room for FW_WRITES_PER_EVENT. */
void fw_recv_work(struct fw *fw);

#endif
