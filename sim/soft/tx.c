/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends messages as packets, like tern_tx: begins commands ahead (slot, key check, first payload).
 * Messages in progress send a packet each in turn; those of one queue go one after the other.
 */
#include <string.h>

#include "inside.h"
#include "wire.h"

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Returns the nth oldest message; each message is in the row of its slot. */
static struct soft_message *nth(struct soft_tx *tx, unsigned n)
{
    return &tx->message[tx->order[n]];
}

uint32_t soft_tx_space(struct soft_node *node)
{
    return min(SOFT_TX_COMMANDS, SOFT_SLOTS - node->tx.count);
}

void soft_tx_command(struct soft_node *node, uint32_t command)
{
    struct soft_tx *tx = &node->tx;

    if (tx->count == SOFT_SLOTS)
        return;
    tx->order[tx->count] = TERN_F(TXC, slot, command) % SOFT_SLOTS;
    nth(tx, tx->count++)->command = command;
    soft_op_begin(node, TERN_F(TXC, slot, command));
}

static bool is_broadcast(const struct soft_message *message)
{
    return TERN_F(TXC, deposit, message->command);
}

/* Tells whether the message is a reply: the bytes that another node's READ asked for. */
static bool is_reply(const struct soft_message *message)
{
    return TERN_F(TXC, type, message->command) == TERN_PTYPE_REPLY;
}

/* Tells whether this node gets an ack for each packet of the message. */
static bool is_answered(const struct soft_message *message)
{
    return !is_broadcast(message) && !is_reply(message);
}

/* ---- the end ---- */

static void message_end(struct soft_node *node, unsigned n, uint8_t status)
{
    struct soft_tx *tx = &node->tx;
    const struct soft_message *message = nth(tx, n);

    soft_op_end(node, TERN_F(TXC, slot, message->command), status, is_answered(message));
    tx->count--;
    tx->begun--;
    memmove(tx->order + n, tx->order + n + 1, tx->count - n);
}

/* ---- the beginning ---- */

static bool outside(uint32_t node, uint32_t dims)
{
    return node >> 15 || (node & 0x1f) > (dims & 0x1f) || (node >> 5 & 0x1f) > (dims >> 5 & 0x1f) ||
           (node >> 10 & 0x1f) > (dims >> 10 & 0x1f);
}

static void read_slot(struct soft_node *node, struct soft_message *message)
{
    unsigned number = TERN_F(TXC, slot, message->command);
    const struct soft_slot *slot = &node->prefetch.slot[number % SOFT_SLOTS];

    memcpy(message->desc, slot->words, sizeof message->desc);
    message->queue = slot->queue;
    message->function = slot->function;
    if (number >= SOFT_POOL) { /* an own slot names its queue in its last word */
        message->queue = (uint16_t)(message->desc[SOFT_DESC_WORDS - 1] >> 16);
        message->function = (uint8_t)message->desc[SOFT_DESC_WORDS - 1];
    }
}

/* Tells whether the target, or a corner of the box, is outside the torus. */
static bool leaves_torus(const struct soft_node *node, const struct soft_message *message)
{
    uint32_t low = (uint32_t)TERN_GET(BOX, low, message->desc);

    return outside((uint32_t)TERN_GET(DESC, dst_node, message->desc), node->config.dims) ||
           (is_broadcast(message) && outside(low, node->config.dims));
}

/* Fills in the key check; for a reply the asking node needs the right, whoever owns the region. */
static struct soft_check payload_check(const struct soft_message *message)
{
    const uint32_t *desc = message->desc;

    return (struct soft_check){
        .key = (uint32_t)TERN_GET(DESC, local_key, desc),
        .address = TERN_GET(DESC, local_addr, desc),
        .bytes = (uint32_t)TERN_GET(DESC, length, desc),
        .function = message->function,
        .right = is_reply(message) ? TERN_RIGHT_REMOTE_READ : TERN_RIGHT_LOCAL_READ,
        .any_function = is_reply(message),
        .offset = is_reply(message) && TERN_GET(RPL, flags, desc) & TERN_PFLAG_OFFSET,
    };
}

