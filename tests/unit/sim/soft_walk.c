/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests walks of the soft tier's atomic unit alone: the test provides memory, a region, and packets
 * in receive slots, and checks what the unit does with them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inside.h"

#define BASE UINT64_C(0x7f0000100000) /* of the region, as host address and as region address */

enum {
    NODES = 64,
    REGION = 5,
    TAG = 0x1234,
    FUNCTION = 3,
    ASKER = 0x21,
    OPID = 0x4103,
    SLOT = 2,
    ALL = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE | TERN_RIGHT_REMOTE_WRITE |
    TERN_RIGHT_REMOTE_READ |
          TERN_RIGHT_REMOTE_ATOMIC
};

static struct soft_node *node;
static uint32_t memory[NODES][TERN_NODE_BYTES / 4];
static unsigned reads, pending; /* reads of host memory; answers that come later */
static int bad_node;            /* index of a node that cannot be read, or -1 */

static enum tern_dma_result transfer(void *ctx, struct tern_dma_op *op)
{
    uint64_t at = (op->address - BASE) / TERN_NODE_BYTES;

    (void)ctx;
    assert_false(op->write);
    assert_int_equal(op->bytes, TERN_NODE_BYTES);
    assert_int_equal(op->function, FUNCTION);
    assert_in_range(at, 0, NODES - 1);
    if (pending > 0) {
        pending--;
        return TERN_DMA_PENDING;
    }
    reads++;
    if ((int)at == bad_node)
        return TERN_DMA_FAULT;
    memcpy(op->data, memory[at], op->bytes);
    return TERN_DMA_OK;
}

static uint64_t address_of(unsigned n)
{
    return BASE + (uint64_t)TERN_NODE_BYTES * n;
}

static void set_link(uint32_t *w, uint64_t addr, unsigned generation)
{
    TERN_SET(LNK, addr, w, addr);
    TERN_SET(LNK, generation, w, generation);
}

static void set_node(unsigned n, uint64_t key, unsigned generation)
{
    memset(memory[n], 0, sizeof memory[n]);
    TERN_SET(NOD, key, memory[n], key);
    TERN_SET(NOD, user, memory[n], 0xffffffff);
    memory[n][TERN_NOD_generation_WORD] = 0xffff;
    TERN_SET(NOD, generation, memory[n], generation);
}

static void lead(unsigned from, unsigned word, unsigned to, unsigned generation)
{
    set_link(memory[from] + word, address_of(to), generation);
}

static int fresh(void **state)
{
    const struct soft_config config = {.ports = 2, .host = {.transfer = transfer}};
    uint32_t *entry;

    (void)state;
    node = soft_node_new(&config);
    assert_non_null(node);
    node->core = CORE_RUNS;
    entry = node->key.entry[REGION];
    TERN_SET(RGN, base, entry, BASE);
    TERN_SET(RGN, iova, entry, BASE);
    TERN_SET(RGN, length, entry, sizeof memory);
    TERN_SET(RGN, tag, entry, TAG);
    TERN_SET(RGN, counter, entry, TERN_COUNTER_NONE);
    TERN_SET(RGN, fn, entry, FUNCTION);
    TERN_SET(RGN, rights, entry, TERN_RIGHT_REMOTE_READ);
    TERN_SET(RGN, valid, entry, 1);
    reads = pending = 0;
    bad_node = -1;
    for (unsigned n = 0; n < NODES; n++) /* a list with keys from 100 on */
        set_node(n, 100 + n, 1 + n);
    for (unsigned n = 0; n + 1 < NODES; n++)
        lead(n, TERN_NOD_less_WORD, n + 1, 2 + n);
    return 0;
}

static int over(void **state)
{
    (void)state;
    soft_node_free(node);
    return 0;
}

/* ---- requests */

static uint32_t *header(void)
{
    return node->rx.slot[SLOT].header;
}

static void want(uint64_t key)
{
    uint64_t operands[] = {0, 0, 0 - key, UINT64_MAX};

    memcpy(node->rx.slot[SLOT].payload, operands, sizeof operands);
}

static void ask(uint64_t addr, unsigned generation, uint64_t key)
{
    node->rx.taken[SLOT] = true;
    memset(header(), 0, sizeof node->rx.slot[SLOT].header);
    TERN_SET(PKT, type, header(), TERN_PTYPE_LOOKUP);
    TERN_SET(PKT, src, header(), ASKER);
    TERN_SET(PKT, opid, header(), OPID);
    TERN_SET(PKT, length, header(), TERN_INLINE_BYTES_MAX);
    TERN_SET(PKT, key, header(), (uint32_t)TAG << 16 | REGION);
    set_link(header() + TERN_PKT_addr_WORD, addr, generation);
    want(key);
}

