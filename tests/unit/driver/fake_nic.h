/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NIC that is not there: the vfio-user server's side of a socket pair with registers, an admin
 * queue, puts and messages to itself, in the test's own process.  Just enough to see what the
 * library says and to answer as the contract has it.
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
    /* how it behaves */
    bool by_message;      /* memory is reached through DMA messages */
    atomic_bool stalled;  /* descriptors stay in their rings until a register is read without it */
    uint8_t fail_opcode;  /* such a descriptor ends with fail_status */
    uint8_t fail_status;
    uint8_t fail_fault;
    uint32_t close_after; /* messages after which it hangs up; 0 = never */
    uint16_t dims;        /* of the torus it says it is in */
    uint64_t word;        /* what atomic operations find */
    uint8_t answer[FAKE_NODES]; /* to puts at an offset, by the low bits of the node */
    /* what it saw */
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
    /* what it is */
    uint32_t regs[0x200 / 4];
    struct fake_queue queues[FAKE_QUEUES];
    int event_fds[64];
    uint32_t next_key;
    uint16_t dma_id;
    uint8_t buffer[VFU_MESSAGE_MAX];
};

/* Sets up a NIC that is ready; client_fd is for the library. */
void fake_nic_init(struct fake_nic *nic);
void fake_nic_start(struct fake_nic *nic); /* serves from a thread */
void fake_nic_stop(struct fake_nic *nic);

/* Serves one message if there is one; the tern_progress_fn of a test. */
int fake_nic_step(void *nic);

/* Hangs up. */
void fake_nic_hang_up(struct fake_nic *nic);

#endif
