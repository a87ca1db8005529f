/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that the fast model of the simulator and the checked one are equivalent: a ring with every
 * node busy runs on both, and at many times their registers and memories have the same hash, by
 * name.
 *
 * The fast model is built with TERN_MODEL, which selects RTL that simulates faster; the checked one
 * is the synthesised RTL, with assertions enabled. Registers that only one of them has are counted.
 * loose.def lists those that may differ while they have no effect, with the reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim.h"
#include "tern_model.h"
#include "traffic.h"

enum { NODES = 3, STEPS = 40, STEP_CYCLES = 200, NAMES_MAX = 4096, SHOWN = 10 };

struct named {
    const char *name;
    uint64_t hash[STEPS]; /* of this register in all nodes */
};

struct state {
    struct named named[NAMES_MAX];
    unsigned count, next, step;
    uint64_t cycles, packets;
};

static const char *const loose[] = {
#define LOOSE(name, why) name,
#include "loose.def"
#undef LOOSE
    NULL,
};

/* ---- both models see the same addresses of driver and bench ---- */

static uintptr_t next_place;

void *__real_mmap(void *address, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t bytes, int prot, int flags, int fd, off_t offset);

void *__wrap_mmap(void *address, size_t bytes, int prot, int flags, int fd, off_t offset)
{
    uintptr_t place = next_place;

    (void)address;
    next_place += (bytes + 0x1fff) & ~(size_t)0xfff;
    return __real_mmap((void *)place, bytes, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
}

/* ---- states ---- */

static void take(void *ctx, const char *name, const void *bytes, size_t count)
{
    struct state *state = ctx;
    struct named *named = &state->named[state->next++];
    const uint8_t *from = bytes;
    uint64_t *hash = &named->hash[state->step];

    if (state->next > NAMES_MAX) {
        printf("Bail out! more registers than places\n");
        exit(EXIT_FAILURE);
    }
    named->name = name;
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ from[i]) * UINT64_C(0x100000001b3);
}

static void look(struct state *state, const struct tern_sim *sim)
{
    for (unsigned n = 0; n < NODES; n++) {
        state->next = 0;
        tern_model_named(sim->node[n].model, take, state);
    }
    state->count = state->next;
    state->step++;
}

static struct state *run(const char *model)
{
    struct state *state = calloc(1, sizeof(*state));
    struct tern_sim_config config = tern_sim_config_default();
    struct traffic traffic;

    if (!state) {
        printf("Bail out! no memory\n");
        exit(EXIT_FAILURE);
    }
    next_place = UINT64_C(0x7e9000000000);
    traffic_firmware(&config);
    config.dims[0] = NODES;
    config.model = model;
    traffic_open(&traffic, &config, false);
    for (unsigned s = 0; s < STEPS; s++) {
        traffic_run(&traffic, STEP_CYCLES);
        look(state, traffic.sim);
    }
    state->cycles = tern_sim_cycle(traffic.sim);
    state->packets = tern_net_packets(tern_sim_net(traffic.sim));
    traffic_close(&traffic);
    return state;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static bool is_loose(const char *name)
{
    for (size_t i = 0; loose[i]; i++)
        if (strcmp(loose[i], name) == 0)
            return true;
    return false;
}

static bool same(const struct named *a, const struct named *b)
{
    return memcmp(a->hash, b->hash, sizeof(a->hash)) == 0;
}

static unsigned steps_apart(const struct named *a, const struct named *b)
{
    unsigned apart = 0;

    for (unsigned s = 0; s < STEPS; s++)
        apart += a->hash[s] != b->hash[s];
    return apart;
}

/* ---- tests ---- */

static unsigned tests, failures;

static void judge(bool good, const char *text)
{
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests, text);
    failures += !good;
}

static void compare(struct state *fast, struct state *checked)
{
    unsigned common = 0, apart = 0, excused = 0, idle = 0;

    qsort(checked->named, checked->count, sizeof(checked->named[0]), by_name);
    for (unsigned i = 0; i < fast->count; i++) {
        const struct named *a = &fast->named[i];
        const struct named *b =
            bsearch(a, checked->named, checked->count, sizeof(checked->named[0]), by_name);

        if (!b)
            continue;
        common++;
        if (is_loose(a->name)) {
            excused++;
            idle += same(a, b);
        } else if (!same(a, b) && apart++ < SHOWN) {
            printf("# %s differs at %u of %u times\n", a->name, steps_apart(a, b), STEPS);
        }
    }
    printf("# registers fast=%u checked=%u common=%u loose=%u apart=%u cycles=%llu packets=%llu\n",
           fast->count, checked->count, common, excused, apart, (unsigned long long)fast->cycles,
           (unsigned long long)fast->packets);
    judge(fast->cycles == checked->cycles && fast->packets == checked->packets && fast->packets > 0,
          "the fast and the checked model carry the same packets in the same cycles");
    judge(apart == 0 && common > 0, "the fast and the checked model have the same state");
    judge(5 * common >= 4 * fast->count,
          "four fifths of the registers of the fast model are compared");
    judge(idle == 0, "every register that may differ does");
}

int main(void)
{
    struct state *fast = run("sim"), *checked = run("checked");

    compare(fast, checked);
    free(fast);
    free(checked);
    printf("1..%u\n", tests);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
