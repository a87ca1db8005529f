/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application defines operations of several steps of its own, with <tern/work.h>, on the memory
 * of another process: "read a word, then put one more" (tern_steps); a queue of values that are put
 * one after the other while other operations go on (tern_work); and puts that no step waits for
 * (strays).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/group.h>
#include <tern/read.h>
#include <tern/work.h>

#include "chaos.h"

enum { WORDS = 8, VALUES = 20, COUNTED = 5, NOBODYS = 6, WAIT_MS = 30000 };
enum { OPCODE = TERN_OP_PUT, CONTEXT = 77 };

/* ---- the process that has the words; it only sends their pointer ---- */

struct offer {
    char pointer[TERN_RPTR_TEXT];
    uint32_t version;
};

static void owner(const void *rig, int in, int out)
{
    static uint64_t words[WORDS];
    struct tern_device *device = rig_open(rig, 1);
    struct tern_region *region;
    struct offer offer = {.version = tern_version()};
    char word;

    gives(tern_register(device, words, sizeof(words),
                        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE, &region), 0,
          "tern_register");
    (void)tern_rptr_format(tern_region_pointer(region, 0), offer.pointer);
    (void)give(out, &offer, sizeof(offer));
    (void)get(in, &word, 1);
    (void)give(out, words, sizeof(words));
    tern_close(device);
}

/* ---- one client ---- */

static struct {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint64_t landing[WORDS];
    struct tern_rptr words;
} me;

static struct tern_rptr word(unsigned number)
{
    return tern_rptr_add(me.words, number * sizeof(uint64_t));
}

static void open_client(const struct rig *rig)
{
    me.device = rig_open(rig, 0);
    gives(tern_cq_create(me.device, 6, 0, &me.cq), 0, "tern_cq_create");
    gives(tern_sq_create(me.cq, 3, &me.sq), 0, "tern_sq_create");
    gives(tern_register(me.device, me.landing, sizeof(me.landing), TERN_RIGHT_REMOTE_WRITE,
                        &me.region), 0,
          "tern_register");
}

/* ---- one more: an operation of two steps ---- */

struct one_more {
    struct tern_steps steps;
    unsigned word;
    unsigned step;
    int failed; /* negated status of a step, or 0 */
    struct tern_rptr from;
};

static int one_more_next(struct tern_steps *steps)
{
    struct one_more *more = (struct one_more *)(void *)steps;
    uint64_t value;
    int status;

    if (more->failed)
        return more->failed;
    switch (more->step) {
    case 0:
        status = tern_read(steps->sq, more->from, me.region,
                           &me.landing[more->word], sizeof(uint64_t), TERN_DFLAG_SIGNAL, 0);
        break;
    case 1:
        value = me.landing[more->word] + 1;
        status = tern_put_inline(steps->sq, more->from, &value, sizeof(value),
                                 TERN_DFLAG_SIGNAL, 0);
        break;
    default:
        return 0;
    }
    if (status < 0)
        return status;
    more->step++;
    return 1;
}

static bool one_more_heard(struct tern_steps *steps, const struct tern_completion *completion)
{
    ((struct one_more *)(void *)steps)->failed = -(int)completion->status;
    return true;
}

static int start(struct one_more *more, unsigned number, uint64_t context)
{
    *more = (struct one_more){.word = number, .from = word(number)};
    return tern_steps_start(&more->steps, me.sq, one_more_next, one_more_heard, OPCODE, context);
}

/* Starts them all at once, more of them than the send queue has room for. */
static void many(void)
{
    static struct one_more more[WORDS];
    unsigned posted = 0, wrong = 0, ended = 0;
    struct tern_completion done;

    while (ended < WORDS) {
        for (; posted < WORDS && tern_sq_room(me.sq, 1); posted++)
            gives(start(&more[posted], posted, CONTEXT + posted), 0, "tern_steps_start");
        done = next_completion(me.cq, WAIT_MS);
        wrong += done.status != TERN_ST_OK || done.opcode != OPCODE ||
            done.context < CONTEXT || done.context >= CONTEXT + WORDS;
        ended++;
    }
    tap(!wrong, "operations that an application makes of steps complete once, with their context");
}

static void waiting(void)
{
    struct one_more run = {.word = 0, .from = word(0)}, bad = {.word = 1, .from = word(1)};
    struct tern_completion done;
    uint64_t value = 1000;
    int status;

    gives(tern_put_inline(me.sq, word(WORDS - 1), &value, sizeof(value), TERN_DFLAG_SIGNAL, 5), 0,
          "tern_put_inline");
    status = tern_steps_run(&run.steps, me.sq, one_more_next, one_more_heard, WAIT_MS);
    done = next_completion(me.cq, WAIT_MS);
    tap(status == 0 && done.status == TERN_ST_OK && done.context == 5,
        "one that is waited for leaves the completions of others for the poll");
    TERN_SET(RPTR, key, bad.from.w, TERN_GET(RPTR, key, bad.from.w) ^ 0x10000);
    status = tern_steps_run(&bad.steps, me.sq, one_more_next, one_more_heard, WAIT_MS);
    tap(status == -TERN_ST_BAD_KEY && bad.step == 1, "one whose first step fails does no second");
}

/* ---- a work: values that are put one after the other ---- */

