/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern lock: hosts take turns at a lock, a word in the memory of one of them.
 *
 * `--words` owns two words, the lock and a counter, and then sleeps: the NIC there does all the
 * work. `--at` takes the lock by compare-and-swap, adds 1 to the counter by a read and a put, and
 * releases the lock. Two processes that do this at once lose a count, so the count is exact only if
 * the lock works.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tern/atomic.h>

#include "asker.h"
#include "owner.h"
#include "peer.h"
#include "progress.h"
#include "tool.h"

enum { BACK_OFF_LOG2_MAX = 8, BACK_OFF_MAX_US = 500000 };
enum { FREE = 0 };

struct lock_options {
    struct asker_options shared;
    uint64_t rounds;
};

static const struct argp_option options[] = {
    {"words", 'w', "FILE", 0, "own the lock and the counter, and write a pointer to them to FILE",
     0},
    {"at", 'a', "FILE", 0, "take turns at the lock that the pointer in FILE leads to", 0},
    {"rounds", 'n', "NUMBER", 0, "how many turns (1)", 0},
    {"timeout", 'T', "SECONDS", 0,
     "give up when the lock is not to be had, or nobody answers, for so long (30); "
                                   "with --words end after so long (never)", 0},
    {"report", 'r', "FILE", 0, "write figures to FILE, key=value", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct lock_options *to = state->input;

    switch (key) {
    case 'w':
        to->shared.own = arg;
        return 0;
    case 'n':
        to->rounds = tool_number(state, arg, UINT32_MAX);
        if (!to->rounds)
            argp_error(state, "no rounds are nothing to do");
        return 0;
    case ARGP_KEY_END:
        asker_check(state, &to->shared, "words", "rounds", to->rounds);
        return 0;
    default:
        return asker_parse(key, arg, state, &to->shared);
    }
}

/* ---- the two words, and the holder named in the first */

struct words {
    _Alignas(TERN_ATOMIC_BYTES) uint64_t lock;
    uint64_t counter;
};

/* Returns an id that no other process has at the same time, and that is not FREE. */
static uint64_t holder_id(const struct tern_info *info)
{
    return (uint64_t)info->function << 32 | (info->node + 1u);
}

/* Formats the holder; the word may hold any value, since any process may write it. */
static char *holder_format(uint64_t id, char *text, size_t bytes)
{
    uint32_t node = (uint32_t)id - 1;
    char name[TERN_NODE_TEXT];

    if (id == FREE)
        snprintf(text, bytes, "nobody");
    else if (node <= INT16_MAX && id >> 32 <= UINT16_MAX)
        snprintf(text, bytes, "function %u of node %s", (unsigned)(id >> 32),
                 tern_node_format((uint16_t)node, name));
    else
        snprintf(text, bytes, "nobody (0x%" PRIx64 ")", id);
    return text;
}

/* ---- the owner of the words */

static void print_words(const volatile struct words *words)
{
    char text[PEER_TEXT];

    printf("count=%" PRIu64 "\n", words->counter);
    if (words->lock == FREE)
        printf("lock=free\n");
    else
        printf("lock=held by %s\n", holder_format(words->lock, text, sizeof(text)));
}

static int own_words(const struct lock_options *chosen)
{
    static struct words words;
    struct tern_device *device;
    struct tern_region *region;
    int status;

    owner_hold_signals();
    device = tool_open(chosen->shared.uri);
    if (!device)
        return EXIT_BAD;
    status = tern_register(device, &words, sizeof(words),
                           TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE, &region);
    if (status)
        status = tool_fail(status, "cannot register the words");
    else
        status = owner_write_pointer(chosen->shared.own, tern_region_pointer(region, 0));
    if (!status) {
        status = owner_stay(device, chosen->shared.timeout_ms);
        print_words(&words);
    }
    tern_close(device);
    return status;
}

/* ---- processes that take turns */

/* The purpose of an operation; its context. */
enum step { TAKE, READ, WRITE, GIVE_BACK };

static const char *const step_names[] = {
    [TAKE] = "cannot take the lock",
    [READ] = "cannot read the counter",
    [WRITE] = "cannot write the counter",
    [GIVE_BACK] = "cannot give the lock back",
};

struct turns {
    const struct lock_options *options;
    struct asker asker;
    struct tern_rptr lock, counter;
    uint64_t id;
    uint64_t attempts;
    uint64_t first_cycle, last_cycle;
    struct progress progress;
};

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Waits for the next completion, which belongs to `step`, and returns the word in it. */
static int await(struct turns *t, enum step step, uint64_t *word)
{
    struct tern_completion done;
    int status = asker_await(&t->asker, &done, step_names[step]);

    if (!status)
        *word = done.value;
    return status;
}

/*
 * Waits for a random time of up to some attempts, more the more have failed. Its unit is the
 * measured time of an attempt, which suits both the chip's simulation and the soft tier.
 */
static void back_off(unsigned failed, int64_t attempt_us)
{
    int64_t most_us = attempt_us << (failed < BACK_OFF_LOG2_MAX ? failed : BACK_OFF_LOG2_MAX);
    int64_t pause_us = random() % (1 + (most_us < BACK_OFF_MAX_US ? most_us : BACK_OFF_MAX_US));
    const struct timespec pause = {.tv_nsec = (long)pause_us * 1000};

    nanosleep(&pause, NULL);
}

/* Tries once to take the lock; `holder` gets its previous holder. */
static int try_to_take(struct turns *t, uint64_t *holder)
{
    int status = tern_compare_swap(t->asker.sq, t->lock, FREE, t->id, TERN_DFLAG_SIGNAL, TAKE);

    t->attempts++;
    return status ? tool_fail(status, "%s", step_names[TAKE]) : await(t, TAKE, holder);
}

static int take(struct turns *t)
{
    int64_t end = peer_now_ms() + t->asker.timeout_ms;
    char text[PEER_TEXT];

    for (unsigned failed = 0;; failed++) {
        int64_t start = now_us();
        uint64_t holder = t->id;

        if (try_to_take(t, &holder))
            return EXIT_BAD;
        if (holder == FREE)
            return 0;
        if (peer_now_ms() >= end)
            return tool_fail(0, "the lock was not to be had for %d s, it belongs to %s",
                             t->asker.timeout_ms / 1000, holder_format(holder, text, sizeof(text)));
        back_off(failed, now_us() - start);
    }
}

/* Posts the release behind a fence: the put of the count has then arrived or failed. */
static int post_count_and_give_back(struct turns *t, uint64_t count)
{
    int status = tern_put_inline(t->asker.sq, t->counter, &count, sizeof(count), TERN_DFLAG_SIGNAL,
                                 WRITE);

    if (status)
        return tool_fail(status, "%s", step_names[WRITE]);
    status = tern_compare_swap(t->asker.sq, t->lock, t->id, FREE,
                               TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, GIVE_BACK);
    return status ? tool_fail(status, "%s", step_names[GIVE_BACK]) : 0;
}

/* Only the holder of the lock may call this. */
static int count_and_give_back(struct turns *t)
{
    int status = tern_fetch_add(t->asker.sq, t->counter, 0, TERN_DFLAG_SIGNAL, READ);
    uint64_t count = 0, none, holder = 0;
    char text[PEER_TEXT];

    if (status)
        return tool_fail(status, "%s", step_names[READ]);
    if (await(t, READ, &count) || post_count_and_give_back(t, count + 1))
        return EXIT_BAD;
    /* Waits for both, so that a process whose put failed does not keep the lock. */
    status = await(t, WRITE, &none);
    if (await(t, GIVE_BACK, &holder) || status)
        return EXIT_BAD;
    if (holder != t->id)
        return tool_fail(0,
                         "the lock was not its own when it was to be given back, it belongs to %s",
                         holder_format(holder, text, sizeof(text)));
    return 0;
}

static int take_turns(struct turns *t)
{
    int status = tern_cycles(t->asker.device, &t->first_cycle);

    if (status)
        return tool_fail(status, "no clock");
    progress_start(&t->progress, t->options->rounds);
    for (uint64_t round = 0; round < t->options->rounds && !status; round++) {
        status = take(t);
        if (!status)
            status = count_and_give_back(t);
        if (!status && progress_due(&t->progress, round + 1))
            progress_show(&t->progress, round + 1, "rounds");
    }
    progress_end(&t->progress);
    if (status)
        return status;
    printf("%" PRIu64 " rounds, %" PRIu64 " attempts to take the lock\n", t->options->rounds,
           t->attempts);
    status = tern_cycles(t->asker.device, &t->last_cycle);
    return status ? tool_fail(status, "no clock") : 0;
}

static int read_words(struct turns *t)
{
    int status = owner_read_pointer(t->options->shared.at, "lock", &t->lock);

    t->counter = tern_rptr_add(t->lock, offsetof(struct words, counter));
    return status;
}

static int become_somebody(struct turns *t)
{
    struct tern_info info;
    int status = tern_query(t->asker.device, &info);

    if (status)
        return tool_fail(status, "cannot look who this is");
    t->id = holder_id(&info);
    /* processes that start together need different random pauses */
    srandom((unsigned)now_us() ^ (unsigned)getpid());
    return 0;
}

static int write_report(const struct turns *t)
{
    return tool_report(t->options->shared.report,
                       "rounds=%" PRIu64 "\nattempts=%" PRIu64 "\nfirst_cycle=%" PRIu64
                       "\nlast_cycle=%" PRIu64 "\n",
                       t->options->rounds, t->attempts, t->first_cycle, t->last_cycle);
}

static int use_lock(const struct lock_options *chosen)
{
    struct turns t = {.options = chosen};
    int status = read_words(&t);

    if (status || asker_open(&t.asker, &chosen->shared))
        return EXIT_BAD;
    status = become_somebody(&t);
    if (!status)
        status = take_turns(&t);
    if (!status)
        status = write_report(&t);
    tern_close(t.asker.device);
    return status;
}

int cmd_lock(int argc, char **argv)
{
    const struct argp argp = {options, parse, "URI",
                              "Takes turns with others at a lock that is a word of another node's "
                              "memory, and counts "
                              "them.\v"
                              "One process owns the words (--words) until it is told to end, and "
                              "prints the count then; "
                              "any number of others, at any node, take turns (--at).",
                              NULL, NULL, NULL};
    struct lock_options chosen = {.shared.timeout_ms = OWNER_FOR_EVER};

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (chosen.shared.own)
        return own_words(&chosen);
    if (!chosen.rounds)
        chosen.rounds = 1;
    return use_lock(&chosen);
}
