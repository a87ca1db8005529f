/* SPDX-License-Identifier: Apache-2.0 */
/* Writes retired instructions to a file, through a buffer of fixed size and zlib. */
#include "retire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "retire_trace.h"
#include "sim.h"
#include "tern_abi.h"

enum {
    BUFFER_BYTES = 1 << 16,
    RECORD_BYTES_MAX = 1 + 2 * TERN_RETIRE_NUMBER_BYTES_MAX
};

struct tern_retire {
    struct tern_sim *sim;
    unsigned node;
    gzFile file;
    int error;      /* errno of the first failed write, which ends the output */
    uint64_t cycle; /* end of the last record's cycle */
    uint32_t pc;
    uint64_t count;
    size_t used;
    uint8_t buffer[BUFFER_BYTES];
};

static void flush(struct tern_retire *retire)
{
    if (retire->error == 0 && retire->used > 0) {
        errno = 0;
        if (gzwrite(retire->file, retire->buffer, (unsigned)retire->used) !=
            (int)retire->used)
            retire->error = errno != 0 ? errno : EIO;
    }
    retire->used = 0;
}

static void put_number(struct tern_retire *retire, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        retire->buffer[retire->used++] = (uint8_t)(number | 0x80);
    retire->buffer[retire->used++] = (uint8_t)number;
}

/* Writes the first byte of a record, and its step. */
static void put_step(struct tern_retire *retire, unsigned kind, uint64_t step)
{
    uint64_t shown = step < TERN_RETIRE_STEP_LONG ? step : TERN_RETIRE_STEP_LONG;

    retire->buffer[retire->used++] = (uint8_t)(shown << TERN_RETIRE_KIND_BITS | kind);
    if (shown == TERN_RETIRE_STEP_LONG)
        put_number(retire, step);
}

static void on_retire(void *ctx, uint64_t cycle, uint32_t pc)
{
    struct tern_retire *retire = ctx;
    uint32_t distance = pc - retire->pc;
    uint64_t step = cycle + 1 - retire->cycle;

    if (distance == 2) {
        put_step(retire, TERN_RETIRE_NEXT_2, step);
    } else if (distance == 4) {
        put_step(retire, TERN_RETIRE_NEXT_4, step);
    } else {
        put_step(retire, TERN_RETIRE_JUMP, step);
        put_number(retire, distance << 1 ^ -(distance >> 31));
    }
    retire->cycle = cycle + 1;
    retire->pc = pc;
    retire->count++;
    if (retire->used > BUFFER_BYTES - RECORD_BYTES_MAX)
        flush(retire);
}

static void put_field(struct tern_retire *retire, size_t at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        retire->buffer[at + i] = (uint8_t)(value >> (8 * i));
}

static void put_header(struct tern_retire *retire)
{
    const struct tern_node *node = &retire->sim->node[retire->node];
    uint32_t bytes = 0, crc = 0;

    if (node->config.flash[0] == TERN_FW_MAGIC) {
        bytes = node->config.flash[1];
        crc = (uint32_t)crc32(0, (const Bytef *)node->config.flash + TERN_FW_HEADER_BYTES,
                              bytes);
    }
    memcpy(retire->buffer + TERN_RETIRE_AT_MAGIC, TERN_RETIRE_MAGIC, 8);
    put_field(retire, TERN_RETIRE_AT_VERSION, TERN_RETIRE_VERSION, 4);
    put_field(retire, TERN_RETIRE_AT_NODE, node->config.coordinates, 4);
    put_field(retire, TERN_RETIRE_AT_CLOCK, node->in.strap_clock_hz, 4);
    put_field(retire, TERN_RETIRE_AT_IMAGE_BYTES, bytes, 4);
    put_field(retire, TERN_RETIRE_AT_IMAGE_CRC, crc, 4);
    put_field(retire, TERN_RETIRE_AT_CYCLE, retire->cycle, 8);
    retire->used = TERN_RETIRE_HEADER_BYTES;
}

static struct tern_retire *refuse(struct tern_retire *retire, int error)
{
    free(retire);
    errno = error;
    return NULL;
}

struct tern_retire *tern_retire_new(struct tern_sim *sim, unsigned node, const char *path)
{
    struct tern_retire *retire = calloc(1, sizeof *retire);

    if (retire == NULL)
        return NULL;
    if (node >= sim->nodes)
        return refuse(retire, EINVAL);
    if (sim->node[node].config.retired.retire != NULL)
        return refuse(retire, EBUSY);
    retire->file = gzopen(path, "wb1");
    if (retire->file == NULL)
        return refuse(retire, errno != 0 ? errno : ENOMEM);
    retire->sim = sim;
    retire->node = node;
    retire->cycle = sim->cycle;
    put_header(retire);
    sim->node[node].config.retired =
        (struct tern_retire_sink){.ctx = retire, .retire = on_retire};
    return retire;
}

bool tern_retire_free(struct tern_retire *retire)
{
    int error;

    if (retire == NULL)
        return true;
    retire->sim->node[retire->node].config.retired = (struct tern_retire_sink){0};
    put_step(retire, TERN_RETIRE_END, retire->sim->cycle - retire->cycle);
    put_number(retire, retire->count);
    flush(retire);
    error = retire->error;
    errno = 0;
    if (gzclose(retire->file) != Z_OK && error == 0)
        error = errno != 0 ? errno : EIO;
    free(retire);
    errno = error;
    return error == 0;
}
