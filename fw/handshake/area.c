/* SPDX-License-Identifier: Apache-2.0 */
#include "area.h"

#include "checkin.h"
#include "clock.h"
#include "cq.h"
#include "desc.h"
#include "epoch.h"
#include "messages_in.h"
#include "queue.h"

/*
 * `cq` of an area without a completion, `waiter` of one that no queue waits for. Queue 0 is an
 * admin ring, so 0 is free for this.
 */
#define NOBODY 0u

static struct fw_area *area_at(struct fw *fw, uint32_t id)
{
    return &fw->area[id % FW_AREAS];
}

static bool exists(const struct fw *fw, uint32_t id)
{
    return id < FW_AREAS && fw->area[id].state != AREA_FREE;
}

static bool is_of(const struct fw *fw, uint32_t id, uint32_t fn)
{
    return exists(fw, id) && fw->area[id].fn == fn;
}

static void reserve(struct fw *fw, struct fw_area *area, uint32_t cq)
{
    area->cq = (uint16_t)cq;
    if (cq == NOBODY)
        return;
    fw_cq_reserve(&fw->queue[cq]);
    fw->queue[cq].users++;
}

static void give_back(struct fw *fw, struct fw_area *area)
{
    struct fw_queue *cq = &fw->queue[area->cq];

    if (area->cq == NOBODY)
        return;
    cq->reserved--; /* the next count of the queue's room includes it */
    cq->users--;
    area->cq = NOBODY;
}

/* Makes `cq` receive the area's completion; a completion entry already reserved there stays. */
static uint32_t tell(struct fw *fw, struct fw_area *area, uint32_t cq)
{
    if (cq == area->cq)
        return TERN_ST_OK;
    if (cq != NOBODY && !fw_cq_may_promise(fw, cq))
        return TERN_ST_NO_RESOURCE;
    give_back(fw, area);
    reserve(fw, area, cq);
    return TERN_ST_OK;
}

static void wake(struct fw *fw, struct fw_area *area)
{
    if (area->waiter == NOBODY)
        return;
    area->waiter = NOBODY;
    (void)fw_queues_tick(fw);
}

/* Arms the area for `epoch`, with all slots empty. */
static void arm(struct fw *fw, struct fw_area *area, uint32_t epoch, uint32_t expected)
{
    area->epoch = (uint16_t)epoch;
    area->missing = (uint16_t)expected;
    area->state = AREA_ARMED;
    area->status = TERN_ST_OK;
    area->refused = NOBODY;
    area->members = area->counted = 0;
    area->ticks = area->limit;
    for (uint32_t i = 0; 32 * i < area->slots; i++)
        area->seen[i] = 0;
    fw->watched |= WATCH_AREAS;
    wake(fw, area);
    if (area->ticks != 0)
        fw_tick_hurry(fw);
}

uint32_t fw_area_arm(struct fw *fw, uint32_t fn, uint32_t id, const struct fw_area_new *wanted)
{
    struct fw_area *area = area_at(fw, id);

    if (id >= FW_AREAS || (exists(fw, id) && area->fn != fn))
        return TERN_ST_BAD_AREA;
    if (wanted->slots == 0 || wanted->slots > FW_AREA_SLOTS || wanted->expected > wanted->slots)
        return TERN_ST_BAD_SIZE;
    if (tell(fw, area, wanted->cq) != TERN_ST_OK)
        return TERN_ST_NO_RESOURCE;
    area->values = wanted->values;
    area->values_key = wanted->values_key;
    area->pass = wanted->pass;
    area->slots = (uint16_t)wanted->slots;
    area->fn = (uint8_t)fn;
    area->limit = fw_ticks(fw, wanted->limit);
    arm(fw, area, wanted->epoch, wanted->expected != 0 ? wanted->expected : wanted->slots);
    return TERN_ST_OK;
}

