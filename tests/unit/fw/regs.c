/* SPDX-License-Identifier: Apache-2.0 */
#include "regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal.h"

struct regs regs;

static uint64_t pair(const uint32_t *w)
{
    return (uint64_t)w[1] << 32 | w[0];
}

void regs_reset(void)
{
    memset(&regs, 0, sizeof(regs));
    regs.mask = UINT32_MAX;
    regs.time = 1000;
    regs.time_compare = UINT64_MAX;
    regs.tx_space = 8;
    regs.hw_space = 4;
    regs.ack_space = 16;
    for (unsigned i = 0; i < 6; i++)
        regs.link_up[i] = true;
    regs.node = 1;
    regs.dims = REGS_DIMS;
    regs.ports = 2;
    memset(regs.members, 0xff, sizeof(regs.members));
}

void regs_event(uint32_t type, uint32_t fields)
{
    if (regs.event_count == REGS_LOG)
        abort();
    regs.events[regs.event_count++] = TERN_V(EV, type, type) | fields;
}

uint32_t *regs_words(uint64_t addr)
{
    if (addr < REGS_MEMORY_BASE || addr - REGS_MEMORY_BASE > REGS_MEMORY_BYTES - 512 ||
        addr % 4)
        abort();
    return (uint32_t *)(void *)&regs.memory[addr - REGS_MEMORY_BASE];
}

static int free_slot(void)
{
    for (int i = 0; i < REGS_SLOTS - REGS_SLOTS_OWN; i++)
        if (!regs.slot_used[i])
            return i;
    return -1;
}

static bool fetch_one(unsigned number)
{
    struct regs_queue *q = &regs.queue[number];
    unsigned log2 = q->config & 0xff;
    int slot = free_slot();
    uint32_t news;

    if ((q->config >> 16 & 3) != TERN_QTYPE_SQ || q->config >> 24 & 1 ||
        q->head == q->doorbell)
        return false;
    if (slot < 0)
        return false;
    memcpy(regs.slot[slot], regs_words(q->base + 64 * (q->head & ((1u << log2) - 1))),
           64);
    news = TERN_F(DESC, flags, regs.slot[slot][0]);
    if (news > 7 || TERN_F(DESC, counted, regs.slot[slot][0]) ||
        TERN_F(DESC, decides, regs.slot[slot][0]) || TERN_F(DESC, linked, regs.slot[slot][0]))
        news = TERN_EVERR_NONE;
    if (TERN_F(DESC, version, regs.slot[slot][0]) != TERN_DESC_VERSION)
        news = TERN_EVERR_VERSION;
    else if (TERN_F(DESC, index, regs.slot[slot][1]) != (q->head & 0xffff))
        news = TERN_EVERR_INDEX;
    regs.owner[slot] = number;
    regs.slot_used[slot] = true;
    q->head = (q->head + 1) & 0xffffff;
    regs_event(TERN_EV_DESC, TERN_V(EV, opcode, regs.slot[slot][0]) |
                                 TERN_V(EV, slot, slot) | TERN_V(EV, queue, number) |
                                 TERN_V(EV, err, news));
    return true;
}

void regs_fetch(void)
{
    for (unsigned n = 0; n < REGS_QUEUES; n++)
        while (fetch_one(n))
            ;
}

void regs_op_end(unsigned slot, uint32_t status)
{
    struct regs_op *o = &regs.op[slot];

    if (!o->busy || o->told)
        abort();
    if (status != TERN_ST_OK || o->command & TERN_V(TXC, notify, 1)) {
        o->told = true;
        regs_event(TERN_EV_OP, TERN_V(EV, slot, slot) | TERN_V(EV, opstatus, status) |
                                   TERN_V(EV, queue, regs.owner[slot]));
    } else {
        o->busy = false;
        regs.slot_used[slot] = false;
    }
}

static uint32_t pop_event(void)
{
    for (unsigned i = 0; i < regs.event_count; i++) {
        uint32_t event = regs.events[i];

        if (!(regs.mask >> TERN_F(EV, type, event) & 1))
            continue;
        regs.event_count--;
        memmove(&regs.events[i], &regs.events[i + 1],
                (regs.event_count - i) * sizeof(regs.events[0]));
        if (TERN_F(EV, type, event) == TERN_EV_OP)
            regs.op[TERN_F(EV, slot, event)] = (struct regs_op){0};
        return event;
    }
    return 0;
}

