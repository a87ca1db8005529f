/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define RIG_TURNS_MAX 20000

uint64_t rig_page(unsigned fn)
{
    return REGS_MEMORY_BASE + fn * RIG_PAGE;
}

void rig_boot(struct rig *rig)
{
    memset(rig, 0, sizeof(*rig));
    assert_true(fw_init(&rig->fw, 12345));
}

void rig_run(struct rig *rig)
{
    unsigned before = regs.sleeps;

    for (unsigned i = 0; i < RIG_TURNS_MAX && regs.sleeps == before; i++) {
        regs_fetch();
        fw_step(&rig->fw);
    }
}

void rig_ticks(struct rig *rig, unsigned ticks)
{
    for (unsigned i = 0; i < ticks; i++) {
        regs.time += rig->fw.tick_cycles;
        rig_run(rig);
    }
}

static uint32_t *fn_word(unsigned fn, uint32_t reg)
{
    return &regs.fn[fn][(reg - TERN_BAR_FN_REGS) / 4];
}

uint32_t rig_enable(struct rig *rig, unsigned fn)
{
    uint64_t base = rig_page(fn) + RIG_AQ;

    *fn_word(fn, TERN_REG_AQ_BASE_LO) = (uint32_t)base;
    *fn_word(fn, TERN_REG_AQ_BASE_HI) = (uint32_t)(base >> 32);
    *fn_word(fn, TERN_REG_AQ_SIZE) = RIG_AQ_LOG2 | RIG_AQ_LOG2 << 8 | 0xffffu << 16;
    *fn_word(fn, TERN_REG_ABI_WANTED) = TERN_ABI_VERSION;
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, fn) | TERN_V(EV, value, 1));
    rig_run(rig);
    rig->aq[fn] = (struct rig_queue){fn, base, RIG_AQ_LOG2, 0};
    rig->acq[fn] = (struct rig_queue){REGS_FUNCTIONS + fn, base + (64u << RIG_AQ_LOG2),
                                      RIG_AQ_LOG2, 0};
    return *fn_word(fn, TERN_REG_FN_STATUS);
}

void rig_post(struct rig *rig, struct rig_queue *q, const uint32_t *words)
{
    uint32_t *place = regs_words(q->ring + 64 * (q->posted & ((1u << q->log2) - 1)));

    (void)rig;
    memcpy(place, words, 64);
    if (TERN_GET(DESC, version, place) == 0)
        TERN_SET(DESC, version, place, TERN_DESC_VERSION);
    TERN_SET(DESC, index, place, q->posted);
    regs.queue[q->number].doorbell = ++q->posted & 0xffffff;
}

const uint32_t *rig_poll(struct rig_queue *cq)
{
    const uint32_t *w = regs_words(cq->ring + 32 * (cq->posted & ((1u << cq->log2) - 1)));
    uint32_t phase = ~(cq->posted >> cq->log2) & 1;

    if (TERN_GET(CQE, phase, w) != phase ||
        (phase == 0 && TERN_GET(CQE, lap, w) != cq->posted))
        return NULL;
    assert_int_equal(TERN_GET(CQE, lap, w), cq->posted);
    cq->posted++;
    return w;
}

void rig_consumed(struct rig_queue *cq)
{
    regs.queue[cq->number].doorbell = cq->posted & 0xffffff;
}

void rig_start(struct rig *rig, const uint32_t *words)
{
    rig_post(rig, &rig->sq, words);
    rig_run(rig);
}

const uint32_t *rig_expect(struct rig *rig, unsigned status)
{
    const uint32_t *done = rig_poll(&rig->cq);

    assert_non_null(done);
    assert_int_equal(STATUS(done), status);
    rig_consumed(&rig->cq);
    return done;
}

const uint32_t *rig_expect_of(struct rig *rig, unsigned opcode, unsigned status)
{
    const uint32_t *done = rig_expect(rig, status);

    assert_int_equal(TERN_GET(CQE, opcode, done), opcode);
    return done;
}

void rig_end(struct rig *rig, unsigned slot, uint32_t status)
{
    regs_op_end(slot, status);
    rig_run(rig);
}

void rig_answer(struct rig *rig, uint32_t status)
{
    regs.sent |= 1u << LAST_SLOT();
    rig_end(rig, LAST_SLOT(), status);
}

const uint32_t *rig_admin(struct rig *rig, unsigned fn, const uint32_t *words)
{
    const uint32_t *done;

    rig_post(rig, &rig->aq[fn], words);
    rig_run(rig);
    for (unsigned i = 0; i < 64; i++) {
        done = rig_poll(&rig->acq[fn]);
        if (done) {
            rig_consumed(&rig->acq[fn]);
            assert_int_equal(TERN_GET(CQE, queue, done), fn);
            assert_int_equal(TERN_GET(CQE, index, done),
                             (rig->aq[fn].posted - 1) & 0xffff);
            return done;
        }
        rig_ticks(rig, 1);
    }
    return NULL;
}

