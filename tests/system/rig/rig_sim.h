/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulators in the test's own process, whose time passes only while the driver waits; nearly all
 * tests have one of them at a time.  A failure to set up ends the program.
 */
#ifndef TERN_RIG_SIM_H
#define TERN_RIG_SIM_H

#include <tern/tern.h>

#include "tern_sim.h"

extern struct tern_sim *rig_sim;

/* Makes one as `config` says, with the firmware that was built; whose it is. */
struct tern_sim *rig_sim_create(struct tern_sim_config *config);

/* Makes rig_sim. */
void rig_sim_start(struct tern_sim_config *config);
void rig_sim_stop(void);

/* Ends the program when `status` is an error. */
void rig_need(int status, const char *what);

/* From now on the driver may wait for so long, which is a net. */
void rig_allow_time(void);

/* Lets time pass; other than 0 when no more is allowed. */
int rig_progress(void *none);

/* The driver on `node`. */
struct tern_device *rig_sim_open(unsigned node);

/* The next completion, or status WAIT_EXPIRED. */
struct tern_completion rig_next(struct tern_cq *cq);

uint64_t rig_stat(struct tern_device *device, enum tern_stat which);

#endif