/* Returns why hardware would refuse the message, or OK. */
static uint32_t tx_status(uint32_t command)
{
    const uint32_t *desc = regs.slot[TERN_F(TXC, slot, command)];
    uint32_t bytes = (uint32_t)TERN_GET(DESC, length, desc);
    uint32_t most = TERN_PUT_BYTES_MAX;

    if (TERN_F(TXC, inl, command)) {
        bytes = (uint32_t)TERN_GET(DESC, inline_len, desc);
        most = TERN_INLINE_BYTES_MAX;
    }
    if (bytes > most || (bytes == 0 && !TERN_F(TXC, msg, command)))
        return TERN_ST_BAD_LENGTH;
    for (unsigned lsb = 0; lsb < 15; lsb += 5)
        if ((TERN_GET(DESC, dst_node, desc) >> lsb & 31) > (regs.dims >> lsb & 31))
            return TERN_ST_BAD_NODE;
    return TERN_ST_OK;
}

static void transmit(uint32_t command)
{
    uint32_t slot = TERN_F(TXC, slot, command);

    regs.tx[regs.tx_count++ % REGS_LOG] = command;
    if (regs.op[slot].busy)
        abort();
    regs.op[slot] = (struct regs_op){.busy = true, .command = command};
    regs.progress |= 1u << slot;
    regs.sent &= ~(1u << slot);
    if (tx_status(command) != TERN_ST_OK)
        regs_op_end(slot, tx_status(command));
}

static uint32_t busy_bits(void)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < REGS_SLOTS; i++)
        bits |= (uint32_t)regs.op[i].busy << i;
    return bits;
}

static void kill_op(uint32_t value)
{
    struct regs_op *o = &regs.op[value & 0x3f];

    if (regs.ends_before_kill && o->busy && !o->told)
        regs_op_end(value & 0x3f, TERN_ST_OK);
    if (!o->busy || o->told)
        return;
    o->killed = true;
    o->kill_status = value >> 8;
    regs_op_end(value & 0x3f, value >> 8);
}

/* Returns the status of a host write, as tern_key gives it. */
static uint32_t write_status(uint64_t addr, uint32_t bytes)
{
    uint32_t key = regs.hw[2];
    const uint32_t *rgn = regs.region[key & 0xffff & (REGS_REGIONS - 1)];
    uint64_t start = pair(&rgn[4]);

    if ((key & 0xffff) >= REGS_REGIONS || !(rgn[7] >> 31) || rgn[3] >> 16 != key >> 16)
        return TERN_ST_BAD_KEY;
    if ((rgn[6] >> 16 & 0xff) != regs.hw[3])
        return TERN_ST_NOT_OWNER;
    if (!(rgn[7] & TERN_RIGHT_LOCAL_WRITE))
        return TERN_ST_BAD_RIGHTS;
    if (addr < start || addr + bytes > start + (pair(&rgn[2]) & 0xffffffffffff))
        return TERN_ST_BAD_RANGE;
    return regs.write_fails ? TERN_ST_HOST_FAULT : TERN_ST_OK;
}

static void host_write(uint32_t go)
{
    uint64_t addr = pair(regs.hw);
    uint32_t bytes = TERN_F(HWG, bytes, go);
    uint32_t status = TERN_ST_OK;

    regs.hw_writes++;
    if (TERN_F(HWG, kind, go) == 2) {
        regs.interrupts++;
        regs.last_vector = (uint16_t)regs.hw[2];
        return;
    }
    status = write_status(addr, bytes);
    if (status == TERN_ST_OK && TERN_F(HWG, kind, go) == 0)
        memcpy(regs_words(addr), regs.hw_data, bytes);
    if (status == TERN_ST_OK && TERN_F(HWG, kind, go) == 1)
        memset(regs_words(addr), 0x50 + (int)TERN_F(HWG, rxslot, go), bytes);
    if (status != TERN_ST_OK || TERN_F(HWG, notify, go))
        regs_event(TERN_EV_HWR,
                   TERN_V(EV, tag, TERN_F(HWG, tag, go)) | TERN_V(EV, hwstatus, status));
}

