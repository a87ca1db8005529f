/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets for this node, like tern_rx and tern_ack: puts go to memory, acks to the operations, the
 * rest to the firmware.
 */
#include <string.h>

#include "inside.h"
#include "wire.h"

/* ---- acks to send ---- */

static unsigned acks_free(const struct soft_node *node)
{
    return SOFT_ACKS - node->rx.ack_count;
}

static bool acked(struct soft_node *node, uint16_t opid, uint8_t status, bool last)
{
    if (status == TERN_ST_OK)
        SOFT_COUNT(node, rx_acks);
    else
        SOFT_COUNT(node, rx_naks);
    return soft_op_acked(node, opid, status, last);
}

void soft_rx_answer(struct soft_node *node, const struct soft_ack *ack)
{
    struct soft_rx *rx = &node->rx;

    if (ack->here) {
        rx->told++;
        (void)acked(node, ack->opid, ack->status, ack->last);
        return;
    }
    rx->ack[(rx->ack_first + rx->ack_count++) % SOFT_ACKS] = *ack;
}

static bool send_ack(struct soft_node *node, const struct soft_ack *ack)
{
    uint32_t w[SOFT_HEADER_WORDS + TERN_PKT_TRAILER_BYTES / 4] = {
        TERN_V(PKT, dst, ack->node) | TERN_V(PKT, vn, TERN_VN_ACK) |
            TERN_V(PKT, words, sizeof w / 8),
        [TERN_PKT_type_WORD] = TERN_V(PKT, type, TERN_PTYPE_ACK) |
                               TERN_V(PKT, flags, (ack->last ? TERN_PFLAG_LAST : 0) | (ack->brings
                               ? TERN_PFLAG_IMM : 0)) |
                               TERN_V(PKT, version, TERN_PKT_VERSION),
        [TERN_PKT_src_WORD] = TERN_V(PKT, src, node->config.coordinates),
        [TERN_PKT_key_WORD] = ack->status,
        [TERN_PKT_number_WORD] = TERN_V(PKT, opid, ack->opid) |
                                  TERN_V(PKT, number, TERN_PKT_UNNUMBERED),
    };

    if (ack->brings)
        TERN_SET(PKT, addr, w, ack->word);
    w[SOFT_HEADER_WORDS] = soft_packet_crc((const uint8_t *)w, sizeof w);
    if (!soft_route(node, (uint8_t *)w, sizeof w, TERN_VN_ACK))
        return false;
    if (ack->status == TERN_ST_OK)
        SOFT_COUNT(node, tx_acks);
    else
        SOFT_COUNT(node, tx_naks);
    return true;
}

bool soft_rx_work(struct soft_node *node)
{
    struct soft_rx *rx = &node->rx;
    bool did = false;

    while (rx->ack_count > 0 && send_ack(node, &rx->ack[rx->ack_first])) {
        rx->ack_first = (rx->ack_first + 1) % SOFT_ACKS;
        rx->ack_count--;
        did = true;
    }
    return did;
}

/* ---- checks of a packet ---- */

static bool type_good(uint32_t type, uint32_t vn)
{
    switch (vn) {
    case TERN_VN_REQUEST:
        return type >= TERN_PKT_TYPE_FW_FIRST && type <= TERN_PKT_TYPE_FW_LAST;
    case TERN_VN_DATA:
        return type == TERN_PTYPE_PUT || type == TERN_PTYPE_REPLY;
    case TERN_VN_ACK:
        return type == TERN_PTYPE_ACK;
    default:
        return false;
    }
}

/* Tells whether an answer to its source could be routed. */
static bool from_inside(const struct soft_node *node, const uint32_t *w)
{
    uint32_t src = (uint32_t)TERN_GET(PKT, src, w);
    bool inside = src >> TERN_PKT_dst_BITS == 0;

    for (unsigned at = 0; at < TERN_PKT_dst_BITS; at += 5)
        inside = inside && (src >> at & 0x1f) <= (uint32_t)(node->config.dims >> at & 0x1f);
    return inside;
}

/*
 * Tells whether the packet is for this node. A broadcast is for every receiver; since the
 * end-to-end CRC does not cover the deposit bit, it is repeated among the flags.
 */
