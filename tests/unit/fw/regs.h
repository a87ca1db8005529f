/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of the firmware's registers, sufficient to run the firmware natively.
 *
 * Host memory is `memory`, at address REGS_MEMORY_BASE. A host write of the firmware takes effect
 * at once if its region allows it; regs_fetch() fetches descriptors from there.
 */
#ifndef TESTS_UNIT_FW_REGS_H
#define TESTS_UNIT_FW_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

#define REGS_MEMORY_BASE 0x7f0000100000u
#define REGS_MEMORY_BYTES 0x40000u
#define REGS_LOG 512
#define REGS_QUEUES 32
#define REGS_FUNCTIONS 4
#define REGS_REGIONS 128
#define REGS_COUNTERS 32
#define REGS_DIMS 3u /* a ring of four */
#define REGS_UNSAID UINT32_MAX
#define REGS_SLOTS 16
#define REGS_SLOTS_OWN 4
#define REGS_POOL (REGS_SLOTS - REGS_SLOTS_OWN)
#define REGS_RX_SLOTS 4
#define REGS_RX_WORDS 32 /* of a packet: what comes later is not modelled */

struct regs_queue {
    uint64_t base;
    uint32_t key, config, head, doorbell;
};

struct regs_op {
    bool busy, killed, told; /* told: its event was not taken yet */
    uint32_t command, kill_status;
};

struct regs {
    uint8_t memory[REGS_MEMORY_BYTES];
    uint64_t time;
    uint64_t time_compare;
    uint32_t events[REGS_LOG];
    unsigned event_count;
    uint32_t mask;
    uint32_t state, watchdog;
    uint32_t reset_cause;
    uint32_t node, dims, ports;
    struct regs_queue queue[REGS_QUEUES];
    uint32_t queue_select;
    uint32_t region[REGS_REGIONS][8], region_select;
    uint32_t counter[REGS_COUNTERS], counter_select;
    uint32_t fn[REGS_FUNCTIONS][TERN_BAR_FN_WORDS];
    uint32_t slot[REGS_SLOTS][16];
    bool slot_used[REGS_SLOTS];
    uint32_t rx[REGS_RX_SLOTS][REGS_RX_WORDS]; /* header, and first words of the payload */
    unsigned owner[REGS_SLOTS]; /* queue of the descriptor */
    struct regs_op op[REGS_SLOTS]; /* by slot */
    uint32_t members[REGS_SLOTS]; /* as written to OP_MEMBERS, or REGS_UNSAID */
    uint32_t progress, sent;
    uint32_t tx_space, hw_space, ack_space;
    uint32_t hw[5], hw_data[8];
    unsigned hw_writes, interrupts;
    uint16_t last_vector;
    uint32_t tx[REGS_LOG];
    unsigned tx_count;
    uint32_t acks[REGS_LOG];
    unsigned ack_count;
    uint32_t atomics[REGS_LOG]; /* commands of the atomic unit */
    unsigned atomic_count;
    bool rx_freed[REGS_RX_SLOTS];
    uint32_t copies[REGS_LOG]; /* RX_COPY commands, and the command by which a packet was copied */
    uint32_t copy_next; /* RX_COPY with `next`, until such a packet arrives */
    unsigned copy_count;
    uint32_t log[REGS_LOG];
    unsigned log_count, log_taken;
    unsigned tree_groups; /* 0: no tree network */
    uint32_t tree_state[TERN_TREE_GROUPS]; /* as TRG */
    uint32_t tree_why[TERN_TREE_GROUPS];   /* as TRW */
    uint32_t tree_value[2], tree_result[2];
    uint32_t tree_sets[REGS_LOG], tree_goes[REGS_LOG]; /* as written to TREE_SET and TREE_GO */
    unsigned tree_set_count, tree_go_count;
    uint32_t tree_rank, tree_wait;
    bool link_up[6];
    unsigned sleeps;
    unsigned accesses; /* loads and stores so far */
    bool write_fails;  /* the host refuses every write */
    bool ends_before_kill; /* puts succeed just before they are killed */
};

extern struct regs regs;

/* Resets: links up, everything free, memory zero. */
void regs_reset(void);

void regs_event(uint32_t type, uint32_t fields);

/* Fetches the descriptors up to the doorbells: fills slots and raises DESC events. */
void regs_fetch(void);

/*
 * Ends the operation of a slot: raises OP if its command asks for it or `status` is an error, else
 * frees the slot.
 */
void regs_op_end(unsigned slot, uint32_t status);

/*
 * Makes the READ packet in receive slot `rx` arrive: copies it if RX_COPY asks for that, and raises
 * RX.
 */
void regs_read_comes(unsigned rx);

/* Ends the oldest contribution: raises TREE with `status` (TREE_*), `rank` and `value`. */
void regs_tree_end(unsigned slot, uint32_t status, uint32_t rank, uint64_t value);

/* Returns the 32-bit words of memory at `addr`. */
uint32_t *regs_words(uint64_t addr);

#endif
