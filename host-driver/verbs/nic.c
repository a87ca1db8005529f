/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NIC as the queue pairs of this process share it: one completion queue and one inbox for all of
 * them, and a thread that advances them while the program does not poll.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "inside.h"

enum {
    INBOX_LOG2 = 9, INBOX_BYTES_LOG2 = 12, DATAGRAMS_LOG2 = 10, DATAGRAM_BYTES_LOG2 = 9,
    CQ_LOG2 = 13, SLOTS = 1024, BATCH = 32,
    NAP_MS = 1, SLEEP_MS = 50,
    SETTLE_MS = 1000
};

static struct verbs_nic *nics;
static pthread_mutex_t nics_lock = PTHREAD_MUTEX_INITIALIZER;

int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t now_ms(void)
{
    return now_us() / 1000;
}

void nic_lock_later(struct verbs_nic *nic)
{
    atomic_fetch_add(&nic->wanted, 1);
    while (!nic_try_lock(nic))
        sched_yield();
    atomic_fetch_sub(&nic->wanted, 1);
}

/* ---- slots for messages to send */

uint16_t slot_take(struct verbs_nic *nic, struct verbs_qp *qp)
{
    uint16_t slot = nic->free_slot;

    if (!slot)
        return 0;
    nic->free_slot = nic->slots[slot].next;
    nic->slots[slot] = (struct verbs_slot){.users = 1, .qp = qp};
    return slot;
}

void slot_release(struct verbs_nic *nic, uint16_t slot)
{
    if (!slot || !nic->slots[slot].users || --nic->slots[slot].users)
        return;
    nic->slots[slot].qp = NULL;
    nic->slots[slot].next = nic->free_slot;
    nic->free_slot = slot;
}

/* ---- progress */

static uint8_t *buffer_at(const struct verbs_nic *nic, uint32_t index)
{
    const uint32_t letters = UINT32_C(1) << INBOX_LOG2;

    if (index < letters)
        return nic->buffers + ((size_t)index << INBOX_BYTES_LOG2);
    return nic->buffers + ((size_t)letters << INBOX_BYTES_LOG2) +
           ((size_t)(index - letters) << DATAGRAM_BYTES_LOG2);
}

static void post_buffer(struct verbs_nic *nic, uint32_t index)
{
    bool is_letter = index < UINT32_C(1) << INBOX_LOG2;

    (void)tern_inbox_post(is_letter ? nic->inbox : nic->datagrams, buffer_at(nic, index),
                          1u << (is_letter ? INBOX_BYTES_LOG2 : DATAGRAM_BYTES_LOG2), index);
}

static void arrived(struct verbs_nic *nic, const struct tern_completion *done)
{
    struct verbs_qp *qp = nic->by_number[done->queue];

    if (nic->cm_rq && done->queue == tern_rq_number(nic->cm_rq)) {
        cm_arrived(nic, done);
        (void)tern_rq_release(nic->cm_rq, 1);
        return;
    }
    if (qp && done->status == TERN_ST_OK) {
        if (qp->type == QPT_UD)
            datagram_arrived(qp, done);
        else
            receive_message(qp, done->data, done->length);
    }
    post_buffer(nic, (uint32_t)done->context);
}

static struct verbs_nic *nic_of(struct tern_work *stepper)
{
    return (struct verbs_nic *)(void *)((uint8_t *)stepper - offsetof(struct verbs_nic, stepper));
}

/* Steps the queue pairs that are busy now; those that remain busy join the list again. */
static bool step_busy(struct tern_work *stepper, struct tern_completion *none)
{
    struct verbs_nic *nic = nic_of(stepper);
    struct verbs_qp *qp = nic->busy;

    (void)none;
    tern_work_sleep(stepper);
    nic->busy = NULL;
    nic->busy_end = &nic->busy;
    while (qp) {
        struct verbs_qp *next = qp->next_busy;

        qp->busy = false;
        qp->next_busy = NULL;
        receive_step(qp);
        send_step(qp);
        qp = next;
    }
    return false;
}

static const struct tern_work_calls stepper_calls = {.step = step_busy};

static void flush_errored(struct verbs_nic *nic)
{
    for (uint32_t at = 1; at <= nic->qps.room; at++) {
        struct verbs_qp *qp = table_get(&nic->qps, at);

        if (qp && qp->state == QPS_ERR) {
            receive_flush(qp);
            send_flush(qp);
        }
    }
}

static __attribute__((noinline)) void messages_came(struct verbs_nic *nic,
                                                    const struct tern_completion *done, int count)
{
    if (count < 0)
        nic_fail(nic);
    for (int at = 0; at < count; at++)
        if (done[at].opcode == TERN_OP_RECV)
            arrived(nic, &done[at]);
    /* Step at once: the program may not poll again. */
    if (nic->busy && !nic->dead)
        (void)step_busy(&nic->stepper, NULL);
}

