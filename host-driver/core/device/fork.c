/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks. A child has a copy of the handles, but neither the threads nor the rings: a post there
 * would ring the doorbell for a descriptor that is not in the parent's ring. So the child marks its
 * copy of each device, which then refuses all calls.
 */
#include <unistd.h>

#include "device.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tern_device *devices; /* protected by `lock` */

/*
 * Takes all locks before a fork, so that the child never copies a list in the middle of a
 * change.
 */
static void before(void)
{
    pthread_mutex_lock(&lock);
    for (struct tern_device *device = devices; device; device = device->next) {
        pthread_mutex_lock(&device->lock);
        pthread_mutex_lock(&device->event_lock);
    }
}

static void go_on(void)
{
    for (struct tern_device *device = devices; device; device = device->next) {
        pthread_mutex_unlock(&device->event_lock);
        pthread_mutex_unlock(&device->lock);
    }
    pthread_mutex_unlock(&lock);
}

static void disown(struct tern_device *device)
{
    device->forked = true;
    tern_transport_disown(device->transport, -TERN_ST_FORKED);
    pthread_mutex_init(&device->admin_lock, NULL);
    pthread_mutex_init(&device->watch_lock, NULL);
    device->admin_event_fd = -1;
    /* If the child took an event, the parent would miss it. */
    for (int v = 0; v < VECTORS_MAX; v++) {
        if (device->events[v] >= 0)
            close(device->events[v]);
        device->events[v] = -1;
    }
    if (device->disown_queues)
        device->disown_queues(device);
}

static void in_child(void)
{
    for (struct tern_device *device = devices; device; device = device->next)
        if (!device->forked)
            disown(device);
    go_on();
}

static void set_up(void)
{
    (void)pthread_atfork(before, go_on, in_child);
}

void tern_fork_watch(struct tern_device *device)
{
    pthread_once(&once, set_up);
    pthread_mutex_lock(&lock);
    device->next = devices;
    devices = device;
    pthread_mutex_unlock(&lock);
}

void tern_fork_forget(struct tern_device *device)
{
    struct tern_device **link = &devices;

    pthread_mutex_lock(&lock);
    while (*link && *link != device)
        link = &(*link)->next;
    if (*link)
        *link = device->next;
    pthread_mutex_unlock(&lock);
}
