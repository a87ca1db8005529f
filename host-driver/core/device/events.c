/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt vectors as eventfds. */
#define _GNU_SOURCE
#include <sys/eventfd.h>
#include <unistd.h>

#include "device.h"

void tern_events_init(struct tern_device *device)
{
    pthread_mutex_init(&device->event_lock, NULL);
    for (int v = 0; v < VECTORS_MAX; v++)
        device->events[v] = -1;
}

/* Reserves a vector for `event_fd`: `wanted`, or the first free one. */
static int take_vector(struct tern_device *device, int wanted, int event_fd)
{
    unsigned limit = tern_transport_vectors(device->transport);
    int taken = -1;

    pthread_mutex_lock(&device->event_lock);
    for (int v = 0; v < VECTORS_MAX && (unsigned)v < limit && taken < 0; v++)
        if ((wanted < 0 || v == wanted) && device->events[v] < 0) {
            device->events[v] = event_fd;
            taken = v;
        }
    pthread_mutex_unlock(&device->event_lock);
    return taken;
}

int tern_event_create(struct tern_device *device, int *vector, int *event_fd)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int status;

    if (fd < 0)
        return -TERN_ST_SYSTEM;
    *vector = take_vector(device, *vector, fd);
    if (*vector < 0) {
        close(fd);
        return -TERN_ST_NO_RESOURCE;
    }
    status = tern_transport_irq(device->transport, (unsigned)*vector, fd);
    if (status) {
        tern_event_destroy(device, *vector);
        return status;
    }
    *event_fd = fd;
    return 0;
}

void tern_event_destroy(struct tern_device *device, int vector)
{
    if (vector < 0)
        return;
    pthread_mutex_lock(&device->event_lock);
    close(device->events[vector]);
    device->events[vector] = -1;
    pthread_mutex_unlock(&device->event_lock);
}

void tern_events_wake_all(void *arg)
{
    struct tern_device *device = arg;

    pthread_mutex_lock(&device->event_lock);
    for (int v = 0; v < VECTORS_MAX; v++)
        if (device->events[v] >= 0)
            (void)eventfd_write(device->events[v], 1);
    pthread_mutex_unlock(&device->event_lock);
}
