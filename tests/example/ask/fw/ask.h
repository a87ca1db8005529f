/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of other nodes for the statistics of this firmware. */
#ifndef FW_APP_ASK_H
#define FW_APP_ASK_H

#include "fw.h"

/* Handles the request in the receive slot: OK when the answer will be sent, else the reason. */
uint32_t fw_ask(struct fw *fw, uint32_t slot);

#endif
