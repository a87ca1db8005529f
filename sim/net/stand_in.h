/* SPDX-License-Identifier: Apache-2.0 */
/* An end point that takes the place of a node's NIC on its wires. */
#ifndef TERN_SIM_STAND_IN_H
#define TERN_SIM_STAND_IN_H

#include "net.h"

struct tern_stand_in {
    void *ctx;
    /*
     * On rtl, a clock: `in` has the beats that arrive at each port; `out`, initially empty, takes
     * those to send.
     */
    void (*clock)(void *ctx, uint64_t cycle, const struct tern_model_beat in[TERN_MODEL_PORTS],
                  struct tern_model_beat out[TERN_MODEL_PORTS]);
    /* On soft, a turn: takes and sends whole packets; returns 0 if there was no work. */
    unsigned (*turn)(void *ctx, struct tern_net *net, uint64_t cycle);
};

#endif
