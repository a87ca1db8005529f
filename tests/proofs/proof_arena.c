/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An arena (fw/handshake/arena.c), from any state. Assigned room lies in the arena, is as large as
 * the bytes to be written, and overlaps no arrived and unread bytes; freeing restores the state.
 */
#include "arena.c"
#include "proof.h"

static struct fw fw;
struct fw_arena nondet_arena(void);
struct fw_queue nondet_queue(void);
struct rts nondet_request(void);
struct fw_arena_answer nondet_answer(void);
static struct fw_arena *arena;
enum { ARENA_BYTES = 8 * TERN_ARENA_ALIGN, ID = 1, CQ = 7 }; /* fixed without loss of generality */
static bool done; /* a completion was written */

/* ---- the environment */

uint32_t rd32(uint32_t offset)
{
    (void)offset;
    return nondet_u32();
}

void wr32(uint32_t offset, uint32_t value)
{
    (void)offset;
    (void)value;
}

/* An open write window lies in the arena. */
void key_entry_write(uint32_t index, const uint32_t rgn[TERN_MMIO_RG_WORD_COUNT])
{
    uint64_t at = TERN_GET(RGN, base, rgn) - arena->base, bytes = TERN_GET(RGN, length, rgn);

    (void)index;
    if (TERN_GET(RGN, rights, rgn) == 0)
        return;
    PROVE(at <= arena->bytes && bytes <= arena->bytes - at, "a window lies in its arena");
    PROVE(at == arena->start && bytes == arena->length, "and is what was announced");
}

bool fw_cq_refill(struct fw *f, uint32_t cq)
{
    f->queue[cq].room = nondet_u16();
    return f->queue[cq].room != 0;
}

bool fw_cq_may_promise(struct fw *f, uint32_t cq)
{
    return nondet_bool() && fw_cq_refill(f, cq);
}

void fw_cq_write(struct fw *f, uint32_t cq, const struct done *what)
{
    (void)f;
    PROVE(cq == arena->cq && what->value <= UINT32_MAX, "its own queue is told");
    done = true;
}

void fw_cq_complete(struct fw *f, uint32_t cq, const struct done *what)
{
    f->queue[cq].reserved--;
    fw_cq_write(f, cq, what);
}

void fw_cq_tell(struct fw *f, uint32_t cq, const struct done *what)
{
    f->queue[cq].room--;
    fw_cq_write(f, cq, what);
}

void fw_tick_hurry(struct fw *f)
{
    (void)f;
}

uint32_t fw_ticks(const struct fw *f, uint32_t cycles)
{
    (void)f;
    return cycles == 0 ? 0 : nondet_u32();
}

void fw_tree_delivered(struct fw *f, uint32_t pass, uint32_t epoch)
{
    (void)f;
    (void)pass;
    (void)epoch;
}

/* ---- the invariant */

/* Returns the offset of the byte `n` bytes after the oldest one in use. */
static uint32_t byte_in_use(uint32_t n)
{
    uint32_t at = arena->tail + n;

    return at >= arena->bytes ? at - arena->bytes : at;
}

static bool granted_holds(void)
{
    uint32_t skipped = arena->start == arena->before ? 0 : arena->bytes - arena->before;
    uint32_t end = arena->start + kept(arena);

    return arena->length <= arena->bytes && kept(arena) >= arena->length &&
        kept(arena) <= arena->bytes &&
           arena->length != 0 && arena->start % TERN_ARENA_ALIGN == 0 &&
           arena->start <= arena->bytes - kept(arena) &&
           (arena->start == arena->before || arena->start == 0) &&
           arena->before < arena->bytes && arena->before % TERN_ARENA_ALIGN == 0 &&
           arena->taken == kept(arena) + skipped &&
           arena->taken <= arena->used && arena->head == (end == arena->bytes ? 0 : end) &&
           byte_in_use(arena->used - arena->taken) == arena->before;
}

static bool ring_holds(void)
{
    return arena->used <= arena->bytes && arena->head < arena->bytes &&
        arena->tail < arena->bytes &&
           arena->head % TERN_ARENA_ALIGN == 0 && byte_in_use(arena->used) == arena->head &&
           (arena->state != ARENA_GRANTED || granted_holds());
}

static bool asking_holds(void)
{
    return arena->state != ARENA_GRANTED ||
           (arena->start <= arena->bytes && arena->length <= arena->bytes - arena->start);
}

static bool holds(void)
{
    bool shape = arena->bytes != 0 && arena->bytes <= ARENA_BYTES &&
        arena->bytes % TERN_ARENA_ALIGN == 0 &&
                 arena->state != ARENA_FREE && arena->state <= ARENA_GRANTED;

    if (arena->asks)
        return shape && arena->spare == 0 && asking_holds();
    return shape && arena->state != ARENA_ASKED && ring_holds();
}

/* ---- steps */

