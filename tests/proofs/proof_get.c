/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The acceptance of a remote get (fw/handshake/get.c): any message, any queue, any region. A
 * descriptor is written into a free entry of a ring opened for this purpose, and makes the NIC read
 * only what every node may read; a refusal changes nothing.
 */
#include "get.c"
#include "proof.h"

enum { SLOT = 3, QUEUE = 130, PACKET_WORDS = (TERN_PKT_HEADER_BYTES + TERN_INLINE_BYTES_MAX) / 4 };

static struct fw fw;
static uint32_t packet[PACKET_WORDS];
static uint32_t doorbell, ring_key;
static uint64_t ring_base;
static uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
static bool found;

static uint32_t d[TERN_DESC_BYTES / 4];
static unsigned writes;

struct fw_queue nondet_queue(void);

/* ---- the environment */

uint32_t rd32(uint32_t offset)
{
    uint32_t at = offset - (TERN_MMIO_RXSLOT + SLOT * TERN_MMIO_RXSLOT_STRIDE);

    if (at < sizeof(packet))
        return packet[at / 4];
    switch (offset) {
    case TERN_MMIO_Q_DB:
        return doorbell;
    case TERN_MMIO_Q_KEY:
        return ring_key;
    case TERN_MMIO_Q_BASE_LO:
        return (uint32_t)ring_base;
    case TERN_MMIO_Q_BASE_HI:
        return (uint32_t)(ring_base >> 32);
    default:
        return nondet_u32();
    }
}

void wr32(uint32_t offset, uint32_t value)
{
    if (offset == TERN_MMIO_Q_SEL)
        PROVE(value == QUEUE, "registers of the queue itself");
}

uint32_t fw_region_find(const struct fw *f, uint32_t fn, uint32_t key, uint32_t *words)
{
    PROVE(fn == f->queue[QUEUE].fn, "a region of the queue's function");
    PROVE(key == packet[TERN_PKT_HEADER_BYTES / 4 +
                        TERN_GET_local_key_WORD - TERN_INLINE_OFFSET / 4],
          "the key that is named");
    for (unsigned i = 0; i < TERN_MMIO_RG_WORD_COUNT; i++)
        words[i] = rgn[i];
    found = nondet_bool();
    return found ? TERN_ST_OK : TERN_ST_BAD_KEY;
}

bool fw_area_waits(const struct fw *f, uint32_t fn, uint32_t id, uint32_t epoch)
{
    (void)f;
    (void)fn;
    (void)id;
    (void)epoch;
    return nondet_bool();
}

void fw_area_end(struct fw *f, uint32_t id, uint32_t epoch, uint32_t status)
{
    (void)f;
    (void)id;
    (void)epoch;
    PROVE(status != TERN_ST_OK && status != TERN_ST_RNR, "who waits hears of a refusal");
}

void hwr_data(struct hwr *hwr, const struct hwr_place *to, const uint32_t *words, uint32_t bytes,
              uint32_t tag, bool notify)
{
    const struct fw_queue *q = &fw.queue[QUEUE];
    uint64_t ring = (uint64_t)TERN_DESC_BYTES << q->log2_entries, at = to->addr - ring_base;

    (void)hwr;
    PROVE(at <= ring - bytes && bytes == TERN_DESC_BYTES / 2, "a descriptor lies in its ring");
    PROVE(at % TERN_DESC_BYTES == writes * bytes, "its halves in a place of their own");
    PROVE(to->fn == q->fn && to->key == ring_key, "of its owner");
    PROVE(notify == (writes == 1) && (tag == SLOT) == notify, "the second half tells");
    for (unsigned i = 0; i < TERN_DESC_BYTES / 8; i++)
        d[writes * TERN_DESC_BYTES / 8 + i] = words[i];
    writes++;
}

/* ---- properties of an accepted get */

static void place_is_free(void)
{
    const struct fw_queue *q = &fw.queue[QUEUE];
    uint32_t index = (uint32_t)TERN_GET(DESC, index, d);
    uint32_t first = q->flags & (QUEUE_STALLED | QUEUE_FENCED)
        ? ring_index_before(q->producer, q->resume)
        : q->producer;

    PROVE(index == (doorbell & UINT16_MAX), "the next index of the ring");
    PROVE(((doorbell - first) & RING_INDEX_MASK) < 1u << q->log2_entries,
          "no descriptor is overwritten");
    PROVE(q->type == TERN_QTYPE_SQ && q->flags & QUEUE_REMOTE, "a ring that was opened for it");
    PROVE(!(q->flags & (QUEUE_CLOSING | QUEUE_DYING | QUEUE_BROKEN)), "and is in order");
}

static void reads_what_all_may(void)
{
    uint64_t from = TERN_GET(DESC, local_addr, d), bytes = TERN_GET(DESC, length, d);
    unsigned both = TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ,
        op = (unsigned)TERN_GET(DESC, opcode, d);

    PROVE(found && (TERN_GET(RGN, rights, rgn) & both) == both, "what everybody may read");
    PROVE(from >= TERN_GET(RGN, iova, rgn) &&
              (unsigned __int128)from + bytes <=
                  (unsigned __int128)TERN_GET(RGN, iova, rgn) + TERN_GET(RGN, length, rgn),
          "inside of the region");
    PROVE(bytes >= 1 && bytes <= TERN_PUT_BYTES_MAX, "of a length that a put can have");
    PROVE(op == TERN_OP_PUT || op == TERN_OP_PULL || op == TERN_OP_BCAST, "a put or a broadcast");
    PROVE((TERN_GET(DESC, flags, d) & ~(uint64_t)TERN_GET_FLAGS) == 0,
          "with flags that others may set");
}

static void accepted(void)
{
    PROVE(writes == 2 && fw.placing == 1u << SLOT && fw.rx_queue[SLOT] == QUEUE,
          "it is being written");
    place_is_free();
    reads_what_all_may();
    if (TERN_GET(DESC, opcode, d) == TERN_OP_BCAST)
        REACHED("a broadcast for others");
    if (TERN_GET(DESC, index, d) == 0 && doorbell != 0)
        REACHED("an index round the wrap");
}

void proof(void)
{
    struct fw_queue *q = &fw.queue[QUEUE];
    uint32_t status;

    for (unsigned i = 0; i < PACKET_WORDS; i++)
        packet[i] = nondet_u32();
    packet[TERN_PKT_addr_WORD + 1] = QUEUE; /* fixed without loss of generality */
    for (unsigned i = 0; i < TERN_MMIO_RG_WORD_COUNT; i++)
        rgn[i] = nondet_u32();
    *q = nondet_queue();
    ASSUME(q->type == TERN_QTYPE_NONE || q->log2_entries <= TERN_RING_LOG2_MAX);
    fw.id.queues = (uint16_t)any_up_to(FW_QUEUES);
    doorbell = any_up_to(RING_INDEX_MASK);
    ring_key = nondet_u32();
    ring_base = nondet_u64();
    status = fw_get_take(&fw, SLOT);
    if (status == FW_LATER) {
        accepted();
        return;
    }
    PROVE(status < 0x100 && status != TERN_ST_OK, "a refusal is a status");
    PROVE(writes == 0 && fw.placing == 0, "what is refused leaves nothing behind");
    if (status == TERN_ST_RNR)
        REACHED("a full ring");
    if (status == TERN_ST_BAD_RANGE)
        REACHED("bytes outside of the region");
}
