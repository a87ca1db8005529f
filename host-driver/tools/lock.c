/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern lock: hosts take turns at a lock that is a word in the memory of one of them.
 *
 * `--words` owns two words, the lock and a counter, and does nothing: the NIC there does all the work.  `--at` takes
 * the lock by compare-and-swap, then counts up in the way that goes wrong when two do it at once (read the counter,
 * add one here, put the sum there), and gives the lock back.  So the count is exact only if the lock is one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tern/atomic.h>

#include "owner.h"
#include "peer.h"
#include "progress.h"
#include "tool.h"

enum { TIMEOUT_S = 30, QUEUE_LOG2 = 2, CQ_LOG2 = 3, BACK_OFF_LOG2_MAX = 8, BACK_OFF_MAX_US = 500000 };
enum { FREE = 0 };

struct lock_options {
    const char *uri, *words, *at, *report;
    uint64_t rounds;
    int timeout_ms;
};

static const struct argp_option options[] = {
    {"words", 'w', "FILE", 0, "own the lock and the counter, and write a pointer to them to FILE", 0},
    {"at", 'a', "FILE", 0, "take turns at the lock that the pointer in FILE leads to", 0},
    {"rounds", 'n', "NUMBER", 0, "how many turns (1)", 0},
    {"timeout", 'T', "SECONDS", 0, "give up when the lock is not to be had, or nobody answers, for so long (30); "
                                   "with --words end after so long (never)", 0},
    {"report", 'r', "FILE", 0, "write figures to FILE, key=value", 0},
    {0},
};

