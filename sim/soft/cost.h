/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs of the soft tier, in cycles of its virtual clock.
 *
 * The clock serves time-outs and leases and nothing else: these figures are of the right order, and
 * no figure in cycles that is measured on the soft tier means anything.
 */
#ifndef TERN_SIM_SOFT_COST_H
#define TERN_SIM_SOFT_COST_H

enum {
    COST_BAR = 1,       /* an access at the BAR */
    COST_FIRMWARE = 64, /* one turn of the firmware's event loop */
    COST_PACKET = 8,    /* a packet taken in, sent or passed on ... */
    COST_WORD = 1,      /* ... and each 8 bytes of it */
    COST_FETCH = 32,    /* a burst of descriptors */
    COST_WRITE = 4      /* a write to host memory */
};

#endif