/* Writes the completion of the operation in a slot, as hardware does. */
static void complete(uint32_t value)
{
    uint32_t slot = TERN_F(QDN, slot, value), number = TERN_F(QDN, cq, value);
    struct regs_queue *cq = &regs.queue[number];
    const uint32_t *desc = regs.slot[slot];
    unsigned log2 = cq->config & 0xff;
    uint64_t addr = cq->base + 32 * (cq->head & ((1u << log2) - 1));

    regs.hw[0] = (uint32_t)addr;
    regs.hw[1] = (uint32_t)(addr >> 32);
    regs.hw[2] = cq->key;
    regs.hw[3] = cq->config >> 8 & 0xff;
    memset(regs.hw_data, 0, sizeof(regs.hw_data));
    TERN_SET(CQE, opcode, regs.hw_data, TERN_GET(DESC, opcode, desc));
    TERN_SET(CQE, index, regs.hw_data, TERN_GET(DESC, index, desc));
    TERN_SET(CQE, queue, regs.hw_data, regs.owner[slot]);
    TERN_SET(CQE, length, regs.hw_data,
             TERN_GET(DESC, flags, desc) & TERN_DFLAG_INLINE
                 ? TERN_GET(DESC, inline_len, desc)
                 : TERN_GET(DESC, length, desc));
    TERN_SET(CQE, node, regs.hw_data, TERN_GET(DESC, dst_node, desc));
    if (TERN_GET(DESC, result, desc))
        TERN_SET(CQE, value, regs.hw_data, TERN_GET(ATR, value, desc));
    TERN_SET(CQE, lap, regs.hw_data, cq->head);
    TERN_SET(CQE, phase, regs.hw_data, ~(cq->head >> log2) & 1);
    cq->head = (cq->head + 1) & 0xffffff;
    regs.slot_used[slot] = false;
    host_write(TERN_V(HWG, bytes, TERN_CQE_BYTES) | TERN_V(HWG, tag, TERN_HWTAG_CQ + number));
}

static uint32_t queue_read(uint32_t offset)
{
    const struct regs_queue *q = &regs.queue[regs.queue_select % REGS_QUEUES];

    switch (offset) {
    case TERN_MMIO_Q_BASE_LO:
        return (uint32_t)q->base;
    case TERN_MMIO_Q_BASE_HI:
        return (uint32_t)(q->base >> 32);
    case TERN_MMIO_Q_KEY:
        return q->key;
    case TERN_MMIO_Q_CFG:
        return q->config;
    case TERN_MMIO_Q_HEAD:
        return q->head;
    default:
        return q->doorbell;
    }
}

static void queue_write(uint32_t offset, uint32_t value)
{
    struct regs_queue *q = &regs.queue[regs.queue_select % REGS_QUEUES];

    switch (offset) {
    case TERN_MMIO_Q_SEL:
        regs.queue_select = value;
        break;
    case TERN_MMIO_Q_BASE_LO:
        q->base = (q->base & ~UINT64_C(0xffffffff)) | value;
        break;
    case TERN_MMIO_Q_BASE_HI:
        q->base = (q->base & 0xffffffff) | (uint64_t)value << 32;
        break;
    case TERN_MMIO_Q_KEY:
        q->key = value;
        break;
    case TERN_MMIO_Q_CFG:
        q->config = value;
        break;
    case TERN_MMIO_Q_HEAD:
        q->head = value & 0xffffff;
        break;
    default:
        q->doorbell = value & 0xffffff;
    }
}

