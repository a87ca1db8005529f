/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of one NIC: its functions, the clients attached to them, and the memory that they
 * let the NIC access.
 *
 * Each client is one function of the NIC, the lowest free one. When a client leaves, or on its
 * request, its function alone is reset through the BAR. Until the firmware reports the end, reads
 * for that function fail and writes are dropped. This code is independent of sockets and of the
 * verilated model: bytes come and go through client.h, register accesses go out through struct
 * tern_bar_port, and the chip's DMA comes in through tern_nic_transfer().
 *
 * One thread. The caller passes the time, in cycles.
 */
#ifndef TERN_SIM_NIC_H
#define TERN_SIM_NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tern_client;
struct tern_nic;

/* One beat at the BAR: `address` is aligned to 8, `enables` selects bytes. */
struct tern_bar_access {
    uint64_t cookie; /* of a read: returned with its answer */
    uint64_t data;
    uint32_t address;
    uint8_t function;
    uint8_t enables;
    bool write;
};

/* The sink for register accesses, which are executed in the order pushed. */
struct tern_bar_port {
    void *ctx;
    size_t (*room)(void *ctx); /* free places for accesses */
    void (*push)(void *ctx, const struct tern_bar_access *access);
};

enum { TERN_BAR_QUEUE = 1024 }; /* value of room() for an empty queue */

/* One access of the chip to host memory; it may take several calls. */
struct tern_dma_op {
    uint64_t address;
    uint8_t *data;
    uint32_t bytes;
    bool write;
    uint8_t function;
    /* Progress; initially zero. */
    uint32_t moved;
    uint16_t message_id;
    uint8_t message;           /* TERN_MESSAGE_* */
    uint32_t message_bytes;    /* in the current piece */
    uint64_t message_deadline; /* cycle */
    struct tern_client *client;
    struct tern_dma_op *next;
};

enum { TERN_MESSAGE_NONE, TERN_MESSAGE_SENT, TERN_MESSAGE_DONE, TERN_MESSAGE_FAILED };

enum tern_dma_result { TERN_DMA_OK, TERN_DMA_FAULT, TERN_DMA_PENDING };

enum { TERN_DMA_AT_ONCE = 16 }; /* operations that one call may move */

struct tern_nic_config {
    struct tern_bar_port bar;
    unsigned functions;
    uint64_t reset_limit; /* time-out of a function's reset, in cycles */
    uint64_t dma_limit;   /* time-out of a client's answer to a DMA message, in cycles */
};

struct tern_nic_counts {
    uint64_t attached, detached, resets, resets_unconfirmed, refused, dropped;
};

/* Makes a NIC; NULL without memory. */
struct tern_nic *tern_nic_new(const struct tern_nic_config *config);

/* Drops every client without resets. */
void tern_nic_free(struct tern_nic *nic);

/*
 * Adds a connection; `peer` is the client's process, 0 if unknown. The NIC owns the client until
 * tern_nic_detach(). NULL without memory.
 */
struct tern_client *tern_nic_attach(struct tern_nic *nic, pid_t peer);

/* Ends a connection: frees the client and resets its function. */
void tern_nic_detach(struct tern_nic *nic, struct tern_client *client);

/* Continues all waiting work as far as possible. */
void tern_nic_work(struct tern_nic *nic, uint64_t cycle);

/* Tells whether work waits for the chip: a reset, a read, a place in the BAR queue. */
bool tern_nic_busy(const struct tern_nic *nic);

/* Takes the answer of a BAR read. */
void tern_nic_read_done(struct tern_nic *nic, uint64_t cookie, uint64_t data);

/* Continues `op`. After TERN_DMA_PENDING the caller keeps `op` and calls again later. */
enum tern_dma_result tern_nic_transfer(struct tern_nic *nic, struct tern_dma_op *op);

/* Ends `op` halfway: the chip that asked for it has lost its power. */
void tern_nic_forget(struct tern_nic *nic, struct tern_dma_op *op);

/* Moves `count` of them on, of one function and one direction, in order; where they lie in the
 * client's own memory that is cheaper than one by one.  Returns how many ended; `faults` gets a bit
 * for each of those that failed. */
unsigned tern_nic_transfer_all(struct tern_nic *nic, struct tern_dma_op *const *ops,
                               unsigned count, uint32_t *faults);

/* Delivers interrupt `vector` of `function`; all earlier writes are in memory. */
void tern_nic_interrupt(struct tern_nic *nic, unsigned function, unsigned vector);

const struct tern_nic_counts *tern_nic_count(const struct tern_nic *nic);

/*
 * Reads the chip's STATUS register, which needs no function; no effect while an earlier read is in
 * flight.
 */
void tern_nic_ask_status(struct tern_nic *nic);

/* Returns the last value read; 0 (FWSTATE_RESET) before the first. */
uint32_t tern_nic_status(const struct tern_nic *nic);

/* Return the first client, and the one after `client`, for the code that moves their bytes. */
struct tern_client *tern_nic_clients(const struct tern_nic *nic);

#endif
