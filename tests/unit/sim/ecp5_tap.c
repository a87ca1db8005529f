/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of an ECP5's JTAG port and of its flash, where openFPGALoader does not go: writes
 * without a write-enable, the end of a page, bitstreams that are damaged or cut, instructions out
 * of order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ecp5_tap.h"

enum {
    FLASH_BYTES = 2 << 20,
    PLACE = 0x1234f0,
    ISC_DISABLE = 0x26,
    READ_STATUS = 0x3c,
    INIT_ADDRESS = 0x46,
    REFRESH = 0x79,
    BURST = 0x7a,
    ISC_ENABLE = 0xc6,
    STATUS_DONE = 1 << 8,
    STATUS_FAIL = 1 << 13
};

static struct {
    struct board_flash flash;
    struct ecp5_tap tap;
    uint8_t *bits; /* a bitstream */
    size_t bytes;
    uint16_t crc;
} test;

/* ---- a bitstream without comments, its frames not packed */

static void add(uint8_t byte)
{
    test.crc = ecp5_crc_add(test.crc, byte);
    test.bits[test.bytes++] = byte;
}

static void add_number(uint32_t value, unsigned bytes)
{
    while (bytes-- > 0)
        add((uint8_t)(value >> 8 * bytes));
}

static void add_crc(void)
{
    add_number(ecp5_crc_end(test.crc), 2);
    test.crc = 0;
}

static void make_bits(const struct ecp5_device *device)
{
    test.bytes = 0;
    add_number(0xffffbdb3, 4);
    add(ECP5_RESET_CRC);
    add_number(0, 3);
    test.crc = 0;
    add(ECP5_VERIFY_ID);
    add_number(0, 3);
    add_number(device->idcode, 4);
    add(ECP5_FRAMES);
    add(0x91);
    add_number(device->frames, 2);
    for (unsigned i = 0; i < device->frames; i++) {
        for (unsigned k = 0; k < device->frame_bytes; k++)
            add((uint8_t)(i + k));
        add_crc();
        add(0xff);
    }
    add(ECP5_DONE);
    add_number(0, 3);
}

static enum ecp5_error configure(void)
{
    return ecp5_configure(ecp5_device(45), test.bits, test.bytes);
}

/* ---- the flash at its pins */

static uint8_t exchange(uint8_t out)
{
    uint8_t in = 0;

    for (int i = 7; i >= 0; i--) {
        in = (uint8_t)(in << 1 | test.flash.miso);
        board_flash_step(&test.flash, true, true, out >> i & 1);
        board_flash_step(&test.flash, true, false, out >> i & 1);
    }
    return in;
}

static void deselect(void)
{
    board_flash_step(&test.flash, false, false, false);
}

static void head(uint8_t command, uint32_t place)
{
    exchange(command);
    for (int i = 16; i >= 0; i -= 8)
        exchange((uint8_t)(place >> i));
}

static uint8_t flash_status(void)
{
    uint8_t value;

    exchange(0x05);
    value = exchange(0);
    deselect();
    return value;
}

static void enable(void)
{
    exchange(0x06);
    deselect();
}

static void await(void)
{
    while (flash_status() & 1)
        ;
}

/* ---- the port */

static void clock_in(const char *tms)
{
    for (; *tms != 0; tms++)
        ecp5_tap_step(&test.tap, *tms == '1', false);
}

static void instruction(uint8_t code)
{
    clock_in("1100");
    for (int i = 0; i < 8; i++)
        ecp5_tap_step(&test.tap, i == 7, code >> i & 1);
    clock_in("10");
}

static uint32_t data(uint32_t value, unsigned count)
{
    uint32_t out = 0;

    clock_in("100");
    for (unsigned i = 0; i < count; i++)
        out |= (uint32_t)ecp5_tap_step(&test.tap, i == count - 1, value >> i & 1) << i;
    clock_in("10");
    return out;
}

static uint32_t status(void)
{
    instruction(READ_STATUS);
    return data(0, 32);
}

static void burst(void)
{
    instruction(BURST);
    clock_in("100");
    for (size_t i = 0; i < 8 * test.bytes; i++)
        ecp5_tap_step(&test.tap, i == 8 * test.bytes - 1, test.bits[i / 8] >> (7 - i % 8) & 1);
    clock_in("10");
}

static int setup(void **state)
{
    (void)state;
    test.bits = malloc(2 << 20);
    if (test.bits == NULL || !board_flash_init(&test.flash, FLASH_BYTES, 0xef4015))
        return -1;
    ecp5_tap_init(&test.tap, ecp5_device(45), &test.flash);
    clock_in("111110");
    make_bits(ecp5_device(45));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ecp5_tap_fini(&test.tap);
    board_flash_fini(&test.flash);
    free(test.bits);
    return 0;
}

/* ---- tests */

static void a_write_without_a_write_enable_changes_nothing(void **state)
{
    (void)state;
    head(0x02, PLACE);
    exchange(0x55);
    deselect();
    assert_int_equal(test.flash.bytes[PLACE], 0xff);
    enable();
    assert_int_equal(flash_status(), 2);
    head(0x02, PLACE);
    exchange(0x55);
    deselect();
    await();
    assert_int_equal(test.flash.bytes[PLACE], 0x55);
    head(0x02, PLACE); /* the first write has used it up */
    exchange(0x00);
    deselect();
    assert_int_equal(test.flash.bytes[PLACE], 0x55);
}

