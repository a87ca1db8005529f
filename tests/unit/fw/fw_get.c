/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets, at the requester and at the keeper of the bytes: the firmware over a model of the
 * registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "messages_in.h"
#include "packets.h"
#include "messages_out.h"
#include "rig.h"

enum {
    RX = 1,
    ASKER = 2,  /* node that gets bytes from this one */
    KEEPER = 3, /* node that this one gets bytes from */
    NOWHERE = 31, /* outside the ring of four */
    AREA = 5,
    EPOCH = 9,
    BYTES = 600,
    LOG2 = 2,
    ENTRIES = 1 << LOG2,
    FIFO_WORD = TERN_PKT_addr_WORD + 1,
    PUT_WORDS = TERN_DESC_local_key_WORD + 1, /* words after these do not belong to a put */
    ALL_WORDS = TERN_DESC_BYTES / 4,
    OWN = REGS_POOL
};

#define PASS 0x6e7f00du
#define REMOTE_KEY 0xbeef0007u
#define REMOTE_ADDR 0x123456789abcu
#define FROM (rig_page(0) + RIG_DATA)
#define RING (rig_page(0) + 0x5000u)
#define NO_ANSWER UINT32_MAX

static struct rig rig;
static unsigned fifo;
static unsigned links; /* of the next descriptors posted, so many are linked */

#define STAT(name) (rig.fw.stat[TERN_STAT_##name - FW_STAT_FIRST])
#define DOORBELL (regs.queue[fifo].doorbell)

/* Makes a ring for other nodes' puts; the completion has its number. */
static const uint32_t *open_in(uint32_t key, unsigned log2, bool remote)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, qtype, w, TERN_QTYPE_SQ);
    TERN_SET(ADM, log2_entries, w, log2);
    TERN_SET(ADM, remote, w, remote);
    TERN_SET(ADM, addr, w, RING);
    TERN_SET(ADM, key, w, key);
    TERN_SET(ADM, cq, w, rig.cq.number);
    return rig_admin(&rig, 0, w);
}

static unsigned open_fifo(unsigned log2)
{
    const uint32_t *done = open_in(rig.key[0], log2, true);

    assert_int_equal(STATUS(done), TERN_ST_OK);
    return (unsigned)TERN_GET(CQE, length, done);
}

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    fifo = open_fifo(LOG2);
    return 0;
}

static void arm_area(unsigned fn, unsigned epoch, uint32_t limit)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_ARM_AREA);
    TERN_SET(ADM, id, w, AREA);
    TERN_SET(ADM, epoch, w, epoch);
    TERN_SET(ADM, length, w, 1);
    TERN_SET(ADM, pass, w, PASS);
    TERN_SET(ADM, limit, w, limit);
    assert_int_equal(STATUS(rig_admin(&rig, fn, w)), TERN_ST_OK);
}

/* ---- the keeper: checks on arrival */

/* Writes a remote get into a receive slot; returns the words of GET, as if in a descriptor. */
static uint32_t *get_in(unsigned rx)
{
    uint32_t *h = regs.rx[rx];

    regs.rx_freed[rx] = false;
    memset(h, 0, sizeof(regs.rx[rx]));
    TERN_SET(PKT, type, h, TERN_PTYPE_GET);
    TERN_SET(PKT, src, h, ASKER);
    TERN_SET(PKT, length, h, TERN_INLINE_BYTES_MAX);
    TERN_SET(PKT, key, h, REMOTE_KEY);
    h[TERN_PKT_addr_WORD] = TERN_V(GET, area, AREA) | TERN_V(GET, epoch, EPOCH);
    h[FIFO_WORD] = fifo;
    TERN_SET(GET, opcode, h, TERN_OP_PUT);
    TERN_SET(GET, node, h, ASKER);
    TERN_SET(GET, length, h, BYTES);
    TERN_SET(GET, remote_addr, h, REMOTE_ADDR);
    TERN_SET(GET, local_addr, h, FROM);
    TERN_SET(GET, local_key, h, rig.key[0]);
    TERN_SET(GET, pass, h, PASS);
    return h;
}

static void ask_nobody(uint32_t *h)
{
    h[TERN_PKT_addr_WORD] = TERN_V(GET, area, TERN_AREA_NONE);
}

static uint32_t get_event(unsigned rx)
{
    return TERN_V(EV, rxslot, rx) | TERN_V(EV, pkttype, TERN_PTYPE_GET);
}

/* Lets the firmware handle the receive slot; returns its answer. */
static uint32_t hear_in(unsigned rx)
{
    unsigned before = regs.ack_count;

    regs_event(TERN_EV_RX, get_event(rx));
    rig_run(&rig);
    if (regs.ack_count == before)
        return NO_ANSWER;
    assert_int_equal(regs.ack_count, before + 1);
    assert_int_equal(regs.acks[before] & 0xff, rx);
    return regs.acks[before] >> 8;
}

static uint32_t hear(void) { return hear_in(RX); }

static uint32_t asked(void)
{
    get_in(RX);
    return hear();
}

/* Accepts the get, up to the write of its descriptor. */
static void write_in(unsigned rx)
{
    assert_int_equal(regs.event_count, 0);
    assert_true(hwr_ready(&rig.fw.hwr, FW_WRITES_PER_EVENT));
    fw_on_rx(&rig.fw, TERN_V(EV, type, TERN_EV_RX) | get_event(rx));
}

/* Ends that write: the event that no host gets yet. */
static uint32_t begin_in(unsigned rx)
{
    write_in(rx);
    assert_int_equal(regs.event_count, 1);
    regs.event_count = 0;
    assert_int_equal(TERN_F(EV, type, regs.events[0]), TERN_EV_HWR);
    return regs.events[0];
}