uint32_t fw_area_may_arm(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t epoch,
                         uint32_t slots)
{
    if (!is_of(fw, id, fn))
        return TERN_ST_BAD_AREA;
    if (epoch_ahead(epoch, fw->area[id].epoch) <= 0)
        return TERN_ST_STALE_EPOCH;
    return slots <= fw->area[id].slots ? TERN_ST_OK : TERN_ST_BAD_SIZE;
}

void fw_area_arm_again(struct fw *fw, uint32_t id, uint32_t epoch, uint32_t expected)
{
    arm(fw, area_at(fw, id), epoch, expected);
    if (expected == 0)
        fw->work |= WORK_AREA;
}

void fw_area_count(struct fw *fw, uint32_t id, uint32_t members)
{
    area_at(fw, id)->members = (uint16_t)members;
}

void fw_area_unhurried(struct fw *fw, uint32_t id)
{
    area_at(fw, id)->ticks = 0;
}

void fw_area_skip(struct fw *fw, uint32_t id, uint32_t place)
{
    area_at(fw, id)->seen[place / 32 % (FW_AREA_SLOTS / 32)] |= 1u << place % 32;
}

void fw_area_fail(struct fw *fw, uint32_t id, uint32_t epoch, uint32_t status)
{
    struct fw_area *area = area_at(fw, id);

    arm(fw, area, epoch, 0);
    area->status = (uint8_t)status;
    area->state = AREA_ENDED;
    area->ticks = 0;
}

static bool waits_for(const struct fw_area *area, uint32_t epoch)
{
    return area->state == AREA_ARMED && area->epoch == epoch && area->missing != 0;
}

bool fw_area_waits(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t epoch)
{
    return is_of(fw, id, fn) && waits_for(&fw->area[id], epoch);
}

void fw_area_end(struct fw *fw, uint32_t id, uint32_t epoch, uint32_t status)
{
    struct fw_area *area = area_at(fw, id);

    if (!waits_for(area, epoch))
        return;
    area->status = (uint8_t)status;
    area->missing = 0;
    fw->work |= WORK_AREA;
}

void fw_area_end_now(struct fw *fw, uint32_t fn, uint32_t id, uint32_t status)
{
    if (area_at(fw, id)->fn == fn)
        fw_area_end(fw, id, area_at(fw, id)->epoch, status);
}

static uint32_t first_missing(const struct fw_area *area)
{
    uint32_t slot = 0;

    while (slot < area->slots && (area->seen[slot / 32] >> slot % 32) & 1)
        slot++;
    return slot;
}

/* Returns the slot that refused, or the first empty one. */
static uint32_t place_to_name(const struct fw_area *area)
{
    return area->refused != NOBODY ? area->refused - 1u : first_missing(area);
}

uint32_t fw_area_look(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t *missing,
                      uint32_t *first)
{
    if (!is_of(fw, id, fn))
        return TERN_ST_BAD_AREA;
    *missing = fw->area[id].missing;
    *first = first_missing(&fw->area[id]);
    return TERN_ST_OK;
}

/* Ends an area that is complete or failed: writes its completion, and wakes the waiting queue. */
static void conclude(struct fw *fw, struct fw_area *area)
{
    struct done done = {.status = area->status,
                        .opcode = TERN_OP_AREA,
                        .queue = area->cq,
                        .index = (uint32_t)(area - fw->area),
                        .node = fw->id.node,
                        .length = area->missing,
                        .imm = area->epoch,
                        .value = place_to_name(area)};
    uint32_t cq = area->cq;

    area->state = AREA_ENDED;
    area->ticks = 0;
    if (cq != NOBODY) {
        area->cq = NOBODY;
        fw->queue[cq].users--;
        fw_cq_complete(fw, cq, &done);
    }
    wake(fw, area);
}

/* ---- check-ins ---- */

