/* SPDX-License-Identifier: Apache-2.0 */
#include "admin.h"

#include "area.h"
#include "arena.h"
#include "check.h"
#include "counter.h"
#include "cq.h"
#include "ctr.h"
#include "desc.h"
#include "fn.h"
#include "job.h"
#include "key.h"
#include "log.h"
#include "pair.h"
#include "queue.h"
#include "region.h"
#include "sample.h"
#include "slots.h"

#define ADMIN_WORDS 12

struct admin {
    uint32_t w[ADMIN_WORDS];
    uint32_t queue, index, opcode;
    uint32_t fn;
    uint32_t result;
    uint64_t value;
};

/* Returns a status code, FW_STALL to be called again, or FW_LATER. */
typedef uint32_t (*admin_handler)(struct fw *fw, struct admin *a);

#define ADM(name, a) ((uint32_t)TERN_GET(ADM, name, (a)->w))

static uint32_t answer(struct fw *fw, struct admin *a)
{
    struct hwr_place to = {
        .addr = TERN_GET(ADM, addr, a->w), .key = ADM(key, a), .fn = a->fn};

    if (a->opcode == TERN_ADMIN_LOG && a->fn != 0)
        return TERN_ST_DENIED;
    if (fw->job.active)
        return FW_STALL;
    fw_job_start(fw, a->opcode, a->queue, a->index, ADM(length, a), &to);
    return FW_LATER;
}

/* Checks a queue that a new object is to use: it must be of `type`. */
static uint32_t check_queue(const struct fw *fw, uint32_t fn, uint32_t number, uint32_t type)
{
    const struct fw_queue *q = &fw->queue[number % FW_QUEUES];

    if (number >= fw->id.queues || q->type == TERN_QTYPE_NONE)
        return TERN_ST_BAD_QUEUE;
    if (q->fn != fn)
        return TERN_ST_NOT_OWNER;
    if (q->type != type)
        return TERN_ST_BAD_TYPE;
    return q->flags & (QUEUE_CLOSING | QUEUE_DYING) ? TERN_ST_BAD_QUEUE : TERN_ST_OK;
}

/* Checks the completion queue that a new queue or a counter names. */
static uint32_t check_cq(const struct fw *fw, uint32_t fn, uint32_t number)
{
    return check_queue(fw, fn, number, TERN_QTYPE_CQ);
}

/* Returns the rights that a ring needs. An injection FIFO is also written, by remote gets. */
static unsigned rights_of_ring(const struct fw_queue_new *q)
{
    if (q->type != TERN_QTYPE_SQ)
        return TERN_RIGHT_LOCAL_WRITE;
    return q->flags & QUEUE_REMOTE ? TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE
                                   : TERN_RIGHT_LOCAL_READ;
}

static uint32_t check_ring(const struct fw *fw, uint32_t fn, const struct fw_queue_new *q)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
    uint32_t bytes = check_ring_bytes(q->type, q->log2_entries, q->log2_bytes);
    uint32_t status = fw_region_find(fw, fn, q->key, rgn);

    return status != TERN_ST_OK ? status : check_region_use(rgn, q->base, bytes, rights_of_ring(q));
}

_Static_assert((int)PAIR_KIND == (1 << TERN_ADM_kind_BITS) - 1 &&
                   (int)PAIR_READY == 1 << TERN_ADM_ready_LSB,
               "the form of a pair begins as the command has it");

/* Chooses the number of the new queue, in a->result. */
static uint32_t choose_number(const struct fw *fw, struct admin *a)
{
    uint32_t wanted = ADM(id, a);

    if (wanted == TERN_QUEUE_ANY) {
        a->result = fw_queue_find_free(fw);
        return a->result == FW_QUEUE_NIL ? TERN_ST_NO_RESOURCE : TERN_ST_OK;
    }
    a->result = wanted;
    if (wanted < fw->first_queue || wanted >= fw->id.queues)
        return TERN_ST_BAD_QUEUE;
    return fw->queue[wanted].type == TERN_QTYPE_NONE ? TERN_ST_OK : TERN_ST_QUEUE_BUSY;
}

static uint32_t create_queue(struct fw *fw, struct admin *a)
{
    bool is_cq = ADM(qtype, a) == TERN_QTYPE_CQ;
    struct fw_queue_new q = {
        .base = TERN_GET(ADM, addr, a->w),
        .key = ADM(key, a),
        .type = (uint8_t)ADM(qtype, a),
        .fn = (uint8_t)a->fn,
        .log2_entries = (uint8_t)ADM(log2_entries, a),
        .log2_bytes = (uint8_t)ADM(log2_bytes, a),
        .cq_or_vector = (uint16_t)(is_cq ? ADM(vector, a) : ADM(cq, a)),
        .flags = !is_cq && ADM(remote, a) ? QUEUE_REMOTE : 0,
    };
    uint32_t status = check_queue_shape(q.type, q.log2_entries, q.log2_bytes, q.base);

    if (status == TERN_ST_OK)
        status = choose_number(fw, a);
    if (status == TERN_ST_OK && !is_cq)
        status = check_cq(fw, a->fn, q.cq_or_vector);
    if (status == TERN_ST_OK)
        status = check_ring(fw, a->fn, &q);
    if (status == TERN_ST_OK)
        fw_queue_open(fw, a->result, &q);
    return status;
}