static void end_write(uint32_t event)
{
    regs.events[regs.event_count++] = event;
    rig_run(&rig);
}

static const uint32_t *descriptor(unsigned place) { return regs_words(RING + 64 * place); }

static void assert_words(const uint32_t *got, const uint32_t *want, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(got[i], want[i]);
}

/* Builds the descriptor that the get of get_in() becomes, except its own words. */
static void placed_words(uint32_t d[16], unsigned opcode, unsigned flags, unsigned index)
{
    memset(d, 0, 64);
    TERN_SET(DESC, opcode, d, opcode);
    TERN_SET(DESC, flags, d, flags);
    TERN_SET(DESC, version, d, TERN_DESC_VERSION);
    TERN_SET(DESC, index, d, index);
    TERN_SET(DESC, dst_node, d, ASKER);
    TERN_SET(DESC, length, d, BYTES);
    TERN_SET(DESC, remote_addr, d, REMOTE_ADDR);
    TERN_SET(DESC, remote_key, d, REMOTE_KEY);
    TERN_SET(DESC, local_addr, d, FROM);
    TERN_SET(DESC, local_key, d, rig.key[0]);
}

static void pulled_words(uint32_t d[16], unsigned flags, unsigned index)
{
    placed_words(d, TERN_OP_PULL, flags, index);
    TERN_SET(PULL, area, d, AREA);
    TERN_SET(PULL, epoch, d, EPOCH);
    TERN_SET(PULL, node, d, ASKER);
    TERN_SET(PULL, pass, d, PASS);
}

static void a_get_is_a_descriptor_then_a_doorbell_then_an_answer(void **state)
{
    uint32_t d[16], written;

    (void)state;
    TERN_SET(GET, flags, get_in(RX), 0xff);
    written = begin_in(RX);
    pulled_words(d, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE | TERN_DFLAG_OFFSET | TERN_DFLAG_SELF, 0);
    assert_words(descriptor(0), d, ALL_WORDS);
    rig_run(&rig);
    assert_int_equal(DOORBELL, 0);
    assert_int_equal(regs.ack_count, 0);
    assert_false(regs.rx_freed[RX]);
    end_write(written);
    assert_int_equal(DOORBELL, 1);
    assert_int_equal(regs.ack_count, 1);
    assert_int_equal(regs.acks[0], RX | TERN_ST_OK << 8);
    assert_true(regs.rx_freed[RX]);
    assert_int_equal(STAT(fw_gets), 1);
    assert_int_equal(rig.fw.placing, 0);
    assert_int_equal(regs.tx_count, 1); /* and the put is sent */
    assert_int_equal(TERN_F(TXC, type, regs.tx[0]), TERN_PTYPE_PUT);
}

static void a_get_that_tells_nobody_is_an_ordinary_put(void **state)
{
    uint32_t d[16];

    (void)state;
    ask_nobody(get_in(RX));
    TERN_SET(GET, flags, regs.rx[RX], TERN_DFLAG_SIGNAL);
    assert_int_equal(hear(), TERN_ST_OK);
    placed_words(d, TERN_OP_PUT, TERN_DFLAG_SIGNAL, 0);
    assert_words(descriptor(0), d, PUT_WORDS);
    assert_int_equal(regs.tx_count, 1);
    rig_end(&rig, TERN_F(TXC, slot, regs.tx[0]), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, queue, rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_OK)), fifo);
    assert_int_equal(regs.tx_count, 1);
}

static void a_get_can_be_a_broadcast(void **state)
{
    uint32_t *h = get_in(RX), d[16];

    (void)state;
    ask_nobody(h);
    TERN_SET(GET, opcode, h, TERN_OP_BCAST);
    TERN_SET(GBOX, low, h, 1);
    TERN_SET(GBOX, members, h, 1);
    assert_int_equal(hear(), TERN_ST_OK);
    placed_words(d, TERN_OP_BCAST, 0, 0);
    TERN_SET(BOX, low, d, 1);
    TERN_SET(BOX, members, d, 1);
    assert_words(descriptor(0), d, ALL_WORDS);
    assert_int_equal(regs.tx_count, 1);
    assert_true(TERN_F(TXC, deposit, regs.tx[0]));
    assert_int_equal(regs.members[TERN_F(TXC, slot, regs.tx[0])], 1);
}

/* Checks that nothing is written and no doorbell rings. */
static void refused(uint32_t status)
{
    unsigned writes = regs.hw_writes;

    assert_int_equal(hear(), status);
    assert_int_equal(regs.hw_writes, writes);
    assert_int_equal(rig.fw.placing, 0);
    for (unsigned n = 0; n < REGS_QUEUES; n++)
        if (n != 0 && n != REGS_FUNCTIONS) /* except the admin queues of function 0 */
            assert_int_equal(regs.queue[n].doorbell, 0);
    for (unsigned i = 0; i < ENTRIES * 16; i++)
        assert_int_equal(regs_words(RING)[i], 0);
    assert_int_equal(regs.tx_count, 0);
}

static void refused_by(unsigned queue, uint32_t status)
{
    get_in(RX)[FIFO_WORD] = queue;
    refused(status);
}

static void what_is_no_fifo_takes_nothing(void **state)
{
    (void)state;
    refused_by(REGS_QUEUES, TERN_ST_BAD_QUEUE);
    refused_by(TERN_QUEUE_ANY, TERN_ST_BAD_QUEUE);
    refused_by(fifo + 1, TERN_ST_BAD_QUEUE);
    refused_by(rig.sq.number, TERN_ST_BAD_TYPE);
    refused_by(rig.rq.number, TERN_ST_BAD_TYPE);
    refused_by(rig.cq.number, TERN_ST_BAD_TYPE);
    refused_by(0, TERN_ST_BAD_TYPE); /* function 0's admin ring */
    assert_int_equal(STAT(fw_gets), 0);
}

