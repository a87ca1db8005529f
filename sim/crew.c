/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that work in lockstep. */
#include "crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SPINS = 2000, YIELDS = 50 };

struct hand {
    struct tern_crew *crew;
    pthread_t thread;
    unsigned number;
};

struct tern_crew {
    unsigned threads;
    struct hand hands[TERN_CREW_MAX]; /* used from 1 on */
    void (*work)(void *ctx, unsigned thread); /* NULL: end the threads */
    void *ctx;
    atomic_uint turn;    /* counts calls */
    atomic_uint pending; /* hands that have not finished the current call */
    atomic_uint asleep;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool pinned;
    cpu_set_t before; /* the caller's processors before pinning */
};

/* ---- waiting ---- */

static void rest(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#endif
}

/*
 * Waits a while for `number` to change from `value`: spins first, then yields; false if it did not
 * change.
 */
static bool leaves_soon(atomic_uint *number, unsigned value)
{
    for (unsigned i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(number, memory_order_acquire) != value)
            return true;
        rest();
    }
    for (unsigned i = 0; i < YIELDS; i++) {
        if (atomic_load_explicit(number, memory_order_acquire) != value)
            return true;
        sched_yield();
    }
    return false;
}

/*
 * Waits until a number changes. The thread that changes it then reads `asleep`; the thread that
 * sleeps sets `asleep` and then reads the number. So one of them sees the other's write.
 */
static void await_change(struct tern_crew *crew, atomic_uint *number, unsigned value)
{
    if (leaves_soon(number, value))
        return;
    pthread_mutex_lock(&crew->mutex);
    atomic_fetch_add(&crew->asleep, 1);
    while (atomic_load(number) == value)
        pthread_cond_wait(&crew->changed, &crew->mutex);
    atomic_fetch_sub(&crew->asleep, 1);
    pthread_mutex_unlock(&crew->mutex);
}

static void wake(struct tern_crew *crew)
{
    if (atomic_load(&crew->asleep) == 0)
        return;
    pthread_mutex_lock(&crew->mutex);
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

/* ---- working ---- */

static void *hand_main(void *arg)
{
    struct hand *hand = arg;
    struct tern_crew *crew = hand->crew;

    for (unsigned turn = 0;; turn++) {
        await_change(crew, &crew->turn, turn);
        if (crew->work == NULL)
            return NULL;
        crew->work(crew->ctx, hand->number);
        if (atomic_fetch_sub(&crew->pending, 1) == 1)
            wake(crew);
    }
}

static void begin(struct tern_crew *crew, void (*work)(void *ctx, unsigned thread), void *ctx)
{
    crew->work = work;
    crew->ctx = ctx;
    atomic_store(&crew->pending, crew->threads - 1);
    atomic_fetch_add(&crew->turn, 1);
    wake(crew);
}

void tern_crew_run(struct tern_crew *crew, void (*work)(void *ctx, unsigned thread), void *ctx)
{
    unsigned left;

    begin(crew, work, ctx);
    work(ctx, 0);
    while ((left = atomic_load(&crew->pending)) != 0)
        await_change(crew, &crew->pending, left);
}

/* ---- processors ---- */

/* Returns the allowed processor that is `steps` after `from`, cyclically. */
static size_t processor(const cpu_set_t *allowed, size_t from, unsigned steps)
{
    size_t cpu = from;

    while (steps > 0) {
        cpu = (cpu + 1) % CPU_SETSIZE;
        steps -= CPU_ISSET(cpu, allowed) ? 1 : 0;
    }
    return cpu;
}

static void pin(pthread_t thread, size_t cpu)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    /* a failure only costs speed */
    (void)pthread_setaffinity_np(thread, sizeof one, &one);
}

void tern_crew_pin(struct tern_crew *crew)
{
    int now = sched_getcpu();
    size_t here = now < 0 ? 0 : (size_t)now;

    if (crew->pinned || now < 0 || sched_getaffinity(0, sizeof crew->before, &crew->before) != 0 ||
        !CPU_ISSET(here, &crew->before) || (unsigned)CPU_COUNT(&crew->before) < crew->threads)
        return;
    crew->pinned = true;
    pin(pthread_self(), here);
    for (unsigned t = 1; t < crew->threads; t++)
        pin(crew->hands[t].thread, processor(&crew->before, here, t));
}

void tern_crew_unpin(struct tern_crew *crew)
{
    if (crew->pinned)
        (void)pthread_setaffinity_np(pthread_self(), sizeof crew->before, &crew->before);
    crew->pinned = false;
}

/* ---- creation ---- */

/* Ends the first `threads` hands. */
static void dismiss(struct tern_crew *crew, unsigned threads)
{
    begin(crew, NULL, NULL);
    for (unsigned t = 1; t < threads; t++)
        pthread_join(crew->hands[t].thread, NULL);
    tern_crew_unpin(crew);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->mutex);
    free(crew);
}

struct tern_crew *tern_crew_new(unsigned threads)
{
    struct tern_crew *crew = calloc(1, sizeof *crew);

    if (crew == NULL)
        return NULL;
    crew->threads = threads;
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->changed, NULL);
    for (unsigned t = 1; t < threads; t++) {
        struct hand *hand = &crew->hands[t];
        int error;

        *hand = (struct hand){.crew = crew, .number = t};
        error = pthread_create(&hand->thread, NULL, hand_main, hand);
        if (error != 0) {
            dismiss(crew, t);
            errno = error;
            return NULL;
        }
    }
    return crew;
}

void tern_crew_free(struct tern_crew *crew)
{
    if (crew != NULL)
        dismiss(crew, crew->threads);
}