static uint32_t sys_read(uint32_t offset)
{
    uint32_t group = (offset - TERN_MMIO_TREE_STATE) / TERN_MMIO_TREE_STATE_STRIDE;

    if (group < TERN_TREE_GROUPS)
        return regs.tree_state[group];
    if (group < 2 * TERN_TREE_GROUPS)
        return regs.tree_why[group - TERN_TREE_GROUPS];
    switch (offset) {
    case TERN_MMIO_EV_POP:
        return pop_event();
    case TERN_MMIO_MTIME_LO:
        return (uint32_t)++regs.time;
    case TERN_MMIO_MTIME_HI:
        return (uint32_t)(regs.time >> 32);
    case TERN_MMIO_RESET_CAUSE:
        return regs.reset_cause;
    case TERN_MMIO_CONFIG:
        return 64 | regs.ports << 8 | 512 / 8 << 16;
    case TERN_MMIO_LIMITS:
        return REGS_QUEUES | REGS_FUNCTIONS << 16;
    case TERN_MMIO_NODE:
        return regs.node;
    case TERN_MMIO_DIMS:
        return regs.dims;
    case TERN_MMIO_INCARNATION:
        return 7;
    case TERN_MMIO_REGIONS:
        return REGS_REGIONS | REGS_COUNTERS << 16;
    case TERN_MMIO_SIZES:
        return REGS_SLOTS | REGS_SLOTS_OWN << 8 | REGS_RX_SLOTS << 16 | regs.tree_groups << 24;
    case TERN_MMIO_TREE_LO:
    case TERN_MMIO_TREE_HI:
        return regs.tree_result[offset == TERN_MMIO_TREE_HI];
    case TERN_MMIO_HOST_LATENCY:
        return 120;
    case TERN_MMIO_LOG_POP:
        return regs.log_taken < regs.log_count ? regs.log[regs.log_taken++] : 0;
    case TERN_MMIO_TX_SPACE:
        return regs.tx_space;
    case TERN_MMIO_OP_SENT:
        return regs.sent;
    case TERN_MMIO_OP_BUSY:
        return busy_bits();
    case TERN_MMIO_HW_SPACE:
        return regs.hw_space;
    case TERN_MMIO_ACK_SPACE:
        return regs.ack_space;
    case TERN_MMIO_CTR_VALUE:
        return regs.counter[regs.counter_select % REGS_COUNTERS];
    default:
        return 0;
    }
}

static uint32_t take_progress(void)
{
    uint32_t bits = regs.progress;

    regs.progress = 0;
    return bits;
}

/* Addresses below the registers; receive slots are lowest. */
static uint32_t window_read(uint32_t offset)
{
    if (offset < TERN_MMIO_SLOT)
        return regs.rx[(offset - TERN_MMIO_RXSLOT) / 2048][offset % 2048 / 4 % REGS_RX_WORDS];
    if (offset < TERN_MMIO_FN)
        return regs.slot[(offset - TERN_MMIO_SLOT) / 64][offset % 64 / 4];
    return regs.fn[(offset - TERN_MMIO_FN) / 128][offset % 128 / 4];
}

uint32_t rd32(uint32_t offset)
{
    regs.accesses++;
    if (offset < TERN_MMIO_EV_POP)
        return window_read(offset);
    if (offset == TERN_MMIO_OP_PROGRESS)
        return take_progress();
    if (offset >= TERN_MMIO_Q_BASE_LO && offset <= TERN_MMIO_Q_DB)
        return queue_read(offset);
    if (offset >= TERN_MMIO_RG_WORD && offset < TERN_MMIO_RG_WORD + 32)
        return regs
            .region[regs.region_select % REGS_REGIONS][(offset - TERN_MMIO_RG_WORD) / 4];
    if (offset >= TERN_MMIO_OWNER && offset < TERN_MMIO_OWNER + 4 * REGS_SLOTS)
        return regs.owner[(offset - TERN_MMIO_OWNER) / 4];
    if (offset >= TERN_MMIO_LINK && offset < TERN_MMIO_LINK + 96)
        return regs.link_up[(offset - TERN_MMIO_LINK) / 16];
    if (offset >= TERN_MMIO_STAT && offset < TERN_MMIO_STAT + 256)
        return (offset - TERN_MMIO_STAT) / 4 + 100;
    return sys_read(offset);
}