static uint32_t set_pair(struct fw *fw, struct admin *a)
{
    uint32_t rq = ADM(rq, a);
    struct fw_queue *q;
    uint32_t status = check_queue(fw, a->fn, rq, TERN_QTYPE_RQ);

    if (status != TERN_ST_OK)
        return status;
    if (ADM(kind, a) > TERN_PAIR_UD)
        return TERN_ST_BAD_TYPE;
    fw->queue[rq].room = 0; /* recount: the host may have withdrawn entries */
    a->result = ADM(id, a);
    if (check_queue(fw, a->fn, a->result, TERN_QTYPE_PAIR) != TERN_ST_OK)
        status = choose_number(fw, a);
    if (status != TERN_ST_OK)
        return status;
    q = &fw->queue[a->result];
    if (q->type == TERN_QTYPE_NONE)
        fw_pair_open(fw, a->result, a->fn);
    if (q->users != 0)
        return FW_STALL;
    a->value = q->form & PAIR_BEGUN ? q->entry : TERN_PAIR_NO_ENTRY;
    q->form = (uint8_t)(a->w[TERN_ADM_kind_WORD] & (PAIR_KIND | PAIR_READY));
    q->rq = (uint16_t)rq;
    q->peer = ADM(peer, a);
    q->expected = (uint16_t)ADM(first, a);
    return TERN_ST_OK;
}

/* Checks that the function created this queue: OK, BAD_QUEUE, NOT_OWNER. */
__attribute__((noinline)) static uint32_t check_made(const struct fw *fw, uint32_t fn,
                                                     uint32_t number)
{
    const struct fw_queue *q = &fw->queue[number % FW_QUEUES];

    if (number < fw->first_queue || number >= fw->id.queues || q->type == TERN_QTYPE_NONE)
        return TERN_ST_BAD_QUEUE;
    return q->fn == fn ? TERN_ST_OK : TERN_ST_NOT_OWNER;
}

static uint32_t delete_queue(struct fw *fw, struct admin *a)
{
    uint32_t number = ADM(id, a), status = check_made(fw, a->fn, number);
    const struct fw_queue *q = &fw->queue[number % FW_QUEUES];

    if (status != TERN_ST_OK)
        return status;
    if (q->type == TERN_QTYPE_CQ && q->users != 0)
        return TERN_ST_QUEUE_BUSY;
    return fw_queue_close(fw, number) ? TERN_ST_OK : FW_STALL;
}

static uint32_t reg_region(struct fw *fw, struct admin *a)
{
    uint64_t base = TERN_GET(ADM, addr, a->w);
    uint64_t bytes = TERN_GET(ADM, size, a->w);
    uint32_t counter = ADM(counter, a), wanted = ADM(key, a);
    uint32_t status = check_region_shape(base, bytes, ADM(rights, a));

    if (status != TERN_ST_OK)
        return status;
    if (counter != TERN_COUNTER_NONE && !fw_counter_is_of(fw, counter, a->fn))
        return TERN_ST_BAD_COUNTER;
    if (wanted != TERN_KEY_NONE)
        status = fw_region_wanted(fw, wanted);
    if (status != TERN_ST_OK)
        return status;
    a->result = fw_region_add(fw, a->fn, base, bytes, ADM(rights, a), counter, wanted);
    return a->result == TERN_KEY_NONE ? TERN_ST_NO_RESOURCE : TERN_ST_OK;
}

static uint32_t rel_region(struct fw *fw, struct admin *a)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
    uint32_t key = ADM(key, a);
    uint32_t status = fw_region_find(fw, a->fn, key, rgn);

    if (status != TERN_ST_OK && !fw_region_leaves(fw, a->fn, key))
        return status;
    if (fw_queue_uses_key(fw, a->fn, key) || fw_arena_uses_key(fw, key))
        return TERN_ST_QUEUE_BUSY;
    return fw_region_remove(fw, KEY_INDEX(key)) ? TERN_ST_OK : FW_STALL;
}

