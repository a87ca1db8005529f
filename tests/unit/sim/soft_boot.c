/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boot loader of the soft tier checks magic, size and checksum of an image. A node with a bad
 * image reports that, as on rtl (tests/rtl/net/boot_tb.sv), and does not run its firmware.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "inside.h"
#include "net.h"
#include "tern_abi.h"
#include "wire.h"

enum { HEADER = TERN_FW_HEADER_BYTES / 4, WORDS = 16, MOST = HEADER + TERN_MEM_ITCM_BYTES / 4 + 1 };

static uint32_t flash[MOST];
static struct soft_node *node;

/* Makes a valid image of `bytes`. */
static void image(uint32_t bytes)
{
    memset(flash, 0, sizeof(flash));
    for (uint32_t i = 0; i < bytes / 4 && HEADER + i < MOST; i++)
        flash[HEADER + i] = 0x9e3779b9u * (i + 1);
    flash[0] = TERN_FW_MAGIC;
    flash[1] = bytes;
    flash[2] = ~tern_wire_crc32c(UINT32_MAX, (const uint8_t *)(flash + HEADER), bytes);
}

/* Boots a node with that image; returns the state that it reports. */
static uint32_t state_of_boot(size_t words)
{
    const struct tern_torus ring = {.sides = {2, 1, 1}};
    struct tern_net *net = tern_net_new(&ring, 16, 1);
    const struct soft_config config = {.ports = 2, .dims = 1, .flash = flash, .flash_words = words};
    uint32_t state;

    node = soft_node_new(&config);
    assert_non_null(node);
    assert_non_null(net);
    assert_true(tern_net_use_packets(net));
    (void)soft_node_turn(node, net, 1);
    state = soft_core_state(node) & 0xffff;
    assert_int_equal(node->core == CORE_RUNS || node->core == CORE_FAILED,
                     state != TERN_FWSTATE_BADIMAGE && state != TERN_FWSTATE_NOIMAGE);
    soft_node_free(node);
    tern_net_free(net);
    return state;
}

static bool runs(size_t words)
{
    uint32_t state = state_of_boot(words);

    return state != TERN_FWSTATE_BADIMAGE && state != TERN_FWSTATE_NOIMAGE &&
           state != TERN_FWSTATE_RESET;
}

static void a_good_image_boots(void **state)
{
    (void)state;
    image(WORDS * 4);
    assert_true(runs(MOST));
}

static void blank_flash_is_no_image(void **state)
{
    (void)state;
    image(WORDS * 4);
    flash[0] ^= 1;
    assert_int_equal(state_of_boot(MOST), TERN_FWSTATE_NOIMAGE);
}

static void a_damaged_image_is_bad(void **state)
{
    (void)state;
    for (unsigned at = 0; at < WORDS; at++) {
        image(WORDS * 4);
        flash[HEADER + at] ^= 1u << at;
        assert_int_equal(state_of_boot(MOST), TERN_FWSTATE_BADIMAGE);
    }
    image(WORDS * 4);
    flash[2] ^= 1;
    assert_int_equal(state_of_boot(MOST), TERN_FWSTATE_BADIMAGE);
}

static void sizes_that_cannot_be_are_bad(void **state)
{
    static const uint32_t sizes[] = {0, WORDS * 4 - 2, TERN_MEM_ITCM_BYTES + 4, UINT32_MAX - 3};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        image(WORDS * 4);
        flash[1] = sizes[i];
        if (sizes[i] <= TERN_MEM_ITCM_BYTES + 4) /* its checksum is right, too */
            flash[2] =
                ~tern_wire_crc32c(UINT32_MAX, (const uint8_t *)(flash + HEADER), sizes[i] & ~3u);
        assert_int_equal(state_of_boot(MOST), TERN_FWSTATE_BADIMAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_image_boots),
        cmocka_unit_test(blank_flash_is_no_image),
        cmocka_unit_test(a_damaged_image_is_bad),
        cmocka_unit_test(sizes_that_cannot_be_are_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
