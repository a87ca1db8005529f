/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo-report TRANSFER PROBE SIM: prints the rows of the demo's table that do not come from
 * demo-cycles.
 *
 * TRANSFER and PROBE are key=value files of `tern send-file` and `tern probe`, SIM the summary of
 * the simulator as JSON. Fails when a figure is missing.
 *
 * On rtl these rows are instructions and the speed of the simulation. The soft tier has no figures
 * in cycles: there the rows are counts, and PROBE is not read.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"

enum { LINE_BYTES = 128 };

static bool incomplete;

/* Returns the value of `key` in a key=value file; records whether it is missing. */
static uint64_t value_of(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    size_t length = strlen(key);
    char line[LINE_BYTES];
    uint64_t value = 0;
    bool found = false;

    while (file && !found && fgets(line, sizeof(line), file)) {
        found = !strncmp(line, key, length) && line[length] == '=';
        if (found)
            value = strtoull(line + length + 1, NULL, 10);
    }
    if (file)
        fclose(file);
    if (!found) {
        fprintf(stderr, "demo-report: %s: no %s\n", path, key);
        incomplete = true;
    }
    return value;
}

static double number_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value)) {
        fprintf(stderr, "demo-report: the simulator reported no %s\n", key);
        incomplete = true;
        return 0;
    }
    return json_number_value(value);
}

/*
 * Returns the bytes on the wire for `bytes` of payload, in puts of `piece` and packets of
 * `max_payload`.
 */
static uint64_t wire_bytes(uint64_t bytes, uint64_t piece, uint64_t max_payload)
{
    uint64_t wire = 0;

    while (bytes > 0 && piece > 0 && max_payload > 0) {
        uint64_t put = bytes < piece ? bytes : piece;

        bytes -= put;
        while (put > 0) {
            uint64_t payload = put < max_payload ? put : max_payload;

            wire += TERN_PKT_HEADER_BYTES + ((payload + 7) & ~UINT64_C(7)) + TERN_PKT_TRAILER_BYTES;
            put -= payload;
        }
    }
    return wire;
}

/* Prints all lines of the probe with their names unchanged. */
static void print_instructions(const char *path)
{
    static const char prefix[] = "instructions_";
    FILE *file = fopen(path, "r");
    char line[LINE_BYTES];
    int count = 0;

    printf("  firmware instructions per operation\n");
    while (file && fgets(line, sizeof(line), file)) {
        char *value = strchr(line, '=');

        if (!value || strncmp(line, prefix, sizeof(prefix) - 1))
            continue;
        *value++ = 0;
        for (char *c = line; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        printf("    %-34s %12llu\n", line + sizeof(prefix) - 1, strtoull(value, NULL, 10));
        count++;
    }
    if (file)
        fclose(file);
    if (!count) {
        fprintf(stderr, "demo-report: %s: no instruction counts\n", path);
        incomplete = true;
    }
}

static bool is_soft(const json_t *report)
{
    const char *tier = json_string_value(json_object_get(report, "tier"));

    return tier && !strcmp(tier, "soft");
}

/* Prints the counts, the only figures of the soft tier. */
static void print_counts(const char *transfer, const json_t *report)
{
    uint64_t bytes = value_of(transfer, "bytes");
    uint64_t wire = wire_bytes(bytes, value_of(transfer, "piece_bytes"),
                               value_of(transfer, "max_payload"));

    printf("  %-36s %12" PRIu64 "\n", "bytes", bytes);
    printf("  %-36s %12" PRIu64 "\n", "  with headers and trailers", wire);
    printf("  %-36s %12.0f\n", "packets on all links", number_in(report, "packets"));
    printf("  The soft tier counts what rtl counts and has no clock: TIER=rtl shows how long it "
           "takes.\n");
}

static void print_rest(const char *probe, const json_t *report)
{
    print_instructions(probe);
    printf("  %-36s %12.0f  per second of processor time\n", "simulated node-cycles",
           number_in(report, "node_cycles_per_cpu_second"));
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *report;

    if (argc != 4) {
        fprintf(stderr, "usage: demo-report TRANSFER PROBE SIM\n");
        return 2;
    }
    report = json_load_file(argv[3], 0, &error);
    if (!report) {
        fprintf(stderr, "demo-report: %s: %s\n", argv[3], error.text);
        return 1;
    }
    if (is_soft(report))
        print_counts(argv[1], report);
    else
        print_rest(argv[2], report);
    json_decref(report);
    return incomplete;
}
