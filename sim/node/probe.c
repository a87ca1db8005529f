/* SPDX-License-Identifier: Apache-2.0 */
/* Debug port commands, one at a time. */
#include "probe.h"

#include "tern_abi.h"

enum { SETTLE = 4 }; /* clocks from a command until the state reflects it */

bool tern_probe_push(struct tern_probe *probe, const struct tern_probe_command *command)
{
    if (probe->count == TERN_PROBE_COMMANDS)
        return false;
    probe->used = true;
    probe->commands[(probe->first + probe->count++) % TERN_PROBE_COMMANDS] = *command;
    return true;
}

static bool ready(const struct tern_probe *probe)
{
    return probe->settle == 0 &&
           (!probe->halting || (probe->view.state & TERN_DBG_HALTED) != 0);
}

bool tern_probe_done(const struct tern_probe *probe)
{
    return probe->count == 0 && ready(probe);
}

void tern_probe_forget(struct tern_probe *probe)
{
    probe->count = 0;
    probe->halting = false;
}

static bool ends_with_halt(uint8_t op)
{
    return op == TERN_DBG_HALT || op == TERN_DBG_STEP || op == TERN_DBG_INJECT ||
           op == TERN_DBG_PEEK;
}

void tern_probe_drive(struct tern_probe *probe, struct tern_model_in *in)
{
    const struct tern_probe_command *command = &probe->commands[probe->first];

    in->dbg_op = TERN_DBG_NONE;
    if (probe->settle > 0) {
        probe->settle--;
        return;
    }
    if (probe->count == 0 || !ready(probe))
        return;
    in->dbg_op = command->op;
    in->dbg_addr = command->word;
    in->dbg_data = command->data;
    probe->settle = SETTLE;
    probe->halting = ends_with_halt(command->op);
    probe->first = (probe->first + 1) % TERN_PROBE_COMMANDS;
    probe->count--;
}

void tern_probe_sample(struct tern_probe *probe, const struct tern_model_out *out)
{
    probe->view = (struct tern_probe_view){.state = out->dbg_state,
                                           .pc = out->dbg_pc,
                                           .insn = out->dbg_insn,
                                           .value = out->dbg_value};
    probe->was_reset = probe->was_reset || (out->dbg_state & TERN_DBG_IN_RESET) != 0;
}