static bool for_us(const struct soft_node *node, const uint32_t *w)
{
    bool deposit = TERN_GET(PKT, deposit, w) != 0;

    if (deposit != ((TERN_GET(PKT, flags, w) & TERN_PFLAG_DEPOSIT) != 0))
        return false;
    return deposit || TERN_GET(PKT, dst, w) == node->config.coordinates;
}

/* Tells whether the packet is good, and counts only its first fault. */
static bool good(struct soft_node *node, const uint8_t *packet, const uint32_t *w, size_t bytes,
                 bool stomped)
{
    uint32_t vn = (uint32_t)TERN_GET(PKT, vn, w);
    uint32_t length = (uint32_t)TERN_GET(PKT, length, w);

    if (stomped || tern_wire_word(packet, bytes / 4 - 2) != soft_packet_crc(packet, bytes))
        SOFT_COUNT(node, rx_bad_crc);
    else if (TERN_GET(PKT, version, w) != TERN_PKT_VERSION ||
             !type_good((uint32_t)TERN_GET(PKT, type, w), vn))
        SOFT_COUNT(node, rx_bad_type);
    else if (length > SOFT_PAYLOAD || (vn == TERN_VN_ACK && length != 0) ||
             bytes != soft_packet_bytes(length))
        SOFT_COUNT(node, rx_bad_length);
    else if (!for_us(node, w) || !from_inside(node, w))
        SOFT_COUNT(node, rx_bad_dst);
    else
        return true;
    node->sys.drops++;
    return false;
}

/* ---- handling of good packets ---- */

static void take_ack(struct soft_node *node, const uint32_t *w)
{
    uint8_t status = (uint8_t)TERN_GET(PKT, key, w);
    uint16_t opid = (uint16_t)TERN_GET(PKT, opid, w);

    if (acked(node, opid, status, TERN_GET(PKT, flags, w) & TERN_PFLAG_LAST) &&
        TERN_GET(PKT, flags, w) & TERN_PFLAG_IMM)
        TERN_SET(ATR, value, node->prefetch.slot[soft_op_slot(node, opid)].words,
                 TERN_GET(PKT, addr, w));
}

static uint8_t admit_put(struct soft_node *node, const uint32_t *w, struct soft_grant *grant)
{
    struct soft_check check = {
        .key = (uint32_t)TERN_GET(PKT, key, w),
        .address = TERN_GET(PKT, addr, w),
        .bytes = (uint32_t)TERN_GET(PKT, length, w),
        .right = TERN_RIGHT_REMOTE_WRITE,
        .any_function = true,
        .offset = TERN_GET(PKT, flags, w) & TERN_PFLAG_OFFSET,
    };
    uint32_t incarnation = (uint32_t)TERN_GET(PKT, incarnation, w);

    if (incarnation != 0 && incarnation != node->sys.incarnation)
        return TERN_ST_STALE_NODE;
    return soft_key_check(node, &check, grant);
}

/* ---- broadcasts of several packets: tern_rx_whole ---- */

/*
 * Returns the row of a node, different for all of 512 nodes: a point of a net in base 2, with x
 * from below, y from above, z by Pascal's triangle (see tern_rx_whole.sv).
 */
static unsigned row_of(uint16_t node)
{
    static const uint16_t by_z[5] = {0x1ff, 0x0aa, 0x0cc, 0x088, 0x0f0};
    unsigned from = node, row = from & 0x1f;

    for (unsigned bit = 0; bit < 5; bit++) {
        row ^= (from >> (5 + bit) & 1) << (8 - bit);
        if (from >> (10 + bit) & 1)
            row ^= by_z[bit];
    }
    return row;
}

bool soft_rx_whole(struct soft_node *node, const struct soft_write *packet)
{
    struct soft_row *row = &node->rx.row[row_of(packet->source)];
    bool due = row->valid && row->source == packet->source && row->opid == packet->opid &&
               row->due == packet->number;
    bool whole = packet->number == 0 || due;

    if (!packet->deposit)
        return true;
    if (packet->number != TERN_PKT_UNNUMBERED && !packet->ack)
        *row = (struct soft_row){packet->source, packet->opid, (uint16_t)(packet->number + 1),
                                 whole && packet->status == TERN_ST_OK};
    return whole;
}