/* Carries out a write to RPL. */
static void copy_now(uint32_t value)
{
    const uint32_t *packet = regs.rx[TERN_F(RXC, rxslot, value) % REGS_RX_SLOTS];
    const uint32_t *payload = packet + TERN_PKT_HEADER_BYTES / 4;
    uint32_t *words = regs.slot[TERN_F(RXC, slot, value) % REGS_SLOTS];

    regs.copies[regs.copy_count++ % REGS_LOG] = value;
    words[TERN_RPL_flags_WORD] = packet[TERN_PKT_flags_WORD];
    words[TERN_DESC_dst_node_WORD] = packet[TERN_PKT_src_WORD];
    words[TERN_DESC_length_WORD] = payload[3];
    memcpy(words + TERN_DESC_remote_addr_WORD, payload, 3 * sizeof(*words));
    words[TERN_RPL_opid_WORD] = packet[TERN_PKT_opid_WORD];
    memcpy(words + TERN_DESC_local_addr_WORD, packet + TERN_PKT_addr_WORD, 3 * sizeof(*words));
    if (TERN_F(RXC, found, value)) {
        words[TERN_DESC_length_WORD] = TERN_F(LKP, length, words[TERN_DESC_length_WORD]);
        TERN_SET(DESC, local_addr, words, TERN_GET(LNK, addr, packet + TERN_PKT_addr_WORD));
    }
}

static void copy_request(uint32_t value)
{
    if (TERN_F(RXC, next, value)) {
        if (regs.copy_next != 0)
            abort();
        regs.copy_next = value;
    } else {
        copy_now(value);
    }
}

void regs_read_comes(unsigned rx)
{
    uint32_t copied = regs.copy_next != 0;

    if (copied)
        copy_now(rx | TERN_V(RXC, slot, TERN_F(RXC, slot, regs.copy_next)));
    regs.copy_next = 0;
    regs_event(TERN_EV_RX,
               TERN_V(EV, rxslot, rx) | TERN_V(EV, pkttype, TERN_PTYPE_READ) | TERN_V(EV, copied,
               copied));
}

static void tree_set_up(uint32_t what)
{
    uint32_t *state = &regs.tree_state[TERN_F(TRS, group, what) % TERN_TREE_GROUPS];

    regs.tree_sets[regs.tree_set_count++ % REGS_LOG] = what;
    if (TERN_F(TRS, on, what))
        *state = TERN_V(TRG, epoch, TERN_F(TRS, epoch, what)) | TERN_V(TRG, on, 1) |
                 TERN_V(TRG, active, 1) | TERN_V(TRG, fn, TERN_F(TRG, fn, what));
    else
        *state &= ~TERN_V(TRG, active, 1);
}

static void tree_write(uint32_t offset, uint32_t value)
{
    switch (offset) {
    case TERN_MMIO_TREE_LO:
    case TERN_MMIO_TREE_HI:
        regs.tree_value[offset == TERN_MMIO_TREE_HI] = value;
        break;
    case TERN_MMIO_TREE_GO:
        regs.tree_goes[regs.tree_go_count++ % REGS_LOG] = value;
        if (!TERN_F(TRO, long, value))
            regs.tree_state[TERN_F(TRO, group, value) % TERN_TREE_GROUPS] +=
                TERN_V(TRG, pending, 1);
        break;
    case TERN_MMIO_TREE_SET:
        tree_set_up(value);
        break;
    case TERN_MMIO_TREE_RANK:
        regs.tree_rank = value;
        break;
    case TERN_MMIO_TREE_WAIT:
        regs.tree_wait = value;
        break;
    default:
        break;
    }
}

void regs_tree_end(unsigned slot, uint32_t status, uint32_t rank, uint64_t value)
{
    regs.tree_result[0] = (uint32_t)value;
    regs.tree_result[1] = (uint32_t)(value >> 32);
    regs_event(TERN_EV_TREE, TERN_V(EV, slot, slot) | TERN_V(EV, treestatus, status) |
                                 TERN_V(EV, rank, rank));
}