static void what_is_no_get_is_refused(void **state)
{
    (void)state;
    TERN_SET(PKT, length, get_in(RX), TERN_INLINE_BYTES_MAX - 8);
    refused(TERN_ST_BAD_LENGTH);
    TERN_SET(PKT, length, get_in(RX), TERN_INLINE_BYTES_MAX + 8);
    refused(TERN_ST_BAD_LENGTH);
    TERN_SET(PKT, incarnation, get_in(RX), 8); /* this node has incarnation 7 */
    refused(TERN_ST_STALE_NODE);
    TERN_SET(GET, opcode, get_in(RX), TERN_OP_SEND);
    refused(TERN_ST_BAD_OPCODE);
    TERN_SET(GET, opcode, get_in(RX), TERN_OP_PULL);
    refused(TERN_ST_BAD_OPCODE);
    TERN_SET(GET, length, get_in(RX), 0);
    refused(TERN_ST_BAD_LENGTH);
    TERN_SET(GET, length, get_in(RX), TERN_PUT_BYTES_MAX + UINT64_C(1));
    refused(TERN_ST_BAD_LENGTH);
    TERN_SET(PKT, incarnation, get_in(RX), 7);
    assert_int_equal(hear(), TERN_ST_OK);
}

static void from_region(uint32_t key, uint32_t status)
{
    TERN_SET(GET, local_key, get_in(RX), key);
    refused(status);
}

static void what_others_may_not_read_is_not_read(void **state)
{
    unsigned both = TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ;
    uint32_t local = rig_region(&rig, 0, FROM, BYTES,
                                TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE);
    uint32_t remote = rig_region(&rig, 0, FROM, BYTES, TERN_RIGHT_REMOTE_READ);
    uint32_t small = rig_region(&rig, 0, FROM + 1, BYTES - 1, both);
    uint32_t shorter = rig_region(&rig, 0, FROM, BYTES - 1, both);

    (void)state;
    from_region(TERN_KEY_NONE, TERN_ST_BAD_KEY);
    from_region(REGS_REGIONS, TERN_ST_BAD_KEY);
    from_region(rig.key[0] ^ 0x10000, TERN_ST_BAD_KEY);
    from_region(local, TERN_ST_BAD_RIGHTS);
    from_region(remote, TERN_ST_BAD_RIGHTS);
    from_region(small, TERN_ST_BAD_RANGE);
    from_region(shorter, TERN_ST_BAD_RANGE);
    TERN_SET(GET, local_addr, get_in(RX), UINT64_MAX - 8);
    refused(TERN_ST_BAD_RANGE);
    TERN_SET(GET, local_key, get_in(RX), rig_region(&rig, 0, FROM, BYTES, both));
    assert_int_equal(hear(), TERN_ST_OK);
}

static void a_ring_that_cannot_be_written_takes_no_gets(void **state)
{
    uint32_t key = rig_region(&rig, 0, RING & ~(uint64_t)(RIG_PAGE - 1), RIG_PAGE,
                              TERN_RIGHT_LOCAL_READ);

    (void)state;
    assert_int_equal(STATUS(open_in(key, LOG2, true)), TERN_ST_BAD_RIGHTS);
    assert_int_equal(STATUS(open_in(key, LOG2, false)), TERN_ST_OK);
}

static void the_memory_of_another_function_is_not_read(void **state)
{
    (void)state;
    assert_int_equal(rig_enable(&rig, 1) & 0xff, TERN_FNSTATE_READY);
    TERN_SET(GET, local_key, get_in(RX),
             rig_region(&rig, 1, FROM, BYTES, TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ));
    assert_int_equal(hear(), TERN_ST_NOT_OWNER);
    assert_int_equal(DOORBELL, 0);
}

/* ---- a broadcast for which its node waits, and which another node starts */

static uint32_t *awaited_broadcast(void)
{
    uint32_t *h = get_in(RX);

    TERN_SET(GET, opcode, h, TERN_OP_BCAST);
    TERN_SET(GBOX, low, h, 1);
    TERN_SET(GBOX, members, h, 1);
    return h;
}

static void area_stands(unsigned state, unsigned status)
{
    assert_int_equal(rig.fw.area[AREA].state, state);
    assert_int_equal(rig.fw.area[AREA].status, status);
}

static void who_waits_for_a_broadcast_hears_that_it_is_placed(void **state)
{
    uint32_t d[16], written;

    (void)state;
    arm_area(0, EPOCH, 0);
    awaited_broadcast();
    written = begin_in(RX);
    rig_run(&rig);
    area_stands(AREA_ARMED, TERN_ST_OK);
    end_write(written);
    area_stands(AREA_ENDED, TERN_ST_OK);
    placed_words(d, TERN_OP_BCAST, 0, 0);
    TERN_SET(BOX, low, d, 1);
    TERN_SET(BOX, members, d, 1);
    assert_words(descriptor(0), d, ALL_WORDS);
    awaited_broadcast();
    assert_int_equal(hear(), TERN_ST_STALE_EPOCH); /* once */
    assert_int_equal(DOORBELL, 1);
}

static void a_broadcast_that_nobody_waits_for_is_refused(void **state)
{
    (void)state;
    awaited_broadcast();
    refused(TERN_ST_STALE_EPOCH);
    arm_area(0, EPOCH + 1, 0);
    awaited_broadcast();
    refused(TERN_ST_STALE_EPOCH);
    awaited_broadcast()[TERN_PKT_addr_WORD] += 1; /* the epoch of that area is not armed */
    refused(TERN_ST_STALE_EPOCH);
    area_stands(AREA_ARMED, TERN_ST_OK);
}

