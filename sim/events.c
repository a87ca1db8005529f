/* SPDX-License-Identifier: Apache-2.0 */
/* Writes Chrome trace JSON while the simulation runs. */
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tern_abi.h"

struct tern_events {
    FILE *file;
};

static const char *const lane_names[TERN_TRACE_LANES] = {
#define TRACE(name, lane, text) [lane] = #name,
#include "tables.h"
};

static void on_event(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct tern_events *events = ctx;

    if (lane >= TERN_TRACE_LANES)
        return;
    fprintf(events->file,
            ",\n{\"name\":\"%s\",\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":%u,"
            "\"ts\":%" PRIu64 ",\"args\":{\"id\":%u}}",
            lane_names[lane], node, lane, cycle, id);
}

static void write_names(struct tern_events *events, unsigned nodes)
{
    fprintf(events->file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                          "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,"
                          "\"args\":{\"name\":\"node 0\"}}");
    for (unsigned n = 1; n < nodes; n++)
        fprintf(events->file,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                "\"args\":{\"name\":\"node %u\"}}",
                n, n);
    for (unsigned n = 0; n < nodes; n++) {
        for (unsigned lane = 0; lane < TERN_TRACE_LANES; lane++)
            fprintf(events->file,
                    ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
                    "\"args\":{\"name\":\"%s\"}}",
                    n, lane, lane_names[lane]);
    }
}

struct tern_events *tern_events_new(struct tern_sim *sim, const char *path)
{
    struct tern_events *events = calloc(1, sizeof *events);

    if (events == NULL)
        return NULL;
    events->file = fopen(path, "w");
    if (events->file == NULL) {
        free(events);
        return NULL;
    }
    write_names(events, tern_sim_nodes(sim));
    tern_sim_on_event(sim, on_event, events);
    return events;
}

bool tern_events_free(struct tern_events *events)
{
    bool good;

    if (events == NULL)
        return true;
    fprintf(events->file, "\n]}\n");
    good = !ferror(events->file);
    good = fclose(events->file) == 0 && good;
    free(events);
    return good;
}
