/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The socket of a vfio-user client: sends whole messages, matches replies to calls, passes requests
 * of the server to the host memory. transport.h says which threads may call it.
 */
#ifndef TERN_STREAM_H
#define TERN_STREAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/uio.h>

#include "bells.h"
#include "message.h"
#include "transport.h"

/* A request that waits for its reply; lives on the caller's stack. */
struct vfu_call {
    struct vfu_call *next;
    uint16_t id;
    bool done;
    uint32_t error;   /* errno of the server */
    void *reply;      /* buffer for the body */
    size_t room, got; /* its size; bytes that arrived */
};

struct tern_transport {
    struct tern_transport_host host;
    int fd;
    int wake_fd;            /* wakes the thread to end it */
    bool threaded;
    pthread_t thread;
    pthread_mutex_t send_lock;
    pthread_mutex_t lock;   /* protects calls and next_id */
    pthread_cond_t replied;
    struct vfu_call *calls;
    uint16_t next_id;
    atomic_int state;
    struct vfu_bells bells;
    unsigned vectors;
    bool pumping;           /* true in the one thread that reads */
    size_t have;
    uint8_t received[VFU_MESSAGE_MAX];
    uint8_t answer[VFU_MESSAGE_MAX];
};

/* A message to send: header, up to two body parts, and a descriptor or -1. */
struct vfu_request {
    uint16_t command;
    const void *body;
    size_t body_bytes;
    const void *data;
    size_t data_bytes;
    int fd;
};

/* Initialises all but the protocol; starts the thread unless the caller advances the simulator. */
int vfu_stream_start(struct tern_transport *transport);
void vfu_stream_stop(struct tern_transport *transport);

/*
 * Sends a request and waits for the reply. Copies its body to `reply`, cut at `room`; `got` is the
 * number of bytes.
 */
int vfu_stream_call(struct tern_transport *transport, const struct vfu_request *request,
                    void *reply, size_t room, size_t *got);

/* Posts a BAR write through shared memory, which must exist; waits until there is room. */
int vfu_stream_ring(struct tern_transport *transport, uint32_t offset, const void *data,
                    uint32_t bytes);

/* Sends a request without asking for a reply. */
int vfu_stream_post(struct tern_transport *transport, const struct vfu_request *request);

/* Ends the connection with `status`, unless it has ended already. */
void vfu_stream_fail(struct tern_transport *transport, int status);

/* Reads and serves what has arrived; never blocks. */
void vfu_stream_pump(struct tern_transport *transport);

/* As tern_transport_disown(). */
void vfu_stream_disown(struct tern_transport *transport, int status);

/* As tern_transport_turn(). */
int vfu_stream_turn(struct tern_transport *transport);

#endif