static void who_waits_for_a_broadcast_hears_why_there_is_none(void **state)
{
    (void)state;
    arm_area(0, EPOCH, 0);
    TERN_SET(GET, local_addr, awaited_broadcast(), UINT64_MAX - 8);
    refused(TERN_ST_BAD_RANGE);
    area_stands(AREA_ENDED, TERN_ST_BAD_RANGE);
    arm_area(0, EPOCH, 0);
    awaited_broadcast();
    regs.write_fails = true;
    write_in(RX);
    regs.write_fails = false;
    rig_run(&rig);
    assert_int_equal(regs.acks[1], RX | TERN_ST_HOST_FAULT << 8);
    area_stands(AREA_ENDED, TERN_ST_HOST_FAULT);
}

static void who_cannot_name_the_memory_ends_nothing(void **state)
{
    (void)state;
    arm_area(0, EPOCH, 0);
    TERN_SET(GET, local_key, awaited_broadcast(), TERN_KEY_NONE);
    refused(TERN_ST_BAD_KEY);
    TERN_SET(GET, length, awaited_broadcast(), 0);
    refused(TERN_ST_BAD_LENGTH);
    TERN_SET(GET, opcode, awaited_broadcast(), TERN_OP_CAS);
    refused(TERN_ST_BAD_OPCODE);
    area_stands(AREA_ARMED, TERN_ST_OK);
}

/* ---- entries of the ring */

/* Stops the FIFO at its first descriptor; later ones stay in the ring. */
static void nothing_leaves(void)
{
    regs.tx_space = 0;
    rig.fw.tx.room = 0;
}

static void all_leaves(void)
{
    regs.tx_space = 8;
    rig_run(&rig);
}

static void a_full_fifo_is_not_ready_until_it_has_room(void **state)
{
    uint32_t d[16];

    (void)state;
    nothing_leaves();
    for (unsigned i = 0; i < ENTRIES; i++)
        assert_int_equal(asked(), TERN_ST_OK);
    TERN_SET(GET, length, get_in(RX), 8);
    assert_int_equal(hear(), TERN_ST_RNR);
    assert_int_equal(STAT(fw_rnr_sent), 1);
    assert_int_equal(DOORBELL, ENTRIES);
    pulled_words(d, 0, 0);
    assert_words(descriptor(0), d, ALL_WORDS);
    all_leaves();
    assert_int_equal(regs.tx_count, ENTRIES);
    assert_int_equal(asked(), TERN_ST_OK);
    assert_int_equal(DOORBELL, ENTRIES + 1);
    assert_int_equal(STAT(fw_gets), ENTRIES + 1);
}

static void descriptors_being_written_have_their_places(void **state)
{
    uint32_t d[16], written[ENTRIES];

    (void)state;
    nothing_leaves();
    assert_int_equal(asked(), TERN_ST_OK);
    for (unsigned rx = 1; rx < ENTRIES; rx++) {
        get_in(rx);
        written[rx] = begin_in(rx);
    }
    get_in(0);
    assert_int_equal(hear_in(0), TERN_ST_RNR);
    assert_int_equal(DOORBELL, 1);
    for (unsigned rx = 1; rx < ENTRIES; rx++) {
        end_write(written[rx]);
        assert_int_equal(DOORBELL, 1 + rx);
        pulled_words(d, 0, rx);
        assert_words(descriptor(rx), d, ALL_WORDS);
    }
    all_leaves();
    assert_int_equal(regs.tx_count, ENTRIES);
}

/* When a stalled queue continues, the NIC fetches again from the descriptor that stalled. */
static void a_stalled_fifo_is_full_from_where_it_goes_on(void **state)
{
    uint32_t d[16];

    (void)state;
    assert_int_equal(asked(), TERN_ST_OK);
    rig.fw.parked_count = rig.fw.id.slots / FW_PARKED_SHARE; /* no slot may be parked for it */
    TERN_SET(GET, flags, get_in(RX), TERN_DFLAG_FENCE);
    assert_int_equal(hear(), TERN_ST_OK);
    assert_int_equal(rig.fw.stalled_first, fifo);
    assert_int_equal(rig.fw.queue[fifo].producer, 2);
    for (unsigned i = 2; i < 1 + ENTRIES; i++)
        assert_int_equal(asked(), TERN_ST_OK);
    assert_int_equal(asked(), TERN_ST_RNR);
    pulled_words(d, TERN_DFLAG_FENCE, 1);
    assert_words(descriptor(1), d, ALL_WORDS);
    regs_op_end(TERN_F(TXC, slot, regs.tx[0]), TERN_ST_OK);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, 1 + 1 + ENTRIES); /* and its check-in */
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(asked(), TERN_ST_OK);
}

static void gets_go_round_the_ring(void **state)
{
    uint32_t d[16];

    (void)state;
    for (unsigned i = 0; i < 2 * ENTRIES + 1; i++) {
        assert_int_equal(asked(), TERN_ST_OK);
        pulled_words(d, 0, i);
        assert_words(descriptor(i % ENTRIES), d, ALL_WORDS);
        assert_int_equal(DOORBELL, i + 1);
    }
    assert_int_equal(regs.tx_count, 2 * ENTRIES + 1);
    assert_null(rig_poll(&rig.cq)); /* the prefetcher has found each at its place */
}

static void stands_at(uint32_t index)
{
    regs.queue[fifo].head = DOORBELL = index;
    rig.fw.queue[fifo].producer = index;
}

