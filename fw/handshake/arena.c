/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <stddef.h>

#include "checkin.h"
#include "cq.h"
#include "ctr.h"
#include "epoch.h"
#include "key.h"
#include "node.h"
#include "region.h"
#include "clock.h"
#include "messages_in.h"
#include "messages_out.h"
#include "pieces.h"
#include "tree.h"

static struct fw_arena *arena_at(struct fw *fw, uint32_t id)
{
    return &fw->arena[id % FW_ARENAS];
}

static bool is_of(const struct fw *fw, uint32_t id, uint32_t fn)
{
    return id < FW_ARENAS && fw->arena[id].state != ARENA_FREE && fw->arena[id].fn == fn;
}

__attribute__((noinline)) static uint32_t number_of(const struct fw *fw,
                                                    const struct fw_arena *arena)
{
    return (uint32_t)(arena - fw->arena);
}

/* ---- the window: the region of the group's key */

static void window_write(const struct fw_arena *arena, uint32_t tag, uint32_t rights)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT] = {0};
    uint64_t base = arena->base + arena->start;

    TERN_SET(RGN, base, rgn, base);
    TERN_SET(RGN, iova, rgn, base);
    TERN_SET(RGN, length, rgn, arena->length);
    TERN_SET(RGN, tag, rgn, tag);
    TERN_SET(RGN, counter, rgn, arena->counter);
    TERN_SET(RGN, fn, rgn, arena->fn);
    TERN_SET(RGN, rights, rgn, rights);
    TERN_SET(RGN, valid, rgn, 1);
    key_entry_write(KEY_INDEX(arena->key), rgn);
}

/* Shuts the window: the NIC refuses bytes that still arrive. */
static void window_shut(const struct fw_arena *arena)
{
    window_write(arena, arena->key >> 16, 0);
}

/* ---- the ring of bytes */

/*
 * Takes room for `length` bytes, or `room` if that is more, in one piece; false: no room now.
 */
static bool take_room(struct fw_arena *arena, uint32_t length, uint32_t room)
{
    uint32_t bytes = piece_rounded(room > length ? room : length);
    struct piece piece;

    if (arena->used == 0)
        arena->head = arena->tail = 0;
    if (!piece_find(&piece, arena->bytes, arena->used, arena->head, bytes))
        return false;
    arena->before = arena->head;
    arena->start = piece.start;
    arena->length = length;
    arena->taken = piece.taken;
    arena->spare = (uint16_t)(bytes - piece_rounded(length));
    arena->used += piece.taken;
    arena->head = piece_end(arena->bytes, piece.start, bytes);
    return true;
}

/* Returns the bytes of one piece that the last grant reserved. */
static uint32_t kept(const struct fw_arena *arena)
{
    return piece_rounded(arena->length) + arena->spare;
}

/* Gives back the room beyond what the bytes need; no room was taken after it. */
static void spare_back(struct fw_arena *arena)
{
    if (arena->spare == 0)
        return;
    arena->used -= arena->spare;
    arena->taken -= arena->spare;
    arena->head = arena->start + piece_rounded(arena->length);
    arena->spare = 0;
}

/* Gives back all room of the last grant; no room was taken after it. */
static void room_back(struct fw_arena *arena)
{
    if (arena->asks)
        return;
    arena->used -= arena->taken;
    arena->head = arena->before;
}

/* ---- opening and closing */

static void set_free(struct fw *fw, struct fw_arena *arena)
{
    arena->state = ARENA_FREE;
    fw->queue[arena->cq].users--;
}

uint32_t fw_arena_open(struct fw *fw, uint32_t fn, const struct fw_arena_new *wanted, uint32_t *id)
{
    struct fw_arena *arena;
    uint32_t status = fw_region_wanted(fw, wanted->key);

    if (status != TERN_ST_OK)
        return status;
    for (*id = 0; *id < FW_ARENAS && fw->arena[*id].state != ARENA_FREE;)
        ++*id;
    if (*id == FW_ARENAS)
        return TERN_ST_NO_RESOURCE;
    arena = arena_at(fw, *id);
    *arena = (struct fw_arena){
        .base = wanted->base,
        .bytes = wanted->bytes,
        .key = wanted->key,
        .memory_key = wanted->memory_key,
        .counter = (uint16_t)wanted->counter,
        .cq = (uint16_t)wanted->cq,
        .fn = (uint8_t)fn,
        .state = ARENA_OPEN,
        .asks = wanted->asks,
    };
    fw->queue[arena->cq].users++;
    (void)fw_region_add(fw, fn, wanted->base, wanted->bytes, 0, wanted->counter, wanted->key);
    return TERN_ST_OK;
}