static void work(void)
{
    for (unsigned i = 0; i < 4 * NODES; i++) {
        (void)soft_atomic_work(node);
        (void)soft_writes_work(node);
    }
}

static void go(unsigned nodes, uint32_t flags)
{
    soft_atomic_push(node, TERN_V(RXA, slot, SLOT) | TERN_V(RXA, add, 1) | TERN_V(RXA, walk, 1) |
                               TERN_V(RXA, nodes, nodes - 1) | flags);
    work();
}

/* ---- results */

static unsigned acks(void)
{
    return node->rx.ack_count;
}

static void nothing_waits(void)
{
    assert_int_equal(soft_event_pop(node), 0);
    assert_int_equal(acks(), 0);
    assert_int_equal(node->writes.count, 0);
    assert_false(node->atomic.busy);
}

/* Checks the link in the header: the next one, or that of the found node. */
static void stands_at(bool found, uint64_t addr, unsigned generation)
{
    uint32_t event = soft_event_pop(node);

    assert_int_equal(TERN_F(EV, type, event), TERN_EV_RX);
    assert_int_equal(TERN_F(EV, rxslot, event), SLOT);
    assert_int_equal(TERN_F(EV, walked, event), 1);
    assert_int_equal(TERN_F(EV, found, event), found);
    assert_int_equal(TERN_F(EV, copied, event), 0);
    assert_true(node->rx.taken[SLOT]);
    assert_int_equal(TERN_GET(LNK, addr, header() + TERN_PKT_addr_WORD), addr);
    assert_int_equal(TERN_GET(LNK, generation, header() + TERN_PKT_addr_WORD), generation);
    nothing_waits();
}

static void refused(uint8_t status)
{
    const struct soft_ack *ack = &node->rx.ack[node->rx.ack_first];

    assert_int_equal(acks(), 1);
    assert_int_equal(ack->node, ASKER);
    assert_int_equal(ack->opid, OPID);
    assert_int_equal(ack->status, status);
    assert_true(ack->last);
    assert_false(ack->brings);
    assert_false(node->rx.taken[SLOT]);
    node->rx.ack_first = (node->rx.ack_first + 1) % SOFT_ACKS;
    node->rx.ack_count = 0;
    nothing_waits();
}

static void the_first_node_may_be_it(void **state)
{
    (void)state;
    ask(address_of(7), 8, 107);
    go(1, 0);
    stands_at(true, address_of(7), 8);
    assert_int_equal(reads, 1);
    assert_int_equal(node->sys.stat[TERN_STAT_host_reads], 1);
    assert_int_equal(node->sys.stat[TERN_STAT_host_read_bytes], TERN_NODE_BYTES);
    assert_int_equal(node->sys.stat[TERN_STAT_key_checks], 1);
}

static void links_are_followed_as_far_as_it_says(void **state)
{
    (void)state;
    for (unsigned nodes = 1; nodes <= TERN_LOOKUP_LOT; nodes++) {
        ask(address_of(0), 0, 100 + nodes - 1);
        go(nodes, 0);
        stands_at(true, address_of(nodes - 1), nodes == 1 ? 0 : nodes);
        ask(address_of(0), 0, 100 + nodes);
        go(nodes, 0);
        stands_at(false, address_of(nodes), nodes + 1);
        go(nodes, TERN_V(RXA, on, 1)); /* starting from that link */
        stands_at(true, address_of(nodes), nodes + 1);
    }
    assert_int_equal(node->sys.stat[TERN_STAT_host_reads], reads);
    assert_int_equal(node->sys.stat[TERN_STAT_key_checks], reads);
}

static void a_tree_is_gone_through_by_keys(void **state)
{
    static const uint64_t keys[] = {1, 1000, UINT64_MAX, UINT64_C(1) << 63, 0};

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        for (int by = -1; by <= 1; by += 2) {
            uint64_t wanted = keys[i] + (uint64_t)by;
            bool more = wanted > keys[i];

            if (wanted == 0) /* key 0 is invalid */
                continue;
            set_node(0, keys[i], 1);
            lead(0, TERN_NOD_less_WORD, 1, 3);
            lead(0, TERN_NOD_more_WORD, 2, 4);
            ask(address_of(0), 1, wanted);
            go(1, TERN_V(RXA, tree, 1));
            stands_at(false, address_of(more ? 2 : 1), more ? 4 : 3);
            ask(address_of(0), 1, wanted);
            go(1, 0); /* in a list the walk follows one link only */
            stands_at(false, address_of(1), 3);
        }
}

