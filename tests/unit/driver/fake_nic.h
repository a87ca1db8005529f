/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fake NIC in the test's own process: the vfio-user server's side of a socket pair with
 * registers, an admin queue, puts and messages to itself. It records what the library sends, and
 * answers by the contract.
 */
#ifndef FAKE_NIC_H
#define FAKE_NIC_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "message.h"
#include "tern_abi.h"

enum { FAKE_QUEUES = 256, FAKE_FIRST_QUEUE = 128, FAKE_ADMIN_CQ = 64, FAKE_CALLS = 512,
      FAKE_NODES = 64 };

struct fake_queue {
    unsigned type, log2_entries, log2_bytes, cq, vector;
    uint64_t base;
    uint32_t head;     /* descriptors taken, or entries produced */
    uint32_t doorbell; /* last index rung */
};

struct fake_nic {
    int fd, client_fd;
    pthread_t thread;
    bool threaded;
    /* settings of the test */
    bool by_message;      /* access host memory by DMA messages */
    atomic_bool stalled;  /* keep descriptors in their rings until a register is read while this is
                           * false */
    uint8_t fail_opcode;  /* descriptors with this opcode end with fail_status */
    uint8_t fail_status;
    uint8_t fail_fault;
    uint32_t close_after; /* close the connection after so many messages; 0: never */
    uint16_t dims;        /* of the torus that it reports */
    uint64_t word;        /* old word of atomic operations */
    uint8_t answer[FAKE_NODES]; /* status of puts with an offset, by the low bits of the node */
    /* what the library sent */
    uint32_t last_bcast[TERN_DESC_BYTES / 4], last_offset_put[TERN_DESC_BYTES / 4];
    uint32_t last_atomic[TERN_DESC_BYTES / 4];
    uint32_t last_read[TERN_DESC_BYTES / 4], last_lookup[TERN_DESC_BYTES / 4];
    uint32_t last_region[TERN_DESC_BYTES / 4], last_counter[TERN_DESC_BYTES / 4];
    unsigned offset_puts;
    uint16_t commands[FAKE_CALLS];
    unsigned command_count;
    unsigned inline_count, index_count, bad_index, inline_differs;
    unsigned mapped_with_fd, mapped_without_fd, unmapped;
    char version_text[512];
    /* state of the NIC */
    uint32_t regs[0x200 / 4];
    struct fake_queue queues[FAKE_QUEUES];
    int event_fds[64];
    uint32_t next_key;
    uint16_t dma_id;
    uint8_t buffer[VFU_MESSAGE_MAX];
};

/* Sets up a NIC that is ready; client_fd is the library's end. */
void fake_nic_init(struct fake_nic *nic);
void fake_nic_start(struct fake_nic *nic); /* serve from a thread */
void fake_nic_stop(struct fake_nic *nic);

/* Handles one message if there is one; a tern_progress_fn. */
int fake_nic_step(void *nic);

/* Closes the connection. */
void fake_nic_hang_up(struct fake_nic *nic);

#endif
