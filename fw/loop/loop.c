/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop: first pending work, then puts and sleep, then one other event. */
#include "area.h"
#include "clock.h"
#include "cq.h"
#include "descriptors.h"
#include "ends.h"
#include "fn.h"
#include "fw.h"
#include "job.h"
#include "link.h"
#include "log.h"
#include "messages_out.h"
#include "node.h"
#include "op.h"
#include "packets.h"
#include "quick.h"
#include "timer.h"

/* The lean configuration has no room for code that only saves time. */
#ifdef TERN_LEAN
#define SMALL true
#else
#define SMALL false
#endif

static void on_none(struct fw *fw, uint32_t event)
{
    (void)fw;
    (void)event;
}

static void on_dberr(struct fw *fw, uint32_t event)
{
    uint32_t fn = TERN_F(EV, dbfn, event);
    uint32_t queue = TERN_F(EV, queue, event);
    uint32_t status = TERN_F(EV, err, event) ? TERN_ST_BAD_DOORBELL : TERN_ST_BAD_QUEUE;

    if (fn >= fw->id.functions)
        return;
    LOG(DB_ERROR, fn, queue);
    fw_fn_error(fw, fn, queue, status);
}

static void on_link(struct fw *fw, uint32_t event)
{
    uint32_t port = TERN_F(EV, port, event);
    uint32_t up = TERN_F(EV, up, event);

    LOG(LINK, port, up, TERN_F(EV, broke, event));
    fw->links_up = (fw->links_up & ~(1u << port)) | up << port |
                   node_ports_idle(fw->id.node, fw->id.dims);
    if (!up)
        fw_ops_link_down(fw, port);
}

/* Writes to the host only if there is room: it must also run while the write channel is full. */
static void on_hwr(struct fw *fw, uint32_t event)
{
    uint32_t tag = TERN_F(EV, tag, event);
    uint32_t status = TERN_F(EV, hwstatus, event);

    if (!SMALL && status == TERN_ST_OK && tag < FW_RX_SLOTS) { /* most packets */
        fw_recv_ended(fw, tag, status);
        return;
    }
    if (status != TERN_ST_OK)
        LOG(HWR_ERROR, tag, status);
    if (tag < FW_RX_SLOTS)
        fw_recv_ended(fw, tag, status);
    else if (tag >= TAG_PART && tag < TAG_PART + FW_RX_SLOTS)
        fw->rx_failed |= (uint32_t)(status != TERN_ST_OK) << (tag - TAG_PART);
    else if (tag == TAG_JOB || tag == TAG_JOB_LAST)
        fw_job_written(fw, tag, status);
    else if (tag >= TAG_AREA && tag < TAG_AREA + FW_AREAS)
        fw_area_written(fw, tag - TAG_AREA, false, status);
    else if (tag >= TAG_AREA_LAST && tag < TAG_AREA_LAST + FW_AREAS)
        fw_area_written(fw, tag - TAG_AREA_LAST, true, status);
    else if (tag >= TERN_HWTAG_CQ && tag < TERN_HWTAG_CQ + FW_QUEUES)
        fw_cq_failed(fw, tag - TERN_HWTAG_CQ, status);
}

typedef void (*event_handler)(struct fw *fw, uint32_t event);

/* One row for each value of the type field. */
static const event_handler handlers[1 << TERN_EV_type_BITS] = {
    [TERN_EV_NONE] = on_none,
    [TERN_EV_DESC] = fw_on_desc,
    [TERN_EV_RX] = fw_on_rx,
    [TERN_EV_OP] = fw_on_op,
    [TERN_EV_BAR] = fw_on_bar,
    [TERN_EV_DBERR] = on_dberr,
    [TERN_EV_LINK] = on_link,
    [TERN_EV_CTR] = fw_on_counter,
    [TERN_EV_HWR] = on_hwr,
#ifdef TERN_NO_COMBINE
    [TERN_EV_TREE] = on_none,
#else
    [TERN_EV_TREE] = fw_on_tree,
#endif
    [TERN_EV_TREE + 1] = on_none,
    on_none,
    on_none,
    on_none,
    on_none,
    on_none,
};

/* Does pending work, most of which needs the write channel. */
static void work(struct fw *fw)
{
    if (fw->work & (WORK_RX_DONE | WORK_RX_HELD))
        fw_recv_work(fw);
    if (fw->work & WORK_HELD && hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT)) {
        fw->work &= ~(uint32_t)WORK_HELD;
        fw_on_desc(fw, fw->held);
    }
    if (fw->work & WORK_DESCS) {
        fw->work &= ~(uint32_t)WORK_DESCS;
        fw_descs_turn(fw);
    }
    if (fw->work & WORK_JOB && hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT))
        fw_job_step(fw);
    if (fw->work & WORK_AREA)
        fw_areas_work(fw);
    if (fw->work & WORK_FENCE)
        fw_fences_work(fw);
    if (fw->work & WORK_REPLY)
        fw_replies_work(fw);
    if (fw->work & WORK_SWEEP)
        fw_fn_sweep_step(fw);
}

/*
 * Does pending work, then selects the events that can be handled now. Masked events stay in
 * hardware and keep their order.
 */
static void go_on_and_choose_events(struct fw *fw)
{
    uint32_t mask = SYS_EVENTS_ALL;

    if (fw->work != 0)
        work(fw);
    if (fw->work & WORK_HELD)
        mask &= ~SYS_EVENT(TERN_EV_DESC);
    if (fw->work & WORK_RX_HELD)
        mask &= ~SYS_EVENT(TERN_EV_RX);
    if (!hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT))
        mask = SYS_EVENT(TERN_EV_HWR);
    if (mask != fw->mask) {
        fw->mask = mask;
        sys_event_mask(mask);
    }
}

/* Events in a series, after which descriptors get a turn; a power of two. */
#define SERIES 16u

static inline void handle(struct fw *fw, uint32_t event)
{
    if (FW_COUNT(fw, events) % SERIES == 0)
        fw_series_over(fw);
    handlers[TERN_F(EV, type, event) % (1 << TERN_EV_type_BITS)](fw, event);
}

__attribute__((noinline)) static void slow_step(struct fw *fw)
{
    uint32_t event;

    if (timer_due())
        fw_tick(fw);
    go_on_and_choose_events(fw);
    if (fw->work == 0 && fw->mask == SYS_EVENTS_ALL && (SMALL || fw->parked == 0))
        return; /* the next turn takes one quickly; near a fence few suit the quick loop */
    event = sys_event_pop(); /* none: the next turn sleeps */
    if (event != 0)
        handle(fw, event);
}

/* Tells whether there is nothing to do but events. */
static inline bool is_calm(struct fw *fw)
{
    return !timer_due() && fw->work == 0 && fw->mask == SYS_EVENTS_ALL &&
           hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT);
}

/*
 * Takes the next event. First ends messages already written, because many senders, and packets
 * after theirs, may wait for this.
 */
static inline uint32_t next_event(struct fw *fw)
{
    if (fw->work == WORK_RX_DONE)
        fw_recv_work(fw);
    return is_calm(fw) ? sys_event_pop() : 0;
}

void fw_step(struct fw *fw)
{
    uint32_t event;

    if (!is_calm(fw)) {
        slow_step(fw);
        return;
    }
    /*
     * Other events than puts often come in series; after a series the next turn does puts and
     * sleeps.
     */
    for (event = fw_puts(fw); event != 0; event = next_event(fw))
        handle(fw, event);
}
