/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the simulator: their number does not affect the result.
 *
 * The test compares runs by the hash of all chips' state, by the sequence of their trace ports'
 * events, and by the contents of host memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "shares.h"
#include "sim.h"
#include "state.h"
#include "tern_abi.h"
#include "traffic.h"

enum {
    NODES = 4,
    TRAFFIC_CYCLES = 6000,
    FLIPS = 48,
    BOOT_STEP = 2000,
    BOOT_MOST = 16 * TERN_MEM_ITCM_BYTES / 4 /* the loader takes fewer cycles per word */
};

/* The results of a run. */
struct outcome {
    char state[TERN_SIM_STATE_TEXT];
    uint64_t cycle, retired, packets, damaged;
    uint64_t events, told; /* number of events, and a hash of their sequence */
    uint64_t memory;       /* a hash of the bytes put */
    bool apart;
};

/*
 * ---- places ----
 *
 * The NIC sees addresses of host memory, and an additional thread's stack moves later mappings. To
 * have the same addresses in every run, the linker redirects mmap() of driver and test to this
 * file.
 */
static const uintptr_t first_place = UINT64_C(0x7e9000000000);
static uintptr_t next_place;

void *__real_mmap(void *address, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t bytes, int prot, int flags, int fd, off_t offset);

void *__wrap_mmap(void *address, size_t bytes, int prot, int flags, int fd, off_t offset)
{
    uintptr_t place = next_place;

    (void)address;
    next_place += (bytes + 0x1fff) & ~(size_t)0xfff; /* with a gap */
    return __real_mmap((void *)place, bytes, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static void on_event(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct outcome *outcome = ctx;

    outcome->events++;
    outcome->told = mix(mix(mix(mix(outcome->told, node), cycle), lane), id);
}

static struct tern_sim_config config_of(unsigned threads)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = NODES;
    config.threads = threads;
    config.seed = 7;
    traffic_firmware(&config);
    return config;
}

static void look(struct outcome *outcome, const struct tern_sim *sim)
{
    assert_true(tern_sim_state_text(sim, outcome->state));
    outcome->cycle = tern_sim_cycle(sim);
    outcome->packets = tern_net_packets(sim->net);
    outcome->apart = sim->apart;
    for (unsigned n = 0; n < sim->nodes; n++) {
        outcome->retired += tern_sim_retired(sim, n);
        outcome->damaged += tern_net_stats(sim->net, n, 0)->damaged;
        outcome->damaged += tern_net_stats(sim->net, n, 1)->damaged;
    }
}

static void look_at_memory(struct outcome *outcome, const struct traffic *traffic)
{
    for (unsigned n = 0; n < traffic->nodes; n++) {
        for (unsigned i = 0; i < TRAFFIC_BYTES; i++)
            outcome->memory = mix(outcome->memory, traffic->end[n].buffer[i]);
    }
}

static struct outcome traffic_with(unsigned threads, bool shared, const char *scenario)
{
    struct tern_sim_config config = config_of(threads);
    struct outcome outcome = {0};
    struct traffic traffic;

    config.scenario = scenario;
    next_place = first_place;
    traffic_open(&traffic, &config, shared);
    tern_shares_fix(traffic.sim);
    tern_sim_on_event(traffic.sim, on_event, &outcome);
    traffic_run(&traffic, TRAFFIC_CYCLES);
    look(&outcome, traffic.sim);
    look_at_memory(&outcome, &traffic);
    traffic_close(&traffic);
    return outcome;
}

static void assert_same(const struct outcome *a, const struct outcome *b)
{
    assert_string_equal(a->state, b->state);
    assert_int_equal(a->cycle, b->cycle);
    assert_int_equal(a->retired, b->retired);
    assert_int_equal(a->packets, b->packets);
    assert_int_equal(a->damaged, b->damaged);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->told, b->told);
    assert_int_equal(a->memory, b->memory);
}

/* ---- tests ---- */

static void threads_make_no_difference(void **state)
{
    struct outcome one = traffic_with(1, false, NULL), two = traffic_with(2, false, NULL);
    struct outcome three = traffic_with(3, false, NULL); /* unequal shares */

    (void)state;
    assert_true(one.packets > 100 && one.events > 1000);
    assert_true(two.apart);
    assert_same(&one, &two);
    assert_same(&one, &three);
    printf("# state %s\n# evidence B5.1 packets=%llu events=%llu threads=3\n", one.state,
           (unsigned long long)one.packets, (unsigned long long)one.events);
}

static void nodes_whose_clients_share_memory_make_no_difference(void **state)
{
    struct outcome one = traffic_with(1, true, NULL), two = traffic_with(2, true, NULL);

    (void)state;
    assert_false(two.apart);
    assert_same(&one, &two);
}

