/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulators in the test's own process; their time passes only while the driver waits. Nearly all
 * tests use one at a time. A failed set-up ends the program.
 */
#ifndef TERN_RIG_SIM_H
#define TERN_RIG_SIM_H

#include <tern/tern.h>

#include "tern_sim.h"

extern struct tern_sim *rig_sim;

/* Makes a simulator for `config`, with the firmware of the build, which the caller frees. */
struct tern_sim *rig_sim_create(struct tern_sim_config *config);

/* Makes rig_sim. */
void rig_sim_start(struct tern_sim_config *config);
void rig_sim_stop(void);

/* Ends the program when `status` is an error. */
void rig_need(int status, const char *what);

/* Resets the limit for how long the driver may wait, which no test reaches. */
void rig_allow_time(void);

/* Advances time; non-zero when the limit is reached. */
int rig_progress(void *none);

/* Opens the driver on `node`. */
struct tern_device *rig_sim_open(unsigned node);

/* Returns the next completion, or status WAIT_EXPIRED. */
struct tern_completion rig_next(struct tern_cq *cq);

uint64_t rig_stat(struct tern_device *device, enum tern_stat which);

#endif
