/* SPDX-License-Identifier: Apache-2.0 */
/* Reads trace.h. Checks all contents of the file before use. */
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profile.h"
#include "retire_trace.h"

enum { BUFFER_BYTES = 1 << 16 };

struct trace {
    const char *path;
    gzFile file;
    struct trace_header header;
    uint64_t cycle; /* end of the cycle of the last record */
    uint32_t pc;
    uint64_t count;
    size_t used, filled; /* of the buffer */
    bool ended;          /* the file has no more bytes */
    uint8_t buffer[BUFFER_BYTES];
};

static bool truncated(struct trace *trace)
{
    return profile_fail("%s: ends in the middle, after %" PRIu64 " instructions: the copy is "
                        "incomplete, or the simulator was killed (Ctrl-C lets it finish)",
                        trace->path, trace->count);
}

static bool damaged(struct trace *trace, const char *how)
{
    return profile_fail("%s: damaged after %" PRIu64 " instructions: %s", trace->path,
                        trace->count, how);
}

/* Reports a failed read, with the reason that zlib gives. */
static bool read_problem(struct trace *trace)
{
    int number = Z_OK;
    const char *text = gzerror(trace->file, &number);

    if (number == Z_BUF_ERROR)
        return truncated(trace);
    if (number == Z_ERRNO)
        return profile_fail("%s: %s", trace->path, strerror(errno));
    return damaged(trace, strncmp(text, trace->path, strlen(trace->path)) == 0
                              ? text + strlen(trace->path) + 2
                              : text);
}

/* Fills the empty buffer; sets `ended` at the end of the file. */
static bool fill(struct trace *trace)
{
    int count = gzread(trace->file, trace->buffer, BUFFER_BYTES);
    int number = Z_OK;

    if (count <= 0)
        gzerror(trace->file, &number);
    if (count < 0 || number < 0)
        return read_problem(trace);
    trace->used = 0;
    trace->filled = (size_t)count;
    trace->ended = count == 0;
    return true;
}

static bool get_byte(struct trace *trace, uint8_t *byte)
{
    if (trace->used == trace->filled && !fill(trace))
        return false;
    if (trace->ended)
        return truncated(trace);
    *byte = trace->buffer[trace->used++];
    return true;
}

static bool get_number(struct trace *trace, uint64_t *number)
{
    uint8_t byte = 0;

    *number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (!get_byte(trace, &byte))
            return false;
        if (shift == 63 && byte > 1)
            break;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return damaged(trace, "a number is too long");
}

static uint64_t field(const uint8_t *header, size_t at, size_t bytes)
{
    uint64_t value = 0;

    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | header[at + i];
    return value;
}

static bool foreign(const struct trace *trace)
{
    return profile_fail("%s: not a retire trace (`tern sim --retire-trace=FILE` writes one)",
                        trace->path);
}

static bool read_header(struct trace *trace)
{
    uint8_t header[TERN_RETIRE_HEADER_BYTES];
    uint64_t version;

    for (size_t i = 0; i < sizeof header; i++) {
        if (trace->used == trace->filled && !fill(trace))
            return false;
        if (trace->ended)
            return foreign(trace);
        header[i] = trace->buffer[trace->used++];
    }
    if (memcmp(header + TERN_RETIRE_AT_MAGIC, TERN_RETIRE_MAGIC, 8) != 0)
        return foreign(trace);
    version = field(header, TERN_RETIRE_AT_VERSION, 4);
    if (version != TERN_RETIRE_VERSION)
        return profile_fail("%s: version %" PRIu64 " of the format, this program reads %d",
                            trace->path, version, TERN_RETIRE_VERSION);
    trace->header = (struct trace_header){
        .node = (uint32_t)field(header, TERN_RETIRE_AT_NODE, 4),
        .clock_hz = (uint32_t)field(header, TERN_RETIRE_AT_CLOCK, 4),
        .image_bytes = (uint32_t)field(header, TERN_RETIRE_AT_IMAGE_BYTES, 4),
        .image_crc = (uint32_t)field(header, TERN_RETIRE_AT_IMAGE_CRC, 4),
        .cycle = field(header, TERN_RETIRE_AT_CYCLE, 8)};
    trace->cycle = trace->header.cycle;
    return true;
}

struct trace *trace_open(const char *path)
{
    struct trace *trace = calloc(1, sizeof *trace);

    if (trace == NULL) {
        profile_fail("out of memory");
        return NULL;
    }
    trace->path = path;
    errno = 0;
    trace->file = gzopen(path, "rb");
    if (trace->file == NULL)
        profile_fail("%s: %s", path, errno != 0 ? strerror(errno) : "out of memory");
    else if (read_header(trace))
        return trace;
    trace_close(trace);
    return NULL;
}

void trace_close(struct trace *trace)
{
    if (trace == NULL)
        return;
    if (trace->file != NULL)
        gzclose(trace->file);
    free(trace);
}

const struct trace_header *trace_header(const struct trace *trace)
{
    return &trace->header;
}

/* Checks the end record: it has the number of instructions, and is the last record. */
static bool finish(struct trace *trace)
{
    uint64_t count;

    if (!get_number(trace, &count))
        return false;
    if (count != trace->count)
        return damaged(trace, "its end speaks of another number of them");
    if (trace->used == trace->filled && !fill(trace))
        return false;
    return trace->ended || damaged(trace, "something follows its end");
}

static bool read_pc(struct trace *trace, unsigned kind)
{
    uint64_t number;
    uint32_t distance;

    if (kind != TERN_RETIRE_JUMP) {
        trace->pc += kind == TERN_RETIRE_NEXT_2 ? 2 : 4;
        return true;
    }
    if (!get_number(trace, &number))
        return false;
    if (number > UINT32_MAX)
        return damaged(trace, "a jump leaves the address space");
    distance = (uint32_t)number;
    trace->pc += distance >> 1 ^ -(distance & 1);
    return true;
}

bool trace_next(struct trace *trace, struct trace_record *record)
{
    uint8_t first = 0;
    unsigned kind;
    uint64_t step;

    if (!get_byte(trace, &first))
        return false;
    kind = first & ((1u << TERN_RETIRE_KIND_BITS) - 1);
    step = first >> TERN_RETIRE_KIND_BITS;
    if (step == TERN_RETIRE_STEP_LONG && !get_number(trace, &step))
        return false;
    if ((step == 0 && kind != TERN_RETIRE_END) || step > UINT64_MAX - trace->cycle)
        return damaged(trace, "time does not go on");
    trace->cycle += step;
    record->until = trace->cycle;
    record->end = kind == TERN_RETIRE_END;
    if (record->end)
        return finish(trace);
    if (!read_pc(trace, kind))
        return false;
    record->pc = trace->pc;
    trace->count++;
    return true;
}
