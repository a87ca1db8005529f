/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware without the features RELAY, TREE, SAMPLE and COMBINE, as in the lean configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { RX = 1 };

static struct rig rig;

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    return 0;
}

/* Checks that the next descriptor works. */
static void serves_on(void)
{
    uint32_t w[16];
    unsigned before = regs.tx_count;

    rig_put(w, 8, 0);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, before + 1);
}

static void an_opcode_left_out_is_refused(void **state)
{
    uint32_t w[16];

    (void)state;
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, TERN_OP_RELAY);
    TERN_SET(DESC, length, w, TERN_RELAY_BYTES);
    TERN_SET(DESC, dst_node, w, 1);
    TERN_SET(GET, area, w, TERN_AREA_NONE);
    rig_start(&rig, w);
    rig_expect_of(&rig, TERN_OP_RELAY, TERN_ST_UNSUPPORTED);
    assert_int_equal(regs.tx_count, 0);
    serves_on();
}

static void the_tree_network_left_out_is_refused(void **state)
{
    static const uint32_t opcodes[] = {TERN_OP_TREE_SET, TERN_OP_COMBINE, TERN_OP_TREE_PUT,
                                       TERN_OP_TREE_FORWARD};

    (void)state;
    for (unsigned i = 0; i < sizeof(opcodes) / sizeof(*opcodes); i++) {
        uint32_t w[16] = {0};

        TERN_SET(DESC, opcode, w, opcodes[i]);
        rig_start(&rig, w);
        rig_expect_of(&rig, opcodes[i], TERN_ST_UNSUPPORTED);
    }
    serves_on();
}

static void refuses_packet(uint32_t type, uint32_t bytes, uint32_t status)
{
    memset(regs.rx[RX], 0, sizeof(regs.rx[RX]));
    TERN_SET(PKT, type, regs.rx[RX], type);
    TERN_SET(PKT, length, regs.rx[RX], bytes);
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, type));
    rig_run(&rig);
    assert_int_equal(regs.ack_count, 1);
    assert_int_equal(regs.acks[0], RX | status << 8);
    assert_true(regs.rx_freed[RX]);
    serves_on();
}

static void a_packet_left_out_is_refused(void **state)
{
    (void)state;
    refuses_packet(TERN_PTYPE_RELAY, TERN_RELAY_BYTES, TERN_ST_UNSUPPORTED);
}

static void a_group_to_forward_left_out_is_refused(void **state)
{
    (void)state;
    refuses_packet(TERN_PTYPE_TREE_FORWARD, TERN_FORWARD_BYTES, TERN_ST_BAD_OPCODE);
}

static void a_check_in_on_the_way_is_refused(void **state)
{
    (void)state;
    memset(regs.rx[RX], 0, sizeof(regs.rx[RX]));
    regs.rx[RX][TERN_PKT_addr_WORD] = TERN_V(CHK, area, TERN_CHECKIN_TREE);
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_CHECKIN));
    rig_run(&rig);
    assert_int_equal(regs.ack_count, 1);
    assert_int_equal(regs.acks[0], RX | TERN_ST_UNSUPPORTED << 8);
}

static void an_admin_command_left_out_is_refused(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    TERN_SET(DESC, opcode, w, TERN_ADMIN_SAMPLE);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_UNSUPPORTED);
}

static void identify_tells_what_is_left_out(void **state)
{
    uint32_t w[16] = {0};
    uint64_t to = rig_page(0) + RIG_DATA;

    (void)state;
    TERN_SET(DESC, opcode, w, TERN_ADMIN_IDENTIFY);
    TERN_SET(ADM, addr, w, to);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, length, w, 4 * TERN_ID_WORDS);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
    assert_int_equal(regs_words(to)[TERN_ID_ABI_VERSION], TERN_ABI_VERSION);
    assert_int_equal(regs_words(to)[TERN_ID_FEATURES], 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    const struct CMUnitTest tests[] = {
        TEST(an_opcode_left_out_is_refused),
        TEST(the_tree_network_left_out_is_refused),
        TEST(a_packet_left_out_is_refused),
        TEST(a_group_to_forward_left_out_is_refused),
        TEST(a_check_in_on_the_way_is_refused),
        TEST(an_admin_command_left_out_is_refused),
        TEST(identify_tells_what_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
