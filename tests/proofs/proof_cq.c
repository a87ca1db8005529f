/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of a completion queue (fw/state/cq.c), from any state. Reserved and free entries never
 * exceed the size of the ring, in any order of steps; a completion is written into the ring of its
 * queue; reservations leave one entry for work that ends by itself.
 */
#include "cq.c"
#include "proof.h"

static struct fw fw;
struct fw_queue nondet_queue(void);
struct done nondet_done(void);
enum { LOG2_MAX = 4, NUMBER = 7 }; /* fixed without loss of generality */
static uint32_t number;
static uint32_t head, doorbell;    /* its registers, 24 bits */
static uint32_t puts;              /* in flight, with an entry each */
static uint64_t base;
static uint32_t written, interrupts;

/* ---- registers of the queue */

uint32_t rd32(uint32_t offset)
{
    switch (offset) {
    case TERN_MMIO_Q_HEAD:
        return head;
    case TERN_MMIO_Q_DB:
        return doorbell;
    case TERN_MMIO_Q_BASE_LO:
        return (uint32_t)base;
    case TERN_MMIO_Q_BASE_HI:
        return (uint32_t)(base >> 32);
    default:
        return nondet_u32();
    }
}

void wr32(uint32_t offset, uint32_t value)
{
    if (offset == TERN_MMIO_Q_SEL)
        PROVE(value == number, "registers of the queue itself");
    if (offset == TERN_MMIO_Q_HEAD)
        head = value & RING_INDEX_MASK;
}

void hwr_data(struct hwr *hwr, const struct hwr_place *to, const uint32_t *words, uint32_t bytes,
              uint32_t tag, bool notify)
{
    uint64_t ring = (uint64_t)TERN_CQE_BYTES << fw.queue[number].log2_entries;

    (void)hwr;
    (void)words;
    PROVE(to->addr - base <= ring - bytes && bytes == TERN_CQE_BYTES,
          "a completion lies in its ring");
    PROVE(to->addr % TERN_CQE_BYTES == 0 && to->fn == fw.queue[number].fn,
          "in a place of its owner");
    PROVE(tag == TERN_HWTAG_CQ + number && !notify, "its failure is the queue's");
    written++;
}

/* The registers that hwr_line() writes: the command of its last write has the completion. */
static uint32_t line_low, line_high, line_key, line_fn;

uintptr_t mmio_block(uint32_t offset)
{
    return offset;
}

void wr32_in(uintptr_t block, uint32_t offset, uint32_t value)
{
    struct hwr_place to;

    switch ((uint32_t)block + offset) {
    case TERN_MMIO_HW_ADDR_LO:
        line_low = value;
        break;
    case TERN_MMIO_HW_ADDR_HI:
        line_high = value;
        break;
    case TERN_MMIO_HW_KEY:
        line_key = value;
        break;
    case TERN_MMIO_HW_FN:
        line_fn = value;
        break;
    case TERN_MMIO_HW_GO:
        to = (struct hwr_place){.addr = line_low | (uint64_t)line_high << 32, .key = line_key,
                                .fn = line_fn};
        hwr_data(NULL, &to, NULL, TERN_F(HWG, bytes, value), TERN_F(HWG, tag, value),
                 TERN_F(HWG, notify, value));
        break;
    default:
        break;
    }
}

void hwr_interrupt(struct hwr *hwr, uint32_t fn, uint32_t vector, uint32_t tag)
{
    (void)hwr;
    (void)tag;
    PROVE(written == 1 && fn == fw.queue[number].fn && vector == fw.queue[number].vector,
          "the interrupt comes behind the completion");
    interrupts++;
}

uint32_t fw_ops_of_cq(const struct fw *f, uint32_t cq)
{
    (void)f;
    (void)cq;
    return puts;
}

/* ---- the invariant */

static struct fw_queue *cq(void)
{
    return &fw.queue[number];
}

static uint32_t entries(void)
{
    return 1u << cq()->log2_entries;
}

/* Returns how many entries are written and not yet consumed, as far as the doorbell shows. */
static uint32_t unread(void)
{
    return (head - doorbell) & RING_INDEX_MASK;
}

static bool holds(void)
{
    return unread() <= entries() && puts <= FW_SLOTS && cq()->reserved <= entries() &&
           unread() + cq()->reserved + puts + cq()->room <= entries();
}

static bool is_whole(void)
{
    return cq()->type == TERN_QTYPE_CQ && !(cq()->flags & (QUEUE_DYING | QUEUE_BROKEN));
}

/* ---- steps */

/* Reserves entries for events caused by others, which must leave one entry. */
static void promise_step(void)
{
    if (!fw_cq_may_promise(&fw, number))
        return;
    fw_cq_reserve(cq());
    PROVE(cq()->reserved < entries(), "promises leave a place");
    REACHED("a place is promised");
}

static void work_step(void)
{
    if (!fw_cq_ready(&fw, number))
        return;
    if (nondet_bool()) {
        fw_cq_reserve(cq());
    } else if (puts < FW_SLOTS) {
        cq()->room--;
        puts++;
    }
}

static void complete_step(void)
{
    struct done done = nondet_done();
    uint32_t before = head;

    if (nondet_bool()) {
        ASSUME(cq()->reserved != 0);
        fw_cq_complete(&fw, number, &done);
    } else {
        ASSUME(puts != 0);
        puts--;
        fw_cq_write(&fw, number, &done);
    }
    if (!is_whole()) {
        PROVE(written == 0 && head == before, "nothing is written to a queue that is gone");
        return;
    }
    PROVE(written == 1 && head == ((before + 1) & RING_INDEX_MASK), "it takes one place");
    PROVE(interrupts == (cq()->vector != TERN_VECTOR_NONE), "and interrupts, if somebody listens");
    if (unread() == entries())
        REACHED("the ring is full");
}

static void host_step(void)
{
    uint32_t read = nondet_u32();

    ASSUME(read <= unread());
    doorbell = (doorbell + read) & RING_INDEX_MASK;
    if (head < doorbell)
        REACHED("the doorbell is behind the wrap");
}

void proof(void)
{
    number = NUMBER;
    fw.queue[NUMBER] = nondet_queue();
    ASSUME(cq()->log2_entries <= LOG2_MAX);
    head = any_up_to(RING_INDEX_MASK);
    doorbell = any_up_to(RING_INDEX_MASK);
    puts = nondet_u32();
    base = nondet_u64() & ~(uint64_t)(TERN_RING_ALIGN - 1);
    ASSUME(base <= UINT64_MAX - ((uint64_t)TERN_CQE_BYTES << TERN_CQ_LOG2_MAX));
    ASSUME(holds());
    switch (nondet_u8()) {
    case 0:
        promise_step();
        break;
    case 1:
        work_step();
        break;
    case 2:
        ASSUME(cq()->reserved != 0 && cq()->room != UINT16_MAX);
        fw_cq_return(cq());
        break;
    case 3:
        complete_step();
        break;
    case 4:
        cq()->room = 0;
        (void)fw_cq_refill(&fw, number);
        break;
    default:
        host_step();
    }
    PROVE(holds(), "no place is promised twice");
}