static void indices_wrap_as_they_do_in_hardware(void **state)
{
    uint32_t d[16], first, second;

    (void)state;
    stands_at(0xffff);
    assert_int_equal(asked(), TERN_ST_OK);
    assert_int_equal(asked(), TERN_ST_OK);
    pulled_words(d, 0, 0);
    assert_words(descriptor(0), d, ALL_WORDS);
    stands_at(0xffffff);
    get_in(0);
    first = begin_in(0);
    get_in(1);
    second = begin_in(1);
    pulled_words(d, 0, 0xffff);
    assert_words(descriptor(ENTRIES - 1), d, ALL_WORDS);
    end_write(first);
    end_write(second);
    assert_int_equal(DOORBELL, 1);
    assert_int_equal(regs.tx_count, 4);
    assert_null(rig_poll(&rig.cq));
}

/* The ring may have half a descriptor: the FIFO carries out neither that one nor later ones. */
static void a_fifo_whose_memory_refuses_is_good_for_nothing_more(void **state)
{
    (void)state;
    assert_int_equal(asked(), TERN_ST_OK);
    get_in(RX);
    regs.write_fails = true;
    write_in(RX);
    regs.write_fails = false;
    rig_run(&rig);
    assert_int_equal(regs.acks[1], RX | TERN_ST_HOST_FAULT << 8);
    assert_int_equal(DOORBELL, 2);
    assert_int_equal(STATUS(rig_poll(&rig.cq)), TERN_ST_FLUSHED);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(asked(), TERN_ST_HOST_FAULT);
    assert_int_equal(DOORBELL, 2);
    assert_int_equal(rig.fw.rx_failed, 0);
}

static void delete_fifo(void)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, fifo);
    rig_post(&rig, &rig.aq[0], w);
    rig_ticks(&rig, 4);
}

static void a_fifo_that_goes_waits_for_what_is_being_written(void **state)
{
    uint32_t written;
    const uint32_t *done;

    (void)state;
    get_in(RX);
    written = begin_in(RX);
    delete_fifo();
    assert_null(rig_poll(&rig.acq[0]));
    get_in(0);
    assert_int_equal(hear_in(0), TERN_ST_BAD_QUEUE); /* the FIFO accepts no more */
    assert_int_equal(regs.ack_count, 1);
    end_write(written);
    assert_int_equal(regs.ack_count, 2);
    assert_int_equal(regs.acks[1], RX | TERN_ST_FLUSHED << 8);
    assert_int_equal(DOORBELL, 0);
    rig_ticks(&rig, 4);
    done = rig_poll(&rig.acq[0]);
    assert_non_null(done);
    assert_int_equal(STATUS(done), TERN_ST_OK);
    assert_int_equal(rig.fw.queue[fifo].type, TERN_QTYPE_NONE);
    assert_int_equal(regs.tx_count, 0);
}

/* ---- the end of the put */

static unsigned slot_of(unsigned command) { return TERN_F(TXC, slot, regs.tx[command]); }

static void end_op(unsigned slot, unsigned status)
{
    rig_end(&rig, slot, status);
}

/* Returns the refusal in the check-in sent from the own slot; then its message ends. */
static unsigned told_in(unsigned own)
{
    const uint32_t *w = regs.slot[own];
    uint32_t command = regs.op[own].command;
    unsigned refusal = (unsigned)TERN_GET(CHK, refusal, w);

    assert_true(regs.op[own].busy);
    assert_int_equal(TERN_F(TXC, type, command), TERN_PTYPE_CHECKIN);
    assert_true(TERN_F(TXC, inl, command) && TERN_F(TXC, msg, command));
    assert_int_equal(TERN_GET(DESC, dst_node, w), ASKER);
    assert_int_equal(TERN_GET(CHK, area, w), AREA);
    assert_int_equal(TERN_GET(CHK, epoch, w), EPOCH);
    assert_int_equal(TERN_GET(CHK, pass, w), PASS);
    assert_int_equal(TERN_GET(CHK, slot, w), 0);
    end_op(own, TERN_ST_OK); /* the slot may have another message now */
    return refusal;
}

static void nothing_is_left(void)
{
    rig_run(&rig);
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(rig.fw.reply_owed, 0);
    assert_int_equal(rig.fw.own_busy, 0);
    assert_int_equal(rig.fw.marked, RIG_MARKED);
    for (unsigned slot = 0; slot < REGS_SLOTS; slot++)
        assert_false(regs.slot_used[slot] || regs.op[slot].busy);
}

/* More of them than the completion queue has entries: none is lost. */
static void the_end_of_a_pull_is_told_to_who_asked_and_nobody_else(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(asked(), TERN_ST_OK);
        assert_int_equal(regs.tx_count, 2 * i + 1);
        assert_true(TERN_F(TXC, notify, regs.tx[2 * i]));
        assert_int_equal(rig.fw.reply_owed, 1);
        end_op(slot_of(2 * i), TERN_ST_OK);
        assert_int_equal(regs.tx_count, 2 * i + 2);
        assert_int_equal(told_in(OWN), 0);
    }
    nothing_is_left();
}

static void with_signal_the_owner_of_the_fifo_hears_of_it_too(void **state)
{
    const uint32_t *done;

    (void)state;
    TERN_SET(GET, flags, get_in(RX), TERN_DFLAG_SIGNAL);
    assert_int_equal(hear(), TERN_ST_OK);
    assert_null(rig_poll(&rig.cq));
    end_op(slot_of(0), TERN_ST_OK);
    done = rig_expect_of(&rig, TERN_OP_PULL, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, queue, done), fifo);
    assert_int_equal(TERN_GET(CQE, length, done), BYTES);
    assert_int_equal(told_in(OWN), 0);
    nothing_is_left();
}

