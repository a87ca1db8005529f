/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a simulation as JSON. */
#include "report.h"

#include <jansson.h>
#include <sys/resource.h>

#include "sim.h"
#include "state.h"

static json_t *timing_of(const struct tern_sim *sim)
{
    const struct tern_timing *timing = &sim->timing;

    return json_pack("{s:i,s:i,s:i,s:i}", "host_latency", (int)timing->host_latency, "posted",
                     (int)timing->posted, "link_latency", (int)timing->link_latency,
                     "flash_latency", (int)timing->flash_latency);
}

static json_t *links_of(const struct tern_sim *sim)
{
    json_t *links = json_array();

    for (unsigned n = 0; n < sim->nodes; n++) {
        for (unsigned p = 0; p < TERN_MODEL_PORTS; p++) {
            const struct tern_wire_stats *stats = tern_net_stats(sim->net, n, p);

            if (!tern_net_has(sim->net, n, p))
                continue;
            json_array_append_new(
                links, json_pack("{s:i,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "node", (int)n, "port",
                                 tern_port_name(p), "packets",
                                 (json_int_t)stats->packets, "bytes",
                                 (json_int_t)stats->bytes, "lost", (json_int_t)stats->lost,
                                 "damaged", (json_int_t)stats->damaged, "duplicated",
                                 (json_int_t)stats->duplicated, "delayed",
                                 (json_int_t)stats->delayed, "injected",
                                 (json_int_t)stats->injected));
        }
    }
    return links;
}

static json_t *connections_of(const struct tern_sim *sim)
{
    json_t *list = json_array();

    for (unsigned n = 0; n < sim->nodes; n++) {
        const struct tern_nic_counts *counts = tern_sim_counts(sim, n);

        json_array_append_new(
            list, json_pack("{s:i,s:I,s:I,s:I,s:I,s:I}", "node", (int)n, "attached",
                            (json_int_t)counts->attached, "detached",
                            (json_int_t)counts->detached, "resets",
                            (json_int_t)counts->resets, "resets_unconfirmed",
                            (json_int_t)counts->resets_unconfirmed, "refused",
                            (json_int_t)counts->refused));
    }
    return list;
}

static json_t *firmware_of(const struct tern_measure *measure)
{
    struct tern_measure_firmware figure = {0};

    if (measure == NULL)
        return json_null();
    figure = tern_measure_firmware(measure);
    return json_pack("{s:I,s:i,s:i,s:i}", "count", (json_int_t)figure.count, "min",
                     (int)figure.min, "median", (int)figure.median, "max", (int)figure.max);
}

static json_t *put_of(const struct tern_measure *measure)
{
    struct tern_measure_put put = {0};

    if (measure != NULL)
        put = tern_measure_put(measure);
    if (!put.seen)
        return json_null();
    return json_pack("{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i}", "from", (int)put.from, "to",
                     (int)put.to, "doorbell", (int)put.doorbell, "firmware",
                     (int)put.firmware, "read", (int)put.read, "wire", (int)put.wire,
                     "deposit", (int)put.deposit, "total", (int)put.total);
}

static json_int_t resident_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (json_int_t)usage.ru_maxrss;
}

static json_t *state_of(const struct tern_sim *sim)
{
    char text[TERN_SIM_STATE_TEXT];

    return tern_sim_state_text(sim, text) ? json_string(text) : json_null();
}

bool tern_report_write(const struct tern_report *report, const char *path)
{
    struct tern_sim *sim = report->sim;
    double node_cycles = (double)tern_sim_node_cycles(sim);
    json_t *root = json_pack(
        "{s:s,s:I,s:i,s:f,s:f,s:f,s:f,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:i,s:o}", "tier",
        sim->tier == TERN_TIER_SOFT ? "soft" : "rtl", "cycles",
        (json_int_t)sim->cycle, "nodes", (int)sim->nodes, "wall_seconds",
        report->wall_seconds, "cpu_seconds", report->cpu_seconds, "node_cycles_per_second",
        report->wall_seconds > 0 ? node_cycles / report->wall_seconds : 0.0,
        "node_cycles_per_cpu_second",
        report->cpu_seconds > 0 ? node_cycles / report->cpu_seconds : 0.0, "rss_kib",
        resident_kib(), "packets", (json_int_t)tern_net_packets(sim->net), "timing",
        timing_of(sim), "links", links_of(sim), "connections", connections_of(sim),
        "firmware_cycles_per_descriptor", firmware_of(report->measure), "put_latency",
        put_of(report->measure), "threads", (int)sim->threads, "state", state_of(sim));
    bool good = root != NULL && json_dump_file(root, path, JSON_INDENT(1)) == 0;

    json_decref(root);
    return good;
}
