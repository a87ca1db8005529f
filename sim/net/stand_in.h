/* SPDX-License-Identifier: Apache-2.0 */
/* An end point that has the wires of a node in the place of its NIC. */
#ifndef TERN_SIM_STAND_IN_H
#define TERN_SIM_STAND_IN_H

#include "net.h"

struct tern_stand_in {
    void *ctx;
    /*
     * On rtl, a clock: what comes in at each port, and what goes out, which is nothing unless it is
     * said.
     */
    void (*clock)(void *ctx, uint64_t cycle, const struct tern_model_beat in[TERN_MODEL_PORTS],
                  struct tern_model_beat out[TERN_MODEL_PORTS]);
    /* On soft, a turn: takes and sends whole packets; 0 when there was nothing to do. */
    unsigned (*turn)(void *ctx, struct tern_net *net, uint64_t cycle);
};

#endif
