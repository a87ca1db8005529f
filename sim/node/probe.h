/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives the debug port of a chip: gives it commands, one after the other, and keeps its answers.
 *
 * A probe that was never given a command leaves the port alone.  Commands after one that needs the
 * core to halt wait until it has halted; a core that is in reset does not.
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
    bool halting;     /* the last command ends with a halt */
    bool was_reset;   /* the core was in reset since this was cleared */
    unsigned settle;  /* clocks until the port tells of it */
    unsigned first, count;
    struct tern_probe_command commands[TERN_PROBE_COMMANDS];
    struct tern_probe_view view;
};

/* False when too many wait. */
bool tern_probe_push(struct tern_probe *probe, const struct tern_probe_command *command);

/* Everything pushed is done, and `view` tells of it. */
bool tern_probe_done(const struct tern_probe *probe);

/* Forgets what has not begun. */
void tern_probe_forget(struct tern_probe *probe);

/* Before a clock, after it. */
void tern_probe_drive(struct tern_probe *probe, struct tern_model_in *in);
void tern_probe_sample(struct tern_probe *probe, const struct tern_model_out *out);

#endif