static void sys_write(uint32_t offset, uint32_t value)
{
    if (offset >= TERN_MMIO_TREE_STATE && offset < TERN_MMIO_LINK) {
        tree_write(offset, value);
        return;
    }
    switch (offset) {
    case TERN_MMIO_EV_MASK:
        regs.mask = value;
        break;
    case TERN_MMIO_MTIMECMP_LO:
        regs.time_compare = (regs.time_compare & ~UINT64_C(0xffffffff)) | value;
        break;
    case TERN_MMIO_MTIMECMP_HI:
        regs.time_compare = (regs.time_compare & 0xffffffff) | (uint64_t)value << 32;
        break;
    case TERN_MMIO_WDOG:
        regs.watchdog = value;
        break;
    case TERN_MMIO_FW_STATUS:
        regs.state = value;
        break;
    case TERN_MMIO_LOG_PUSH:
        if (regs.log_count < REGS_LOG)
            regs.log[regs.log_count++] = value;
        break;
    case TERN_MMIO_TX_CMD:
        transmit(value);
        break;
    case TERN_MMIO_OP_MEMBERS:
        if (regs.op[value % REGS_SLOTS].busy)
            abort();
        regs.members[value % REGS_SLOTS] = value >> 16;
        break;
    case TERN_MMIO_OP_KILL:
        kill_op(value);
        break;
    case TERN_MMIO_SLOT_FREE:
        regs.slot_used[value % REGS_SLOTS] = false;
        break;
    case TERN_MMIO_RX_FREE:
        regs.rx_freed[value % REGS_RX_SLOTS] = true;
        break;
    case TERN_MMIO_RX_COPY:
        copy_request(value);
        break;
    case TERN_MMIO_RX_ACK:
        regs.acks[regs.ack_count++ % REGS_LOG] = value;
        break;
    case TERN_MMIO_RX_ATOMIC:
        regs.atomics[regs.atomic_count++ % REGS_LOG] = value;
        break;
    case TERN_MMIO_HW_GO:
        host_write(value);
        break;
    case TERN_MMIO_RG_SEL:
        regs.region_select = value;
        break;
    case TERN_MMIO_CTR_SEL:
        regs.counter_select = value;
        break;
    case TERN_MMIO_CTR_VALUE:
        regs.counter[regs.counter_select % REGS_COUNTERS] = value;
        break;
    case TERN_MMIO_CTR_TAKE:
        regs.counter[regs.counter_select % REGS_COUNTERS] -= value;
        break;
    default:
        break;
    }
}

void wr32(uint32_t offset, uint32_t value)
{
    regs.accesses++;
    if (offset == TERN_MMIO_Q_COMPLETE)
        complete(value);
    else if (offset >= TERN_MMIO_Q_SEL && offset <= TERN_MMIO_Q_DB)
        queue_write(offset, value);
    else if (offset >= TERN_MMIO_RG_WORD && offset < TERN_MMIO_RG_WORD + 32)
        regs.region[regs.region_select % REGS_REGIONS][(offset - TERN_MMIO_RG_WORD) / 4] =
            value;
    else if (offset >= TERN_MMIO_HW_DATA && offset < TERN_MMIO_HW_DATA + 32)
        regs.hw_data[(offset - TERN_MMIO_HW_DATA) / 4] = value;
    else if (offset >= TERN_MMIO_HW_ADDR_LO && offset < TERN_MMIO_HW_GO)
        regs.hw[(offset - TERN_MMIO_HW_ADDR_LO) / 4] = value;
    else if (offset >= TERN_MMIO_SLOT && offset < TERN_MMIO_FN)
        regs.slot[(offset - TERN_MMIO_SLOT) / 64 % REGS_SLOTS][offset % 64 / 4] = value;
    else if (offset >= TERN_MMIO_FN && offset < TERN_MMIO_EV_POP)
        regs.fn[(offset - TERN_MMIO_FN) / 128][offset % 128 / 4] = value;
    else
        sys_write(offset, value);
}

uintptr_t mmio_block(uint32_t offset)
{
    return offset;
}

uint32_t rd32_in(uintptr_t block, uint32_t offset)
{
    return rd32((uint32_t)block + offset);
}

void wr32_in(uintptr_t block, uint32_t offset, uint32_t value)
{
    wr32((uint32_t)block + offset, value);
}

/* Hardware does not wait for the firmware; with an event pending, wfi returns at once. */
bool wfi(void)
{
    regs_fetch();
    if (regs.event_count != 0)
        return true;
    regs.sleeps++;
    return false;
}

bool timer_due(void)
{
    return regs.time >= regs.time_compare;
}

void wake_sources_enable(void)
{
}