static void a_pull_that_fails_is_told_at_both_ends(void **state)
{
    const uint32_t *done;

    (void)state;
    assert_int_equal(asked(), TERN_ST_OK);
    regs.sent = 1u << slot_of(0);
    end_op(slot_of(0), TERN_ST_BAD_RIGHTS);
    done = rig_expect_of(&rig, TERN_OP_PULL, TERN_ST_BAD_RIGHTS);
    assert_int_equal(TERN_GET(CQE, queue, done), fifo);
    assert_int_equal(TERN_GET(CQE, node, done), ASKER);
    assert_int_equal(TERN_GET(CQE, fault, done), 2);
    assert_int_equal(told_in(OWN), TERN_ST_BAD_RIGHTS);
    nothing_is_left();
}

static void a_pull_that_cannot_start_is_told_at_both_ends(void **state)
{
    (void)state;
    TERN_SET(GET, node, get_in(RX), NOWHERE);
    assert_int_equal(hear(), TERN_ST_OK); /* the refusal comes with the end of the put */
    assert_int_equal(TERN_GET(CQE, node, rig_expect_of(&rig, TERN_OP_PULL, TERN_ST_BAD_NODE)),
                     NOWHERE);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(told_in(OWN), TERN_ST_BAD_NODE);
    nothing_is_left();
}

static void a_link_that_falls_ends_pulls_and_tells(void **state)
{
    (void)state;
    assert_int_equal(asked(), TERN_ST_OK);
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    assert_int_equal(TERN_GET(CQE, link, rig_expect_of(&rig, TERN_OP_PULL, TERN_ST_LINK_DOWN)), 1);
    assert_int_equal(told_in(OWN), TERN_ST_LINK_DOWN);
    nothing_is_left();
}

/*
 * Each pull in flight has a place in the row of replies. Nine have ended: four check-ins are in
 * flight, which use no place, and five wait. With eleven more in flight there are sixteen.
 */
static void a_pull_waits_until_its_end_can_be_told(void **state)
{
    unsigned ended = REGS_SLOTS_OWN + 5, room = FW_REPLIES - 5;

    (void)state;
    for (unsigned i = 0; i < ended; i++) {
        assert_int_equal(asked(), TERN_ST_OK);
        end_op(slot_of(i < REGS_SLOTS_OWN ? 2 * i : i + REGS_SLOTS_OWN), TERN_ST_OK);
    }
    for (unsigned i = 0; i < room; i++)
        assert_int_equal(asked(), TERN_ST_OK);
    assert_int_equal(regs.tx_count, ended + REGS_SLOTS_OWN + room);
    assert_false(fw_reply_room(&rig.fw));
    assert_int_equal(asked(), TERN_ST_OK);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, ended + REGS_SLOTS_OWN + room);
    assert_int_equal(rig.fw.stalled_first, fifo);
    assert_int_equal(told_in(OWN), 0); /* a place is free again */
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, ended + REGS_SLOTS_OWN + room + 2);
    assert_int_equal(rig.fw.reply_owed, room + 1);
    assert_int_equal(rig.fw.stalled_first, FW_QUEUE_NIL);
}

static void reset(void)
{
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, 0) | TERN_V(EV, value, 2));
    rig_ticks(&rig, 8);
    assert_int_equal(regs.fn[0][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4] & 0xff,
                     TERN_FNSTATE_OFF);
}

static void a_function_that_goes_tells_that_its_pulls_are_flushed(void **state)
{
    (void)state;
    assert_int_equal(asked(), TERN_ST_OK);
    reset();
    assert_int_equal(rig.fw.queue[fifo].type, TERN_QTYPE_NONE);
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(told_in(OWN), TERN_ST_FLUSHED);
    assert_int_equal(rig.fw.reply_owed, 0);
    assert_int_equal(rig.fw.own_busy, 0);
    assert_int_equal(rig.fw.marked, RIG_MARKED);
    assert_int_equal(asked(), TERN_ST_BAD_QUEUE);
}

/* ---- the requester */

static void words_to_get(uint32_t w[16], unsigned epoch)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_OP_GET);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, dst_node, w, KEEPER);
    TERN_SET(DESC, dst_queue, w, 17);
    TERN_SET(GET, area, w, AREA);
    TERN_SET(GET, epoch, w, epoch);
    TERN_SET(GET, opcode, w, TERN_OP_PUT);
    TERN_SET(GET, length, w, BYTES);
    TERN_SET(GET, pass, w, PASS);
}

static void post(uint32_t *w)
{
    TERN_SET(DESC, linked, w, links != 0);
    links -= links != 0;
    rig_start(&rig, w);
}

static void post_get(unsigned epoch)
{
    uint32_t w[16];

    words_to_get(w, epoch);
    post(w);
}

/* Posts a wait; the next `behind` descriptors are linked to it. */
static void post_wait(unsigned epoch, unsigned behind, unsigned flags)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_OP_WAIT);
    TERN_SET(DESC, flags, w, flags);
    TERN_SET(CHK, area, w, AREA);
    TERN_SET(CHK, epoch, w, epoch);
    TERN_SET(DESC, decides, w, behind != 0);
    post(w);
    links = behind;
}

/* The other node's put of `epoch` has ended: makes its check-in arrive, and returns the answer. */
static unsigned has_come(unsigned epoch, unsigned refusal)
{
    uint32_t *h = regs.rx[RX];
    unsigned before = regs.ack_count;

    memset(h, 0, sizeof(regs.rx[RX]));
    h[TERN_PKT_addr_WORD] = TERN_V(CHK, area, AREA) | TERN_V(CHK, refusal, refusal);
    h[TERN_PKT_addr_WORD + 1] = epoch;
    h[TERN_PKT_key_WORD] = PASS;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_CHECKIN));
    rig_run(&rig);
    assert_int_equal(regs.ack_count, before + 1);
    return regs.acks[before] >> 8;
}