uint32_t fw_arena_give(struct fw *fw, uint32_t fn, uint32_t id, uint32_t end)
{
    struct fw_arena *arena = arena_at(fw, id);
    uint32_t read, used = arena->used;

    if (!is_of(fw, id, fn))
        return TERN_ST_BAD_ARENA;
    if (end == 0 || end > arena->bytes || arena->asks)
        return TERN_ST_BAD_RANGE;
    if (arena->state == ARENA_GRANTED)
        used -= arena->taken;
    read = piece_before(arena->bytes, arena->tail, end);
    if (read > used)
        return TERN_ST_BAD_RANGE;
    arena->used -= read;
    arena->tail = end == arena->bytes ? 0 : end;
    return TERN_ST_OK;
}

/* Withdraws the grant: the announced bytes will not come. */
static void revoke(struct fw *fw, struct fw_arena *arena)
{
    if (arena->state == ARENA_GRANTED) {
        window_shut(arena);
        room_back(arena);
        fw_cq_return(&fw->queue[arena->cq]);
    }
    arena->state = ARENA_OPEN;
}

uint32_t fw_arena_close(struct fw *fw, uint32_t fn, uint32_t id)
{
    struct fw_arena *arena = arena_at(fw, id);

    if (!is_of(fw, id, fn))
        return TERN_ST_BAD_ARENA;
    revoke(fw, arena);
    (void)fw_region_remove(fw, KEY_INDEX(arena->key)); /* succeeds at once: no node may read the
                                                          region */
    set_free(fw, arena);
    return TERN_ST_OK;
}

bool fw_arena_uses_key(const struct fw *fw, uint32_t key)
{
    for (uint32_t id = 0; id < FW_ARENAS; id++)
        if (fw->arena[id].state != ARENA_FREE &&
            (fw->arena[id].memory_key == key || KEY_INDEX(fw->arena[id].key) == KEY_INDEX(key)))
            return true;
    return false;
}

bool fw_arena_uses_counter(const struct fw *fw, uint32_t counter)
{
    for (uint32_t id = 0; id < FW_ARENAS; id++)
        if (fw->arena[id].state != ARENA_FREE && fw->arena[id].counter == counter)
            return true;
    return false;
}

/* ---- requests */

void fw_request_read(uint32_t slot, struct rts *r)
{
    uint32_t w[TERN_DESC_BYTES / 4];

    fw_message_words(slot, w);
    rts_decode(r, TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD)), w);
}

bool fw_request_is_sane(const struct fw *fw, const struct rts *r)
{
    return rts_is_sane(r, fw->id.node, fw->id.dims, FW_AREA_SLOTS);
}

struct fw_arena *fw_arena_find(struct fw *fw, uint32_t key)
{
    for (struct fw_arena *arena = fw->arena; arena < fw->arena + FW_ARENAS; arena++)
        if (arena->state != ARENA_FREE && arena->key == key &&
            !fw_fn_sweeping(fw, arena->fn))
            return arena;
    return NULL;
}

/* Tells whether the last grant was for the origin of this request. */
static bool same_origin(const struct fw_arena *arena, const struct rts *r)
{
    return arena->origin == r->origin && arena->pass == r->pass && arena->taken != 0;
}

__attribute__((noinline)) static void keep(struct fw *fw, struct fw_arena *arena,
                                           const struct rts *r)
{
    arena->origin = (uint16_t)r->origin;
    arena->epoch = (uint16_t)r->epoch;
    arena->pass = r->pass;
    arena->reference = r->reference;
    arena->seen = arena->length = r->length;
    arena->lease = arena->ticks = fw_ticks(fw, r->lease);
    fw->watched |= WATCH_ARENAS;
    if (arena->ticks != 0)
        fw_tick_hurry(fw);
}

/* Lets the bytes in: opens the window and arms the counter. */
static void let_in(struct fw *fw, struct fw_arena *arena, uint32_t tag)
{
    arena->state = ARENA_GRANTED;
    fw_cq_reserve(&fw->queue[arena->cq]);
    ctr_set(arena->counter, arena->length);
    window_write(arena, tag, TERN_RIGHT_REMOTE_WRITE);
}

static uint32_t where(const struct fw *fw, const struct rts *r)
{
    return checkin_named(r->area, box_rank(r->box, fw->id.node, fw->id.dims), 0);
}