unsigned rig_set_counter(struct rig *rig, unsigned id, uint32_t bytes)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, w, id);
    TERN_SET(ADM, length, w, bytes);
    return STATUS(rig_admin(rig, 0, w));
}

uint32_t rig_region(struct rig *rig, unsigned fn, uint64_t at, uint64_t bytes, unsigned rights)
{
    uint32_t w[16] = {0};
    const uint32_t *done;

    TERN_SET(DESC, opcode, w, TERN_ADMIN_REG_REGION);
    TERN_SET(ADM, addr, w, at);
    TERN_SET(ADM, size, w, bytes);
    TERN_SET(ADM, rights, w, rights);
    TERN_SET(ADM, counter, w, TERN_COUNTER_NONE);
    done = rig_admin(rig, fn, w);
    assert_int_equal(STATUS(done), TERN_ST_OK);
    return (uint32_t)TERN_GET(CQE, length, done);
}

static uint32_t create(struct rig *rig, unsigned type, uint32_t offset, unsigned log2,
                       uint32_t cq)
{
    uint32_t w[16] = {0};
    const uint32_t *done;

    TERN_SET(DESC, opcode, w, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, qtype, w, type);
    TERN_SET(ADM, log2_entries, w, log2);
    TERN_SET(ADM, log2_bytes, w, 6);
    TERN_SET(ADM, addr, w, rig_page(0) + offset);
    TERN_SET(ADM, key, w, rig->key[0]);
    TERN_SET(ADM, cq, w, cq);
    TERN_SET(ADM, vector, w, type == TERN_QTYPE_CQ ? 5 : 0);
    done = rig_admin(rig, 0, w);
    assert_int_equal(TERN_GET(CQE, status, done), TERN_ST_OK);
    return (uint32_t)TERN_GET(CQE, length, done);
}

void rig_open(struct rig *rig, unsigned sq_log2, unsigned cq_log2)
{
    rig_boot(rig);
    assert_int_equal(rig_enable(rig, 0) & 0xff, TERN_FNSTATE_READY);
    rig->key[0] = rig_region(rig, 0, rig_page(0), RIG_PAGE, 15);
    rig->cq = (struct rig_queue){0, rig_page(0) + RIG_CQ, cq_log2, 0};
    rig->sq = (struct rig_queue){0, rig_page(0) + RIG_SQ, sq_log2, 0};
    rig->rq = (struct rig_queue){0, rig_page(0) + RIG_RQ, 2, 0};
    rig->cq.number = create(rig, TERN_QTYPE_CQ, RIG_CQ, cq_log2, 0);
    rig->sq.number = create(rig, TERN_QTYPE_SQ, RIG_SQ, sq_log2, rig->cq.number);
    rig->rq.number = create(rig, TERN_QTYPE_RQ, RIG_RQ, 2, rig->cq.number);
}

void rig_put(uint32_t w[16], uint32_t bytes, uint32_t flags)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, flags, w, flags);
    TERN_SET(DESC, dst_node, w, 2);
    TERN_SET(DESC, length, w, bytes);
    if (flags & TERN_DFLAG_INLINE)
        TERN_SET(DESC, inline_len, w, bytes);
}

void rig_atomic(uint32_t w[16], uint32_t opcode, uint32_t flags)
{
    rig_put(w, TERN_ATO_BYTES, flags | TERN_DFLAG_INLINE);
    TERN_SET(DESC, opcode, w, opcode);
    TERN_SET(DESC, result, w, 1);
}

void rig_read(uint32_t w[16], uint32_t bytes, uint32_t flags)
{
    rig_put(w, bytes, flags | TERN_DFLAG_INLINE);
    TERN_SET(DESC, opcode, w, TERN_OP_READ);
    TERN_SET(DESC, inline_len, w, TERN_READ_BYTES);
    TERN_SET(RDR, length, w, bytes);
}

void rig_lookup(uint32_t w[16], uint32_t bytes, uint32_t flags)
{
    rig_put(w, bytes, flags | TERN_DFLAG_INLINE);
    TERN_SET(DESC, opcode, w, TERN_OP_LOOKUP);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(LKP, length, w, bytes);
    TERN_SET(LKP, nodes, w, 8);
    TERN_SET(LKP, wanted, w, UINT64_MAX);
    TERN_SET(LKP, ones, w, UINT64_MAX);
}

void rig_send(uint32_t w[16], uint32_t bytes, uint32_t flags)
{
    rig_put(w, bytes, flags);
    TERN_SET(DESC, opcode, w, TERN_OP_SEND);
}

void rig_bcast(uint32_t w[16], uint32_t low, uint32_t high, uint32_t members)
{
    rig_put(w, 600, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, opcode, w, TERN_OP_BCAST);
    TERN_SET(BOX, low, w, low);
    TERN_SET(BOX, high, w, high);
    TERN_SET(BOX, members, w, members);
}
