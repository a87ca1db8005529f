/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs of the soft tier, in cycles of its virtual clock.
 *
 * The clock only drives time-outs and leases. These costs have the right order of magnitude; a
 * result in cycles of the soft tier has no meaning.
 */
#ifndef TERN_SIM_SOFT_COST_H
#define TERN_SIM_SOFT_COST_H

enum {
    COST_BAR = 1,       /* an access at the BAR */
    COST_FIRMWARE = 64, /* one turn of the firmware's event loop */
    COST_PACKET = 8,    /* a packet received, sent or forwarded ... */
    COST_WORD = 1,      /* ... and each 8 bytes of it */
    COST_FETCH = 32,    /* a burst of descriptors */
    COST_WRITE = 4      /* a write to host memory */
};

#endif
