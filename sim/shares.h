/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread runs which nodes. */
#ifndef TERN_SIM_SHARES_H
#define TERN_SIM_SHARES_H

#include "sim.h"

/*
 * Runs one block of every rtl node, in all threads of the crew, and tells the trace sinks of it.
 *
 * The result does not depend on how many threads there are: a beat takes a block at least to its
 * neighbour, trace sinks and sockets are served between blocks, and NICs whose clients share memory
 * (so that the order of their accesses counts) are run one after the other by one thread, as are
 * nodes that write waveforms.
 */
void tern_shares_run(struct tern_sim *sim);

/* Uses all threads from now on, even while that is slower than one. */
void tern_shares_fix(struct tern_sim *sim);

#endif
