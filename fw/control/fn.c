/* SPDX-License-Identifier: Apache-2.0 */
#include "fn.h"

#include "area.h"
#include "arena.h"
#include "check.h"
#include "combine.h"
#include "counter.h"
#include "fnreg.h"
#include "key.h"
#include "log.h"
#include "op.h"
#include "queue.h"
#include "random.h"
#include "region.h"
#include "send.h"
#include "clock.h"

enum { FN_CTRL_ENABLE = 1, FN_CTRL_RESET = 2 };

#define ADMIN_RIGHTS (TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE)
/* Ticks after which a write that passed its key check has left the chip. */
#define GRACE_TICKS 2
#define SWEEP_QUEUES_PER_STEP 32u

/* The parameters that the host wrote before FN_CTRL. */
struct admin_memory {
    uint64_t base;
    uint8_t log2_ring, log2_cq;
    uint16_t vector;
};

/* Returns the size of the ring, which the completion queue follows in memory. */
static uint32_t ring_bytes(const struct admin_memory *m)
{
    return check_ring_bytes(TERN_QTYPE_SQ, m->log2_ring, 0);
}

static uint32_t all_bytes(const struct admin_memory *m)
{
    return ring_bytes(m) + check_ring_bytes(TERN_QTYPE_CQ, m->log2_cq, 0);
}

static void show(const struct fw *fw, uint32_t number, uint32_t status)
{
    const struct fw_fn *fn = &fw->fn[number];

    fnreg_write(number, TERN_REG_FN_STATUS,
                fn->state | status << 8 | (uint32_t)fn->resets << 16);
}

static uint32_t read_admin_memory(uint32_t fn, struct admin_memory *m)
{
    uint32_t size = fnreg_read(fn, TERN_REG_AQ_SIZE);
    uint32_t status;

    m->base = (uint64_t)fnreg_read(fn, TERN_REG_AQ_BASE_HI) << 32 |
              fnreg_read(fn, TERN_REG_AQ_BASE_LO);
    m->log2_ring = (uint8_t)size;
    m->log2_cq = (uint8_t)(size >> 8);
    m->vector = (uint16_t)(size >> 16);
    if (fnreg_read(fn, TERN_REG_ABI_WANTED) >> 16 != (uint32_t)TERN_ABI_VERSION >> 16)
        return TERN_ST_ABI_MISMATCH;
    status = check_queue_shape(TERN_QTYPE_SQ, m->log2_ring, 0, m->base);
    if (status == TERN_ST_OK)
        status = check_queue_shape(TERN_QTYPE_CQ, m->log2_cq, 0, m->base);
    if (status != TERN_ST_OK)
        return status;
    return check_region_shape(m->base, all_bytes(m), ADMIN_RIGHTS);
}

static void open_admin_queues(struct fw *fw, uint32_t fn, const struct admin_memory *m,
                              uint32_t key)
{
    uint32_t cq = fw->id.functions + fn;
    struct fw_queue_new wanted = {
        .base = m->base + ring_bytes(m),
        .key = key,
        .type = TERN_QTYPE_CQ,
        .fn = (uint8_t)fn,
        .log2_entries = m->log2_cq,
        .cq_or_vector = m->vector,
    };

    fw_queue_open(fw, cq, &wanted);
    wanted.base = m->base;
    wanted.type = TERN_QTYPE_SQ;
    wanted.flags = QUEUE_ADMIN;
    wanted.log2_entries = m->log2_ring;
    wanted.cq_or_vector = (uint16_t)cq;
    fw_queue_open(fw, fn, &wanted);
    fnreg_write(fn, TERN_REG_AQ_QUEUE, fn | cq << 16);
}

static uint32_t enable(struct fw *fw, uint32_t fn)
{
    struct admin_memory m;
    uint32_t status = read_admin_memory(fn, &m);
    uint32_t key;

    if (status != TERN_ST_OK)
        return status;
    key = fw_region_add(fw, fn, m.base, all_bytes(&m), ADMIN_RIGHTS, TERN_COUNTER_NONE,
                        TERN_KEY_NONE);
    if (key == TERN_KEY_NONE)
        return TERN_ST_NO_RESOURCE;
    fw->fn[fn].admin_region = (uint16_t)KEY_INDEX(key);
    open_admin_queues(fw, fn, &m, key);
    return TERN_ST_OK;
}

static void on_enable(struct fw *fw, uint32_t number)
{
    struct fw_fn *fn = &fw->fn[number];
    uint32_t status = TERN_ST_QUEUE_BUSY;

    if (fn->state == TERN_FNSTATE_OFF || fn->state == TERN_FNSTATE_ERROR) {
        status = enable(fw, number);
        fn->state = status == TERN_ST_OK ? TERN_FNSTATE_READY : TERN_FNSTATE_ERROR;
    }
    LOG(FN_ENABLE, number, status);
    show(fw, number, status);
}

