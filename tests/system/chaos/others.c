/* SPDX-License-Identifier: Apache-2.0 */
/* Starts, asks and ends the bystanders and the watcher. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include "chaos.h"

void *shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void complain_of_usage(const struct usage *now, unsigned node)
{
    printf("# node %u: in use now: %" PRIu64 " regions, %" PRIu64 " queues, %" PRIu64
           " counters, %" PRIu64 " operations\n",
           node, now->used[node][USED_REGIONS], now->used[node][USED_QUEUES],
           now->used[node][USED_COUNTERS], now->used[node][USED_OPERATIONS]);
}

bool others_ask(struct others *others, char word, unsigned node)
{
    const uint8_t message[2] = {(uint8_t)word, (uint8_t)node};
    struct usage now;
    char said = 0;

    if (!give(others->watcher.to, message, word == WATCH_BEGIN ? 1 : 2) ||
        !get(others->watcher.from, &said, 1))
        return false;
    if (said == 'y')
        return true;
    if (get(others->watcher.from, &now, sizeof(now)))
        complain_of_usage(&now, node);
    return false;
}

bool others_ask_all(struct others *others, char word)
{
    bool good = true;

    for (unsigned node = 0; node < NODES; node++)
        good &= others_ask(others, word, node);
    return good;
}

bool others_start(struct others *others, const struct rig *rig)
{
    static struct bystander who[NODES];
    char ready;

    others->watcher = child_start(watcher, rig);
    if (!get(others->watcher.from, &ready, 1))
        return false;
    for (unsigned node = 0; node < NODES; node++) {
        who[node] = (struct bystander){.rig = rig, .board = others->board, .node = node};
        others->bystanders[node] = child_start(bystander, &who[node]);
        if (!get(others->bystanders[node].from, &others->target[node],
                 sizeof(others->target[node])))
            return false;
    }
    if (!others_ask(others, WATCH_BEGIN, 0))
        return false;
    for (unsigned node = 1; node <= NODES; node++) /* the first has the token, and starts last */
        if (!give(others->bystanders[node % NODES].to, &others->target[(node + 1) % NODES],
                  sizeof(others->target[0])))
            return false;
    return true;
}

bool others_undisturbed(const struct others *others)
{
    for (unsigned node = 0; node < NODES; node++)
        if (atomic_load(&others->board->wrong[node]) != 0)
            return false;
    return true;
}

bool others_await_lap(const struct others *others)
{
    const struct timespec pause = {.tv_nsec = 200000};

    for (unsigned node = 0; node < NODES; node++) {
        uint32_t begun = atomic_load(&others->board->laps[node]);

        while (atomic_load(&others->board->laps[node]) - begun < 2) {
            if (!others_undisturbed(others))
                return false;
            nanosleep(&pause, NULL);
        }
    }
    return true;
}

bool others_end(struct others *others)
{
    const struct timespec pause = {.tv_nsec = 200000};
    bool good = true;

    atomic_store(&others->board->stopping, true); /* otherwise one puts to another that has left */
    while (others_undisturbed(others) && !atomic_load(&others->board->parked))
        nanosleep(&pause, NULL);
    for (unsigned node = 0; node < NODES; node++)
        (void)give_word(&others->bystanders[node], SAY_QUIT);
    for (unsigned node = 0; node < NODES; node++)
        good &= child_end(&others->bystanders[node]);
    return good && others_undisturbed(others);
}
