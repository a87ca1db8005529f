/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way from the driver core to a NIC: BAR accesses, DMA mappings, interrupts.
 *
 * It has one implementation, a vfio-user client.  Calls are safe from any thread.  All return 0 or
 * a negated status: DISCONNECTED when the simulator is gone, PROTOCOL when it broke the protocol,
 * SYSTEM (errno set) when it refused.
 *
 * Without a progress function, a thread of the transport reads the socket, so that it serves the
 * NIC's reads and writes of host memory even while the application makes no call.
 */
#ifndef TERN_TRANSPORT_H
#define TERN_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tern_transport;

struct tern_transport_host {
    /*
     * Copies between `data` and host memory at `addr` for the NIC; 0 or an errno.  From any
     * thread.
     */
    int (*access)(void *arg, uint64_t addr, void *data, size_t bytes, bool write);
    /* The connection is gone; called once, from the thread that noticed. */
    void (*lost)(void *arg);
    /* Lets time pass; NULL: time passes by itself.  Non-zero: stop waiting. */
    int (*progress)(void *arg);
    void *arg, *progress_arg;
};

/* Opens the protocol on `fd`, which is owned from here on, failure included. */
int tern_transport_open(int fd, const struct tern_transport_host *host,
                        struct tern_transport **transport);
void tern_transport_close(struct tern_transport *transport);

/* 0, or the negated status that ended the connection. */
int tern_transport_state(struct tern_transport *transport);

/* From here on the connection counts as lost. */
void tern_transport_lose(struct tern_transport *transport);

/*
 * This process is a fork of the one that opened the connection, whose threads and locks it does
 * not have: every call fails with `status` from here on, and closing ends nothing for the
 * other.
 */
void tern_transport_disown(struct tern_transport *transport, int status);

/*
 * Lets the NIC reach [addr, addr + bytes), backed by `fd` from `offset`, or by the process
 * itself (-1).
 */
int tern_transport_map(struct tern_transport *transport, uint64_t addr, uint64_t bytes, int fd,
                       uint64_t offset);
int tern_transport_unmap(struct tern_transport *transport, uint64_t addr, uint64_t bytes);

/* BAR 0. `posted` writes are not answered: they arrive in order, or the connection is lost. */
int tern_transport_read(struct tern_transport *transport, uint32_t offset, void *data,
                        uint32_t bytes);
int tern_transport_write(struct tern_transport *transport, uint32_t offset, const void *data,
                         uint32_t bytes, bool posted);

/* Interrupt `vector` signals the eventfd `fd`. */
int tern_transport_irq(struct tern_transport *transport, unsigned vector, int fd);
unsigned tern_transport_vectors(const struct tern_transport *transport);

/*
 * One turn of waiting without a wake-up: serves the socket and lets time pass.  Does nothing but
 * look at the connection when the transport has its own thread.
 */
int tern_transport_turn(struct tern_transport *transport);

/* Serves what has arrived and lets no time pass; nothing when the transport has its own thread. */
void tern_transport_serve(struct tern_transport *transport);

/* The socket. */
int tern_transport_fd(const struct tern_transport *transport);

/* True when the caller must let time pass by tern_transport_turn(). */
bool tern_transport_inline(const struct tern_transport *transport);

#endif
