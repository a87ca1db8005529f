/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: enabled, reset, taken down piece by piece while others are served. */
#ifndef FW_CONTROL_FN_H
#define FW_CONTROL_FN_H

#include "fw.h"

/* EV_BAR */
void fw_on_bar(struct fw *fw, uint32_t event);

/* Takes everything of a function down; `sweep` says what stays. */
void fw_fn_sweep_start(struct fw *fw, uint32_t fn, enum fw_sweep sweep);

/* Does one small step of taking functions down. */
void fw_fn_sweep_step(struct fw *fw);

/* Call at boot: turns all functions off, and counts the reset in each function's status. */
void fw_fns_init(struct fw *fw);

#endif
