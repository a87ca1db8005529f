/* SPDX-License-Identifier: Apache-2.0 */
/* Distribution of nodes to threads. */
#ifndef TERN_SIM_SHARES_H
#define TERN_SIM_SHARES_H

#include "sim.h"

/*
 * Runs one block of every rtl node, in all threads of the crew, and passes its events to the trace
 * sinks.
 *
 * The result does not depend on the number of threads. A beat takes at least a block to its
 * neighbour, and trace sinks and sockets are served between blocks. One thread runs, one after the
 * other, NICs whose clients share memory (the order of their accesses matters) and nodes that write
 * waveforms.
 */
void tern_shares_run(struct tern_sim *sim);

/* Uses all threads from now on, even if that is slower than one. */
void tern_shares_fix(struct tern_sim *sim);

#endif