static void take_put(struct soft_node *node, const uint8_t *packet, const uint32_t *w)
{
    struct soft_grant grant = {0};
    uint8_t status = admit_put(node, w, &grant);
    struct soft_write *write;

    /* A node without the broadcast's key is not a member, and sends no answer. */
    if (status == TERN_ST_BAD_KEY && TERN_GET(PKT, deposit, w)) {
        SOFT_COUNT(node, rx_not_member);
        return;
    }
    write = soft_write_new(node, status == TERN_ST_OK ? WRITE_PUT : WRITE_REFUSED);
    write->status = status;
    write->function = grant.function;
    write->address = grant.address;
    write->counter = grant.counter;
    write->bytes = (uint16_t)TERN_GET(PKT, length, w);
    write->source = (uint16_t)TERN_GET(PKT, src, w);
    write->reply = TERN_GET(PKT, type, w) == TERN_PTYPE_REPLY;
    write->opid = (uint16_t)TERN_GET(PKT, opid, w);
    write->number = (uint16_t)TERN_GET(PKT, number, w);
    write->deposit = TERN_GET(PKT, deposit, w);
    write->ack = TERN_GET(PKT, flags, w) & TERN_PFLAG_ACK_REQ;
    if (status == TERN_ST_OK)
        memcpy(write->data, packet + TERN_PKT_HEADER_BYTES, write->bytes);
    else
        SOFT_COUNT(node, rx_refused);
}

/* Tells whether only one node answers: not for a broadcast. */
static bool answered_once(const uint32_t *w)
{
    return !(TERN_GET(PKT, flags, w) & TERN_PFLAG_DEPOSIT);
}

static void flush(struct soft_node *node, const uint32_t *w)
{
    struct soft_ack ack = {.node = (uint16_t)TERN_GET(PKT, src, w),
                           .opid = (uint16_t)TERN_GET(PKT, opid, w),
                           .status = TERN_ST_FLUSHED,
                           .last = answered_once(w)};

    if ((ack.opid & 0xff) != TERN_OP_NONE)
        soft_rx_answer(node, &ack);
}

static int free_slot(const struct soft_rx *rx)
{
    for (int slot = 0; slot < SOFT_RX_SLOTS; slot++)
        if (!rx->taken[slot])
            return slot;
    return -1;
}

/* Fills the descriptor slot as RPL; for a LOOKUP without the upper bits of address and length. */
static void copy(struct soft_node *node, unsigned from, unsigned to, bool found)
{
    const uint32_t *header = node->rx.slot[from].header;
    const uint8_t *payload = node->rx.slot[from].payload;
    uint32_t *words = node->prefetch.slot[to].words;

    words[TERN_RPL_flags_WORD] = header[TERN_PKT_flags_WORD];
    words[TERN_DESC_dst_node_WORD] = header[TERN_PKT_src_WORD];
    words[TERN_DESC_length_WORD] = tern_wire_word(payload,
                                                  TERN_RDR_length_WORD - TERN_INLINE_OFFSET / 4);
    memcpy(words + TERN_DESC_remote_addr_WORD,
           payload + 4 * TERN_RDR_addr_WORD - TERN_INLINE_OFFSET, 3 * sizeof *words);
    words[TERN_RPL_opid_WORD] = header[TERN_PKT_opid_WORD];
    memcpy(words + TERN_DESC_local_addr_WORD, header + TERN_PKT_addr_WORD, 3 * sizeof *words);
    if (found) {
        words[TERN_DESC_length_WORD] = TERN_F(LKP, length, words[TERN_DESC_length_WORD]);
        TERN_SET(DESC, local_addr, words, TERN_GET(LNK, addr, header + TERN_PKT_addr_WORD));
    }
}

