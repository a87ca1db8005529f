/* SPDX-License-Identifier: Apache-2.0 */
/* The verilated node in a simulation within this process, which advances its time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attach.h"
#include "tern_abi.h"
#include "tern_sim.h"
#include "rig_tier.h"

enum { BOOT_LIMIT = 2000000, STEP = 64 };

static uint8_t firmware[1 << 20];
static size_t firmware_bytes;

static int load_firmware(void **state)
{
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");

    (void)state;
    if (file == NULL)
        return 1;
    firmware_bytes = fread(firmware, 1, sizeof firmware, file);
    fclose(file);
    return firmware_bytes == 0;
}

static enum tern_tier tier(void)
{
    return rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
}

static struct tern_sim *ring(unsigned nodes, const char *scenario)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES];
    int status;
    struct tern_sim *sim;

    config.tier = tier();
    config.dims[0] = nodes;
    config.firmware = firmware;
    config.firmware_bytes = firmware_bytes;
    config.scenario = scenario;
    sim = tern_sim_create(&config, error, &status);
    if (sim == NULL)
        print_error("%s\n", error);
    assert_non_null(sim);
    return sim;
}

static void advance(void *sim)
{
    tern_sim_run(sim, STEP);
}

static struct attach client_of(struct tern_sim *sim, unsigned node)
{
    struct attach attach;

    assert_true(attach_begin(&attach, tern_sim_connect(sim, node), advance, sim));
    return attach;
}

/* Waits until a register, masked, has a value; returns the cycles it took. */
static uint64_t await(struct tern_sim *sim, struct attach *attach, uint32_t offset,
                      uint32_t mask, uint32_t value)
{
    uint64_t begun = tern_sim_cycle(sim);

    while ((attach_read(attach, offset) & mask) != value) {
        assert_true(tern_sim_cycle(sim) - begun < BOOT_LIMIT);
        tern_sim_run(sim, 1000);
    }
    return tern_sim_cycle(sim) - begun;
}

static void a_ring_boots_and_says_what_it_is(void **state)
{
    struct tern_sim *sim = ring(3, NULL);

    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        struct attach attach = client_of(sim, n);

        await(sim, &attach, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
        await(sim, &attach, TERN_REG_STATUS, 0xff00, 0x0300); /* both links up */
        assert_int_equal(attach_read(&attach, TERN_REG_MAGIC), TERN_ABI_MAGIC);
        assert_int_equal(attach_read(&attach, TERN_REG_VERSION), TERN_ABI_VERSION);
        assert_int_equal(attach_read(&attach, TERN_REG_NODE), n);
        assert_int_equal(attach_read(&attach, TERN_REG_DIMS), 2);
        assert_int_equal(attach_read(&attach, TERN_REG_FUNCTION), 0);
        assert_int_equal(attach_read(&attach, TERN_REG_LIMITS) >> 16, TERN_MODEL_FUNCTIONS);
        assert_int_equal(attach_read(&attach, TERN_REG_INCARNATION), 1);
        assert_true(rig_tier_is_soft() || attach_read(&attach, TERN_REG_INSTRET_LO) > 0);
        attach_end(&attach);
    }
    printf("# booted after at most %llu cycles\n", (unsigned long long)tern_sim_cycle(sim));
    tern_sim_destroy(sim);
}

