/* SPDX-License-Identifier: Apache-2.0 */
#include "asks.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "retry.h"

void asks_open(struct rig *rig)
{
    regs_reset();
    rig_open(rig, 4, 4);
    memset(regs.members, 0xff, sizeof(regs.members));
}

void asks_by(uint32_t type, uint32_t notify)
{
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), type);
    assert_int_equal(TERN_F(TXC, vn, TX_LAST()), TERN_VN_REQUEST);
    assert_int_equal(TERN_F(TXC, inl, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, msg, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, unacked, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, deposit, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), notify);
}

void asks_once(struct rig *rig, void (*build)(uint32_t *, uint32_t, uint32_t), uint32_t bytes,
               uint32_t type)
{
    static const uint32_t flags[] = {0, TERN_DFLAG_SIGNAL, TERN_DFLAG_OFFSET | TERN_DFLAG_SIGNAL,
                                     TERN_DFLAG_FENCE, TERN_DFLAG_UNACKED};
    uint32_t w[16];

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        unsigned before = regs.tx_count;

        build(w, bytes, flags[i]);
        rig_start(rig, w);
        assert_int_equal(regs.tx_count, before + 1);
        asks_by(type, flags[i] & TERN_DFLAG_SIGNAL);
        assert_int_equal(regs.members[LAST_SLOT()], REGS_UNSAID);
        rig_answer(rig, TERN_ST_OK);
        if (flags[i] & TERN_DFLAG_SIGNAL)
            (void)rig_expect_of(rig, (unsigned)TERN_GET(DESC, opcode, w), TERN_ST_OK);
        assert_null(rig_poll(&rig->cq));
    }
}

void asks_silence(struct rig *rig)
{
    regs.sent |= 1u << LAST_SLOT();
    rig_ticks(rig, 64 * 32); /* its target may be sending long messages to other nodes */
    assert_null(rig_poll(&rig->cq));
    rig_ticks(rig, 2 * 32);
    rig_run(rig);
    assert_int_equal(regs.tx_count, 1);
    (void)rig_expect(rig, TERN_ST_TIMEOUT);
}

void asks_in_vain(struct rig *rig, const uint32_t *words, unsigned status)
{
    unsigned before = regs.tx_count, opcode = (unsigned)TERN_GET(DESC, opcode, words);

    rig_start(rig, words);
    assert_int_equal(TERN_GET(CQE, fault, rig_expect_of(rig, opcode, status)),
                     status == TERN_ST_LINK_DOWN ? 3 : 1);
    assert_int_equal(regs.tx_count, before);
}

void asks_again(struct rig *rig, uint32_t type, uint32_t members)
{
    for (unsigned i = 1; i <= RETRY_READ_MAX; i++) {
        regs.members[LAST_SLOT()] = REGS_UNSAID;
        rig_answer(rig, TERN_ST_RNR);
        assert_null(rig_poll(&rig->cq));
        assert_int_equal(regs.tx_count, i);
        rig_ticks(rig, retry_wait(i) + 1);
        rig_run(rig);
        assert_int_equal(regs.tx_count, i + 1);
        asks_by(type, 1);
        assert_int_equal(regs.members[LAST_SLOT()], members);
    }
    rig_answer(rig, TERN_ST_RNR);
    assert_int_equal(TERN_GET(CQE, fault, rig_expect(rig, TERN_ST_RNR)), 2);
    assert_int_equal(rig->fw.sends, 0);
    assert_int_equal(rig->fw.marked, RIG_MARKED);
}

void asks_counted(struct rig *rig, uint32_t words[16], uint32_t bytes)
{
    enum { COUNTER = 3, ALL = 10000 };

    assert_int_equal(rig_set_counter(rig, COUNTER, ALL), TERN_ST_OK);
    TERN_SET(DESC, counted, words, 1);
    TERN_SET(DESC, counter, words, COUNTER);
    rig_start(rig, words);
    rig_answer(rig, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, length, rig_expect(rig, TERN_ST_OK)), bytes);
    assert_int_equal(regs.counter[COUNTER], ALL - bytes);
}

static unsigned serving(const struct rig *rig)
{
    unsigned count = 0;

    for (unsigned n = 0; n < REGS_SLOTS_OWN; n++)
        count += (rig->fw.op[OWN(n)].flags & OP_SERVES) != 0;
    return count;
}

void asks_left_nothing(const struct rig *rig)
{
    assert_int_equal(rig->fw.own_busy, 0);
    assert_int_equal(serving(rig), 0);
    assert_int_equal(rig->fw.marked, RIG_MARKED);
    assert_int_equal(rig->fw.work, 0);
}

void asks_refused(unsigned nth, unsigned rx, uint32_t status)
{
    assert_int_equal(regs.ack_count, nth);
    assert_int_equal(regs.acks[nth - 1] & 0x3f, rx);
    assert_int_equal(regs.acks[nth - 1] >> 8, status);
    assert_true(regs.rx_freed[rx]);
}

void asks_register(struct rig *rig)
{
    rig->key[0] = rig_region(rig, 0, rig_page(0) + RIG_DATA, 4096, TERN_RIGHT_REMOTE_READ);
}

void asks_release(struct rig *rig)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_REL_REGION);
    TERN_SET(ADM, key, w, rig->key[0]);
    rig_post(rig, &rig->aq[0], w);
    rig_run(rig);
}

void asks_hold_region(struct rig *rig)
{
    uint32_t index = rig->key[0] & 0xffff;
    const uint32_t *used = &rig->fw.region_used[index / 32];

    asks_release(rig);
    assert_null(rig_poll(&rig->acq[0]));
    /* its key is unknown to new reads and lookups; walks in progress end at the next node */
    assert_false(TERN_GET(RGN, valid, regs.region[index]));
    rig_ticks(rig, 4);
    assert_null(rig_poll(&rig->acq[0]));
    assert_true(*used >> index % 32 & 1);
    rig_end(rig, LAST_SLOT(), TERN_ST_OK);
    rig_ticks(rig, 2);
    rig_run(rig);
    assert_int_equal(STATUS(rig_poll(&rig->acq[0])), TERN_ST_OK);
    assert_false(*used >> index % 32 & 1);
}

void asks_hold_function(struct rig *rig)
{
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, 0) | TERN_V(EV, value, 2));
    rig_ticks(rig, 10);
    assert_int_equal(rig->fw.fn[0].state, TERN_FNSTATE_RESETTING);
    rig_end(rig, LAST_SLOT(), TERN_ST_OK);
    rig_ticks(rig, 4);
    rig_run(rig);
    assert_int_equal(rig->fw.fn[0].state, TERN_FNSTATE_OFF);
}
