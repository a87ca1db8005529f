/* SPDX-License-Identifier: Apache-2.0 */
/* Peers of a test that are processes of their own, at tern1; the test is at tern0. */
#ifndef TERN_TEST_PEERS_H
#define TERN_TEST_PEERS_H

#include <sys/types.h>

#include "ends.h"

/* A queue pair and its memory, as one process describes them to the other. */
struct name {
    uint32_t number;
    uint32_t rkey;
    uint64_t addr;
};

struct child {
    pid_t pid;
    int to, from;
};

/* Starts a process that runs `role`, before this one opens anything. */
struct child start_peer(void (*role)(int in, int out));
/* Makes the end's completion queue and its queue pair. */
void single(struct end *end, const struct wish *wish);
/* Connects a.qp to the child's queue pair. */
void meet(const struct child *child, const struct wish *wish, struct name *theirs);

/* In the child: opens the devices and makes b.qp; then, with its receives posted, connects it. */
void peer_open(const struct wish *wish);
void peer_meet(int in, int out, const struct wish *wish);

#endif
