/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of one or two NICs of one model in this process, with a driver on each, and a transcript
 * of what they did.  Two models that are given the same steps must write the same transcript, cycle
 * by cycle.
 */
#ifndef TERN_NETLIST_STAGE_H
#define TERN_NETLIST_STAGE_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <tern/tern.h>

#include "tern_sim.h"

enum {
    STAGE_NODES = 2,
    STAGE_BYTES = 1 << 15, /* memory of an end */
    STAGE_ENTRY_LOG2 = 8,  /* bytes of a message at most */
};

struct stage_end {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region; /* all of the memory, with every right */
    uint8_t *memory;
};

struct stage {
    struct tern_sim *sim;
    unsigned nodes;
    struct stage_end end[STAGE_NODES];
    uint64_t deadline;
    unsigned completions, refused; /* since the last stage_mark(); not OK */
    uint64_t events, events_hash; /* pulses of trace lanes since the last stage_mark() */
    jmp_buf escape; /* where a model that does not go on leads to; set before stage_open() */
    FILE *transcript;
};

/* Powers a ring of `nodes` NICs of `model` on, boots the firmware, opens the driver on each. */
void stage_open(struct stage *stage, const char *model, unsigned nodes, FILE *transcript);
void stage_close(struct stage *stage);

/* Adds a line to the transcript. */
void stage_say(struct stage *stage, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Escapes when `status` is an error, with a line in the transcript; so does a wait without an end.
 */
void stage_must(struct stage *stage, int status, const char *what);

/* Waits for the next completion of an end and writes it down. */
void stage_completion(struct stage *stage, unsigned end);

/* Fills an end's memory with a pattern of `seed`; writes down a checksum of it. */
void stage_fill(struct stage *stage, unsigned end, unsigned seed);
void stage_memory(struct stage *stage, unsigned end);

/* Lets time pass until nothing is under way. */
void stage_settle(struct stage *stage);

/*
 * Writes down the clock, the instructions of every core, and every pulse of the trace lanes with
 * its cycle since the last mark.
 */
void stage_mark(struct stage *stage);

#endif