static void a_get_is_a_message_and_arms_its_area(void **state)
{
    const struct fw_area *area = &rig.fw.area[AREA];

    (void)state;
    arm_area(0, 7, 0);
    post_get(8);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(TERN_F(TXC, type, regs.tx[0]), TERN_PTYPE_GET);
    assert_int_equal(TERN_F(TXC, vn, regs.tx[0]), TERN_VN_REQUEST);
    assert_true(TERN_F(TXC, msg, regs.tx[0]) && TERN_F(TXC, inl, regs.tx[0]));
    assert_int_equal(area->state, AREA_ARMED);
    assert_int_equal(area->epoch, 8);
    assert_int_equal(area->missing, 1);
    end_op(slot_of(0), TERN_ST_OK);
    assert_int_equal(area->missing, 1); /* placed, but not ended */
    assert_int_equal(has_come(7, 0), TERN_ST_STALE_EPOCH);
    assert_int_equal(has_come(8, 0), TERN_ST_OK);
    assert_int_equal(area->state, AREA_ENDED);
    assert_int_equal(area->status, TERN_ST_OK);
    nothing_is_left();
}

static void bad_get(uint32_t *w, unsigned status)
{
    post(w);
    rig_expect_of(&rig, TERN_OP_GET, status);
    assert_int_equal(regs.tx_count, 0);
}

static void asking_names_what_is_wrong(void **state)
{
    uint32_t w[16];

    (void)state;
    words_to_get(w, 8);
    bad_get(w, TERN_ST_BAD_AREA);
    arm_area(0, 8, 0);
    bad_get(w, TERN_ST_STALE_EPOCH);
    TERN_SET(GET, epoch, w, 7);
    bad_get(w, TERN_ST_STALE_EPOCH);
    TERN_SET(GET, area, w, TERN_CHECKIN_AREAS);
    bad_get(w, TERN_ST_BAD_AREA);
    words_to_get(w, 9);
    TERN_SET(DESC, flags, w, 0);
    bad_get(w, TERN_ST_BAD_LENGTH);
    arm_area(0, 8, 0);
    words_to_get(w, 9);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX - 8);
    bad_get(w, TERN_ST_BAD_LENGTH);
}

static void the_area_of_another_function_is_not_armed(void **state)
{
    uint32_t w[16];

    (void)state;
    assert_int_equal(rig_enable(&rig, 1) & 0xff, TERN_FNSTATE_READY);
    arm_area(1, 7, 0);
    words_to_get(w, 8);
    bad_get(w, TERN_ST_BAD_AREA);
    assert_int_equal(rig.fw.area[AREA].epoch, 7);
    assert_int_equal(rig.fw.area[AREA].state, AREA_ARMED);
    assert_int_equal(rig.fw.area[AREA].missing, 1);
}

static void a_get_that_is_refused_there_fails_its_area_at_once(void **state)
{
    const uint32_t *done;

    (void)state;
    arm_area(0, 7, 0);
    post_get(8);
    post_wait(8, 1, 0);
    post_get(9);
    assert_null(rig_poll(&rig.cq));
    regs.sent = 1u << slot_of(0);
    end_op(slot_of(0), TERN_ST_BAD_RIGHTS);
    done = rig_expect_of(&rig, TERN_OP_GET, TERN_ST_BAD_RIGHTS);
    assert_int_equal(TERN_GET(CQE, node, done), KEEPER);
    assert_int_equal(TERN_GET(CQE, fault, done), 2);
    assert_int_equal(rig.fw.area[AREA].state, AREA_ENDED);
    rig_ticks(&rig, 2);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_RIGHTS);
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_FLUSHED); /* held up by the wait */
    assert_int_equal(regs.tx_count, 1);
    post_get(9);
    assert_int_equal(regs.tx_count, 2);
}

/* No later event could fail: without this rule, the wait would never end. */
static void a_get_that_cannot_leave_fails_its_wait(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(0, 7, 0);
    words_to_get(w, 8);
    TERN_SET(DESC, dst_node, w, NOWHERE);
    post(w);
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_BAD_NODE);
    post_wait(8, 1, 0);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_NODE);
    post_get(9);
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_FLUSHED);
    words_to_get(w, 9);
    TERN_SET(DESC, inline_len, w, 8);
    post(w);
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_BAD_LENGTH);
    post_wait(9, 0, 0);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_LENGTH);
    assert_int_equal(regs.tx_count, 0);
    post_get(10);
    assert_int_equal(regs.tx_count, 1);
}

static void a_request_to_pass_on_that_cannot_leave_fails_its_wait(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(0, 7, 0);
    words_to_get(w, 8);
    TERN_SET(DESC, opcode, w, TERN_OP_RELAY);
    TERN_SET(DESC, flags, w, 0);
    TERN_SET(DESC, length, w, TERN_RELAY_BYTES);
    TERN_SET(DESC, dst_node, w, NOWHERE);
    post(w);
    rig_expect_of(&rig, TERN_OP_RELAY, TERN_ST_BAD_NODE);
    post_wait(8, 0, 0);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_NODE);
    assert_int_equal(regs.tx_count, 0);
}

