/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One gdb session for one core: bytes in, bytes out, no socket.
 *
 * The core halts when a session begins and runs on after its end, whatever the reason.
 * tern_gdb_input() executes a request at once; tern_gdb_poll() checks a running core. Supported are
 * the packets that gdb needs for a target without operating system: ? g G p P m M X c C s S vCont
 * Z0 Z1 z0 z1 k D H T and queries; all others get the empty answer.
 */
#ifndef TERN_SIM_GDB_H
#define TERN_SIM_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hart.h"
#include "rsp.h"

enum { TERN_GDB_OUT = 4 * TERN_RSP_FRAME(TERN_RSP_BYTES) };

struct tern_gdb {
    struct tern_hart *hart;
    unsigned node;

    bool open, running, silent; /* silent: no acknowledgements */
    bool over;                  /* gdb has ended: close the connection */
    int signal;                 /* reason of the halt */
    struct tern_rsp in;

    size_t answer_count;
    char answer[TERN_RSP_BYTES + 1];
    size_t last_bytes, out_bytes;
    char last[TERN_RSP_FRAME(TERN_RSP_BYTES)];
    char out[TERN_GDB_OUT];
};

void tern_gdb_init(struct tern_gdb *gdb, struct tern_hart *hart, unsigned node);

/* Begin and end a session; the former fails when the core stays in reset. */
bool tern_gdb_begin(struct tern_gdb *gdb);
void tern_gdb_end(struct tern_gdb *gdb);

/* Takes bytes while there is room for their answers; returns how many. */
size_t tern_gdb_input(struct tern_gdb *gdb, const uint8_t *bytes, size_t count);

/* Reports to gdb when the core has stopped. */
void tern_gdb_poll(struct tern_gdb *gdb);

/* Reports that `bytes` of `out` were sent; the rest, up to `out_bytes`, waits. */
void tern_gdb_sent(struct tern_gdb *gdb, size_t bytes);

#endif
