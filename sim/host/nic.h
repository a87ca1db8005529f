/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of one NIC: its functions, the clients attached to them, and the memory
 * they let the NIC reach.
 *
 * Each client is one function of the NIC, the lowest that is free.  When a client goes away,
 * or asks for it, its function alone is reset through the BAR; until the firmware says that
 * it is done, reads for that function fail and writes vanish.  Nothing here knows a socket or
 * a verilated model: bytes come in and go out through client.h, register accesses go out
 * through struct tern_bar_port, and the chip's DMA comes in through tern_nic_transfer().
 *
 * One thread.  Time is given by the caller, in cycles.
 */
#ifndef TERN_SIM_NIC_H
#define TERN_SIM_NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tern_client;
struct tern_nic;

/* One beat at the BAR: `address` is aligned to 8, `enables` says which bytes count. */
struct tern_bar_access {
    uint64_t cookie; /* of a read: comes back with its answer */
    uint64_t data;
    uint32_t address;
    uint8_t function;
    uint8_t enables;
    bool write;
};

/* Where register accesses go.  They are carried out in the order they are pushed. */
struct tern_bar_port {
    void *ctx;
    size_t (*room)(void *ctx); /* accesses that may be pushed now */
    void (*push)(void *ctx, const struct tern_bar_access *access);
};

enum { TERN_BAR_QUEUE = 1024 }; /* what room() says of an empty queue */

/* One access of the chip to host memory; it may take several calls to end. */
struct tern_dma_op {
    uint64_t address;
    uint8_t *data;
    uint32_t bytes;
    bool write;
    uint8_t function;
    /* Progress; all zero at first. */
    uint32_t moved;
    uint16_t message_id;
    uint8_t message;           /* TERN_MESSAGE_* */
    uint32_t message_bytes;    /* of the piece it moves */
    uint64_t message_deadline; /* cycle */
    struct tern_client *client;
    struct tern_dma_op *next;
};

enum { TERN_MESSAGE_NONE, TERN_MESSAGE_SENT, TERN_MESSAGE_DONE, TERN_MESSAGE_FAILED };

enum tern_dma_result { TERN_DMA_OK, TERN_DMA_FAULT, TERN_DMA_PENDING };

enum { TERN_DMA_AT_ONCE = 16 }; /* operations that may be moved in one call */

struct tern_nic_config {
    struct tern_bar_port bar;
    unsigned functions;
    uint64_t reset_limit; /* cycles the firmware has to reset a function */
    uint64_t dma_limit;   /* cycles a client has to answer a DMA message */
};

struct tern_nic_counts {
    uint64_t attached, detached, resets, resets_unconfirmed, refused, dropped;
};

/* NULL when there is no memory. */
struct tern_nic *tern_nic_new(const struct tern_nic_config *config);

/* Drops every client; the chip is not told. */
void tern_nic_free(struct tern_nic *nic);

/* A new connection; `peer` is the process behind it, 0 if not known.  The client is the
 * NIC's until tern_nic_detach().  NULL when there is no memory. */
struct tern_client *tern_nic_attach(struct tern_nic *nic, pid_t peer);

/* The connection is over: frees the client and has its function reset. */
void tern_nic_detach(struct tern_nic *nic, struct tern_client *client);

/* Lets everything that waits go on as far as it can. */
void tern_nic_work(struct tern_nic *nic, uint64_t cycle);

/* Something waits for the chip: a reset, a read, a place in the BAR queue. */
bool tern_nic_busy(const struct tern_nic *nic);

/* The answer of a BAR read. */
void tern_nic_read_done(struct tern_nic *nic, uint64_t cookie, uint64_t data);

/* Moves `op` on.  After TERN_DMA_PENDING the caller keeps `op` and calls again later. */
enum tern_dma_result tern_nic_transfer(struct tern_nic *nic, struct tern_dma_op *op);

/* Ends `op` halfway: the chip that asked for it has lost its power. */
void tern_nic_forget(struct tern_nic *nic, struct tern_dma_op *op);

/* Moves `count` of them on, of one function and one direction, in order; where they lie in the
 * client's own memory that is cheaper than one by one.  Returns how many ended; `faults` gets a bit
 * for each of those that failed. */
unsigned tern_nic_transfer_all(struct tern_nic *nic, struct tern_dma_op *const *ops,
                               unsigned count, uint32_t *faults);

/* The chip raised interrupt `vector` of `function`; all earlier writes are in memory. */
void tern_nic_interrupt(struct tern_nic *nic, unsigned function, unsigned vector);

const struct tern_nic_counts *tern_nic_count(const struct tern_nic *nic);

/*
 * Asks the chip for its STATUS register, which needs no function; nothing while an earlier question
 * is open.
 */
void tern_nic_ask_status(struct tern_nic *nic);

/* The last answer; 0 (FWSTATE_RESET) until there is one. */
uint32_t tern_nic_status(const struct tern_nic *nic);

/* Return the first client, and the one after `client`, to the code that moves their bytes. */
struct tern_client *tern_nic_clients(const struct tern_nic *nic);

#endif
