/* SPDX-License-Identifier: Apache-2.0 */
/* Admin commands: one handler and one row of the table for each. */
#ifndef FW_CONTROL_ADMIN_H
#define FW_CONTROL_ADMIN_H

#include "fw.h"

/* Executes the admin command of a descriptor, or stalls its ring. */
void fw_admin(struct fw *fw, struct fw_queue *q, uint32_t event);

#endif
