/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connection of the driver core to a NIC: BAR accesses, DMA mappings, interrupts.
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
     * Copies between `data` and host memory at `addr` for the NIC; 0 or an errno. Any thread calls
     * it.
     */
    int (*access)(void *arg, uint64_t addr, void *data, size_t bytes, bool write);
    /* Reports that the connection is lost; called once, by the thread that noticed. */
    void (*lost)(void *arg);
    /*
     * Advances a simulator inside the process; NULL: the NIC runs by itself. Non-zero: stop
     * waiting.
     */
    int (*progress)(void *arg);
    void *arg, *progress_arg;
};

/* Starts the protocol on `fd`, which the transport owns from then on, even on failure. */
int tern_transport_open(int fd, const struct tern_transport_host *host,
                        struct tern_transport **transport);
void tern_transport_close(struct tern_transport *transport);

/* Returns 0, or the negated status that ended the connection. */
int tern_transport_state(struct tern_transport *transport);

/* Treats the connection as lost from now on. */
void tern_transport_lose(struct tern_transport *transport);

/*
 * Marks the connection as inherited: this process is a fork of the one that opened it, and lacks
 * its threads. From now on every call fails with `status`, and closing does not affect the parent.
 */
void tern_transport_disown(struct tern_transport *transport, int status);

/*
 * Allows the NIC to access [addr, addr + bytes), backed by `fd` from `offset`, or by the process
 * itself (-1).
 */
int tern_transport_map(struct tern_transport *transport, uint64_t addr, uint64_t bytes, int fd,
                       uint64_t offset);
int tern_transport_unmap(struct tern_transport *transport, uint64_t addr, uint64_t bytes);

/* Access BAR 0. `posted` writes have no reply: they arrive in order, or the connection is lost. */
int tern_transport_read(struct tern_transport *transport, uint32_t offset, void *data,
                        uint32_t bytes);
int tern_transport_write(struct tern_transport *transport, uint32_t offset, const void *data,
                         uint32_t bytes, bool posted);

/* Makes interrupt `vector` signal the eventfd `fd`. */
int tern_transport_irq(struct tern_transport *transport, unsigned vector, int fd);
unsigned tern_transport_vectors(const struct tern_transport *transport);

/*
 * One turn of a polling wait: serves the socket and advances the simulator. If the transport has
 * its own thread, only checks the connection.
 */
int tern_transport_turn(struct tern_transport *transport);

/*
 * Serves what has arrived without advancing the simulator. Does nothing if the transport has its
 * own thread.
 */
void tern_transport_serve(struct tern_transport *transport);

/* Returns the socket. */
int tern_transport_fd(const struct tern_transport *transport);

/* Tells whether the caller must advance the simulator by tern_transport_turn(). */
bool tern_transport_inline(const struct tern_transport *transport);

#endif
