/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, channels of events, and keys of memory. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "inside.h"

/* ---- handles */

int table_add(struct verbs_table *table, void *item, uint32_t *handle)
{
    uint32_t at = 0;

    if (table->most && table->used >= table->most)
        return ENOMEM;
    while (at < table->room && table->items[at])
        at++;
    if (at == table->room) {
        uint32_t room = table->room ? table->room * 2 : 16;
        void **items = realloc(table->items, room * sizeof(*items));

        if (!items)
            return ENOMEM;
        memset(items + table->room, 0, (room - table->room) * sizeof(*items));
        table->items = items;
        table->room = room;
    }
    table->items[at] = item;
    table->used++;
    *handle = at + 1;
    return 0;
}

void table_remove(struct verbs_table *table, uint32_t handle)
{
    table->items[handle - 1] = NULL;
    table->used--;
}

/* ---- channels */

struct verbs_channel *channel_create(bool is_async)
{
    struct verbs_channel *channel = calloc(1, sizeof(*channel));

    if (!channel)
        return NULL;
    channel->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    if (channel->fd < 0) {
        free(channel);
        return NULL;
    }
    pthread_mutex_init(&channel->lock, NULL);
    channel->last = &channel->first;
    channel->is_async = is_async;
    channel->users = 1;
    fd_set_object(channel->fd, FD_CHANNEL, channel);
    return channel;
}

struct verbs_channel *channel_hold(int fd)
{
    struct verbs_channel *channel = fd_kind(fd) == FD_CHANNEL ? fd_object(fd) : NULL;

    if (channel)
        __atomic_add_fetch(&channel->users, 1, __ATOMIC_RELAXED);
    return channel;
}

void channel_drop(struct verbs_channel *channel)
{
    if (!channel || __atomic_sub_fetch(&channel->users, 1, __ATOMIC_ACQ_REL))
        return;
    channel_forget(channel, NULL);
    free(channel);
}

void channel_raise(struct verbs_channel *channel, uint64_t element, uint32_t type,
                   uint32_t *reported, const void *owner)
{
    struct verbs_event *event = malloc(sizeof(*event));

    if (!event)
        return;
    *event = (struct verbs_event){
        .element = element, .type = type, .reported = reported, .owner = owner};
    pthread_mutex_lock(&channel->lock);
    *channel->last = event;
    channel->last = &event->next;
    if (channel->fd >= 0)
        (void)eventfd_write(channel->fd, 1);
    pthread_mutex_unlock(&channel->lock);
}

/* Takes one from the count of readable events, without waiting. */
static void uncount(struct verbs_channel *channel)
{
    struct pollfd ready = {.fd = channel->fd, .events = POLLIN};
    uint64_t count;

    if (channel->fd >= 0 && poll(&ready, 1, 0) > 0)
        (void)!real_read(channel->fd, &count, sizeof(count));
}

void channel_forget(struct verbs_channel *channel, const void *owner)
{
    struct verbs_event **link;

    if (!channel)
        return;
    pthread_mutex_lock(&channel->lock);
    link = &channel->first;
    while (*link) {
        struct verbs_event *event = *link;

        if (owner && event->owner != owner) {
            link = &event->next;
            continue;
        }
        *link = event->next;
        free(event);
        uncount(channel);
    }
    channel->last = link;
    pthread_mutex_unlock(&channel->lock);
}

ssize_t channel_read(struct verbs_channel *channel, void *to, size_t bytes)
{
    const size_t one = channel->is_async ? sizeof(struct ib_uverbs_async_event_desc)
                                         : sizeof(struct ib_uverbs_comp_event_desc);
    struct verbs_event *event = NULL;
    uint64_t count;

    if (bytes < one) {
        errno = EINVAL;
        return -1;
    }
    while (!event) {
        if (real_read(channel->fd, &count, sizeof(count)) < 0)
            return -1;
        pthread_mutex_lock(&channel->lock);
        event = channel->first;
        if (event) {
            channel->first = event->next;
            if (!channel->first)
                channel->last = &channel->first;
            if (event->reported)
                ++*event->reported;
        }
        pthread_mutex_unlock(&channel->lock);
    }
    if (channel->is_async)
        memcpy(to,
               &(struct ib_uverbs_async_event_desc){.element = event->element,
                                                    .event_type = event->type},
               one);
    else
        memcpy(to, &event->element, one);
    free(event);
    return (ssize_t)one;
}