/* Checks whether the message may be sent, and finds the host address of its payload. */
static uint8_t admit(struct soft_node *node, struct soft_message *message)
{
    const uint32_t *desc = message->desc;
    struct soft_check check = payload_check(message);
    struct soft_grant grant;
    uint8_t status;

    message->left = check.bytes;
    if (TERN_F(TXC, inl, message->command)) {
        message->left = (uint32_t)TERN_GET(DESC, inline_len, desc);
        if (message->left > TERN_INLINE_BYTES_MAX)
            return TERN_ST_BAD_LENGTH;
    }
    if (message->left > TERN_PUT_BYTES_MAX ||
        (message->left == 0 && !TERN_F(TXC, msg, message->command)))
        return TERN_ST_BAD_LENGTH;
    if (leaves_torus(node, message))
        return TERN_ST_BAD_NODE;
    if (TERN_F(TXC, inl, message->command)) {
        memcpy(message->ahead, desc + TERN_INLINE_OFFSET / 4, TERN_INLINE_BYTES_MAX);
        message->ahead_bytes = message->left;
        return TERN_ST_OK;
    }
    if (message->left == 0)
        return TERN_ST_OK; /* nothing is read: no key is needed */
    status = soft_key_check(node, &check, &grant);
    message->host_address = grant.address;
    message->function = grant.function;
    return status;
}

static void message_begin(struct soft_node *node, struct soft_message *message)
{
    message->ahead_at = message->ahead_bytes = 0;
    message->packets = 0;
    message->fetching = message->cautious = false;
    read_slot(node, message);
    message->remote_address = TERN_GET(DESC, remote_addr, message->desc);
    soft_op_start(node, TERN_F(TXC, slot, message->command),
                  TERN_F(TXC, notify, message->command));
    message->status = admit(node, message);
}

/* ---- payload ---- */

/* Counts host reads as the chip makes them: in pieces that end at multiples of HOST_READ_MAX. */
static void count_reads(struct soft_node *node, uint64_t address, uint32_t bytes)
{
    while (bytes > 0) {
        uint32_t piece =
            min(bytes, TERN_HOST_READ_MAX - (unsigned)(address % TERN_HOST_READ_MAX));

        SOFT_COUNT(node, host_reads);
        SOFT_COUNT_BY(node, host_read_bytes, piece);
        address += piece;
        bytes -= piece;
    }
}

static bool needs_payload(const struct soft_message *message)
{
    return message->status == TERN_ST_OK && message->left > 0 &&
           message->ahead_at == message->ahead_bytes;
}

/* Begins to fetch payload; after a failure packet by packet, to find the one that fails. */
static void fetch_begin(struct soft_message *message)
{
    if (message->fetching)
        return;
    message->fetching = true;
    message->op = (struct tern_dma_op){
        .address = message->host_address,
        .data = message->ahead,
        .bytes = min(message->left, message->cautious ? SOFT_PAYLOAD : SOFT_TX_AHEAD),
        .function = message->function};
}

static void fetch_end(struct soft_node *node, struct soft_message *message, bool failed)
{
    message->fetching = false;
    message->ahead_at = 0;
    message->ahead_bytes = failed ? 0 : message->op.bytes;
    if (failed && message->op.bytes > SOFT_PAYLOAD) {
        message->cautious = true;
    } else if (failed) {
        message->status = TERN_ST_HOST_FAULT;
        count_reads(node, message->host_address, message->op.bytes);
        SOFT_COUNT(node, host_faults);
    }
}

/* Fetches payload for the messages of one function that have none; true when any came. */
static bool fetch_for(struct soft_node *node, uint8_t function)
{
    const struct tern_host *host = &node->config.host;
    struct soft_tx *tx = &node->tx;
    struct soft_message *fetched[SOFT_SLOTS];
    struct tern_dma_op *ops[SOFT_SLOTS];
    unsigned count = 0, ended;
    uint32_t faults;

    for (unsigned i = 0; i < tx->begun; i++) {
        struct soft_message *message = nth(tx, i);

        if (!needs_payload(message) || message->function != function)
            continue;
        fetch_begin(message);
        fetched[count] = message;
        ops[count++] = &message->op;
    }
    ended = host->transfer_all(host->ctx, ops, count, &faults);
    for (unsigned i = 0; i < count && i < ended; i++)
        fetch_end(node, fetched[i], faults >> i & 1);
    return ended > 0;
}

