/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: memory registered with the NIC under a key. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tern/prepared.h>

#include "device.h"

/* ---- regions */

/*
 * Makes the region with the key of `wanted` or, if that is TERN_KEY_NONE, one that the NIC
 * chooses.
 */
static int region_create(struct tern_device *device, const struct tern_region *wanted,
                         uint16_t counter, struct tern_region **out)
{
    struct tern_region *region = malloc(sizeof(*region));
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status;

    if (!region)
        return -TERN_ST_NO_MEMORY;
    *region = *wanted;
    region->device = device;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_REG_REGION);
    TERN_SET(ADM, addr, words, region->addr);
    TERN_SET(ADM, size, words, region->bytes);
    TERN_SET(ADM, rights, words, region->rights);
    TERN_SET(ADM, counter, words, counter);
    TERN_SET(ADM, key, words, region->key);
    status = tern_admin(device, words, NULL, 0, cqe);
    if (status) {
        free(region);
        return status;
    }
    region->key = (uint32_t)TERN_GET(CQE, length, cqe);
    pthread_mutex_lock(&device->lock);
    region->next = device->regions;
    device->regions = region;
    pthread_mutex_unlock(&device->lock);
    *out = region;
    return 0;
}

int tern_shared_register(struct tern_device *device, const struct tern_shared *memory,
                         struct tern_region **region)
{
    struct tern_region wanted = {.addr = (uintptr_t)memory->base, .bytes = memory->bytes,
                                 .rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE};

    return region_create(device, &wanted, TERN_COUNTER_NONE, region);
}

/* Registers memory of the process, under the key of `attr` or any. */
static int user_register(struct tern_device *device, const struct tern_region_attr *attr,
                         struct tern_region **region)
{
    struct tern_region wanted = {.addr = (uintptr_t)attr->addr, .bytes = attr->bytes,
                                 .key = attr->keyed ? attr->key : TERN_KEY_NONE,
                                 .rights = (uint8_t)attr->rights, .user_memory = true};
    int status;

    if (!attr->addr || !attr->bytes || attr->rights > UINT8_MAX ||
        wanted.addr + attr->bytes < wanted.addr || (attr->shared && attr->file < 0))
        return -TERN_ST_BAD_ARGUMENT;
    status = tern_user_memory_map(device, wanted.addr, wanted.bytes,
                                  attr->shared ? attr->file : -1, attr->file_offset);
    if (status)
        return status;
    status = region_create(device, &wanted, attr->counted ? attr->counter : TERN_COUNTER_NONE,
                           region);
    if (status)
        tern_user_memory_unmap(device, wanted.addr, wanted.bytes);
    return status;
}

int tern_register(struct tern_device *device, void *addr, size_t bytes, unsigned rights,
                  struct tern_region **region)
{
    const struct tern_region_attr attr = {.addr = addr, .bytes = bytes, .rights = rights};

    return user_register(device, &attr, region);
}

static void region_free(struct tern_region *region)
{
    if (region->own_memory)
        munmap((void *)(uintptr_t)region->addr, region->bytes);
    free(region);
}

static void region_forget(struct tern_region *region)
{
    struct tern_device *device = region->device;
    struct tern_region **link;

    pthread_mutex_lock(&device->lock);
    for (link = &device->regions; *link; link = &(*link)->next)
        if (*link == region) {
            *link = region->next;
            break;
        }
    pthread_mutex_unlock(&device->lock);
    tern_watches_tell(device, &region->watches);
    if (region->user_memory)
        tern_user_memory_unmap(device, region->addr, region->bytes);
    region_free(region);
}

static int region_release(struct tern_region *region)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_REL_REGION);
    TERN_SET(ADM, key, words, region->key);
    status = tern_admin(region->device, words, NULL, 0, NULL);
    if (status == -TERN_ST_QUEUE_BUSY)
        return status;
    region_forget(region);
    /* after a reset or on a lost connection the NIC has already dropped the region */
    return status == -TERN_ST_BAD_KEY ? 0 : status;
}

int tern_release(struct tern_region *region)
{
    struct tern_region *twin = region->twin;
    int status = region_release(region);

    if (twin && status != -TERN_ST_QUEUE_BUSY)
        (void)region_release(twin);
    return status;
}

/* ---- memory of a group's member */

