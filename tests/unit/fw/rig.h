/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware over the register model, with the words that a host writes. */
#ifndef TESTS_UNIT_FW_RIG_H
#define TESTS_UNIT_FW_RIG_H

#include "fw.h"
#include "regs.h"

/* The layout of host memory; each function has its own page. */
#define RIG_PAGE 0x8000u
#define RIG_AQ 0x0000u
#define RIG_SQ 0x1000u
#define RIG_CQ 0x2000u
#define RIG_RQ 0x3000u
#define RIG_DATA 0x4000u
#define RIG_AQ_LOG2 4u
/* Slots in use when nothing is in flight: the firmware's own. */
#define RIG_MARKED ((1u << REGS_SLOTS) - (1u << REGS_POOL))

#define STATUS(done) ((unsigned)TERN_GET(CQE, status, done))
/* Commands to the transmit unit. */
#define TX(n) (regs.tx[(n) % REGS_LOG])
#define TX_LAST() TX(regs.tx_count - 1)
#define LAST_SLOT() TERN_F(TXC, slot, TX_LAST())

struct rig_queue {
    uint32_t number;
    uint64_t ring;
    unsigned log2;
    uint32_t posted; /* SQ: descriptors; CQ: completions taken */
};

struct rig {
    struct fw fw;
    struct rig_queue aq[REGS_FUNCTIONS], acq[REGS_FUNCTIONS];
    struct rig_queue sq, cq, rq; /* of function 0 */
    uint32_t key[REGS_FUNCTIONS];
};

/* Boots a firmware. */
void rig_boot(struct rig *rig);

/* Runs the event loop until it sleeps, at most `RIG_TURNS_MAX` turns. */
void rig_run(struct rig *rig);

/* Lets `ticks` fast ticks pass. */
void rig_ticks(struct rig *rig, unsigned ticks);

/* Enables the function; returns its FN_STATUS. */
uint32_t rig_enable(struct rig *rig, unsigned fn);

/* Enables function 0, with a region over its page and a CQ, SQ and RQ. */
void rig_open(struct rig *rig, unsigned sq_log2, unsigned cq_log2);

uint64_t rig_page(unsigned fn);

/* Writes a descriptor into the ring (index and version are filled in) and rings. */
void rig_post(struct rig *rig, struct rig_queue *q, const uint32_t *words);

/* Returns the next completion, or NULL. */
const uint32_t *rig_poll(struct rig_queue *cq);

/* Tells the NIC that the completions polled so far are taken. */
void rig_consumed(struct rig_queue *cq);

/* Posts a descriptor to the SQ, and runs until the core sleeps. */
void rig_start(struct rig *rig, const uint32_t *words);

/* Takes the next completion of the CQ, which must be there. */
const uint32_t *rig_expect(struct rig *rig, unsigned status);
const uint32_t *rig_expect_of(struct rig *rig, unsigned opcode, unsigned status);

/* Ends the operation of a slot. */
void rig_end(struct rig *rig, unsigned slot, uint32_t status);

/* Ends and answers the last packet sent. */
void rig_answer(struct rig *rig, uint32_t status);

/* Runs an admin command of `fn`; returns its completion. */
const uint32_t *rig_admin(struct rig *rig, unsigned fn, const uint32_t *words);

/* Makes function 0 set a counter; returns the status. */
unsigned rig_set_counter(struct rig *rig, unsigned id, uint32_t bytes);

/* Registers memory without a counter; returns its key. */
uint32_t rig_region(struct rig *rig, unsigned fn, uint64_t at, uint64_t bytes, unsigned rights);

/* Builds a descriptor of a put with its payload in memory; a test may change its fields. */
void rig_put(uint32_t words[16], uint32_t bytes, uint32_t flags);
/* Builds an atomic operation with operands of 0. */
void rig_atomic(uint32_t words[16], uint32_t opcode, uint32_t flags);
/* Builds a read of `bytes`, with inline operands. */
void rig_read(uint32_t words[16], uint32_t bytes, uint32_t flags);
/* Builds a lookup of a node with key 1, visiting at most 8 nodes. */
void rig_lookup(uint32_t words[16], uint32_t bytes, uint32_t flags);
void rig_send(uint32_t words[16], uint32_t bytes, uint32_t flags);
void rig_bcast(uint32_t words[16], uint32_t low, uint32_t high, uint32_t members);

#endif
