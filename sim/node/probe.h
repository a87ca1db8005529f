/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives the debug port of a chip: issues commands one after the other, and keeps their answers.
 *
 * A probe that was never given a command does not drive the port. Commands after one that halts the
 * core wait until it has halted; a core in reset never halts.
 */
#ifndef TERN_SIM_PROBE_H
#define TERN_SIM_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_model.h"

enum { TERN_PROBE_COMMANDS = 4 };

struct tern_probe_command {
    uint8_t op;    /* TERN_DBG_* */
    uint16_t word; /* of the instruction memory */
    uint32_t data;
};

struct tern_probe_view {
    uint8_t state; /* TERN_DBG_HALTED and so on */
    uint32_t pc, insn, value;
};

struct tern_probe {
    bool used;
    bool halting;     /* the last command ends with the core halted */
    bool was_reset;   /* the core was in reset since this was cleared */
    unsigned settle;  /* clocks until the port's state is valid */
    unsigned first, count;
    struct tern_probe_command commands[TERN_PROBE_COMMANDS];
    struct tern_probe_view view;
};

/* Queues a command; false when too many wait. */
bool tern_probe_push(struct tern_probe *probe, const struct tern_probe_command *command);

/* Tells whether all commands are done, and `view` is up to date. */
bool tern_probe_done(const struct tern_probe *probe);

/* Drops commands that have not begun. */
void tern_probe_forget(struct tern_probe *probe);

/* Call before and after each clock. */
void tern_probe_drive(struct tern_probe *probe, struct tern_model_in *in);
void tern_probe_sample(struct tern_probe *probe, const struct tern_model_out *out);

#endif