/* Stalls, and is called again, until the sweep that the first call started is over. */
static uint32_t reset(struct fw *fw, struct admin *a)
{
    struct fw_fn *fn = &fw->fn[a->fn];

    if (fn->sweep == SWEEP_DONE) {
        fn->sweep = SWEEP_NONE;
        return TERN_ST_OK;
    }
    if (fn->sweep == SWEEP_NONE)
        fw_fn_sweep_start(fw, a->fn, SWEEP_KEEP_ADMIN);
    return FW_STALL;
}

/*
 * Checks a completion queue for later completions, 0: none. It must not be one of the admin queues:
 * the admin ring takes their entries without a check for room.
 */
static uint32_t check_told(const struct fw *fw, uint32_t fn, uint32_t cq)
{
    if (cq == 0)
        return TERN_ST_OK;
    return cq < fw->first_queue ? TERN_ST_BAD_QUEUE : check_cq(fw, fn, cq);
}

static uint32_t set_counter(struct fw *fw, struct admin *a)
{
    uint32_t told = ADM(cq, a), status = check_told(fw, a->fn, told), nobody;

    if (ADM(by_area, a)) {
        told = FW_COUNTER_AREA(ADM(area, a));
        status = fw_area_look(fw, a->fn, ADM(area, a), &nobody, &nobody);
    }
    if (status == TERN_ST_OK && fw_arena_uses_counter(fw, ADM(id, a)))
        status = TERN_ST_BAD_COUNTER;
    if (status == TERN_ST_OK)
        status = fw_counter_set(fw, a->fn, ADM(id, a), ADM(length, a), told);
    return status;
}

static uint32_t get_counter(struct fw *fw, struct admin *a)
{
    if (!fw_counter_is_of(fw, ADM(id, a), a->fn))
        return TERN_ST_BAD_COUNTER;
    a->value = ctr_get(ADM(id, a));
    a->result = (uint32_t)a->value;
    return TERN_ST_OK;
}

static uint32_t sample(struct fw *fw, struct admin *a)
{
    uint32_t cq = ADM(cq, a), status = check_told(fw, a->fn, cq);

    return status != TERN_ST_OK ? status : fw_samples_want(fw, a->fn, cq, ADM(log2_entries, a));
}

/* Checks where the values of check-ins go, if they are wanted. */
static uint32_t check_values(const struct fw *fw, uint32_t fn, const struct fw_area_new *wanted)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
    uint32_t status;

    if (wanted->values_key == TERN_KEY_NONE || wanted->slots > FW_AREA_SLOTS)
        return TERN_ST_OK;
    status = fw_region_find(fw, fn, wanted->values_key, rgn);
    return status != TERN_ST_OK
               ? status
               : check_region_use(rgn, wanted->values, TERN_CHECKIN_BYTES * wanted->slots,
                                  TERN_RIGHT_LOCAL_WRITE);
}

static uint32_t arm_area(struct fw *fw, struct admin *a)
{
    const struct fw_area_new wanted = {
        .values = TERN_GET(ADM, addr, a->w),
        .values_key = ADM(key, a),
        .pass = ADM(pass, a),
        .slots = ADM(length, a),
        .epoch = ADM(epoch, a),
        .expected = ADM(expected, a),
        .limit = ADM(limit, a),
        .cq = ADM(cq, a),
    };
    uint32_t status = check_told(fw, a->fn, wanted.cq);

    if (status == TERN_ST_OK)
        status = check_values(fw, a->fn, &wanted);
    return status == TERN_ST_OK ? fw_area_arm(fw, a->fn, ADM(id, a), &wanted) : status;
}

static uint32_t get_area(struct fw *fw, struct admin *a)
{
    uint32_t first = 0, status = fw_area_look(fw, a->fn, ADM(id, a), &a->result, &first);

    a->value = first;
    return status;
}

static uint32_t open_arena(struct fw *fw, struct admin *a)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
    uint64_t addr = TERN_GET(ADM, addr, a->w), bytes = TERN_GET(ADM, size, a->w);
    struct fw_arena_new wanted = {.bytes = (uint32_t)bytes,
                                  .key = ADM(group, a),
                                  .memory_key = ADM(key, a),
                                  .counter = ADM(counter, a),
                                  .cq = ADM(cq, a),
                                  .asks = ADM(asks, a)};
    uint32_t status = wanted.cq < fw->first_queue ? TERN_ST_BAD_QUEUE
                                                  : check_cq(fw, a->fn, wanted.cq);

    if (status == TERN_ST_OK)
        status = fw_region_find(fw, a->fn, wanted.memory_key, rgn);
    if (status == TERN_ST_OK)
        status = check_region_use(rgn, addr, bytes, TERN_RIGHT_LOCAL_WRITE);
    if (status != TERN_ST_OK)
        return status;
    if (bytes == 0 || bytes >> 31 != 0 || bytes % TERN_ARENA_ALIGN != 0)
        return TERN_ST_BAD_SIZE;
    if (!fw_counter_is_of(fw, wanted.counter, a->fn) || fw_arena_uses_counter(fw, wanted.counter))
        return TERN_ST_BAD_COUNTER;
    wanted.base = TERN_GET(RGN, base, rgn) + (addr - TERN_GET(RGN, iova, rgn));
    return fw_arena_open(fw, a->fn, &wanted, &a->result);
}

