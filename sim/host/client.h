/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One attached client: takes bytes and descriptors in, gives bytes out.
 *
 * Messages are served in order.  One that has to wait (a register read, a full BAR queue, a
 * reset) holds up the later ones of this client alone; answers to the NIC's own
 * DMA messages are taken at once all the same.
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
    TERN_CLIENT_QUEUE_BYTES = 4 << 20,  /* messages taken in but not yet served */
    TERN_CLIENT_OUTPUT_BYTES = 4 << 20, /* answers not fetched: more ends the connection */
    TERN_CLIENT_NO_FUNCTION = -1
};

/* A whole message. */
struct tern_frame {
    struct tern_frame *next;
    struct vu_header header;
    size_t body_bytes;
    int fds[VU_FDS_MAX];
    unsigned fd_count;
    uint8_t body[]; /* one byte more than body_bytes: a zero */
};

struct tern_client {
    struct tern_client *next;
    struct tern_nic *nic;
    int function;
    uint32_t serial; /* tells its reads from those of earlier clients */
    pid_t peer;
    bool closing; /* to be dropped by whoever moves its bytes */
    bool versioned;
    bool process_vm;

    /* message being taken in */
    struct vu_header header;
    size_t header_have;
    struct tern_frame *incoming;
    size_t body_have;
    int fds[VU_FDS_MAX];
    unsigned fd_count;

    /* messages waiting, the first being served */
    struct tern_frame *first, **last;
    size_t queued_bytes;
    bool started;         /* the first one has begun and waits for something */
    size_t pushed, taken; /* of its BAR beats: sent to the chip, answered */
    uint8_t *answer;      /* body of the reply to a read */

    /* answers waiting */
    uint8_t *out;
    size_t out_at, out_bytes, out_room;

    struct tern_bells bells; /* BAR writes posted without a message */
    struct tern_dma_table dma;
    struct tern_dma_op *waiting; /* whose DMA message is out */
    uint16_t next_id;
    int vectors[TERN_CLIENT_VECTORS];
    struct tern_pci_config config;
    void *transport; /* for whoever moves its bytes */
};

void tern_client_init(struct tern_client *client, struct tern_nic *nic, pid_t peer);
void tern_client_fini(struct tern_client *client);

/* Bytes it wants next: never beyond a message's header or body, so that descriptors which
 * come with them belong to that message.  0: not now. */
size_t tern_client_wanted(const struct tern_client *client);

/* Takes bytes in; any number of them.  Descriptors become the client's. */
void tern_client_input(struct tern_client *client, const void *bytes, size_t count,
                       const int *fds, unsigned fd_count);

/* Answers to be sent; *count may be 0. */
const uint8_t *tern_client_output(const struct tern_client *client, size_t *count);
void tern_client_output_taken(struct tern_client *client, size_t count);

/* A message or a posted write waits to be served. */
bool tern_client_has_work(const struct tern_client *client);

/* Serves what can be served. */
void tern_client_work(struct tern_client *client);

/* One BAR beat of a read came back. */
void tern_client_read_done(struct tern_client *client, uint64_t data);

enum tern_dma_result tern_client_transfer(struct tern_client *client, struct tern_dma_op *op,
                                          uint64_t cycle, uint64_t limit);

/* Moves those of the operations that the client's own memory alone takes part in, from the first
 * on, in one go; each is then complete, or as it was. */
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

/* Hands the posted writes to the chip; false when some are left for want of room. */
bool tern_request_posted(struct tern_client *client);

/* Carries the first waiting message out, as far as it goes; true when it is done. */
bool tern_request_serve(struct tern_client *client, struct tern_frame *frame);

/* The answer to one of the NIC's own messages. */
void tern_client_answered(struct tern_client *client, struct tern_frame *frame);

/* Functions of the NIC that the handlers call. */
size_t tern_nic_bar_room(const struct tern_nic *nic);
void tern_nic_bar_push(struct tern_nic *nic, struct tern_client *client, bool write,
                       uint32_t address, uint8_t enables, uint64_t data);
void tern_nic_reset(struct tern_nic *nic, struct tern_client *client);
bool tern_nic_resetting(const struct tern_nic *nic, const struct tern_client *client);

#endif
