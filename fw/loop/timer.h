/* SPDX-License-Identifier: Apache-2.0 */
/* The tick: time-outs, repetitions, leases. */
#ifndef FW_LOOP_TIMER_H
#define FW_LOOP_TIMER_H

#include "fw.h"

/* Call when the timer is due. */
void fw_tick(struct fw *fw);

#endif