static error_t check_usage(struct argp_state *state, const struct lock_options *chosen)
{
    if (!chosen->uri)
        argp_usage(state);
    if (!chosen->words == !chosen->at)
        argp_error(state, "either --words or --at is needed");
    if (chosen->words && (chosen->rounds || chosen->report))
        argp_error(state, "--rounds and --report go with --at");
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct lock_options *to = state->input;

    switch (key) {
    case 'w':
        to->words = arg;
        return 0;
    case 'a':
        to->at = arg;
        return 0;
    case 'n':
        to->rounds = tool_number(state, arg, UINT32_MAX);
        if (!to->rounds)
            argp_error(state, "no rounds are nothing to do");
        return 0;
    case 'T':
        to->timeout_ms = (int)tool_number(state, arg, 1000000) * 1000;
        return 0;
    case 'r':
        to->report = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_usage(state);
        to->uri = arg;
        return 0;
    case ARGP_KEY_END:
        return check_usage(state, to);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the two words, and who stands in the first */

struct words {
    _Alignas(TERN_ATOMIC_BYTES) uint64_t lock;
    uint64_t counter;
};

/* No two processes at a time have the same, and none is FREE. */
static uint64_t holder_id(const struct tern_info *info)
{
    return (uint64_t)info->function << 32 | (info->node + 1u);
}

/* For people; anybody may have written anything there. */
static char *holder_format(uint64_t id, char *text, size_t bytes)
{
    uint32_t node = (uint32_t)id - 1;
    char name[TERN_NODE_TEXT];

    if (id == FREE)
        snprintf(text, bytes, "nobody");
    else if (node <= INT16_MAX && id >> 32 <= UINT16_MAX)
        snprintf(text, bytes, "function %u of node %s", (unsigned)(id >> 32), tern_node_format((uint16_t)node, name));
    else
        snprintf(text, bytes, "nobody (0x%" PRIx64 ")", id);
    return text;
}

/* ---- who owns the words */

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
    device = tool_open(chosen->uri);
    if (!device)
        return EXIT_BAD;
    status = tern_register(device, &words, sizeof(words), TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE, &region);
    if (status)
        status = tool_fail(status, "cannot register the words");
    else
        status = owner_write_pointer(chosen->words, tern_region_pointer(region, 0));
    if (!status) {
        status = owner_stay(device, chosen->timeout_ms);
        print_words(&words);
    }
    tern_close(device);
    return status;
}

/* ---- who takes turns */

/* What an operation is for; its context. */
enum step { TAKE, READ, WRITE, GIVE_BACK };

static const char *const step_names[] = {
    [TAKE] = "cannot take the lock",
    [READ] = "cannot read the counter",
    [WRITE] = "cannot write the counter",
    [GIVE_BACK] = "cannot give the lock back",
};

struct turns {
    const struct lock_options *options;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
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

/* Waits for the next end of an operation, which belongs to `step`, and takes the word it brings. */
static int await(struct turns *t, enum step step, uint64_t *word)
{
    int64_t end = peer_now_ms() + t->options->timeout_ms;
    struct tern_completion done;
    char text[PEER_TEXT];
    int count;

    while ((count = tern_cq_poll(t->cq, &done, 1)) == 0) {
        int64_t left = end - peer_now_ms();
        int status = tern_cq_wait(t->cq, left > 0 ? (int)left : 0);

        if (status)
            return tool_fail(status, "%s%s", step_names[step], tool_links_down(t->device, text, sizeof(text)));
    }
    if (count < 0)
        return tool_fail(count, "%s", step_names[step]);
    if (done.status != TERN_ST_OK)
        return tool_fail(0, "%s: %s", step_names[step], tern_completion_format(&done, text, sizeof(text)));
    *word = done.value;
    return 0;
}

/*
 * Some time between none and that of a few attempts, more of them the more have failed.  An attempt lasts as long as
 * the NICs let it, so this suits the chip's simulation as well as its soft tier.
 */
static void back_off(unsigned failed, int64_t attempt_us)
{
    int64_t most_us = attempt_us << (failed < BACK_OFF_LOG2_MAX ? failed : BACK_OFF_LOG2_MAX);
    int64_t pause_us = random() % (1 + (most_us < BACK_OFF_MAX_US ? most_us : BACK_OFF_MAX_US));
    const struct timespec pause = {.tv_nsec = (long)pause_us * 1000};

    nanosleep(&pause, NULL);
}

/* One attempt; `holder` gets who had the lock before it. */
static int try_to_take(struct turns *t, uint64_t *holder)
{
    int status = tern_compare_swap(t->sq, t->lock, FREE, t->id, TERN_DFLAG_SIGNAL, TAKE);

    t->attempts++;
    return status ? tool_fail(status, "%s", step_names[TAKE]) : await(t, TAKE, holder);
}

static int take(struct turns *t)
{
    int64_t end = peer_now_ms() + t->options->timeout_ms;
    char text[PEER_TEXT];

    for (unsigned failed = 0;; failed++) {
        int64_t start = now_us();
        uint64_t holder = t->id;

        if (try_to_take(t, &holder))
            return EXIT_BAD;
        if (holder == FREE)
            return 0;
        if (peer_now_ms() >= end)
            return tool_fail(0, "the lock was not to be had for %d s, it belongs to %s", t->options->timeout_ms / 1000,
                             holder_format(holder, text, sizeof(text)));
        back_off(failed, now_us() - start);
    }
}

/* The lock goes back behind the fence: the new word is in its place then, or has failed to get there. */
static int post_count_and_give_back(struct turns *t, uint64_t count)
{
    int status = tern_put_inline(t->sq, t->counter, &count, sizeof(count), TERN_DFLAG_SIGNAL, WRITE);

    if (status)
        return tool_fail(status, "%s", step_names[WRITE]);
    status = tern_compare_swap(t->sq, t->lock, t->id, FREE, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, GIVE_BACK);
    return status ? tool_fail(status, "%s", step_names[GIVE_BACK]) : 0;
}

/* Right only for who has the lock. */
static int count_and_give_back(struct turns *t)
{
    int status = tern_fetch_add(t->sq, t->counter, 0, TERN_DFLAG_SIGNAL, READ);
    uint64_t count = 0, none, holder = 0;
    char text[PEER_TEXT];

    if (status)
        return tool_fail(status, "%s", step_names[READ]);
    if (await(t, READ, &count) || post_count_and_give_back(t, count + 1))
        return EXIT_BAD;
    /* Both, so that who could not count does not keep the lock. */
    status = await(t, WRITE, &none);
    if (await(t, GIVE_BACK, &holder) || status)
        return EXIT_BAD;
    if (holder != t->id)
        return tool_fail(0, "the lock was not its own when it was to be given back, it belongs to %s",
                         holder_format(holder, text, sizeof(text)));
    return 0;
}

static int take_turns(struct turns *t)
{
    int status = tern_cycles(t->device, &t->first_cycle);

    if (status)
        return tool_fail(status, "no clock");
    progress_start(&t->progress, t->options->rounds);
    for (uint64_t round = 0; round < t->options->rounds && !status; round++) {
        status = take(t);
        if (!status)
            status = count_and_give_back(t);
        if (!status && progress_due(&t->progress, round + 1))
            progress_show_count(&t->progress, round + 1, "rounds");
    }
    progress_end(&t->progress);
    if (status)
        return status;
    printf("%" PRIu64 " rounds, %" PRIu64 " attempts to take the lock\n", t->options->rounds, t->attempts);
    status = tern_cycles(t->device, &t->last_cycle);
    return status ? tool_fail(status, "no clock") : 0;
}

static int read_words(struct turns *t)
{
    int status = owner_read_pointer(t->options->at, "lock", &t->lock);

    t->counter = tern_rptr_add(t->lock, offsetof(struct words, counter));
    return status;
}

static int open_queues(struct turns *t)
{
    struct tern_info info;
    int status = tern_query(t->device, &info);

    if (!status)
        status = tern_cq_create(t->device, CQ_LOG2, 0, &t->cq);
    if (!status)
        status = tern_sq_create(t->cq, QUEUE_LOG2, &t->sq);
    if (status)
        return tool_fail(status, "cannot make queues");
    t->id = holder_id(&info);
    srandom((unsigned)now_us() ^ (unsigned)getpid()); /* who starts with others must not be as patient as they */
    return 0;
}

static int write_report(const struct turns *t)
{
    const char *file = t->options->report;
    FILE *out;

    if (!file)
        return 0;
    out = fopen(file, "w");
    if (!out)
        return tool_fail(-TERN_ST_SYSTEM, "cannot write %s", file);
    fprintf(out, "rounds=%" PRIu64 "\nattempts=%" PRIu64 "\nfirst_cycle=%" PRIu64 "\nlast_cycle=%" PRIu64 "\n",
            t->options->rounds, t->attempts, t->first_cycle, t->last_cycle);
    return fclose(out) ? tool_fail(-TERN_ST_SYSTEM, "cannot write %s", file) : 0;
}

static int use_lock(const struct lock_options *chosen)
{
    struct turns t = {.options = chosen};
    int status = read_words(&t);

    if (status)
        return status;
    t.device = tool_open(chosen->uri);
    if (!t.device)
        return EXIT_BAD;
    status = open_queues(&t);
    if (!status)
        status = take_turns(&t);
    if (!status)
        status = write_report(&t);
    tern_close(t.device);
    return status;
}

int cmd_lock(int argc, char **argv)
{
    const struct argp argp = {options, parse, "URI",
                              "Takes turns with others at a lock that is a word of another node's memory, and counts "
                              "them.\v"
                              "One process owns the words (--words) until it is told to end, and prints the count then; "
                              "any number of others, at any node, take turns (--at).",
                              NULL, NULL, NULL};
    struct lock_options chosen = {.timeout_ms = OWNER_FOR_EVER};

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (chosen.words)
        return own_words(&chosen);
    if (chosen.timeout_ms == OWNER_FOR_EVER)
        chosen.timeout_ms = TIMEOUT_S * 1000;
    if (!chosen.rounds)
        chosen.rounds = 1;
    return use_lock(&chosen);
}
