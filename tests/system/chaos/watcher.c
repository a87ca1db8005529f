/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the usage of each node like any other host: by statistics, and by asking for more until the
 * NIC refuses.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chaos.h"

enum {
    CYCLES_MAX = 4000000, /* limit for taking down a function */
    UNDER_WAY = 1, /* operations in flight of the bystander on a node */
    REGIONS_MAX = 4096
};

struct watch {
    struct tern_device *device[NODES];
    struct usage alone, normal, now;
};

static const unsigned rows[USED_ROWS] = {
    [USED_REGIONS] = TERN_STAT_used_regions,
    [USED_QUEUES] = TERN_STAT_used_queues,
    [USED_COUNTERS] = TERN_STAT_used_counters,
    [USED_OPERATIONS] = TERN_STAT_used_operations,
};

static void look(struct watch *watch, unsigned node)
{
    uint64_t stats[TERN_STAT_COUNT];
    int status = tern_stats(watch->device[node], stats);

    if (status) {
        printf("not ok - statistics of node %u: %s\n", node, tern_strerror(status));
        exit(EXIT_FAILURE);
    }
    for (unsigned row = 0; row < USED_ROWS; row++)
        watch->now.used[node][row] = stats[rows[row]];
}

static void look_at_all(struct watch *watch)
{
    for (unsigned node = 0; node < NODES; node++)
        look(watch, node);
}

static bool as_it_was(const struct watch *watch, const struct usage *was, unsigned node,
                      uint64_t operations)
{
    for (unsigned row = 0; row < USED_OPERATIONS; row++)
        if (watch->now.used[node][row] != was->used[node][row])
            return false;
    return watch->now.used[node][USED_OPERATIONS] <= operations;
}

static bool await(struct watch *watch, const struct usage *was, unsigned node, uint64_t operations)
{
    const struct timespec pause = {.tv_nsec = 500000};
    uint64_t begun = 0, now = 0;

    if (tern_cycles(watch->device[node], &begun))
        return false;
    for (;;) {
        look(watch, node);
        if (as_it_was(watch, was, node, operations))
            return true;
        if (tern_cycles(watch->device[node], &now) || now - begun > CYCLES_MAX)
            return false;
        nanosleep(&pause, NULL);
    }
}

/* Registers regions until the table is full: as many as the statistics call free. */
static bool fill(struct watch *watch, unsigned node)
{
    static struct tern_region *regions[REGIONS_MAX];
    static uint8_t memory[64];
    struct tern_info info;
    unsigned count = 0, freed = 0;
    int status = tern_query(watch->device[node], &info);

    look(watch, node);
    while (!status && count < REGIONS_MAX) {
        status = tern_register(watch->device[node], memory, sizeof(memory), TERN_RIGHT_LOCAL_READ,
                               &regions[count]);
        count += !status;
    }
    while (freed < count && !tern_release(regions[freed]))
        freed++;
    return status == -TERN_ST_NO_RESOURCE && freed == count &&
           count + watch->now.used[node][USED_REGIONS] + 1 ==
               info.regions; /* entry 0 is never a region */
}

static bool answer(struct watch *watch, char word, int in)
{
    uint8_t node = 0;

    if (word == WATCH_BEGIN) {
        look_at_all(watch);
        watch->normal = watch->now;
        return true;
    }
    if (!get(in, &node, 1))
        exit(EXIT_FAILURE);
    if (word == WATCH_NODE)
        return await(watch, &watch->normal, node, UNDER_WAY);
    return word == WATCH_FILL ? fill(watch, node) : await(watch, &watch->alone, node, 0);
}

void watcher(const void *rig, int in, int out)
{
    static struct watch watch;
    char word, said;

    for (unsigned node = 0; node < NODES; node++)
        watch.device[node] = rig_open(rig, node);
    look_at_all(&watch);
    watch.alone = watch.now;
    (void)give(out, "!", 1);
    while (get(in, &word, 1) && word != WATCH_QUIT) {
        said = answer(&watch, word, in) ? 'y' : 'n';
        if (!give(out, &said, 1) || (said == 'n' && !give(out, &watch.now, sizeof(watch.now))))
            exit(EXIT_FAILURE);
    }
    for (unsigned node = 0; node < NODES; node++)
        tern_close(watch.device[node]);
}