static uint32_t ask_host(struct fw *fw, struct fw_arena *arena, const struct rts *r)
{
    struct done done = {.opcode = TERN_OP_ASKED,
                        .queue = arena->cq,
                        .index = number_of(fw, arena),
                        .node = r->origin,
                        .length = r->length,
                        .imm = r->reference,
                        .value = ++arena->asked.question};

    arena->state = ARENA_ASKED;
    arena->taken = 1; /* nonzero: an announcement is known */
    arena->asked.where = where(fw, r);
    arena->asked.to = (uint16_t)(r->by_message ? r->answers : r->epoch);
    arena->asked.tag = (uint16_t)r->tag;
    arena->asked.opcode = r->combined ? 0 : r->by_message ? TERN_OP_SEND : TERN_OP_CHECKIN;
    keep(fw, arena, r);
    fw_cq_tell(fw, arena->cq, &done);
    return FW_LATER;
}

uint32_t fw_arena_grant(struct fw *fw, struct fw_arena *arena, const struct rts *r)
{
    if (arena->asks && r->room != 0)
        return TERN_ST_BAD_TYPE; /* it would have to wait in its receive slot */
    if (same_origin(arena, r)) {
        int32_t before = epoch_ahead(r->epoch, arena->epoch);

        /* A stored request may be longer than the same request not stored. */
        if (before == 0 && arena->state != ARENA_OPEN && r->length == arena->length &&
            r->room <= kept(arena))
            return arena->state == ARENA_ASKED ? FW_LATER : TERN_ST_OK;
        if (before <= 0)
            return TERN_ST_STALE_EPOCH;
        revoke(fw, arena);
    }
    if (arena->state != ARENA_OPEN)
        return TERN_ST_ARENA_BUSY;
    if (r->length > arena->bytes || r->room > arena->bytes)
        return TERN_ST_BAD_LENGTH;
    if (!fw_cq_may_promise(fw, arena->cq))
        return TERN_ST_RNR;
    if (arena->asks)
        return ask_host(fw, arena, r);
    if (!take_room(arena, r->length, r->room))
        return TERN_ST_ARENA_FULL;
    keep(fw, arena, r);
    let_in(fw, arena, r->tag);
    return TERN_ST_OK;
}

/* Handles a withdrawn request: takes back its grant. */
static void forget(struct fw *fw, struct fw_arena *arena, const struct rts *r)
{
    if (same_origin(arena, r) && epoch_ahead(r->epoch, arena->epoch) >= 0)
        revoke(fw, arena);
}

/* Sends the answer described by `to`; not for combined answers. */
static void tell_origin(struct fw *fw, const struct fw_reply *to, uint32_t start, uint32_t epoch,
                        uint32_t status)
{
    struct fw_reply reply = *to;

    reply.value[0] = TERN_V(ANS, base, status == TERN_ST_OK ? start : 0);
    reply.value[1] = TERN_V(ANS, epoch, epoch) | TERN_V(ANS, refusal, status);
    reply.where |= TERN_V(CHK, refusal, status);
    reply.bytes = TERN_CHECKIN_BYTES;
    fw_reply(fw, &reply);
}

static void answer_request(struct fw *fw, struct fw_arena *arena, const struct rts *r)
{
    uint32_t status = fw_arena_grant(fw, arena, r);
    const struct fw_reply reply = {
        .pass = r->pass,
        .where = where(fw, r),
        .node = (uint16_t)r->origin,
        .to = (uint16_t)(r->by_message ? r->answers : r->epoch),
        .opcode = r->by_message ? TERN_OP_SEND : TERN_OP_CHECKIN,
    };

    if (status != FW_LATER)
        tell_origin(fw, &reply, arena->start, r->epoch, status);
}

/* Answers in the tree; `arena` NULL: this node is no member. */
static void answer_combined(struct fw *fw, struct fw_arena *arena, const struct rts *r)
{
    const struct fw_tree_new wanted = {
        .box = r->box,
        .origin = r->origin,
        .pass = r->pass,
        .epoch = r->epoch,
        .area = r->area,
        .limit = r->limit,
        .lease = r->lease,
        .delivered = r->delivered,
        .is_member = arena != NULL,
    };

    uint32_t status = TERN_ST_OK;

    if (!fw_tree_begin(fw, &wanted))
        return;
    if (arena != NULL)
        status = fw_arena_grant(fw, arena, r);
    if (status != FW_LATER)
        fw_tree_answer(fw, r->pass, r->epoch, status);
}

/* ---- answers of the host */

static uint32_t may_answer(struct fw *fw, const struct fw_arena *arena,
                           const struct fw_arena_answer *answer)
{
    if (arena->state != ARENA_ASKED || arena->asked.question != answer->question)
        return TERN_ST_STALE_EPOCH;
    if (arena->asked.opcode != 0 && !fw_reply_room(fw))
        return TERN_ST_RNR;
    if (answer->refusal != TERN_ST_OK)
        return TERN_ST_OK;
    if (answer->start % TERN_ARENA_ALIGN != 0 || answer->start > arena->bytes ||
        arena->length > arena->bytes - answer->start)
        return TERN_ST_BAD_RANGE;
    return fw_cq_may_promise(fw, arena->cq) ? TERN_ST_OK : TERN_ST_RNR;
}