static void a_program_clears_bits_alone_and_an_erasure_sets_them(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        enable();
        head(0x02, PLACE);
        exchange(i == 0 ? 0x5f : 0xf5);
        deselect();
        await();
    }
    assert_int_equal(test.flash.bytes[PLACE], 0x55);
    test.flash.bytes[(PLACE & ~0xfff) - 1] = test.flash.bytes[(PLACE & ~0xfff) + 0x1000] = 0;
    enable();
    head(0x20, PLACE);
    deselect();
    await();
    assert_int_equal(test.flash.bytes[PLACE], 0xff);
    assert_int_equal(test.flash.bytes[(PLACE & ~0xfff) - 1], 0);
    assert_int_equal(test.flash.bytes[(PLACE & ~0xfff) + 0x1000], 0);
}

static void a_program_wraps_at_the_end_of_its_page(void **state)
{
    (void)state;
    enable();
    head(0x02, PLACE);
    for (unsigned i = 0; i < 20; i++)
        exchange((uint8_t)i);
    deselect();
    assert_int_equal(test.flash.bytes[PLACE], 0);
    assert_int_equal(test.flash.bytes[PLACE + 15], 15);
    assert_int_equal(test.flash.bytes[PLACE + 16], 0xff);
    assert_int_equal(test.flash.bytes[PLACE & ~0xff], 16);
    assert_int_equal(test.flash.bytes[(PLACE & ~0xff) + 3], 19);
}

static void a_busy_flash_refuses_all_but_its_status(void **state)
{
    (void)state;
    enable();
    head(0x02, PLACE);
    exchange(0x55);
    deselect();
    head(0x03, PLACE);
    assert_int_equal(exchange(0), 0xff);
    deselect();
    assert_int_equal(flash_status() & 1, 1);
    await();
    head(0x03, PLACE);
    assert_int_equal(exchange(0), 0x55);
    deselect();
}

static void a_whole_bitstream_starts_the_device(void **state)
{
    (void)state;
    assert_int_equal(configure(), ECP5_NONE);
    instruction(ISC_ENABLE);
    data(0, 8);
    instruction(INIT_ADDRESS);
    burst();
    instruction(ISC_DISABLE);
    assert_int_equal(status() & (STATUS_DONE | STATUS_FAIL), STATUS_DONE);
    assert_int_equal(test.tap.burst_bits, 8 * test.bytes);
    assert_memory_equal(test.tap.burst, test.bits, test.bytes);
}

static void a_bitstream_out_of_order_does_not(void **state)
{
    (void)state;
    burst();
    assert_int_equal(status() & (STATUS_DONE | STATUS_FAIL), STATUS_FAIL);
    instruction(ISC_ENABLE);
    data(0, 8);
    burst();
    assert_int_equal(status() & (STATUS_DONE | STATUS_FAIL), STATUS_FAIL);
}

static void a_damaged_bitstream_is_an_error_at_each_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < test.bytes; i += i < 40 ? 1 : 40009) {
        if (i >= 5 && i < 8)
            continue; /* the operand of the command that resets the CRC */
        test.bits[i] ^= 4;
        assert_int_not_equal(configure(), ECP5_NONE);
        test.bits[i] ^= 4;
    }
}

static void a_bitstream_that_is_cut_is_an_error(void **state)
{
    size_t whole = test.bytes;

    (void)state;
    for (test.bytes = 0; test.bytes < whole; test.bytes += test.bytes < 40 ? 1 : 40009)
        assert_int_not_equal(configure(), ECP5_NONE);
    test.bytes = whole - 4;
    assert_int_equal(configure(), ECP5_ABORTED);
}

static void a_bitstream_of_another_device_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(ecp5_configure(ecp5_device(85), test.bits, test.bytes), ECP5_WRONG_ID);
    assert_null(ecp5_device(25));
}

static void the_device_comes_up_from_its_flash(void **state)
{
    (void)state;
    instruction(REFRESH);
    assert_int_equal(status() & (STATUS_DONE | STATUS_FAIL), STATUS_FAIL);
    memcpy(test.flash.bytes, test.bits, test.bytes);
    instruction(REFRESH);
    assert_int_equal(status() & (STATUS_DONE | STATUS_FAIL), STATUS_DONE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        TEST(a_write_without_a_write_enable_changes_nothing),
        TEST(a_program_clears_bits_alone_and_an_erasure_sets_them),
        TEST(a_program_wraps_at_the_end_of_its_page),
        TEST(a_busy_flash_refuses_all_but_its_status),
        TEST(a_whole_bitstream_starts_the_device),
        TEST(a_bitstream_out_of_order_does_not),
        TEST(a_damaged_bitstream_is_an_error_at_each_byte),
        TEST(a_bitstream_that_is_cut_is_an_error),
        TEST(a_bitstream_of_another_device_is_an_error),
        TEST(the_device_comes_up_from_its_flash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
