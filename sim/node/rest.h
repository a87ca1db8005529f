/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks that need not be computed, for a node on rtl with nothing to do.
 *
 * A node whose core sleeps, and which has neither host traffic nor packets, still says a
 * control word now and then and counts time: its state repeats after TERN_REST_PERIOD
 * cycles, but for counters that only count time (tern_model_turn).  So such a node is
 * watched for a period.  If its state has come back, the node rests: as long as its wires
 * bring what they brought in that period, cycle by cycle, it says what it said then.
 * Before anything else reaches it, and before a timer is due, its model gets the state
 * that it would have: counters are moved by whole periods, and the rest of a period is
 * clocked with the beats of the one that was watched.
 *
 * The outcome is the same to the cycle and to the bit.  One node, one thread at a time.
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
     * Links say a word for one of six channels at every second tick of 40 cycles;
     * tern_stats scans its rows and five.
     */
    TERN_REST_PERIOD = 6 * 2 * 40 * (TERN_STAT_rx_not_member + 1 + 5)
};

/* A beat in the period during which the node was watched. */
struct tern_rest_beat {
    uint32_t at; /* cycle in the period */
    uint8_t port;
    struct tern_model_beat beat;
};

struct tern_rest_beats {
    struct tern_rest_beat *beat;
    size_t count, size, next; /* next: index of the first beat still to come in the period */
};

struct tern_rest_image {
    uint8_t *bytes;
    size_t count, size;
};

enum tern_rest_state { TERN_REST_AWAKE, TERN_REST_WATCHED, TERN_REST_RESTS };

struct tern_rest {
    enum tern_rest_state state;
    bool never;         /* the node never rests: every clock is computed */
    uint64_t quiet;     /* the first cycle of the current time without activity */
    uint64_t patience;  /* quiet cycles before watching begins */
    uint64_t since;     /* the cycle in which watching, or rest, began */
    uint64_t until;     /* rest ends before this cycle */
    uint32_t at;        /* place in the period, at rest */
    uint64_t rested;    /* clocks that were not computed, all in all */
    struct tern_rest_beats in, out;
    struct tern_rest_image before, after;
};

void tern_rest_init(struct tern_rest *rest, bool never);
void tern_rest_fini(struct tern_rest *rest);

/*
 * Looks at the computed clock of `cycle`, and decides about watching and rest; `busy`: the
 * node had work in it.
 */
void tern_rest_look(struct tern_rest *rest, struct tern_model *model, uint64_t cycle, bool busy,
                    unsigned ports, const struct tern_model_in *in,
                    const struct tern_model_out *out);

/*
 * Passes a cycle at rest if `in` holds the same beats as the watched period did at this place;
 * then sets `out` to the beats that the node sent there, and returns true.
 */
bool tern_rest_pass(struct tern_rest *rest, uint64_t cycle, unsigned ports,
                    const struct tern_model_beat in[TERN_MODEL_PORTS],
                    struct tern_model_beat out[TERN_MODEL_PORTS]);

/*
 * Ends the rest: brings `model` to its state at `cycle`, and sets `out` to the outputs of its last
 * clock, if one was computed.  `in`: its input pins.
 */
void tern_rest_end(struct tern_rest *rest, struct tern_model *model, uint64_t cycle,
                   const struct tern_model_in *in, struct tern_model_out *out);

#endif
