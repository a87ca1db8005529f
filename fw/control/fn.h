/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: enable, reset, and take-down in small steps while other functions are served. */
#ifndef FW_CONTROL_FN_H
#define FW_CONTROL_FN_H

#include "fw.h"

/* Handles EV_BAR. */
void fw_on_bar(struct fw *fw, uint32_t event);

/* Starts to take down a function; `sweep` says which objects stay. */
void fw_fn_sweep_start(struct fw *fw, uint32_t fn, enum fw_sweep sweep);

/* Does one small step of taking functions down. */
void fw_fn_sweep_step(struct fw *fw);

/* Call at boot: turns all functions off, and counts the reset in each function's status. */
void fw_fns_init(struct fw *fw);

#endif
