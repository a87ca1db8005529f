/* SPDX-License-Identifier: Apache-2.0 */
#include "relay.h"

#include <stddef.h>

#include "arena.h"
#include "checkin.h"
#include "get.h"
#include "messages_out.h"

const uint32_t fw_feature_relay = TERN_FEATURE_RELAY;

/* `rx_queue` of a request: this bit and the arena; no queue has such a number. */
#define RELAYED 0x8000u
/* Words of a payload. */
#define GET_WORDS (TERN_INLINE_BYTES_MAX / 4)
#define ENTRY_BYTES 4u

/*
 * Words of an OP_RELAY descriptor in an own slot that hardware ignores: the node to inform of a
 * failure, with its slot in that node's area, and the area's pass.
 */
#define TOLD_WORD 11u
#define TOLD(node, rank) ((node) | (rank) << 16)
#define TOLD_NODE(word) ((word) & 0xffff)
#define TOLD_RANK(word) ((word) >> 16)

static uint32_t message_bytes(uint32_t slot)
{
    return TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD));
}

/* Returns area and epoch of the origin, in the form of GET. */
static uint32_t named(uint32_t slot)
{
    return rx_header(slot, TERN_PKT_addr_WORD);
}

static void relay_read(uint32_t slot, struct rts *r)
{
    fw_request_read(slot, r);
    r->origin = TERN_F(RLY, origin, r->limit);
    r->room = message_bytes(slot) + ENTRY_BYTES;
    r->by_message = r->combined = r->delivered = false;
}

static bool length_fits(const struct fw *fw, uint32_t bytes)
{
    return bytes >= TERN_RELAY_BYTES && bytes % ENTRY_BYTES == 0 &&
           bytes + ENTRY_BYTES <= fw->id.payload_max;
}

static void store(struct fw *fw, uint32_t slot, const struct fw_arena *arena)
{
    const uint32_t entry = arena->start;
    struct hwr_place to = {
        .addr = arena->base + arena->start, .key = arena->memory_key, .fn = arena->fn};
    uint32_t bytes = message_bytes(slot);

    hwr_payload(&fw->hwr, &to, slot, bytes, TAG_PART + slot);
    to.addr += bytes;
    hwr_data(&fw->hwr, &to, &entry, ENTRY_BYTES, slot, true);
    fw->rx_queue[slot] = (uint16_t)(RELAYED | (uint32_t)(arena - fw->arena));
    fw->placing |= 1u << slot;
    fw->reply_owed++;
}

uint32_t fw_relay_take(struct fw *fw, uint32_t slot)
{
    struct rts r;
    struct fw_arena *arena;
    uint32_t status;

    if (!length_fits(fw, message_bytes(slot)))
        return TERN_ST_BAD_LENGTH;
    relay_read(slot, &r);
    if (r.length == 0 || !fw_request_is_sane(fw, &r))
        return TERN_ST_BAD_BOX;
    arena = fw_arena_find(fw, r.key);
    if (arena == NULL)
        return TERN_ST_BAD_KEY;
    FW_COUNT(fw, requests);
    if (!fw_reply_room(fw))
        return TERN_ST_RNR;
    status = fw_arena_grant(fw, arena, &r);
    if (status != TERN_ST_OK)
        return status;
    store(fw, slot, arena);
    return FW_LATER;
}

bool fw_relay_has(const struct fw *fw, uint32_t slot)
{
    return fw->rx_queue[slot] & RELAYED;
}

static uint32_t node_after(const struct fw *fw, const struct rts *r)
{
    uint32_t next = box_after(r->box, fw->id.node, fw->id.dims);

    return next == r->origin ? box_after(r->box, next, fw->id.dims) : next;
}

/* Fills in the reply to the next node: the stored request and this node's entry. */
static void forward(struct fw *fw, uint32_t slot, const struct fw_arena *arena,
                    const struct rts *r, struct fw_reply *reply)
{
    uint64_t at = arena->base + arena->start;

    reply->opcode = TERN_OP_RELAY;
    reply->pass = r->key;
    reply->bytes = (uint16_t)(message_bytes(slot) + ENTRY_BYTES);
    reply->value[0] = (uint32_t)at;
    reply->value[1] = (uint32_t)(at >> 32);
    reply->value[2] = arena->memory_key;
    reply->value[GET_WORDS - 1] = arena->fn; /* owner of the memory */
    reply->value[TOLD_WORD - GET_WORDS] =
        TOLD(r->origin, box_rank(r->box, reply->node, fw->id.dims));
    reply->value[TOLD_WORD + 1 - GET_WORDS] = r->pass;
}

/* Fills in the reply of the last member: the origin may begin. */
static void answer(uint32_t slot, const struct rts *r, struct fw_reply *reply)
{
    reply->opcode = TERN_OP_GET;
    reply->node = (uint16_t)r->origin;
    reply->to = (uint16_t)r->answers;
    reply->pass = r->tag << 16 | (r->key & 0xffff);
    reply->bytes = TERN_INLINE_BYTES_MAX;
    for (uint32_t i = 0; i < GET_WORDS; i++)
        reply->value[i] = rx_payload(slot, GET_WORDS + i);
}

uint32_t fw_relay_stored(struct fw *fw, uint32_t slot, uint32_t status)
{
    const struct fw_arena *arena = &fw->arena[fw->rx_queue[slot] % FW_ARENAS];
    struct rts r;
    struct fw_reply reply = {0};

    fw->placing &= ~(1u << slot);
    fw->reply_owed--;
    if (status != TERN_ST_OK)
        return status;
    relay_read(slot, &r);
    if (arena->state != ARENA_GRANTED || arena->pass != r.pass || arena->epoch != r.epoch)
        return TERN_ST_STALE_EPOCH; /* withdrawn meanwhile */
    reply.where = named(slot);
    reply.node = (uint16_t)node_after(fw, &r);
    if (reply.node != NODE_NOWHERE)
        forward(fw, slot, arena, &r, &reply);
    else
        answer(slot, &r, &reply);
    fw_reply(fw, &reply);
    return TERN_ST_OK;
}

/*
 * Reports to the origin that the next node did not take the request. Without room for the report,
 * the time limit of the origin's area ends. If the origin itself refused an answer, no report is
 * due.
 */
void fw_relay_failed(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t at = tx_slot(slot), opcode = TERN_F(DESC, opcode, rd32(at));
    uint32_t told = rd32(at + 4 * TOLD_WORD), name = rd32(at + 4 * TERN_GET_area_WORD);
    const struct fw_reply reply = {
        .pass = rd32(at + 4 * (TOLD_WORD + 1)),
        .where = checkin_named(TERN_F(GET, area, name), TOLD_RANK(told), status),
        .node = (uint16_t)TOLD_NODE(told),
        .to = (uint16_t)TERN_F(GET, epoch, name),
        .bytes = TERN_CHECKIN_BYTES,
        .opcode = TERN_OP_CHECKIN,
    };

    if (opcode == TERN_OP_RELAY && fw_reply_room(fw))
        fw_reply(fw, &reply);
}

void fw_relay(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_get(fw, q, event);
}