/* Fetches payload function by function, so that a slow host delays only its own function. */
static bool fetch_some(struct soft_node *node)
{
    struct soft_tx *tx = &node->tx;
    uint64_t asked = 0;
    bool any = false;

    for (unsigned i = 0; i < tx->begun; i++) {
        const struct soft_message *message = nth(tx, i);
        uint64_t bit = UINT64_C(1) << message->function % 64;

        if (!needs_payload(message) || asked & bit)
            continue;
        asked |= bit;
        any = fetch_for(node, message->function) || any;
    }
    return any;
}

/* ---- packets ---- */

static uint32_t packet_flags(const struct soft_message *message, bool last)
{
    static const uint8_t pairs[][2] = {
        {TERN_DFLAG_OFFSET, TERN_PFLAG_OFFSET},
        {TERN_DFLAG_IMM, TERN_PFLAG_IMM},
        {TERN_DFLAG_SOLICITED, TERN_PFLAG_SOLICITED},
    };
    uint32_t asked = TERN_F(DESC, flags, message->desc[0]);
    uint32_t flags = last ? TERN_PFLAG_LAST : 0;

    if (is_broadcast(message))
        flags |= TERN_PFLAG_DEPOSIT;
    if (!TERN_F(TXC, unacked, message->command) && (last || !is_broadcast(message)))
        flags |= TERN_PFLAG_ACK_REQ;
    if (is_reply(message))
        return flags; /* a reply's slot holds the flags of the request */
    for (unsigned i = 0; asked != 0 && i < sizeof pairs / sizeof pairs[0]; i++)
        flags |= asked & pairs[i][0] ? pairs[i][1] : 0;
    return flags;
}

static uint64_t packet_address(const struct soft_message *message)
{
    if (!TERN_F(TXC, msg, message->command))
        return message->remote_address;
    return (uint64_t)message->queue << 48 |
           (uint64_t)TERN_GET(DESC, dst_queue, message->desc) << 32 |
           TERN_GET(DESC, imm, message->desc);
}

/* Writes the first header words, by which routers route: a node, or the two corners of a box. */
static void write_way(const struct soft_message *message, uint32_t *w)
{
    w[0] |= TERN_V(PKT, dst, TERN_GET(DESC, dst_node, message->desc)) |
            TERN_V(PKT, deposit, is_broadcast(message));
    if (is_broadcast(message))
        w[1] = TERN_V(PKT, box, TERN_GET(BOX, low, message->desc));
}

/*
 * Returns the incarnation for the header.  Broadcasts have none, since each member has its own;
 * replies have none, since the operation's generation identifies it.
 */
static uint32_t incarnation(const struct soft_message *message)
{
    return is_answered(message) ? (uint32_t)TERN_GET(DESC, incarnation, message->desc) : 0;
}

/* Returns the operation that acks name: this node's own, or for a reply the asking node's. */
static uint32_t opid(const struct soft_node *node, const struct soft_message *message)
{
    return is_reply(message) ? (uint32_t)TERN_GET(RPL, opid, message->desc)
                             : soft_op_id(node, TERN_F(TXC, slot, message->command));
}

/* Returns the packet number of an acknowledged broadcast, whose members count packets. */
static uint32_t number(const struct soft_message *message)
{
    if (!is_broadcast(message) || TERN_F(TXC, unacked, message->command))
        return TERN_PKT_UNNUMBERED;
    return message->packets;
}

static void write_header(const struct soft_node *node, const struct soft_message *message,
                         uint32_t *w, uint32_t payload)
{
    uint64_t address = packet_address(message);

    w[0] = TERN_V(PKT, vn, TERN_F(TXC, vn, message->command)) |
           TERN_V(PKT, words, soft_packet_bytes(payload) / 8);
    w[1] = 0;
    write_way(message, w);
    w[2] = TERN_V(PKT, type, TERN_F(TXC, type, message->command)) |
           TERN_V(PKT, flags, packet_flags(message, payload == message->left)) |
           TERN_V(PKT, incarnation, incarnation(message)) |
           TERN_V(PKT, version, TERN_PKT_VERSION);
    w[3] = TERN_V(PKT, src, node->config.coordinates) | TERN_V(PKT, length, payload);
    w[4] = (uint32_t)address;
    w[5] = (uint32_t)(address >> 32);
    w[6] = (uint32_t)TERN_GET(DESC, remote_key, message->desc);
    w[7] = TERN_V(PKT, opid, opid(node, message)) |
           TERN_V(PKT, number, number(message));
}