static void a_link_that_is_none_ends_it(void **state)
{
    (void)state;
    ask(address_of(0), 1, 1);
    memory[0][TERN_NOD_less_WORD] = 0; /* the upper half does not count */
    go(16, 0);
    refused(TERN_ST_NOT_FOUND);
    ask(address_of(1), 2, 101 + 16);
    memory[1][TERN_NOD_more_WORD] = 0;
    go(16, TERN_V(RXA, tree, 1));
    refused(TERN_ST_NOT_FOUND);
    assert_int_equal(reads, 2);
    ask(address_of(NODES - 1), NODES, 1);
    go(1, 0); /* though it was the last node */
    refused(TERN_ST_NOT_FOUND);
}

static void generations_are_those_of_links(void **state)
{
    (void)state;
    ask(address_of(3), 5, 103); /* the node has generation 4 */
    go(1, 0);
    refused(TERN_ST_STALE_POINTER);
    ask(address_of(3), 0, 103);
    go(1, 0);
    stands_at(true, address_of(3), 0);
    TERN_SET(NOD, generation, memory[4], 6);
    ask(address_of(3), 4, 104);
    go(2, 0);
    refused(TERN_ST_STALE_POINTER);
    set_link(memory[3] + TERN_NOD_less_WORD, address_of(4), 0);
    ask(address_of(3), 4, 104);
    go(2, 0);
    stands_at(true, address_of(4), 0);
    TERN_SET(NOD, generation, memory[3], 0);
    ask(address_of(3), 4, 103); /* the generation is checked before the key */
    go(1, 0);
    refused(TERN_ST_STALE_POINTER);
}

static void nodes_stand_whole_in_the_region(void **state)
{
    static const struct {
        uint64_t addr;
        uint8_t status;
    } cases[] = {{BASE - TERN_NODE_BYTES, TERN_ST_BAD_RANGE},
                 {BASE + sizeof memory, TERN_ST_BAD_RANGE},
                 {BASE + sizeof memory - 8, TERN_ST_BAD_RANGE}, {BASE + 16, TERN_ST_BAD_ALIGN},
                 {BASE + 1, TERN_ST_BAD_ALIGN}, {TERN_NODE_BYTES, TERN_ST_BAD_RANGE}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ask(cases[i].addr, 0, 100);
        go(1, 0);
        refused(cases[i].status);
        ask(cases[i].addr, 0, 100);
        go(1, TERN_V(RXA, on, 1));
        refused(TERN_ST_BAD_LINK);
        set_link(memory[0] + TERN_NOD_less_WORD, cases[i].addr, 0);
        ask(address_of(0), 0, 101);
        go(2, 0);
        refused(TERN_ST_BAD_LINK);
    }
    assert_int_equal(reads, sizeof cases / sizeof cases[0]);
    /* the key check does not cover alignment */
    assert_int_equal(node->sys.stat[TERN_STAT_key_refusals], 3 * 4);
}

static void links_may_count_from_the_start_of_the_region(void **state)
{
    (void)state;
    set_link(memory[1] + TERN_NOD_less_WORD, TERN_NODE_BYTES * 9, 10);
    ask(TERN_NODE_BYTES, 2, 109);
    TERN_SET(PKT, flags, header(), TERN_PFLAG_OFFSET);
    go(2, 0);
    stands_at(true, TERN_NODE_BYTES * 9, 10);
}

static void who_may_not_read_looks_at_nothing(void **state)
{
    (void)state;
    TERN_SET(RGN, rights, node->key.entry[REGION], ALL & ~TERN_RIGHT_REMOTE_READ);
    ask(address_of(0), 0, 100);
    go(1, 0);
    refused(TERN_ST_BAD_RIGHTS);
    TERN_SET(RGN, rights, node->key.entry[REGION], ALL);
    ask(address_of(0), 0, 100);
    TERN_SET(PKT, key, header(), (uint32_t)(TAG + 1) << 16 | REGION);
    go(1, 0);
    refused(TERN_ST_BAD_KEY);
    ask(address_of(0), 0, 100);
    TERN_SET(PKT, incarnation, header(), 77);
    go(1, 0);
    refused(TERN_ST_STALE_NODE);
    ask(address_of(0), 0, 100);
    TERN_SET(PKT, length, header(), TERN_INLINE_BYTES_MAX - 8);
    go(1, 0);
    refused(TERN_ST_BAD_LENGTH);
    assert_int_equal(reads, 0);
}

static void memory_that_fails_is_told(void **state)
{
    (void)state;
    bad_node = 5;
    ask(address_of(3), 4, 110);
    go(16, 0);
    refused(TERN_ST_HOST_FAULT);
    assert_int_equal(reads, 3);
    assert_int_equal(node->sys.stat[TERN_STAT_host_faults], 1);
}

