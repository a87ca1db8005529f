/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a retire trace (hw-model/abi/retire_trace.h), record by record. */
#ifndef TERN_PROFILE_TRACE_H
#define TERN_PROFILE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct trace_header {
    uint32_t node, clock_hz, image_bytes, image_crc;
    uint64_t cycle; /* first cycle of the trace */
};

/* One instruction, or the end of the trace. */
struct trace_record {
    bool end;
    uint64_t until; /* end of its last cycle: that cycle + 1 */
    uint32_t pc;
};

struct trace;

/* Opens the file and reads its header; NULL and a message on stderr on failure. */
struct trace *trace_open(const char *path);
void trace_close(struct trace *trace);

const struct trace_header *trace_header(const struct trace *trace);

/*
 * Reads the next record; the last one has `end` set. False and a message on stderr when the file is
 * damaged or truncated.
 */
bool trace_next(struct trace *trace, struct trace_record *record);

#endif
