/* SPDX-License-Identifier: Apache-2.0 */
/* Questions of other nodes about the statistics of this firmware. */
#ifndef FW_APP_ASK_H
#define FW_APP_ASK_H

#include "fw.h"

/* The question in the receive slot: OK when the answer will be sent, else why not. */
uint32_t fw_ask(struct fw *fw, uint32_t slot);

#endif