static uint32_t admit(const struct fw *fw, const struct checkin *c)
{
    const struct fw_area *area = &fw->area[c->area % FW_AREAS];
    uint32_t status;

    if (!exists(fw, c->area))
        return TERN_ST_BAD_AREA;
    if (c->pass != area->pass)
        return TERN_ST_BAD_KEY;
    status = epoch_status(c->epoch, area->epoch);
    if (status != TERN_ST_OK)
        return status;
    return c->place < area->slots ? TERN_ST_OK : TERN_ST_BAD_RANGE;
}

/*
 * Tells whether all have checked in and their values are written to host memory, or were refused.
 */
static bool is_complete(const struct fw_area *area)
{
    return area->state == AREA_ARMED && area->missing == 0 && area->writing == 0;
}

static void keep_value(struct fw *fw, uint32_t slot, struct fw_area *area, uint32_t place)
{
    const struct hwr_place to = {
        .addr = area->values + TERN_CHECKIN_BYTES * place, .key = area->values_key, .fn = area->fn};
    uint32_t value[TERN_CHECKIN_BYTES / 4];

    for (unsigned i = 0; i < TERN_CHECKIN_BYTES / 4; i++)
        value[i] = rx_payload(slot, i);
    area->writing = area->missing == 0;
    hwr_data(&fw->hwr, &to, value, TERN_CHECKIN_BYTES,
             (area->writing ? TAG_AREA_LAST : TAG_AREA) + (uint32_t)(area - fw->area),
             area->writing);
}

/*
 * Handles the end of a write.  Writes end in order, so the end of the last value is the end of all;
 * earlier writes report only failures.  A failure of an epoch that has ended counts for the next.
 */
void fw_area_written(struct fw *fw, uint32_t id, bool last, uint32_t status)
{
    struct fw_area *area = area_at(fw, id);

    if (last)
        area->writing = 0;
    if (status != TERN_ST_OK)
        area->status = (uint8_t)status;
    if (is_complete(area))
        fw->work |= WORK_AREA;
}

void fw_areas_work(struct fw *fw)
{
    for (uint32_t id = 0; id < FW_AREAS; id++) {
        if (!is_complete(&fw->area[id]))
            continue;
        if (!hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT))
            return;
        conclude(fw, &fw->area[id]);
    }
    fw->work &= ~(uint32_t)WORK_AREA;
}

/* Adds up the reported members; too few after the last check-in: a node is not a member. */
static void count_members(struct fw_area *area, uint32_t slot, uint32_t bytes, uint32_t refusal)
{
    if (area->members == 0)
        return;
    if (bytes != 0 && refusal == 0)
        area->counted += (uint16_t)TERN_F(ANS, base, rx_payload(slot, TERN_ANS_base_WORD));
    if (area->missing == 0 && area->counted < area->members && area->status == TERN_ST_OK)
        area->status = TERN_ST_BAD_KEY;
}

uint32_t fw_area_checkin(struct fw *fw, uint32_t slot)
{
    uint32_t bytes = TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD));
    struct checkin c;
    struct fw_area *area;
    uint32_t status, *seen;

    fw_checkin_read(slot, &c);
    status = admit(fw, &c);
    if (status != TERN_ST_OK)
        return status;
    if (bytes != 0 && bytes != TERN_CHECKIN_BYTES)
        return TERN_ST_BAD_LENGTH;
    area = area_at(fw, c.area);
    seen = &area->seen[c.place / 32];
    if ((*seen >> c.place % 32) & 1)
        return TERN_ST_OK;
    *seen |= 1u << c.place % 32;
    if (area->missing != 0) /* more nodes than expected may check in */
        area->missing--;
    count_members(area, slot, bytes, c.refusal);
    if (c.refusal != 0 && area->refused == NOBODY) {
        area->refused = (uint16_t)(c.place + 1);
        area->status = (uint8_t)c.refusal;
    }
    if (bytes != 0 && area->values_key != TERN_KEY_NONE)
        keep_value(fw, slot, area, c.place);
    else if (is_complete(area))
        conclude(fw, area);
    return TERN_ST_OK;
}