static void clients_are_functions_of_their_own(void **state)
{
    struct tern_sim *sim = ring(1, NULL);
    struct attach first = client_of(sim, 0);
    struct attach second = client_of(sim, 0);

    (void)state;
    await(sim, &first, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
    assert_int_equal(first.function, 0);
    assert_int_equal(second.function, 1);
    assert_int_equal(attach_read(&second, TERN_REG_FUNCTION), 1);
    attach_write(&first, TERN_REG_AQ_BASE_LO, 0x1000);
    attach_write(&second, TERN_REG_AQ_BASE_LO, 0x2000);
    assert_int_equal(attach_read(&first, TERN_REG_AQ_BASE_LO), 0x1000);
    assert_int_equal(attach_read(&second, TERN_REG_AQ_BASE_LO), 0x2000);
    attach_write(&second, TERN_REG_CORE_CTRL, 1); /* only function 0 may do that */
    tern_sim_run(sim, 1000);
    assert_int_equal(attach_read(&first, TERN_REG_STATUS) & 0xff, TERN_FWSTATE_READY);
    attach_end(&first);
    attach_end(&second);
    tern_sim_destroy(sim);
}

/* Enables the client's function with an admin queue in `memory`. */
static void enable(struct tern_sim *sim, struct attach *attach, void *memory, size_t bytes)
{
    uint64_t base = (uint64_t)(uintptr_t)memory;

    assert_int_equal(attach_map(attach, memory, bytes), 0);
    attach_write(attach, TERN_REG_ABI_WANTED, TERN_ABI_VERSION);
    attach_write(attach, TERN_REG_AQ_BASE_LO, (uint32_t)base);
    attach_write(attach, TERN_REG_AQ_BASE_HI, (uint32_t)(base >> 32));
    attach_write(attach, TERN_REG_AQ_SIZE, 3 | 3 << 8 | (uint32_t)TERN_VECTOR_NONE << 16);
    attach_write(attach, TERN_REG_FN_CTRL, 1);
    await(sim, attach, TERN_REG_FN_STATUS, 0xff, TERN_FNSTATE_READY);
}

static void a_function_comes_back_clean(void **state)
{
    struct tern_sim *sim = ring(1, NULL);
    void *memory = aligned_alloc(4096, 4096);
    struct attach first = client_of(sim, 0);
    struct attach other = client_of(sim, 0);
    uint32_t resets;

    (void)state;
    await(sim, &first, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
    enable(sim, &first, memory, 4096);
    resets = attach_read(&first, TERN_REG_FN_STATUS) >> 16;
    attach_end(&first); /* with its queue in use */
    first = client_of(sim, 0);
    assert_int_equal(first.function, 0);
    assert_int_equal(attach_read(&first, TERN_REG_FN_STATUS) & 0xff, TERN_FNSTATE_OFF);
    assert_int_equal(attach_read(&first, TERN_REG_FN_STATUS) >> 16, resets + 1);
    assert_int_equal(tern_sim_counts(sim, 0)->resets_unconfirmed, 0);
    enable(sim, &first, memory, 4096);
    assert_int_equal(attach_ask(&first, VU_RESET, NULL, 0, NULL, 0), 0);
    assert_int_equal(attach_read(&first, TERN_REG_FN_STATUS) & 0xff, TERN_FNSTATE_OFF);
    assert_int_equal(attach_read(&first, TERN_REG_FN_STATUS) >> 16, resets + 2);
    assert_int_equal(attach_read(&other, TERN_REG_FN_STATUS) >> 16, 0); /* not changed */
    attach_end(&first);
    attach_end(&other);
    tern_sim_destroy(sim);
    free(memory);
}

/*
 * Only the firmware can report that a reset is done: a client cannot forge that, nor its own queue
 * number.
 */
static void a_client_cannot_forge_what_the_firmware_says(void **state)
{
    static const uint32_t words[] = {TERN_REG_FN_STATUS, TERN_REG_FN_ERROR, TERN_REG_AQ_QUEUE};
    struct tern_sim *sim = ring(1, NULL);
    void *memory = aligned_alloc(4096, 4096);
    struct attach client = client_of(sim, 0);
    uint32_t said[3];

    (void)state;
    await(sim, &client, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
    enable(sim, &client, memory, 4096);
    for (int i = 0; i < 3; i++)
        said[i] = attach_read(&client, words[i]);
    for (int i = 0; i < 3; i++)
        attach_write(&client, words[i], said[i] + 0x10000);
    for (int i = 0; i < 3; i++)
        assert_int_equal(attach_read(&client, words[i]), said[i]);
    attach_end(&client);
    client = client_of(sim, 0);
    assert_int_equal(attach_read(&client, TERN_REG_FN_STATUS) >> 16, (said[0] >> 16) + 1);
    assert_int_equal(tern_sim_counts(sim, 0)->resets_unconfirmed, 0);
    printf("# evidence K1.4 forged=0 unconfirmed=0\n");
    attach_end(&client);
    tern_sim_destroy(sim);
    free(memory);
}

static void a_core_held_in_reset_stands_still_and_boots_anew(void **state)
{
    struct tern_sim *sim = ring(1, NULL);
    struct attach attach = client_of(sim, 0);
    uint64_t retired;

    (void)state;
    await(sim, &attach, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
    attach_write(&attach, TERN_REG_CORE_CTRL, 1);
    await(sim, &attach, TERN_REG_STATUS, 0xff, TERN_FWSTATE_RESET);
    retired = tern_sim_retired(sim, 0);
    tern_sim_run(sim, 20000);
    assert_int_equal(tern_sim_retired(sim, 0), retired);
    attach_write(&attach, TERN_REG_CORE_CTRL, 0);
    await(sim, &attach, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
    assert_int_equal(attach_read(&attach, TERN_REG_INCARNATION), 2);
    assert_true(rig_tier_is_soft() || tern_sim_retired(sim, 0) > retired);
    attach_end(&attach);
    tern_sim_destroy(sim);
}

static void a_cut_link_goes_down_at_both_ends_and_comes_back(void **state)
{
    struct tern_sim *sim = ring(3, "at 0 noise 2 X+ every=0\n");
    struct attach zero = client_of(sim, 0);
    struct attach one = client_of(sim, 1);
    struct attach two = client_of(sim, 2);
    uint64_t down, up;

    (void)state;
    await(sim, &zero, TERN_REG_STATUS, 0xff00, 0x0300);
    await(sim, &one, TERN_REG_STATUS, 0xff00, 0x0300);
    tern_net_cut(tern_sim_net(sim), 0, 0, true);
    down = await(sim, &zero, TERN_REG_STATUS, 0xff00, 0x0200); /* its X+ */
    await(sim, &one, TERN_REG_STATUS, 0xff00, 0x0100);         /* its X- */
    assert_int_equal(attach_read(&two, TERN_REG_STATUS) & 0xff00, 0x0300);
    tern_net_cut(tern_sim_net(sim), 0, 0, false);
    up = await(sim, &zero, TERN_REG_STATUS, 0xff00, 0x0300);
    await(sim, &one, TERN_REG_STATUS, 0xff00, 0x0300);
    printf("# link down seen after at most %llu cycles, up after %llu\n",
           (unsigned long long)down, (unsigned long long)up);
    attach_end(&zero);
    attach_end(&one);
    attach_end(&two);
    tern_sim_destroy(sim);
}

static void a_blank_flash_is_reported(void **state)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES];
    int status;
    struct tern_sim *sim;
    struct attach attach;

    (void)state;
    config.tier = tier();
    config.dims[0] = 1;
    sim = tern_sim_create(&config, error, &status);
    attach = client_of(sim, 0);
    await(sim, &attach, TERN_REG_STATUS, 0xff, TERN_FWSTATE_NOIMAGE);
    attach_end(&attach); /* without firmware to reset the function, it is free at once */
    attach = client_of(sim, 0);
    assert_int_equal(attach.function, 0);
    attach_end(&attach);
    tern_sim_destroy(sim);
}

static void what_cannot_be_simulated_is_refused(void **state)
{
    static const struct {
        unsigned dims[3];
        int status;
    } rows[] = {
        {{0, 1, 1}, TERN_ST_BAD_ARGUMENT},
        {{33, 1, 1}, TERN_ST_BAD_ARGUMENT},
        {{32, 17, 1}, TERN_ST_BAD_ARGUMENT},
        {{2, 1, 0}, TERN_ST_BAD_ARGUMENT},
        {{1, 1, 1}, TERN_ST_OK},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tern_sim_config config = tern_sim_config_default();
        char error[TERN_SIM_ERROR_BYTES];
        int status;
        struct tern_sim *sim;

        config.tier = tier();
        memcpy(config.dims, rows[i].dims, sizeof config.dims);
        sim = tern_sim_create(&config, error, &status);
        assert_int_equal(status, rows[i].status);
        assert_true((sim == NULL) == (error[0] != 0));
        tern_sim_destroy(sim);
    }
}

static void fold(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    uint64_t *hash = ctx;
    uint64_t facts[] = {node, cycle, lane, id};

    for (size_t i = 0; i < 4; i++)
        *hash = (*hash ^ facts[i]) * UINT64_C(0x100000001b3);
}

static uint64_t history_of_a_run(const char *scenario)
{
    struct tern_sim *sim = ring(2, scenario);
    void *memory = aligned_alloc(4096, 4096);
    struct attach attach = client_of(sim, 0);
    uint64_t hash = 1;

    tern_sim_on_event(sim, fold, &hash);
    await(sim, &attach, TERN_REG_STATUS, 0xff, TERN_FWSTATE_READY);
    for (int i = 0; i < 3; i++) {
        enable(sim, &attach, memory, 4096);
        attach_end(&attach);
        attach = client_of(sim, 0);
    }
    assert_true(hash != 1);
    hash ^= tern_sim_cycle(sim);
    attach_end(&attach);
    tern_sim_destroy(sim);
    free(memory);
    return hash;
}

static void equal_calls_have_equal_results(void **state)
{
    uint64_t first = history_of_a_run(NULL);

    (void)state;
    assert_true(first == history_of_a_run(NULL));
    assert_true(first != history_of_a_run("at 1000 cut 0 X+\nat 1000 cut 0 X-\n"));
}

/* The soft tier skips the tests that need the trace port, or figures in cycles. */
#define ON_BOTH_TIERS \
    cmocka_unit_test(a_ring_boots_and_says_what_it_is), \
    cmocka_unit_test(clients_are_functions_of_their_own), \
    cmocka_unit_test(a_function_comes_back_clean), \
    cmocka_unit_test(a_client_cannot_forge_what_the_firmware_says), \
    cmocka_unit_test(a_core_held_in_reset_stands_still_and_boots_anew), \
    cmocka_unit_test(a_cut_link_goes_down_at_both_ends_and_comes_back), \
    cmocka_unit_test(a_blank_flash_is_reported), \
    cmocka_unit_test(what_cannot_be_simulated_is_refused)

int main(void)
{
    const struct CMUnitTest on_soft[] = {ON_BOTH_TIERS};
    const struct CMUnitTest on_rtl[] = {
        ON_BOTH_TIERS,
        cmocka_unit_test(equal_calls_have_equal_results),
    };

    if (rig_tier_is_soft())
        return cmocka_run_group_tests(on_soft, load_firmware, NULL);
    return cmocka_run_group_tests(on_rtl, load_firmware, NULL);
}