struct feed {
    struct tern_work work;
    uint64_t value;
    unsigned out, put;
};

static bool feed_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct feed *feed = (struct feed *)(void *)work;

    (void)wanted;
    feed->put += completion->status == TERN_ST_OK;
    feed->out = 0;
    if (feed->value == VALUES)
        tern_work_sleep(work);
    return false;
}

/* Posts the next value when the last put has ended; completes for the application at the end. */
static bool feed_step(struct tern_work *work, struct tern_completion *out)
{
    struct feed *feed = (struct feed *)(void *)work;
    uint64_t value = feed->value + 1;
    struct tern_work *before;

    (void)out;
    if (feed->out || feed->value == VALUES)
        return false;
    before = tern_sq_serve(me.sq, work);
    if (tern_put_inline(me.sq, word(COUNTED), &value, sizeof(value), TERN_DFLAG_SIGNAL, 0) == 0) {
        feed->value = value;
        feed->out = 1;
        (void)tern_sq_flush(me.sq);
    }
    (void)tern_sq_serve(me.sq, before);
    return false;
}

static bool feed_ready(const struct tern_work *work)
{
    const struct feed *feed = (const struct feed *)(const void *)work;

    return !feed->out && feed->value < VALUES;
}

static void feeding(void)
{
    static const struct tern_work_calls calls = {
        .ended = feed_ended, .step = feed_step, .ready = feed_ready};
    struct feed feed = {.value = 0};
    struct tern_completion done;
    uint64_t value = 7;
    unsigned mine = 0;

    tern_work_add(me.cq, &feed.work, &calls);
    (void)tern_cq_poll(me.cq, &done, 1);
    tap(feed.value == 0, "a work that sleeps is not called");
    tern_work_wake(&feed.work);
    while (feed.put < VALUES) {
        if (mine < 3 &&
            tern_put_inline(me.sq, word(4), &value, sizeof(value), TERN_DFLAG_SIGNAL, 9) == 0)
            mine++;
        if (tern_cq_poll(me.cq, &done, 1) == 1)
            gives(done.context == 9 && done.status == TERN_ST_OK, true, "a put of the application");
        else if (feed.put < VALUES)
            gives(tern_cq_wait(me.cq, WAIT_MS), 0, "tern_cq_wait");
    }
    tap(feed.put == VALUES && feed.value == VALUES,
        "a work goes on beside the operations of the application, which hears of these alone");
    tern_work_remove(&feed.work);
    while (tern_cq_poll(me.cq, &done, 1) == 1)
        ;
}

/* ---- strays ---- */

static void strays(void)
{
    struct tern_work *before = tern_sq_serve(me.sq, tern_sq_stray(me.sq));
    struct tern_rptr wrong = word(0);
    struct tern_completion done;
    uint64_t value = 4711;

    TERN_SET(RPTR, key, wrong.w, TERN_GET(RPTR, key, wrong.w) ^ 0x10000);
    gives(tern_put_inline(me.sq, word(NOBODYS), &value, sizeof(value), 0, 0), 0, "tern_put_inline");
    gives(tern_put_inline(me.sq, wrong, &value, sizeof(value), 0, 0), 0, "tern_put_inline");
    (void)tern_sq_serve(me.sq, before);
    gives(tern_put_inline(me.sq, word(4), &value, sizeof(value),
                          TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 11), 0, "tern_put_inline");
    done = next_completion(me.cq, WAIT_MS);
    tap(done.context == 11 && tern_sq_strays(me.sq) == -TERN_ST_BAD_KEY &&
            tern_sq_strays(me.sq) == 0,
        "how a stray failed is told once, and no completion comes of it");
}

/* ---- a group's key ---- */

static void group_key(void)
{
    const uint32_t key = tern_group_key(9, 3);
    struct tern_group *group;
    struct tern_info info;

    gives(tern_query(me.device, &info), 0, "tern_query");
    gives(tern_group_create(me.cq, tern_box_all(info.dims), key, 64, &group), 0,
          "tern_group_create");
    tap(tern_group_region_key(group) == key, "a group tells the key of its members' memory");
    gives(tern_group_destroy(group), 0, "tern_group_destroy");
}

int main(void)
{
    struct rig rig;
    struct child child;
    struct offer offer;
    uint64_t words[WORDS];
    bool right = true;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    child = child_start(owner, &rig);
    gives(get(child.from, &offer, sizeof(offer)), true, "an offer");
    gives(tern_rptr_parse(offer.pointer, &me.words, NULL), 0, "tern_rptr_parse");
    open_client(&rig);
    tap(offer.version == TERN_VERSION && tern_version() == TERN_VERSION,
        "the library has the version of its header");
    many();
    waiting();
    feeding();
    strays();
    group_key();
    gives(give_word(&child, 'q'), true, "the owner");
    gives(get(child.from, words, sizeof(words)), true, "the words");
    for (unsigned i = 0; i < 4; i++)
        right = right && words[i] == (i == 0 ? 2 : 1);
    tap(right && words[COUNTED] == VALUES && words[NOBODYS] == 4711,
        "the words of the other process are what the steps made of them");
    tap(child_end(&child), "the owner ends well");
    tern_close(me.device);
    rig_stop(&rig);
    return tap_end();
}