static void a_get_that_finds_the_fifo_full_is_sent_again(void **state)
{
    (void)state;
    arm_area(0, 7, 0);
    post_get(8);
    post_wait(8, 0, 0);
    end_op(slot_of(0), TERN_ST_RNR);
    assert_int_equal(rig.fw.area[AREA].state, AREA_ARMED);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(TERN_F(TXC, type, regs.tx[1]), TERN_PTYPE_GET);
    for (unsigned i = 1; i <= 8; i++) {
        end_op(slot_of(i), TERN_ST_RNR);
        rig_ticks(&rig, 40);
    }
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_RNR); /* the retries end */
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_RNR);
    assert_int_equal(rig.fw.sends, 0);
}

static void a_get_that_nobody_waits_for_arms_nothing(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(0, 7, 0);
    words_to_get(w, 8);
    TERN_SET(GET, area, w, TERN_AREA_NONE);
    post(w);
    assert_int_equal(regs.tx_count, 1);
    end_op(slot_of(0), TERN_ST_BAD_QUEUE);
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_BAD_QUEUE);
    assert_int_equal(rig.fw.area[AREA].epoch, 7);
    assert_int_equal(rig.fw.area[AREA].state, AREA_ARMED);
}

static void a_long_transfer_asks_for_one_piece_at_a_time(void **state)
{
    enum { PIECES = 4 };

    (void)state;
    arm_area(0, 0, 0);
    for (unsigned n = 1; n <= PIECES; n++) {
        post_get(n);
        post_wait(n, 2 * (PIECES - n), n == PIECES ? TERN_DFLAG_SIGNAL : 0);
    }
    for (unsigned n = 1; n <= PIECES; n++) {
        assert_int_equal(regs.tx_count, n);
        end_op(slot_of(n - 1), TERN_ST_OK);
        rig_ticks(&rig, 4);
        assert_int_equal(regs.tx_count, n); /* placed, but its bytes have not come */
        assert_null(rig_poll(&rig.cq));
        assert_int_equal(has_come(n, 0), TERN_ST_OK);
        rig_ticks(&rig, 2);
    }
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_OK);
    nothing_is_left();
}

static void pieces_behind_one_that_failed_are_not_asked_for(void **state)
{
    (void)state;
    arm_area(0, 0, 0);
    post_get(1);
    post_wait(1, 2, 0);
    post_get(2);
    post_wait(2, 0, TERN_DFLAG_SIGNAL);
    end_op(slot_of(0), TERN_ST_OK);
    assert_int_equal(has_come(1, TERN_ST_BAD_KEY), TERN_ST_OK);
    rig_ticks(&rig, 2);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_KEY);
    rig_expect_of(&rig, TERN_OP_GET, TERN_ST_FLUSHED);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_FLUSHED);
    assert_int_equal(regs.tx_count, 1);
}

/* The other node has died, or its check-in was lost. */
static void an_end_that_is_never_told_is_a_timeout(void **state)
{
    (void)state;
    arm_area(0, 7, 3 * rig.fw.tick_cycles);
    rig_ticks(&rig, 5); /* idle for longer than the limit */
    post_get(8);
    post_wait(8, 0, 0);
    end_op(slot_of(0), TERN_ST_OK);
    assert_null(rig_poll(&rig.cq));
    rig_ticks(&rig, 5);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_TIMEOUT);
    assert_int_equal(has_come(8, 0), TERN_ST_OK); /* late: changes nothing */
    nothing_is_left();
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_get_is_a_descriptor_then_a_doorbell_then_an_answer),
        TEST(a_get_that_tells_nobody_is_an_ordinary_put),
        TEST(a_get_can_be_a_broadcast),
        TEST(what_is_no_fifo_takes_nothing),
        TEST(what_is_no_get_is_refused),
        TEST(what_others_may_not_read_is_not_read),
        TEST(a_ring_that_cannot_be_written_takes_no_gets),
        TEST(the_memory_of_another_function_is_not_read),
        TEST(who_waits_for_a_broadcast_hears_that_it_is_placed),
        TEST(a_broadcast_that_nobody_waits_for_is_refused),
        TEST(who_waits_for_a_broadcast_hears_why_there_is_none),
        TEST(who_cannot_name_the_memory_ends_nothing),
        TEST(a_full_fifo_is_not_ready_until_it_has_room),
        TEST(descriptors_being_written_have_their_places),
        TEST(a_stalled_fifo_is_full_from_where_it_goes_on),
        TEST(gets_go_round_the_ring),
        TEST(indices_wrap_as_they_do_in_hardware),
        TEST(a_fifo_whose_memory_refuses_is_good_for_nothing_more),
        TEST(a_fifo_that_goes_waits_for_what_is_being_written),
        TEST(the_end_of_a_pull_is_told_to_who_asked_and_nobody_else),
        TEST(with_signal_the_owner_of_the_fifo_hears_of_it_too),
        TEST(a_pull_that_fails_is_told_at_both_ends),
        TEST(a_pull_that_cannot_start_is_told_at_both_ends),
        TEST(a_link_that_falls_ends_pulls_and_tells),
        TEST(a_pull_waits_until_its_end_can_be_told),
        TEST(a_function_that_goes_tells_that_its_pulls_are_flushed),
        TEST(a_get_is_a_message_and_arms_its_area),
        TEST(asking_names_what_is_wrong),
        TEST(the_area_of_another_function_is_not_armed),
        TEST(a_get_that_is_refused_there_fails_its_area_at_once),
        TEST(a_get_that_cannot_leave_fails_its_wait),
        TEST(a_request_to_pass_on_that_cannot_leave_fails_its_wait),
        TEST(a_get_that_finds_the_fifo_full_is_sent_again),
        TEST(a_get_that_nobody_waits_for_arms_nothing),
        TEST(a_long_transfer_asks_for_one_piece_at_a_time),
        TEST(pieces_behind_one_that_failed_are_not_asked_for),
        TEST(an_end_that_is_never_told_is_a_timeout),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