/* Inlined in both callers: each poll executes every instruction here. */
static inline __attribute__((always_inline)) int progress(struct verbs_nic *nic)
{
    struct tern_completion done[BATCH];
    int count;

    if (nic->dead)
        return 0;
    count = tern_cq_poll(nic->cq, done, BATCH);
    if (count)
        messages_came(nic, done, count);
    return count;
}

int nic_progress(struct verbs_nic *nic)
{
    int count = progress(nic);

    if (nic->errored)
        flush_errored(nic);
    return count;
}

void nic_fail(struct verbs_nic *nic)
{
    if (nic->dead)
        return;
    nic->dead = true;
    for (struct verbs_context *context = nic->contexts; context; context = context->next)
        if (context->async)
            channel_raise(context->async, 0, EVENT_DEVICE_FATAL, NULL, context);
    for (uint32_t at = 1; at <= nic->qps.room; at++) {
        struct verbs_qp *qp = table_get(&nic->qps, at);

        if (qp && qp->state >= QPS_RTR && qp->state != QPS_ERR)
            qp_break(qp, WC_FATAL);
    }
}

void nic_poll(struct verbs_cq *cq)
{
    struct verbs_nic *nic = cq->context->nic;

    atomic_fetch_add_explicit(&nic->polls, 1, memory_order_relaxed);
    if (!ring_is_empty(&cq->ring) || nic->gone)
        return;
    /*
     * A poll yields its processor while it holds the lock: a waiting thread would hardly ever find
     * the lock free.
     */
    if (atomic_load_explicit(&nic->wanted, memory_order_relaxed) || !nic_try_lock(nic)) {
        sched_yield();
        return;
    }
    progress(nic);
    if (nic->errored)
        flush_errored(nic);
    nic_unlock(nic);
}

void nic_kick(struct verbs_nic *nic)
{
    if (nic->kick_fd >= 0)
        (void)eventfd_write(nic->kick_fd, 1);
}

/* ---- the agent */

static void tick(struct verbs_nic *nic)
{
    int64_t now = now_ms();

    cm_tick(nic, now);
    for (uint32_t at = 1; at <= nic->qps.room; at++) {
        struct verbs_qp *qp = table_get(&nic->qps, at);

        if (qp && qp->type != QPT_UD && qp->state >= QPS_RTR && !nic->dead)
            link_step(qp, now);
    }
}

/* Returns how long the agent may sleep unless an event arrives. */
static int pause_ms(struct verbs_nic *nic)
{
    if (nic->busy || nic->errored || atomic_load(&nic->waiting) || cm_is_waiting())
        return NAP_MS;
    for (uint32_t at = 1; at <= nic->qps.room; at++) {
        const struct verbs_qp *qp = table_get(&nic->qps, at);

        if (qp && (qp->link == LINK_AGAIN || qp->link == LINK_ASKING || qp->rnr_until))
            return NAP_MS;
    }
    return SLEEP_MS;
}

static void drain(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    uint64_t count;

    if (poll(&ready, 1, 0) > 0)
        (void)!real_read(fd, &count, sizeof(count));
}

static void *agent(void *arg)
{
    struct verbs_nic *nic = arg;
    unsigned seen = 0;
    int64_t ticked = 0;

    for (;;) {
        struct pollfd wake[2] = {{.fd = nic->kick_fd, .events = POLLIN},
                                 {.fd = tern_cq_fd(nic->cq), .events = POLLIN}};
        unsigned polls = atomic_load(&nic->polls);
        bool is_polled = polls != seen && !atomic_load(&nic->armed);
        int sleep_ms = NAP_MS;

        seen = polls;
        /* A polling program does the work itself; the agent would only use its processor. */
        if (!is_polled || now_ms() - ticked > SLEEP_MS) {
            drain(wake[1].fd);
            nic_lock(nic);
            if (!is_polled) {
                while (nic_progress(nic) > 0)
                    ;
                atomic_fetch_add(&nic->passes, 1);
            }
            if (now_ms() - ticked >= NAP_MS) {
                ticked = now_ms();
                tick(nic);
            }
            sleep_ms = is_polled ? NAP_MS : pause_ms(nic);
            nic_unlock(nic);
        }
        if (poll(wake, is_polled || nic->dead ? 1 : 2, sleep_ms) > 0 && wake[0].revents)
            drain(nic->kick_fd);
    }
    return NULL;
}

/* Signals are for the program's own threads. */
static int start_agent(struct verbs_nic *nic)
{
    sigset_t all, before;
    int status;

    nic->kick_fd = eventfd(0, EFD_CLOEXEC);
    if (nic->kick_fd < 0)
        return errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = pthread_create(&nic->agent, NULL, agent, nic);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!status)
        pthread_detach(nic->agent);
    return status;
}

/* ---- ending */

static void settle(struct verbs_nic *nic, int64_t until)
{
    const struct timespec pause = {.tv_nsec = 200000};
    const unsigned passes = atomic_load(&nic->passes);

    if (!nic->qps.used)
        return;
    /* The thread that holds the lock may be about to acknowledge what the program has seen. */
    while (!nic_try_lock(nic)) {
        if (now_ms() >= until)
            return;
        sched_yield();
    }
    nic_unlock(nic);
    /* The agent's pass may have begun before; the one after it takes what has arrived by now. */
    while ((atomic_load(&nic->passes) - passes < 2 || atomic_load(&nic->envelopes)) &&
           !nic->dead && now_ms() < until) {
        nic_kick(nic);
        nanosleep(&pause, NULL);
    }
}