static bool route(struct soft_node *node, const struct soft_message *message, uint8_t *packet,
                  size_t bytes)
{
    unsigned vn = TERN_F(TXC, vn, message->command);

    if (vn == TERN_VN_TREE)
        return TERN_GET(DESC, dst_node, message->desc) == node->config.coordinates
                   ? soft_tree_take(node, packet, bytes)
                   : soft_unicast(node, packet, bytes);
    if (is_broadcast(message))
        return soft_broadcast(node, packet, bytes, vn, TERN_F(TXC, self, message->command));
    return soft_route(node, packet, bytes, vn);
}

/* Sends the next packet, whose payload is at hand; false when there is no room for it. */
static bool send_packet(struct soft_node *node, struct soft_message *message)
{
    uint32_t payload = min(message->left, SOFT_PAYLOAD);
    size_t bytes = soft_packet_bytes(payload);
    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX];
    uint32_t header[SOFT_HEADER_WORDS];

    write_header(node, message, header, payload);
    memset(packet + bytes - 2 * 8, 0, 2 * 8); /* padding and trailer */
    memcpy(packet, header, sizeof header);    /* after memset, which may clear the header's end */
    memcpy(packet + TERN_PKT_HEADER_BYTES, message->ahead + message->ahead_at, payload);
    tern_wire_set_word(packet, bytes / 4 - 2, soft_packet_crc(packet, bytes));
    if (!route(node, message, packet, bytes))
        return false;
    SOFT_COUNT(node, tx_packets);
    SOFT_COUNT_BY(node, tx_bytes, payload);
    if (!TERN_F(TXC, inl, message->command))
        count_reads(node, message->host_address, payload);
    message->ahead_at += payload;
    message->left -= payload;
    message->packets++;
    message->host_address += payload;
    message->remote_address += payload;
    return true;
}

enum progress { WAITS, WENT_ON, ENDED };

/* Sends one packet of a message, or ends it. */
static enum progress message_go_on(struct soft_node *node, unsigned n)
{
    struct soft_message *message = nth(&node->tx, n);
    uint32_t op = TERN_F(TXC, slot, message->command);

    if (message->status != TERN_ST_OK) {
        message_end(node, n, message->status);
        return ENDED;
    }
    if (needs_payload(message) || !send_packet(node, message))
        return WAITS;
    soft_op_sent(node, op, is_answered(message) && !TERN_F(TXC, unacked, message->command));
    if (message->left > 0)
        return WENT_ON;
    message_end(node, n, TERN_ST_OK);
    return ENDED;
}

/* Sends a packet of the oldest message of each queue, and of each reply. */
static bool turn(struct soft_node *node)
{
    uint64_t taken[SOFT_QUEUES / 64] = {0}; /* queues with an older unfinished message */
    bool any = false;

    for (unsigned i = 0; i < node->tx.begun;) {
        const struct soft_message *message = nth(&node->tx, i);
        uint64_t *row = &taken[message->queue % SOFT_QUEUES / 64];
        uint64_t bit = is_reply(message) ? 0 : UINT64_C(1) << message->queue % 64;
        enum progress progress = *row & bit ? WAITS : message_go_on(node, i);

        any = any || progress != WAITS;
        if (progress == ENDED)
            continue;
        *row |= bit;
        i++;
    }
    return any;
}

/* Before a reset of the datapath no packet begins; copies owed of a broadcast are still sent. */
bool soft_tx_work(struct soft_node *node)
{
    struct soft_tx *tx = &node->tx;
    bool did = false;

    while (tx->count > 0) {
        bool more;

        while (tx->begun < tx->count)
            message_begin(node, nth(tx, tx->begun++));
        more = fetch_some(node);
        while ((!node->bar.path || node->owed != 0) && turn(node))
            more = true;
        did = did || more;
        if (!more)
            break;
    }
    return did;
}
