/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of one or two NICs of one model in this process, with a driver on each, and a transcript
 * of their behaviour. Two models that get the same steps must write the same transcript, cycle by
 * cycle.
 */
#ifndef TERN_NETLIST_STAGE_H
#define TERN_NETLIST_STAGE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tern/tern.h>

#include "tern_sim.h"

enum {
    STAGE_NODES = 2,
    STAGE_BYTES = 1 << 15, /* memory per node */
    STAGE_ENTRY_LOG2 = 8,  /* log2 of a message's maximum bytes */
};

struct stage_end {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region; /* the whole memory, with all rights */
    uint8_t *memory;
};

struct stage {
    struct tern_sim *sim;
    unsigned nodes;
    bool tree; /* the NICs have the tree network */
    struct stage_end end[STAGE_NODES];
    uint64_t deadline;
    uint64_t limit; /* no wait goes on after this cycle; set it before stage_open() */
    unsigned completions, refused; /* since the last stage_mark(); refused: other than OK */
    unsigned wrong; /* results that stage_expect() found wrong, since then */
    uint64_t events, events_hash; /* pulses of trace lanes since the last stage_mark() */
    jmp_buf escape; /* where to go when a model stops; set it before stage_open() */
    FILE *transcript;
};

/* Powers on a ring of `nodes` NICs of `model`, boots the firmware, and opens the driver on each. */
void stage_open(struct stage *stage, const char *model, unsigned nodes, FILE *transcript);
void stage_close(struct stage *stage);

/* Adds a line to the transcript. */
void stage_say(struct stage *stage, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* If `status` is an error, writes a line to the transcript and jumps to `escape`; so does a wait
 * without an end.
 */
void stage_must(struct stage *stage, int status, const char *what);

/* Waits for the next completion of an end, writes it to the transcript, and returns its value. */
uint64_t stage_completion(struct stage *stage, unsigned end);

/* Counts a result of the RTL or the netlist that is wrong. */
void stage_expect(struct stage *stage, bool right, const char *what);

/* Fill an end's memory with a pattern of `seed`; write a checksum of it. */
void stage_fill(struct stage *stage, unsigned end, unsigned seed);
void stage_memory(struct stage *stage, unsigned end);

/* Advances time until nothing is in flight. */
void stage_settle(struct stage *stage);

/*
 * Writes the clock, the instructions of every core, and every pulse of the trace lanes since the
 * last mark, with its cycle.
 */
void stage_mark(struct stage *stage);

#endif
