/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection to another simulator: TCP, a greeting, then frames.
 *
 * Both ends send a greeting first, and each refuses a peer whose greeting does not fit its own.
 * An end that has nothing to send says that it is alive twice a second; a peer from which nothing
 * comes for TERN_FAR_SILENT_MS is dead.  Numbers are little-endian.  The connection is not
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
    TERN_FAR_FRAME_MAX = 1 << 19, /* bytes after the head */
    TERN_FAR_ERROR_BYTES = 256
};

enum tern_far_kind {
    TERN_FAR_ALIVE,
    TERN_FAR_PACKET, /* soft: a packet of a wire */
    TERN_FAR_CREDIT, /* soft: places that a wire's queue has gained, a word */
    TERN_FAR_HEARD,  /* soft: whether the end that sends on the wire receives its peer, a word */
    TERN_FAR_BLOCK   /* rtl: the beats of a block of cycles */
};

/* The head of a frame, as it is sent. */
struct tern_far_head {
    uint8_t kind; /* enum tern_far_kind */
    uint8_t channel;
    uint16_t wire; /* node * ports + port of its sending end */
    uint32_t bytes;
};

/* The greeting, as it is sent. */
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
 * Meets the peer: listens or connects until a peer has come whose greeting fits, the time is over
 * or *stop is set.  An end that listens reports a visitor that is no peer on stderr and waits on.
 * NULL and a reason in `error` when there is no peer.
 */
struct tern_far *tern_far_open(const struct tern_far_address *address,
                               const struct tern_far_greeting *own, const volatile int *stop,
                               char error[TERN_FAR_ERROR_BYTES]);
void tern_far_close(struct tern_far *far);

int tern_far_fd(const struct tern_far *far);

/* Adds a frame to what is sent; a frame for a dead peer vanishes. */
void tern_far_put(struct tern_far *far, const struct tern_far_head *head, const void *bytes);

/* Sends and receives without waiting, and says now and then that this end is alive. */
void tern_far_work(struct tern_far *far);

/* Does the same, and first waits up to `wait_ms` until it can receive. */
void tern_far_wait(struct tern_far *far, int wait_ms);

/* Takes the next frame that has come: its bytes, valid until the next call; NULL: none. */
const uint8_t *tern_far_next(struct tern_far *far, struct tern_far_head *head);

/* Gives the peer up, for example since it broke the rules. */
void tern_far_give_up(struct tern_far *far, const char *why);

/* NULL as long as the peer lives, else why it is dead. */
const char *tern_far_dead(const struct tern_far *far);

#endif