/* The cut ends before the first put, since a put to a node behind it would fail. */
static void faults_hit_the_same_beats_in_any_thread(void **state)
{
    static const char scenario[] = "at 100 noise 0 X+ every=40\nat 100 noise 2 X- every=55\n"
                                   "at 9000 cut 1 X+\nat 12000 restore 1 X+\n";
    struct outcome one = traffic_with(1, false, scenario), two = traffic_with(2, false, scenario);

    (void)state;
    assert_true(one.packets > 50 && one.damaged > 50);
    assert_true(two.apart);
    assert_same(&one, &two);
}

/* ---- the state ---- */

struct bytes {
    uint8_t *at;
    size_t count;
};

static void append(void *ctx, const void *from, size_t count)
{
    struct bytes *bytes = ctx;

    bytes->at = realloc(bytes->at, bytes->count + count);
    assert_non_null(bytes->at);
    memcpy(bytes->at + bytes->count, from, count);
    bytes->count += count;
}

static struct tern_sim *booted(void)
{
    struct tern_sim_config config = config_of(1);
    char error[TERN_SIM_ERROR_BYTES];
    int status;
    struct tern_sim *sim = tern_sim_create(&config, error, &status);

    assert_non_null(sim);
    for (unsigned n = 0; n < NODES; n++) /* a core starts after its whole image is loaded */
        while (tern_sim_retired(sim, n) == 0) {
            assert_true(tern_sim_cycle(sim) < BOOT_MOST);
            tern_sim_run(sim, BOOT_STEP);
        }
    return sim;
}

/* The memory's known contents are the loaded program. */
static void the_state_has_the_memories(void **state)
{
    struct tern_sim *sim = booted();
    struct bytes bytes = {0};

    (void)state;
    assert_int_equal(sim->flash[0], TERN_FW_MAGIC);
    tern_model_state(sim->node[1].model, append, &bytes);
    assert_true(bytes.count > TERN_MEM_ITCM_BYTES + TERN_MEM_DTCM_BYTES);
    assert_non_null(memmem(bytes.at, bytes.count,
                           (const uint8_t *)sim->flash + TERN_FW_HEADER_BYTES, sim->flash[1]));
    free(bytes.at);
    tern_sim_destroy(sim);
}

static size_t state_size(struct tern_model *model)
{
    struct bytes bytes = {0};

    tern_model_state(model, append, &bytes);
    free(bytes.at);
    return bytes.count;
}

static void one_bit_of_one_node_shows(void **state)
{
    struct tern_sim *sim = booted();
    char before[TERN_SIM_STATE_TEXT], after[TERN_SIM_STATE_TEXT];
    size_t size = state_size(sim->node[0].model);
    unsigned seed = 1;

    (void)state;
    printf("# seed %u, %zu bytes a node\n", seed, size);
    srand(seed);
    assert_true(tern_sim_state_text(sim, before));
    for (unsigned f = 0; f < FLIPS; f++) {
        struct tern_model *model = sim->node[f % NODES].model;
        size_t byte = TERN_MODEL_STATE_HEAD + (size_t)rand() % (size - TERN_MODEL_STATE_HEAD);
        unsigned bit = (unsigned)rand() % 8;

        tern_model_flip(model, byte, bit);
        assert_true(tern_sim_state_text(sim, after));
        assert_string_not_equal(before, after);
        tern_model_flip(model, byte, bit);
        assert_true(tern_sim_state_text(sim, after));
        assert_string_equal(before, after);
    }
    printf("# evidence B5.2 flips=%d bytes=%zu\n", FLIPS, size);
    tern_sim_destroy(sim);
}

/* ---- refusals ---- */

static void refused(enum tern_tier tier, unsigned threads)
{
    struct tern_sim_config config = config_of(threads);
    char error[TERN_SIM_ERROR_BYTES];
    int status = TERN_ST_OK;

    config.tier = tier;
    assert_null(tern_sim_create(&config, error, &status));
    assert_int_equal(status, TERN_ST_BAD_ARGUMENT);
    assert_non_null(strstr(error, "thread"));
}

static void numbers_of_threads_that_cannot_be_are_refused(void **state)
{
    (void)state;
    refused(TERN_TIER_RTL, 17);
    refused(TERN_TIER_SOFT, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(nodes_whose_clients_share_memory_make_no_difference),
        cmocka_unit_test(faults_hit_the_same_beats_in_any_thread),
        cmocka_unit_test(the_state_has_the_memories),
        cmocka_unit_test(one_bit_of_one_node_shows),
        cmocka_unit_test(numbers_of_threads_that_cannot_be_are_refused),
    };

    setvbuf(stdout, NULL, _IOLBF, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