static uint32_t give_arena(struct fw *fw, struct admin *a)
{
    return fw_arena_give(fw, a->fn, ADM(id, a), ADM(length, a));
}

static uint32_t answer_arena(struct fw *fw, struct admin *a)
{
    const struct fw_arena_answer answer = {
        .question = ADM(pass, a), .start = ADM(length, a), .refusal = ADM(refusal, a)};

    return fw_arena_answer(fw, a->fn, ADM(id, a), &answer);
}

static uint32_t close_arena(struct fw *fw, struct admin *a)
{
    return fw_arena_close(fw, a->fn, ADM(id, a));
}

static uint32_t cancel(struct fw *fw, struct admin *a)
{
    uint32_t number = ADM(id, a), status = check_made(fw, a->fn, number), area;

    if (status != TERN_ST_OK)
        return status;
    if (fw->queue[number].type != TERN_QTYPE_SQ)
        return TERN_ST_BAD_TYPE;
    area = fw_area_awaited(fw, number);
    if (area == FW_AREAS)
        return fw_queue_cancel(fw, number, &a->result);
    a->result = 1;
    fw_area_end_now(fw, a->fn, area, TERN_ST_CANCELLED);
    return TERN_ST_OK;
}

static const admin_handler handlers[] = {
    [TERN_ADMIN_IDENTIFY] = answer,
    [TERN_ADMIN_CREATE_QUEUE] = create_queue,
    [TERN_ADMIN_DELETE_QUEUE] = delete_queue,
    [TERN_ADMIN_REG_REGION] = reg_region,
    [TERN_ADMIN_REL_REGION] = rel_region,
    [TERN_ADMIN_STATS] = answer,
    [TERN_ADMIN_LOG] = answer,
    [TERN_ADMIN_RESET] = reset,
    [TERN_ADMIN_SET_COUNTER] = set_counter,
    [TERN_ADMIN_GET_COUNTER] = get_counter,
    [TERN_ADMIN_ARM_AREA] = arm_area,
    [TERN_ADMIN_GET_AREA] = get_area,
    [TERN_ADMIN_OPEN_ARENA] = open_arena,
    [TERN_ADMIN_GIVE_ARENA] = give_arena,
    [TERN_ADMIN_CLOSE_ARENA] = close_arena,
    [TERN_ADMIN_ANSWER_ARENA] = answer_arena,
    [TERN_ADMIN_SET_PAIR] = set_pair,
    [TERN_ADMIN_CANCEL] = cancel,
    [TERN_ADMIN_SAMPLE] = sample,
};

static uint32_t dispatch(struct fw *fw, struct admin *a)
{
    /* Answers keep the order of the ring. */
    if (fw->job.active && fw->job.queue == a->queue)
        return FW_STALL;
    if (a->opcode >= sizeof(handlers) / sizeof(handlers[0]) || !handlers[a->opcode])
        return TERN_ST_BAD_OPCODE;
    return handlers[a->opcode](fw, a);
}

static void complete(struct fw *fw, uint32_t cq, const struct admin *a, uint32_t status)
{
    struct done done = {
        .status = status,
        .opcode = a->opcode,
        .queue = a->queue,
        .index = a->index,
        .length = status == TERN_ST_OK ? a->result : 0,
        .value = status == TERN_ST_OK ? a->value : 0,
        .fault = done_fault_side(status, false),
    };

    if (status != TERN_ST_OK)
        LOG(ADMIN_ERROR, a->fn, a->opcode, status);
    fw_cq_tell(fw, cq, &done);
}

void fw_admin(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    struct admin a = {
        .queue = TERN_F(EV, queue, event),
        .index = q->producer,
        .opcode = TERN_F(EV, opcode, event),
        .fn = q->fn,
    };
    uint32_t status;

    for (unsigned i = 0; i < ADMIN_WORDS; i++)
        a.w[i] = rd32(fw_desc_words(event) + 4 * i);
    status = dispatch(fw, &a);
    if (status == FW_STALL) {
        fw_desc_not_started(fw, q, event, FW_STALL);
        return;
    }
    FW_COUNT(fw, admin);
    FW_COUNT(fw, descs);
    q->producer++;
    tx_slot_free(TERN_F(EV, slot, event));
    if (status == FW_LATER)
        fw_cq_reserve(&fw->queue[q->cq]);
    else
        complete(fw, q->cq, &a, status);
}
