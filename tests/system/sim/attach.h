/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest client that attaches to a NIC: registers, maps, a reset. For tests of the simulator
 * without the driver.
 */
#ifndef TESTS_SYSTEM_ATTACH_H
#define TESTS_SYSTEM_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vfio_user.h"

struct attach {
    int fd;
    int function;              /* as the NIC reported it */
    void (*advance)(void *arg); /* advances the simulation; NULL: it runs by itself */
    void *arg;
    uint16_t next_id;
};

/* Starts the protocol on a connected socket; false when that fails. */
bool attach_begin(struct attach *attach, int fd, void (*advance)(void *arg), void *arg);

/* Connects to a daemon's socket, then does the same. */
bool attach_path(struct attach *attach, const char *path);
void attach_end(struct attach *attach);

/*
 * Sends a request and waits for its reply; returns the errno of the reply, or -1 when the
 * connection is gone.
 */
int attach_ask(struct attach *attach, unsigned command, const void *body, size_t bytes,
               void *answer, size_t answer_bytes);

uint32_t attach_read(struct attach *attach, uint32_t offset);
void attach_write(struct attach *attach, uint32_t offset, uint32_t value);

/* Lets the NIC access memory of this process at its own address. */
int attach_map(struct attach *attach, void *memory, size_t bytes);

#endif