uint32_t fw_arena_answer(struct fw *fw, uint32_t fn, uint32_t id,
                         const struct fw_arena_answer *answer)
{
    struct fw_arena *arena = arena_at(fw, id);
    uint32_t status = is_of(fw, id, fn) ? may_answer(fw, arena, answer) : TERN_ST_BAD_ARENA;
    const struct fw_reply reply = {
        .pass = arena->pass,
        .where = arena->asked.where,
        .node = arena->origin,
        .to = arena->asked.to,
        .opcode = arena->asked.opcode,
    };

    if (status != TERN_ST_OK)
        return status;
    arena->state = ARENA_OPEN;
    arena->start = answer->start;
    if (answer->refusal == TERN_ST_OK)
        let_in(fw, arena, arena->asked.tag);
    if (reply.opcode == 0)
        fw_tree_answer(fw, arena->pass, arena->epoch, answer->refusal);
    else
        tell_origin(fw, &reply, answer->start, arena->epoch, answer->refusal);
    return TERN_ST_OK;
}

/* Handles a request. Without room for its answer it is dropped; the origin's time limit ends. */
static void take_request(struct fw *fw, struct fw_arena *arena, const struct rts *r)
{
    if (arena != NULL)
        FW_COUNT(fw, requests);
    if (r->length == 0) {
        fw_tree_withdraw(fw, r->pass, r->epoch);
        if (arena != NULL)
            forget(fw, arena, r);
    } else if (r->combined) {
        answer_combined(fw, arena, r);
    } else if (arena != NULL && fw_reply_room(fw)) {
        answer_request(fw, arena, r);
    }
}

void fw_arena_request(struct fw *fw, uint32_t slot)
{
    struct rts r;

    fw_request_read(slot, &r);
    if (TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)) == TERN_INLINE_BYTES_MAX &&
        fw_request_is_sane(fw, &r))
        take_request(fw, fw_arena_find(fw, r.key), &r);
    wr32(TERN_MMIO_RX_FREE, slot);
}

/* ---- arrival */

static void tell_arrived(struct fw *fw, struct fw_arena *arena)
{
    struct done done = {.opcode = TERN_OP_ARRIVED,
                        .queue = arena->cq,
                        .index = number_of(fw, arena),
                        .node = arena->origin,
                        .length = arena->length,
                        .imm = arena->reference,
                        .value = arena->start};

    arena->state = ARENA_OPEN;
    arena->ticks = 0;
    spare_back(arena);
    window_shut(arena);
    fw_cq_complete(fw, arena->cq, &done);
    fw_tree_delivered(fw, arena->pass, arena->epoch);
}

bool fw_arena_arrived(struct fw *fw, uint32_t counter)
{
    for (struct fw_arena *arena = fw->arena; arena < fw->arena + FW_ARENAS; arena++) {
        if (arena->state == ARENA_FREE || arena->counter != counter)
            continue;
        /* The event may be from before the present grant. */
        if (arena->state == ARENA_GRANTED && ctr_get(counter) == 0)
            tell_arrived(fw, arena);
        return true;
    }
    return false;
}

/* Handles a lease that is over: it restarts if bytes have come since. */
static void lease_over(struct fw *fw, struct fw_arena *arena)
{
    uint32_t left = ctr_get(arena->counter);

    if (arena->state == ARENA_GRANTED && left == 0)
        return; /* its event is still to come */
    if (arena->state == ARENA_ASKED || left == arena->seen) {
        revoke(fw, arena);
        return;
    }
    arena->seen = left;
    arena->ticks = arena->lease;
}

bool fw_arenas_tick(struct fw *fw)
{
    bool busy = false;

    for (struct fw_arena *arena = fw->arena; arena < fw->arena + FW_ARENAS; arena++) {
        if ((arena->state != ARENA_GRANTED && arena->state != ARENA_ASKED) || arena->lease == 0)
            continue;
        busy = true;
        if (arena->ticks > 1)
            arena->ticks--;
        else
            lease_over(fw, arena);
    }
    return busy;
}

void fw_arenas_sweep(struct fw *fw)
{
    for (struct fw_arena *arena = fw->arena; arena < fw->arena + FW_ARENAS; arena++) {
        if (arena->state == ARENA_FREE || !fw_fn_sweeping(fw, arena->fn))
            continue;
        if (arena->state == ARENA_GRANTED)
            fw->queue[arena->cq].reserved--;
        set_free(fw, arena);
    }
}
