/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages between sender and receiver of a file, through the NICs. All have the same 56-byte
 * layout, little-endian.
 */
#ifndef TERN_FILEMSG_H
#define TERN_FILEMSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tern/tern.h>

enum filemsg_type {
    FILEMSG_HELLO = 1, /* receiver: here is my buffer (bytes, pointer), answer to `queue` */
    FILEMSG_REFUSE,    /* from either: the transfer cannot go on, because of `status` */
    FILEMSG_ALIVE,     /* sender: so many bytes have arrived */
    FILEMSG_DONE,      /* sender: the file is complete; bytes and SHA-256 */
    FILEMSG_VERDICT,   /* receiver: status 0: the received file is right */
};

/* In addition to the NIC's codes. */
enum filemsg_status {
    FILEMSG_NO_FILE = 1001,    /* the sender cannot read its file */
    FILEMSG_TOO_LARGE = 1002,  /* the file does not fit the buffer */
    FILEMSG_DIFFERS = 1003,    /* SHA-256 does not match */
    FILEMSG_NOT_SAVED = 1004,  /* the receiver cannot write its file */
    FILEMSG_NOT_MEMBER = 1005, /* this receiver is not in the sender's group */
};

enum { FILEMSG_VERSION = 1, FILEMSG_BYTES = 56, FILEMSG_SHA_BYTES = 32, FILEMSG_QUEUE = 200 };

struct filemsg {
    uint32_t magic;
    uint16_t version, type;
    uint32_t status;
    uint16_t queue, node;
    uint64_t bytes;
    uint8_t body[FILEMSG_SHA_BYTES]; /* SHA-256, or the pointer in its first 16 bytes */
};

_Static_assert(sizeof(struct filemsg) == FILEMSG_BYTES, "messages have no holes");

/* Returns a message of `type`; all else is zero. */
struct filemsg filemsg_make(enum filemsg_type type);

/* Parses received bytes as a message; false if they are none. */
bool filemsg_read(const void *data, size_t bytes, struct filemsg *message);

void filemsg_set_pointer(struct filemsg *message, struct tern_rptr pointer);
struct tern_rptr filemsg_pointer(const struct filemsg *message);

/* Returns the text of a status in a message. */
const char *filemsg_strerror(uint32_t status);

#endif