/* A region is released, without waiting for walks. */
static void each_node_is_checked(void **state)
{
    (void)state;
    ask(address_of(0), 1, 140);
    go(16, 0);
    stands_at(false, address_of(16), 17);
    TERN_SET(RGN, rights, node->key.entry[REGION], 0);
    go(16, TERN_V(RXA, on, 1));
    refused(TERN_ST_BAD_LINK);
    assert_int_equal(reads, 16);
}

static void memory_may_take_its_time(void **state)
{
    (void)state;
    pending = 100;
    ask(address_of(0), 1, 115);
    go(16, 0);
    stands_at(true, address_of(15), 16);
}

/* A walk sends one answer; its slot, which another packet may have by now, is not changed. */
static void a_core_that_goes_down_takes_its_packet_with_it(void **state)
{
    static const uint64_t keys[] = {100, 110, 131};

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        uint32_t other[SOFT_HEADER_WORDS];

        ask(address_of(0), 1, keys[i]);
        pending = 1;
        soft_atomic_push(node,
                         TERN_V(RXA, slot, SLOT) | TERN_V(RXA, add, 1) | TERN_V(RXA, walk, 1) |
                                   TERN_V(RXA, nodes, 15));
        (void)soft_atomic_work(node);
        (void)soft_writes_work(node);
        assert_true(node->atomic.busy);
        soft_rx_forget(node);
        memset(header(), 0x5a, sizeof other);
        memcpy(other, header(), sizeof other);
        work();
        assert_memory_equal(header(), other, sizeof other);
        refused(TERN_ST_FLUSHED);
    }
    ask(address_of(0), 1, 100); /* the unit continues with the next walk */
    go(1, 0);
    stands_at(true, address_of(0), 1);
}

static void others_have_their_turn_between_nodes(void **state)
{
    struct soft_write *write;

    (void)state;
    ask(address_of(0), 1, 110);
    pending = 1;
    soft_atomic_push(node,
                     TERN_V(RXA, slot, SLOT) | TERN_V(RXA, add, 1) | TERN_V(RXA, walk, 1) |
                     TERN_V(RXA, nodes, 15));
    (void)soft_atomic_work(node);
    (void)soft_writes_work(node);
    write = soft_write_new(node, WRITE_FIRMWARE);
    write->bytes = 0;
    write->notify = true;
    write->tag = 9;
    (void)soft_writes_work(node);
    assert_int_equal(reads, 1);
    assert_int_equal(TERN_F(EV, type, soft_event_pop(node)), TERN_EV_HWR);
    work();
    stands_at(true, address_of(10), 11);
}

/* ---- reading the found bytes */

static void what_stands_above_is_left_out(void **state)
{
    uint32_t request[SOFT_DESC_WORDS] = {0};
    const uint32_t *words = node->prefetch.slot[SOFT_POOL + 1].words;

    (void)state;
    ask(address_of(6), 7, 1);
    TERN_SET(LKP, length, request, 333);
    TERN_SET(LKP, nodes, request, 255);
    TERN_SET(LKP, tree, request, 1);
    TERN_SET(LKP, addr, request, UINT64_C(0x8877665544332211));
    memcpy(node->rx.slot[SLOT].payload, request + TERN_INLINE_OFFSET / 4, TERN_INLINE_BYTES_MAX);
    soft_rx_copy(node, TERN_V(RXC, rxslot, SLOT) | TERN_V(RXC, slot, SOFT_POOL + 1) | TERN_V(RXC,
        found, 1));
    assert_int_equal(words[TERN_DESC_length_WORD], 333);
    assert_int_equal(TERN_GET(DESC, local_addr, words), address_of(6));
    assert_int_equal(TERN_GET(DESC, remote_addr, words), UINT64_C(0x8877665544332211));
    soft_rx_copy(node, TERN_V(RXC, rxslot, SLOT) | TERN_V(RXC, slot, SOFT_POOL + 1));
    assert_int_equal(TERN_GET(DESC, local_addr, words), UINT64_C(7) << 48 | address_of(6));
    assert_int_equal(words[TERN_DESC_length_WORD], request[TERN_LKP_length_WORD]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, over)
    static const struct CMUnitTest tests[] = {
        TEST(the_first_node_may_be_it),
        TEST(links_are_followed_as_far_as_it_says),
        TEST(a_tree_is_gone_through_by_keys),
        TEST(a_link_that_is_none_ends_it),
        TEST(generations_are_those_of_links),
        TEST(nodes_stand_whole_in_the_region),
        TEST(links_may_count_from_the_start_of_the_region),
        TEST(who_may_not_read_looks_at_nothing),
        TEST(memory_that_fails_is_told),
        TEST(each_node_is_checked),
        TEST(memory_may_take_its_time),
        TEST(a_core_that_goes_down_takes_its_packet_with_it),
        TEST(others_have_their_turn_between_nodes),
        TEST(what_stands_above_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