/*
 * Registers the twin. The origin asks a member by a put of one byte at the end of the bytes that it
 * needs, to the twin, whose contents have no meaning. The twin is as long as the memory and has no
 * counter, so it accepts what the memory would accept. The kernel allocates only the pages that
 * origins write.
 */
static int twin_register(struct tern_device *device, size_t bytes, uint32_t key,
                         struct tern_region **twin)
{
    void *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct tern_region_attr attr = {
        .bytes = bytes, .rights = TERN_RIGHT_REMOTE_WRITE, .keyed = true, .key = key};
    int status;

    if (own == MAP_FAILED)
        return -TERN_ST_NO_MEMORY;
    attr.addr = own;
    status = user_register(device, &attr, twin);
    if (status)
        munmap(own, bytes);
    else
        (*twin)->own_memory = true;
    return status;
}

static int member_register(struct tern_device *device, const struct tern_region_attr *attr,
                           struct tern_region **out)
{
    struct tern_region_attr ours = *attr;
    struct tern_region *region;
    int status;

    ours.rights |= TERN_RIGHT_REMOTE_WRITE;
    ours.keyed = true;
    status = user_register(device, &ours, &region);
    if (status)
        return status;
    status = twin_register(device, attr->bytes, tern_group_twin(attr->key), &region->twin);
    if (status) {
        (void)tern_release(region);
        return status;
    }
    *out = region;
    return 0;
}

int tern_register_sized(struct tern_device *device, const void *from, size_t size,
                        struct tern_region **region)
{
    struct tern_region_attr attr = {0};

    memcpy(&attr, from, size < sizeof(attr) ? size : sizeof(attr));
    if ((attr.keyed || attr.member) && attr.key == TERN_KEY_NONE)
        return -TERN_ST_BAD_KEY;
    if (attr.member)
        return member_register(device, &attr, region);
    return user_register(device, &attr, region);
}

uint32_t tern_region_key(const struct tern_region *region)
{
    return region->key;
}

struct tern_rptr tern_region_pointer(const struct tern_region *region, uint64_t offset)
{
    struct tern_rptr pointer = {{0}};

    TERN_SET(RPTR, addr, pointer.w, region->addr + offset);
    TERN_SET(RPTR, key, pointer.w, region->key);
    TERN_SET(RPTR, node, pointer.w, region->device->info.node);
    TERN_SET(RPTR, incarnation, pointer.w, region->device->info.incarnation);
    TERN_SET(RPTR, flags, pointer.w, region->rights);
    return pointer;
}

void tern_regions_free_all(struct tern_device *device)
{
    while (device->regions) {
        struct tern_region *region = device->regions;

        device->regions = region->next;
        tern_watches_tell(device, &region->watches);
        region_free(region);
    }
}

/* ---- watches */

void tern_watch_add(struct tern_device *device, struct tern_watch **watches,
                    struct tern_watch *watch)
{
    pthread_mutex_lock(&device->watch_lock);
    watch->device = device;
    watch->next = *watches;
    watch->link = watches;
    if (watch->next)
        watch->next->link = &watch->next;
    *watches = watch;
    pthread_mutex_unlock(&device->watch_lock);
}

static void take_out(struct tern_watch *watch)
{
    *watch->link = watch->next;
    if (watch->next)
        watch->next->link = watch->link;
    watch->link = NULL;
}

/* The lock is held while a watch hears of it: its memory stays until tern_watch_end() got it. */
void tern_watches_tell(struct tern_device *device, struct tern_watch **watches)
{
    pthread_mutex_lock(&device->watch_lock);
    while (*watches) {
        struct tern_watch *watch = *watches;

        take_out(watch);
        watch->gone(watch);
    }
    pthread_mutex_unlock(&device->watch_lock);
}

/* `watch->device` may be closed when the watch has ended, and is not followed then. */
void tern_watch_end(struct tern_watch *watch)
{
    if (!__atomic_load_n(&watch->link, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&watch->device->watch_lock);
    if (watch->link)
        take_out(watch);
    pthread_mutex_unlock(&watch->device->watch_lock);
}

int tern_region_watch(struct tern_device *device, const struct tern_region *region,
                      struct tern_watch *watch)
{
    struct tern_region *at;

    pthread_mutex_lock(&device->lock);
    for (at = device->regions; at && at != region; at = at->next)
        ;
    if (at)
        tern_watch_add(device, &at->watches, watch);
    pthread_mutex_unlock(&device->lock);
    return at ? 0 : -TERN_ST_STALE_POINTER;
}