/* Byte number `witness` of those in use has arrived data; `at` is its offset. */
static uint32_t witness, at;

static bool has_arrived(void)
{
    return !arena->asks &&
           witness < arena->used - (arena->state == ARENA_GRANTED ? arena->taken : 0);
}

static void grant_step(void)
{
    struct rts r = nondet_request();
    bool arrived = has_arrived();
    uint32_t status, needs;

    ASSUME(r.length != 0 && r.room <= fw.id.payload_max);
    needs = r.room > r.length ? r.room : r.length;
    status = fw_arena_grant(&fw, arena, &r);
    PROVE(status == TERN_ST_OK || status == FW_LATER || status == TERN_ST_STALE_EPOCH ||
              status == TERN_ST_ARENA_BUSY || status == TERN_ST_BAD_LENGTH ||
              status == TERN_ST_BAD_TYPE || status == TERN_ST_RNR || status == TERN_ST_ARENA_FULL,
          "a documented status");
    PROVE(status != FW_LATER || (arena->asks && r.room == 0),
          "what is stored there does not wait for the host");
    if (status != TERN_ST_OK)
        return;
    PROVE(arena->state == ARENA_GRANTED && arena->length == r.length,
          "what is granted was announced");
    PROVE(arena->start <= arena->bytes && needs <= arena->bytes - arena->start,
          "room that is given lies in the arena");
    if (r.room > r.length)
        PROVE(!arena->asks && needs <= kept(arena), "all that is stored there has room");
    if (arrived)
        PROVE(at - arena->start >= needs, "no byte that has arrived is given away");
    if (arena->start == 0 && arrived && arena->before != 0)
        REACHED("room at the beginning, behind a skipped end");
    if (r.room > r.length)
        REACHED("more room than there are bytes");
}

static void give_step(void)
{
    uint32_t end = nondet_u32();
    uint32_t before = arena->used, head = arena->head, granted = arena->state == ARENA_GRANTED;
    uint32_t status = fw_arena_give(&fw, arena->fn, ID, end);

    PROVE(status == TERN_ST_OK || status == TERN_ST_BAD_RANGE, "a documented status");
    if (status != TERN_ST_OK || arena->asks)
        return;
    PROVE(arena->used < before && arena->head == head, "what was read is free");
    if (granted)
        PROVE(arena->used >= arena->taken, "what is on its way keeps its room");
    if (before == arena->bytes && arena->used == 0)
        REACHED("all is given back");
}

/* An arbitrary answer of the host. */
static void answer_step(void)
{
    struct fw_arena_answer said = nondet_answer();
    uint32_t status = fw_arena_answer(&fw, arena->fn, ID, &said);

    if (status == TERN_ST_OK && arena->state == ARENA_GRANTED)
        REACHED("the host says where");
}

static void arrived_step(void)
{
    uint32_t used = arena->used;

    ASSUME(arena->state == ARENA_GRANTED);
    tell_arrived(&fw, arena);
    PROVE(done && arena->state == ARENA_OPEN, "an arrival is told");
    if (!arena->asks)
        PROVE(arena->used <= used && used - arena->used < TERN_DESC_BYTES * 1024u,
              "what only the request needed is free");
}

static void revoke_step(void)
{
    uint32_t used = arena->used, taken = arena->taken;
    bool granted = arena->state == ARENA_GRANTED;

    revoke(&fw, arena);
    PROVE(arena->state == ARENA_OPEN, "it is open again");
    if (granted && !arena->asks)
        PROVE(arena->used == used - taken && arena->head == arena->before,
              "its room is free again");
}

void fw_tree_answer(struct fw *f, uint32_t pass, uint32_t epoch, uint32_t status)
{
    (void)f;
    (void)pass;
    (void)epoch;
    (void)status;
}

bool fw_reply_room(const struct fw *f)
{
    (void)f;
    return nondet_bool();
}

void fw_reply(struct fw *f, const struct fw_reply *reply)
{
    (void)f;
    (void)reply;
}

uint32_t box_rank(struct box box, uint32_t node, uint32_t dims)
{
    (void)box;
    (void)node;
    (void)dims;
    return nondet_u32();
}

void proof(void)
{
    arena = &fw.arena[ID];
    *arena = nondet_arena();
    arena->cq = CQ;
    fw.queue[CQ] = nondet_queue();
    fw.tick_fast = nondet_bool();
    fw.tick_cycles = 1 + any_up_to(UINT16_MAX);
    fw.id.payload_max = (uint16_t)any_up_to(4096);
    ASSUME(holds());
    witness = nondet_u32();
    at = arena->asks || witness >= arena->used ? 0 : byte_in_use(witness);
    switch (nondet_u8()) {
    case 0:
        grant_step();
        break;
    case 1:
        give_step();
        break;
    case 2:
        answer_step();
        break;
    case 3:
        arrived_step();
        break;
    default:
        revoke_step();
    }
    PROVE(holds(), "the arena stays good");
}
