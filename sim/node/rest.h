/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skips clocks that need not be computed, for an idle node on rtl.
 *
 * A node whose core sleeps, without host traffic or packets, only sends control words now and then
 * and counts time. So its state repeats after TERN_REST_PERIOD cycles, except for counters of time
 * (tern_model_turn). Such a node is watched for one period. If its state has returned, the node
 * rests: while its wires deliver the same beats as in that period, cycle by cycle, it sends the
 * same beats as then. Before any other input, and before a timer is due, the model is brought to
 * its correct state: counters advance by whole periods, and the rest of a period is clocked with
 * the recorded beats.
 *
 * The result is exact to the cycle and to the bit. One node, one thread at a time.
 */
#ifndef TERN_SIM_REST_H
#define TERN_SIM_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tern_abi.h"
#include "tern_model.h"

enum {
    /*
     * Links send a word for one of six channels at every second tick of 40 cycles; a scan of
     * tern_stats takes its rows and five more cycles.
     */
    TERN_REST_PERIOD = 6 * 2 * 40 * (TERN_STAT_rx_not_member + 1 + 5)
};

/* A beat recorded in the watched period. */
struct tern_rest_beat {
    uint32_t at; /* cycle in the period */
    uint8_t port;
    struct tern_model_beat beat;
};

struct tern_rest_beats {
    struct tern_rest_beat *beat;
    size_t count, size, next; /* next: index of the next beat in the period */
};

struct tern_rest_image {
    uint8_t *bytes;
    size_t count, size;
};

enum tern_rest_state { TERN_REST_AWAKE, TERN_REST_WATCHED, TERN_REST_RESTS };

struct tern_rest {
    enum tern_rest_state state;
    bool never;         /* the node never rests: every clock is computed */
    uint64_t quiet;     /* first cycle of the present idle time */
    uint64_t patience;  /* idle cycles before watching begins */
    uint64_t since;     /* cycle in which watching, or rest, began */
    uint64_t until;     /* rest ends before this cycle */
    uint32_t at;        /* at rest: position in the period */
    uint64_t rested;    /* total clocks that were not computed */
    struct tern_rest_beats in, out;
    struct tern_rest_image before, after;
};

void tern_rest_init(struct tern_rest *rest, bool never);
void tern_rest_fini(struct tern_rest *rest);

/*
 * Examines the computed clock of `cycle`, and starts watching or rest; `busy`: the node had work.
 */
void tern_rest_look(struct tern_rest *rest, struct tern_model *model, uint64_t cycle, bool busy,
                    unsigned ports, const struct tern_model_in *in,
                    const struct tern_model_out *out);

/*
 * Passes a cycle at rest if `in` holds the same beats as the watched period did at this place;
 * then sets `out` to the beats that the node sent there, and returns true.
 */
bool tern_rest_pass(struct tern_rest *rest, uint64_t cycle, unsigned ports,
                    const struct tern_model_beat in[TERN_MODEL_WIRES],
                    struct tern_model_beat out[TERN_MODEL_WIRES]);

/*
 * Ends the rest: brings `model` to its state at `cycle`, and sets `out` to the outputs of its last
 * clock, if one was computed.  `in`: its input pins.
 */
void tern_rest_end(struct tern_rest *rest, struct tern_model *model, uint64_t cycle,
                   const struct tern_model_in *in, struct tern_model_out *out);

#endif