static void take_for_firmware(struct soft_node *node, const uint8_t *packet, const uint32_t *w)
{
    struct soft_rx *rx = &node->rx;
    unsigned slot = (unsigned)free_slot(rx);
    bool copied = rx->next != 0 && TERN_GET(PKT, type, w) == TERN_PTYPE_READ;

    if (node->core != CORE_RUNS && node->core != CORE_FAILED) {
        flush(node, w);
        return;
    }
    SOFT_COUNT(node, rx_fw_packets);
    rx->taken[slot] = true;
    memcpy(rx->slot[slot].header, w, sizeof rx->slot[slot].header);
    memcpy(rx->slot[slot].payload, packet + TERN_PKT_HEADER_BYTES, TERN_GET(PKT, length, w));
    if (copied) {
        copy(node, slot, rx->next, false);
        rx->next = 0;
    }
    soft_event(node, TERN_EV_RX,
               TERN_V(EV, rxslot, slot) | TERN_V(EV, pkttype, (uint32_t)TERN_GET(PKT, type, w)) |
                   TERN_V(EV, copied, copied));
}

/* Tells whether there is room: always for acks; other packets wait for it, good or bad. */
static bool room(const struct soft_node *node, uint32_t vn)
{
    if (vn == TERN_VN_DATA)
        return soft_write_room(node);
    if (vn == TERN_VN_REQUEST)
        return free_slot(&node->rx) >= 0 && acks_free(node) >= SOFT_ACKS_KEPT;
    return true;
}

bool soft_rx_take(struct soft_node *node, const uint8_t *packet, size_t bytes, bool stomped)
{
    uint32_t w[SOFT_HEADER_WORDS];

    memcpy(w, packet, sizeof w);
    if (!room(node, (uint32_t)TERN_GET(PKT, vn, w)))
        return false;
    if (!good(node, packet, w, bytes, stomped))
        return true;
    SOFT_COUNT(node, rx_packets);
    if (TERN_GET(PKT, vn, w) == TERN_VN_ACK)
        take_ack(node, w);
    else if (TERN_GET(PKT, vn, w) == TERN_VN_DATA)
        take_put(node, packet, w);
    else
        take_for_firmware(node, packet, w);
    return true;
}

/* ---- registers ---- */

uint32_t soft_rx_ack_space(const struct soft_node *node)
{
    unsigned space = acks_free(node);

    return space > 4 ? (space - 4 < 4 ? space - 4 : 4) : 0;
}

void soft_rx_ack(struct soft_node *node, uint32_t value)
{
    unsigned slot = value & 0x3f;
    struct soft_ack ack = {.status = (uint8_t)(value >> 8)};

    if (slot >= SOFT_RX_SLOTS || acks_free(node) == 0)
        return;
    ack.node = (uint16_t)TERN_GET(PKT, src, node->rx.slot[slot].header);
    ack.opid = (uint16_t)TERN_GET(PKT, opid, node->rx.slot[slot].header);
    ack.last = answered_once(node->rx.slot[slot].header);
    if ((ack.opid & 0xff) != TERN_OP_NONE)
        soft_rx_answer(node, &ack);
}

/* Handles RX_COPY; no effect for an unknown receive slot, or a slot that is not an own slot. */
void soft_rx_copy(struct soft_node *node, uint32_t value)
{
    unsigned from = TERN_F(RXC, rxslot, value), to = TERN_F(RXC, slot, value);

    if (to < SOFT_POOL || to >= SOFT_SLOTS)
        return;
    if (TERN_F(RXC, next, value))
        node->rx.next = to;
    else if (from < SOFT_RX_SLOTS)
        copy(node, from, to, TERN_F(RXC, found, value));
}

uint32_t soft_rx_window(const struct soft_node *node, uint32_t offset)
{
    unsigned slot = offset / TERN_MMIO_RXSLOT_STRIDE, at = offset % TERN_MMIO_RXSLOT_STRIDE;

    if (slot >= SOFT_RX_SLOTS)
        return 0;
    if (at < TERN_PKT_HEADER_BYTES)
        return node->rx.slot[slot].header[at / 4];
    at = (at - TERN_PKT_HEADER_BYTES) % SOFT_PAYLOAD;
    return tern_wire_word(node->rx.slot[slot].payload, at / 4);
}

/* Frees all receive slots: a restarted core owns no packets. */
void soft_rx_forget(struct soft_node *node)
{
    struct soft_events *events = &node->sys.events[TERN_EV_RX];

    memset(node->rx.taken, 0, sizeof node->rx.taken);
    node->rx.next = 0;
    soft_atomic_forget(node);
    events->count = 0;
    node->sys.pending &= ~(UINT32_C(1) << TERN_EV_RX);
}
