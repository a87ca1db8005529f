/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One attached client: takes bytes and descriptors, returns bytes.
 *
 * Messages are served in order. One that must wait (a register read, a full BAR queue, a reset)
 * delays only later ones of this client; answers to the NIC's own DMA messages are still handled at
 * once.
 */
#ifndef TERN_SIM_CLIENT_H
#define TERN_SIM_CLIENT_H

#include "bells.h"
#include "dma_table.h"
#include "nic.h"
#include "pci_config.h"
#include "vfio_user.h"

enum {
    TERN_CLIENT_VECTORS = 64,
    TERN_CLIENT_QUEUE_BYTES = 4 << 20,  /* messages received but not yet served */
    TERN_CLIENT_OUTPUT_BYTES = 4 << 20, /* limit of unread answers: beyond it the connection ends */
    TERN_CLIENT_NO_FUNCTION = -1
};

/* A complete message. */
struct tern_frame {
    struct tern_frame *next;
    struct vu_header header;
    size_t body_bytes;
    int fds[VU_FDS_MAX];
    unsigned fd_count;
    uint8_t body[]; /* body_bytes, and a terminating zero */
};

struct tern_client {
    struct tern_client *next;
    struct tern_nic *nic;
    int function;
    uint32_t serial; /* distinguishes its reads from those of earlier clients */
    pid_t peer;
    bool closing; /* the transport must drop the client */
    bool versioned;
    bool process_vm;

    /* message being received */
    struct vu_header header;
    size_t header_have;
    struct tern_frame *incoming;
    size_t body_have;
    int fds[VU_FDS_MAX];
    unsigned fd_count;

    /* messages waiting, the first being served */
    struct tern_frame *first, **last;
    size_t queued_bytes;
    bool started;         /* the first one has begun and is waiting */
    size_t pushed, taken; /* of its BAR beats: sent to the chip; answered */
    uint8_t *answer;      /* body of the reply to a read */

    /* answers to send */
    uint8_t *out;
    size_t out_at, out_bytes, out_room;

    struct tern_bells bells; /* BAR writes posted without a message */
    struct tern_dma_table dma;
    struct tern_dma_op *waiting; /* operation with a DMA message out */
    uint16_t next_id;
    int vectors[TERN_CLIENT_VECTORS];
    struct tern_pci_config config;
    void *transport; /* for the code that moves its bytes */
};

void tern_client_init(struct tern_client *client, struct tern_nic *nic, pid_t peer);
void tern_client_fini(struct tern_client *client);

/*
 * Returns the bytes it wants next, 0: none now. They never go beyond a message's header or body, so
 * that descriptors that come with them belong to that message.
 */
size_t tern_client_wanted(const struct tern_client *client);

/* Takes any number of bytes. Descriptors become the client's. */
void tern_client_input(struct tern_client *client, const void *bytes, size_t count,
                       const int *fds, unsigned fd_count);

/* Returns answers to send; *count may be 0. */
const uint8_t *tern_client_output(const struct tern_client *client, size_t *count);
void tern_client_output_taken(struct tern_client *client, size_t count);

/* Tells whether a message or a posted write waits. */
bool tern_client_has_work(const struct tern_client *client);

/* Serves waiting messages as far as possible. */
void tern_client_work(struct tern_client *client);

/* Takes the answer of one BAR beat of a read. */
void tern_client_read_done(struct tern_client *client, uint64_t data);

enum tern_dma_result tern_client_transfer(struct tern_client *client, struct tern_dma_op *op,
                                          uint64_t cycle, uint64_t limit);

/*
 * Moves the leading operations that only need the client's own memory, all at once; each is then
 * complete or unchanged.
 */
void tern_client_transfer_ahead(struct tern_client *client, struct tern_dma_op *const *ops,
                                unsigned count);

/* Stops waiting for the answer to the message of `op`. */
void tern_client_forget(struct tern_dma_op *op);

/* For the handlers of messages (requests.c). */
void tern_client_reply(struct tern_client *client, const struct vu_header *to,
                       const void *body, size_t bytes);
void tern_client_fail(struct tern_client *client, const struct vu_header *to, int error);
void tern_client_send(struct tern_client *client, const struct vu_header *header,
                      const void *body, size_t bytes);
void tern_client_set_vector(struct tern_client *client, unsigned vector, int fd);

/* Gives the posted writes to the chip; false when some must wait for room. */
bool tern_request_posted(struct tern_client *client);

/* Handles the first waiting message as far as possible; true when it is done. */
bool tern_request_serve(struct tern_client *client, struct tern_frame *frame);

/* Handles the answer to one of the NIC's own messages. */
void tern_client_answered(struct tern_client *client, struct tern_frame *frame);

/* Functions of the NIC that the handlers call. */
size_t tern_nic_bar_room(const struct tern_nic *nic);
void tern_nic_bar_push(struct tern_nic *nic, struct tern_client *client, bool write,
                       uint32_t address, uint8_t enables, uint64_t data);
void tern_nic_reset(struct tern_nic *nic, struct tern_client *client);
bool tern_nic_resetting(const struct tern_nic *nic, const struct tern_client *client);

#endif