/* ---- waiting queues ---- */

/* Returns OK, the status with which the area failed, FW_STALL to wait, or BAD_AREA. */
static uint32_t wait_status(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t epoch)
{
    const struct fw_area *area = &fw->area[id % FW_AREAS];
    int32_t before;

    if (!is_of(fw, id, fn))
        return TERN_ST_BAD_AREA;
    before = epoch_ahead(area->epoch, epoch);
    if (before != 0)
        return before > 0 ? TERN_ST_OK : FW_STALL;
    return area->state == AREA_ENDED ? area->status : FW_STALL;
}

/* Ends a wait with `status`; with GUARDED_ALL the queue stops for good. */
static void fail_wait(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status)
{
    uint32_t at = fw_desc_words(event), queue = TERN_F(EV, queue, event);
    uint32_t id = TERN_F(CHK, area, rd32(at + 4 * TERN_CHK_area_WORD));
    uint32_t guarded = TERN_F(CHK, guarded, rd32(at + 4 * TERN_CHK_guarded_WORD));

    fw_desc_refuse(fw, q, event, status,
                   status == TERN_ST_BAD_AREA ? 0 : place_to_name(area_at(fw, id)));
    if (guarded == TERN_GUARDED_ALL)
        fw_queue_break(fw, queue, QUEUE_BROKEN);
}

/* Tells whether a wait for the epoch has a time limit. */
static bool will_end(const struct fw_area *area, uint32_t epoch)
{
    return area->epoch == epoch && area->limit != 0;
}

static void begin_to_wait(struct fw *fw, struct fw_area *area, uint32_t queue)
{
    if (area->waiter == NOBODY)
        area->waiter = (uint16_t)queue;
    if (area->ticks == 0 && area->state == AREA_ARMED) {
        area->ticks = area->limit;
        fw->watched |= WATCH_AREAS;
        if (area->ticks != 0)
            fw_tick_hurry(fw);
    }
}

void fw_wait(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t at = fw_desc_words(event), queue = TERN_F(EV, queue, event);
    uint32_t id = TERN_F(CHK, area, rd32(at + 4 * TERN_CHK_area_WORD));
    uint32_t epoch = TERN_F(CHK, epoch, rd32(at + 4 * TERN_CHK_epoch_WORD));
    uint32_t status = wait_status(fw, q->fn, id, epoch);

    if (status == TERN_ST_OK) {
        fw_desc_finish(fw, q, event);
        return;
    }
    if (status == FW_STALL && TERN_F(DESC, strict, rd32(at)) && !will_end(area_at(fw, id), epoch))
        status = TERN_ST_CHAIN_TOO_LONG;
    if (status != FW_STALL) {
        fail_wait(fw, q, event, status);
        return;
    }
    begin_to_wait(fw, area_at(fw, id), queue);
    fw_desc_not_started(fw, q, event, status);
}

bool fw_areas_tick(struct fw *fw)
{
    bool busy = false;

    for (uint32_t id = 0; id < FW_AREAS; id++) {
        struct fw_area *area = &fw->area[id];

        if (area->state != AREA_ARMED || area->ticks == 0 || area->missing == 0)
            continue;
        busy = true;
        if (area->ticks > 1) {
            area->ticks--;
        } else if (hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT)) {
            area->status = TERN_ST_TIMEOUT;
            conclude(fw, area);
        }
    }
    return busy;
}

void fw_areas_sweep(struct fw *fw)
{
    for (uint32_t id = 0; id < FW_AREAS; id++) {
        struct fw_area *area = &fw->area[id];

        if (area->state == AREA_FREE || !fw_fn_sweeping(fw, area->fn))
            continue;
        give_back(fw, area);
        area->waiter = NOBODY;
        area->state = AREA_FREE;
    }
}
