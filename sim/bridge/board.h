/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node on a board as the host sees it: a NIC whose register accesses and memory accesses cross a
 * line.
 *
 * Frames of the board become accesses to the memory of clients, in order; the answers go back as
 * they are ready. The unit of time is the microsecond.
 */
#ifndef TERN_BRIDGE_BOARD_H
#define TERN_BRIDGE_BOARD_H

#include "line.h"
#include "nic.h"

enum {
    TERN_BOARD_JOBS = 64, /* accesses to memory under way; the node has fewer */
    TERN_BOARD_READS = 64 /* register reads without an answer, a power of two */
};

/* An access of the node to memory. */
struct tern_board_job {
    struct tern_dma_op op;
    uint8_t tag;
    bool irq;
    uint32_t words; /* of `data` */
    uint32_t data[TERN_HLINK_UP_WORDS];
};

struct tern_board_host {
    struct tern_line line;
    struct tern_bar_port port;
    struct tern_nic *nic; /* NULL: the node's limits are not known yet */
    unsigned functions, coordinates, known;
    struct tern_board_job job[TERN_BOARD_JOBS];
    unsigned first_job, jobs;
    bool overrun; /* the board has broken the protocol */

    uint8_t pushed; /* register accesses sent, to compare with line.taken */
    uint64_t cookie[TERN_BOARD_READS];
    unsigned first_read, reads;
};

/* Begins a session. */
void tern_board_host_init(struct tern_board_host *board, uint32_t session, uint64_t now);

/* Reads the node's limits and coordinates, before it has clients; their answers come later. */
void tern_board_host_ask(struct tern_board_host *board);
bool tern_board_host_knows(const struct tern_board_host *board);

/* Lets clients attach. False without memory. */
bool tern_board_host_open(struct tern_board_host *board);

void tern_board_host_fini(struct tern_board_host *board);

/* Returns where register accesses go. */
const struct tern_bar_port *tern_board_host_port(const struct tern_board_host *board);

/* Does what is due; returns whether anything waits for the next call rather than for input. */
bool tern_board_host_work(struct tern_board_host *board, uint64_t now);

/* Answers all register reads with ones: the board is gone. */
void tern_board_host_abandon(struct tern_board_host *board);

#endif
