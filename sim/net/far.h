/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection to another simulator: TCP, a greeting, then frames.
 *
 * Both ends send a greeting first, and each refuses a peer whose greeting does not fit its own.
 * An end with nothing to send reports twice a second that it is alive; a peer that sends nothing
 * for TERN_FAR_SILENT_MS is dead.  Numbers are little-endian.  The connection is not
 * protected: any program that reaches the port can take the place of the peer.
 */
#ifndef TERN_SIM_FAR_H
#define TERN_SIM_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TERN_FAR_VERSION = 1,
    TERN_FAR_SILENT_MS = 3000,
    TERN_FAR_FRAME_MAX = 1 << 19, /* bytes after the header */
    TERN_FAR_ERROR_BYTES = 256
};

enum tern_far_kind {
    TERN_FAR_ALIVE,
    TERN_FAR_PACKET, /* soft: a packet of a wire */
    TERN_FAR_CREDIT, /* soft: places freed in a wire's queue, a word */
    TERN_FAR_HEARD,  /* soft: whether the sender on the wire hears its peer, a word */
    TERN_FAR_BLOCK   /* rtl: the beats of a block of cycles */
};

/* The header of a frame, as sent. */
struct tern_far_head {
    uint8_t kind; /* enum tern_far_kind */
    uint8_t channel;
    uint16_t wire; /* node * ports + port of its sending end */
    uint32_t bytes;
};

/* The greeting, as sent. */
struct tern_far_greeting {
    char magic[8];
    uint32_t version;
    uint32_t abi; /* of the packets */
    uint32_t sides[3];
    uint32_t mesh, rtl, half; /* half: 0 or 1 */
    uint32_t latency, beat;   /* of a wire, and its bytes a cycle; rtl */
    uint32_t reserved[3];
};

struct tern_far_address {
    const char *host; /* NULL or "": every address of this machine */
    const char *port;
    bool listens;
    unsigned wait_ms; /* for the peer */
};

struct tern_far;

/*
 * Listens or connects until a peer with a matching greeting is found, the time is over or *stop is
 * set. A listening end reports other visitors on stderr and continues to wait. Returns NULL and a
 * reason in `error` if no peer was found.
 */
struct tern_far *tern_far_open(const struct tern_far_address *address,
                               const struct tern_far_greeting *own, const volatile int *stop,
                               char error[TERN_FAR_ERROR_BYTES]);
void tern_far_close(struct tern_far *far);

int tern_far_fd(const struct tern_far *far);

/* Queues a frame to send; a frame for a dead peer is dropped. */
void tern_far_put(struct tern_far *far, const struct tern_far_head *head, const void *bytes);

/* Sends and receives without waiting, and sometimes reports that this end is alive. */
void tern_far_work(struct tern_far *far);

/* Does the same, and first waits up to `wait_ms` until it can receive. */
void tern_far_wait(struct tern_far *far, int wait_ms);

/* Takes the next received frame and returns its bytes, valid until the next call; NULL: none. */
const uint8_t *tern_far_next(struct tern_far *far, struct tern_far_head *head);

/* Treats the peer as dead from now on, for example after a violation of the protocol. */
void tern_far_give_up(struct tern_far *far, const char *why);

/* Returns NULL while the peer lives, otherwise the reason why it is dead. */
const char *tern_far_dead(const struct tern_far *far);

#endif
