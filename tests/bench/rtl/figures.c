/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <err.h>
#include <stdio.h>

enum { CQE_BEATS = TERN_CQE_BYTES / 8 };

void figure(const char *id, double value, const char *unit, const char *parameters)
{
    printf("bench %s %.2f %s tier=rtl source=%s %s\n", id, value, unit, source, parameters);
}

void figure_and_aim(const char *id, double value, const char *unit, const char *parameters)
{
    char aim[64];

    snprintf(aim, sizeof aim, "%s_aim", id);
    figure(id, value, unit, parameters);
    figure(aim, value, unit, parameters);
}

uint32_t wire_bytes(uint32_t payload)
{
    return TERN_PKT_HEADER_BYTES + ((payload + 7) & ~7u) + TERN_PKT_TRAILER_BYTES;
}

uint64_t packets(const struct lab_end *end)
{
    uint64_t values[TERN_STAT_COUNT];

    lab_must(tern_stats(end->device, values), "statistics");
    return values[TERN_STAT_tx_packets] + values[TERN_STAT_tx_acks] + values[TERN_STAT_tx_naks];
}

void path_begin(struct path *path, const struct cut *cuts)
{
    *path = (struct path){.cuts = cuts};
}

void path_seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct path *path = ctx;
    const struct cut *cut = path->cuts ? &path->cuts[path->next] : NULL;

    if (node == 0 && lane == TERN_TRACE_DB_FIRST && path->first == 0)
        path->first = cycle;
    if (node == 0 && lane == TERN_TRACE_HWR_FIRST && id & TERN_HWTAG_CQ)
        path->last = cycle + CQE_BEATS - 1;
    if (cut && cut->stage && node == cut->node && lane == cut->lane &&
        (id & cut->id_mask) == cut->id)
        path->at[path->next++] = cycle;
}

void path_must(const struct path *path, const char *name)
{
    if (path->cuts[path->next].stage)
        errx(1, "%s: only %u of its stages were seen", name, path->next);
}

void path_split(const struct path *path, const char *name, const char *parameters)
{
    char id[64];

    path_must(path, name);
    for (unsigned i = 1; i < path->next; i++) {
        snprintf(id, sizeof id, "%s_%s", name, path->cuts[i].stage);
        figure(id, (double)(path->at[i] - path->at[i - 1]), "cycles", parameters);
    }
}

double path_latency(const struct path *path)
{
    return (double)(path->last - path->first);
}

struct core core(const struct lab_end *end)
{
    struct core now;

    lab_must(tern_core_counters(end->device, &now.instructions, &now.cycles), "counters");
    return now;
}

void cores(const char *name, const struct lab *lab, struct core origin, struct core target,
           unsigned count, const char *parameters)
{
    struct core now = core(&lab->origin);
    char id[64];

    snprintf(id, sizeof id, "fw_cycles_per_%s_origin", name);
    figure(id, (double)(now.cycles - origin.cycles) / count, "cycles", parameters);
    snprintf(id, sizeof id, "fw_instructions_per_%s_origin", name);
    figure(id, (double)(now.instructions - origin.instructions) / count, "instructions",
           parameters);
    now = core(&lab->target);
    snprintf(id, sizeof id, "fw_cycles_per_%s", name);
    figure(id, (double)(now.cycles - target.cycles) / count, "cycles", parameters);
    snprintf(id, sizeof id, "fw_instructions_per_%s", name);
    figure_and_aim(id, (double)(now.instructions - target.instructions) / count, "instructions",
                   parameters);
}