void nic_settle_all(void)
{
    const int64_t until = now_ms() + SETTLE_MS;

    for (struct verbs_nic *nic = nics; nic; nic = nic->next)
        if (!nic->dead && !nic->gone)
            settle(nic, until);
}

__attribute__((destructor)) static void at_exit(void)
{
    nic_settle_all();
}

/* ---- opening */

static int make_memory(struct verbs_nic *nic)
{
    const size_t buffers = ((size_t)1 << (INBOX_LOG2 + INBOX_BYTES_LOG2)) +
                           ((size_t)1 << (DATAGRAMS_LOG2 + DATAGRAM_BYTES_LOG2));
    const size_t staging = (size_t)SLOTS * SLOT_BYTES;
    void *memory =
        mmap(NULL, buffers + staging, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return -TERN_ST_NO_MEMORY;
    nic->buffers = memory;
    nic->staging = nic->buffers + buffers;
    nic->slots = calloc(SLOTS, sizeof(*nic->slots));
    nic->by_number = calloc(65536, sizeof(struct verbs_qp *));
    if (!nic->slots || !nic->by_number)
        return -TERN_ST_NO_MEMORY;
    for (uint16_t slot = SLOTS - 1; slot > 0; slot--) {
        nic->slots[slot].next = nic->free_slot;
        nic->free_slot = slot;
    }
    return tern_register(nic->device, nic->staging, staging, TERN_RIGHT_LOCAL_READ,
                         &nic->staging_region);
}

static int start(struct verbs_nic *nic)
{
    int status = tern_open(nic->uri, &nic->device);

    if (!status)
        status = tern_query(nic->device, &nic->info);
    if (!status)
        status = make_memory(nic);
    if (!status)
        status = tern_cq_create(nic->device, CQ_LOG2, 0, &nic->cq);
    if (!status)
        status = tern_inbox_create(nic->cq, INBOX_LOG2, INBOX_BYTES_LOG2, TERN_INBOX_SHARED,
                                   &nic->inbox);
    if (!status)
        status = tern_inbox_create(nic->cq, DATAGRAMS_LOG2, DATAGRAM_BYTES_LOG2, TERN_INBOX_SHARED,
                                   &nic->datagrams);
    if (status)
        return status;
    nic->node = nic->info.node;
    nic->busy_end = &nic->busy;
    tern_work_add(nic->cq, &nic->stepper, &stepper_calls);
    nic->qps.most = VERBS_QPS;
    for (uint32_t at = 0; at < (1u << INBOX_LOG2) + (1u << DATAGRAMS_LOG2); at++)
        post_buffer(nic, at);
    return start_agent(nic) ? -TERN_ST_SYSTEM : 0;
}

/* The URI of a device is in a file of the tree, beside the files of sysfs. */
static int find_uri(const char *name, char *uri, size_t bytes)
{
    char path[64], buffer[512];
    FILE *file;
    int status;

    snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tern_uri", name);
    file = fopen(sysview_path(path, buffer, sizeof(buffer)), "re");
    if (!file)
        return ENODEV;
    status = fgets(uri, (int)bytes, file) ? 0 : ENODEV;
    fclose(file);
    uri[strcspn(uri, "\n")] = 0;
    return status;
}

static struct verbs_nic *open_nic(const char *name)
{
    struct verbs_nic *nic = calloc(1, sizeof(*nic));
    int status = nic ? find_uri(name, nic->uri, sizeof(nic->uri)) : ENOMEM;

    if (status) {
        free(nic);
        errno = status;
        return NULL;
    }
    snprintf(nic->name, sizeof(nic->name), "%s", name);
    sscanf(name, "tern%u", &nic->index);
    nic->kick_fd = -1;
    status = start(nic);
    if (status) {
        fprintf(stderr, "tern: cannot open %s (%s): %s\n", name, nic->uri, tern_strerror(status));
        tern_close(nic->device);
        free(nic);
        errno = ENODEV;
        return NULL;
    }
    nic->next = nics;
    nics = nic;
    return nic;
}

struct verbs_nic *nic_get(const char *name)
{
    struct verbs_nic *nic;

    pthread_mutex_lock(&nics_lock);
    nic = nics;
    while (nic && (strcmp(nic->name, name) || nic->dead))
        nic = nic->next;
    if (!nic)
        nic = open_nic(name);
    pthread_mutex_unlock(&nics_lock);
    return nic;
}

/* A child has no agent and no right to its parent's queues: it opens its own. */
static void in_child(void)
{
    for (struct verbs_nic *nic = nics; nic; nic = nic->next)
        nic->gone = true;
    nics = NULL;
    pthread_mutex_init(&nics_lock, NULL);
    cm_forget();
    fd_in_child();
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