void fw_fn_sweep_start(struct fw *fw, uint32_t number, enum fw_sweep sweep)
{
    struct fw_fn *fn = &fw->fn[number];

    if (!fw_fn_sweeping(fw, number))
        fw->resetting++;
    fn->sweep = (uint8_t)sweep;
    fn->clean = 0; /* the current pass has missed some objects */
    fn->grace = GRACE_TICKS;
    fw->work |= WORK_SWEEP;
    fw_tick_hurry(fw);
}

void fw_on_bar(struct fw *fw, uint32_t event)
{
    uint32_t fn = TERN_F(EV, fn, event);
    uint32_t wanted = TERN_F(EV, value, event);

    if (fn >= fw->id.functions)
        return;
    random_stir(&fw->random, sys_time());
    if (wanted == FN_CTRL_ENABLE) {
        on_enable(fw, fn);
    } else if (wanted == FN_CTRL_RESET) {
        fw->fn[fn].state = TERN_FNSTATE_RESETTING;
        show(fw, fn, TERN_ST_OK);
        fw_fn_sweep_start(fw, fn, SWEEP_ALL);
    }
}

static bool is_admin_queue(const struct fw *fw, uint32_t queue)
{
    return queue < fw->first_queue;
}

static void sweep_queue(struct fw *fw, uint32_t number)
{
    struct fw_queue *q = &fw->queue[number];
    struct fw_fn *fn = &fw->fn[q->fn];

    if (q->type == TERN_QTYPE_NONE)
        return;
    if (fn->sweep != SWEEP_ALL &&
        (fn->sweep != SWEEP_KEEP_ADMIN || is_admin_queue(fw, number)))
        return;
    fn->clean = 0;
    (void)fw_queue_retire(fw, number);
}

static void fn_end(struct fw *fw, uint32_t number)
{
    struct fw_fn *fn = &fw->fn[number];

    fw->resetting--;
    if (fn->sweep == SWEEP_KEEP_ADMIN) {
        fn->sweep = SWEEP_DONE;
        return;
    }
    fn->sweep = SWEEP_NONE;
    fn->state = TERN_FNSTATE_OFF;
    fn->errors = 0;
    fn->admin_region = 0;
    fn->resets++;
    LOG(FN_RESET, number);
    fnreg_write(number, TERN_REG_AQ_QUEUE, 0);
    fnreg_write(number, TERN_REG_FN_ERROR, 0);
    show(fw, number, TERN_ST_OK);
}

/* Ends a pass: a function of which it met no object is down. */
static void pass_end(struct fw *fw)
{
    for (uint32_t n = 0; n < fw->id.functions; n++) {
        struct fw_fn *fn = &fw->fn[n];

        if (!fw_fn_sweeping(fw, n))
            continue;
        if (fn->clean && fn->grace == 0 && !(fw->job.active && fw->job.to.fn == n))
            fn_end(fw, n);
        else
            fn->clean = 1;
    }
    fw->sweep_position = 0;
    if (fw->resetting == 0)
        fw->work &= ~(uint32_t)WORK_SWEEP;
}

/*
 * Does one step of a pass. First queues, some per step, from the highest number down, since most
 * completion queues have lower numbers than their users. Then operations and messages; regions, one
 * used word of the bitmap per step; counters.
 */
void fw_fn_sweep_step(struct fw *fw)
{
    uint32_t queue_steps = fw->id.queues / SWEEP_QUEUES_PER_STEP;
    uint32_t region_words = fw->id.regions / 32u;
    uint32_t at = fw->sweep_position++;

    if (at < queue_steps) {
        uint32_t end = fw->id.queues - at * SWEEP_QUEUES_PER_STEP;

        for (uint32_t i = 1; i <= SWEEP_QUEUES_PER_STEP; i++)
            sweep_queue(fw, end - i);
    } else if (at == queue_steps) {
        fw_ops_sweep(fw);
#ifndef TERN_NO_COMBINE
        fw_combines_sweep(fw);
#endif
        fw_sends_sweep(fw);
    } else if (at <= queue_steps + region_words) {
        fw->sweep_position = queue_steps + 1 + fw_regions_sweep(fw, at - queue_steps - 1);
    } else {
        fw_counters_sweep(fw);
        fw_areas_sweep(fw);
        fw_arenas_sweep(fw);
        pass_end(fw);
    }
}

void fw_fns_init(struct fw *fw)
{
    for (uint32_t n = 0; n < fw->id.functions; n++) {
        uint32_t before = fnreg_read(n, TERN_REG_FN_STATUS);

        if (fw->id.reset_cause != 0)
            fw->fn[n].resets = (uint16_t)((before >> 16) + 1);
        fnreg_write(n, TERN_REG_AQ_QUEUE, 0);
        fnreg_write(n, TERN_REG_FN_ERROR, 0);
        show(fw, n, TERN_ST_OK);
    }
}
