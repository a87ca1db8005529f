/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One gdb at one core: bytes in, bytes out, no socket.
 *
 * The core halts when a session begins and runs on when it ends, however it ends.  A request of gdb
 * is carried out at once, within tern_gdb_input(); a core that was let run is looked at
 * by tern_gdb_poll().  Understood are the packets gdb needs for a target without operating
 * system: ? g G p P m M X c C s S vCont Z0 Z1 z0 z1 k D H T and queries; all others get the
 * empty answer.
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
    bool over;                  /* gdb is done: close the connection */
    int signal;                 /* why the core stands */
    struct tern_rsp in;

    size_t answer_count;
    char answer[TERN_RSP_BYTES + 1];
    size_t last_bytes, out_bytes;
    char last[TERN_RSP_FRAME(TERN_RSP_BYTES)];
    char out[TERN_GDB_OUT];
};

void tern_gdb_init(struct tern_gdb *gdb, struct tern_hart *hart, unsigned node);

/* A session; beginning one fails when the core is in reset and stays there. */
bool tern_gdb_begin(struct tern_gdb *gdb);
void tern_gdb_end(struct tern_gdb *gdb);

/* Takes bytes while there is room for what they may answer; how many it took. */
size_t tern_gdb_input(struct tern_gdb *gdb, const uint8_t *bytes, size_t count);

/* Tells gdb when the core has stopped. */
void tern_gdb_poll(struct tern_gdb *gdb);

/* `out` up to `out_bytes` waits to be sent; `bytes` of it were. */
void tern_gdb_sent(struct tern_gdb *gdb, size_t bytes);

#endif
