/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory the NIC may reach.  Rings stand in sealed memfds that both sides map.  Application memory is
 * announced by address in page-aligned segments that never overlap: a new region announces only the
 * gaps between those that exist, and holds all it touches.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "groups.h"

static uint64_t page_mask(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE) - 1;
}

/* ---- shared memory */

static int open_sealed(size_t bytes)
{
    int fd = memfd_create("tern", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))) {
        close(fd);
        return -1;
    }
    return fd;
}

int tern_shared_create(struct tern_device *device, size_t bytes, struct tern_shared *memory)
{
    int status;

    memory->bytes = (bytes + page_mask()) & ~page_mask();
    memory->fd = open_sealed(memory->bytes);
    if (memory->fd < 0)
        return -TERN_ST_SYSTEM;
    memory->base = mmap(NULL, memory->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, 0);
    if (memory->base == MAP_FAILED) {
        memory->base = NULL;
        close(memory->fd);
        return -TERN_ST_NO_MEMORY;
    }
    status = tern_transport_map(device->transport, (uintptr_t)memory->base, memory->bytes,
                                memory->fd, 0);
    if (status) {
        munmap(memory->base, memory->bytes);
        close(memory->fd);
        memory->base = NULL;
    }
    return status;
}

void tern_shared_destroy(struct tern_device *device, struct tern_shared *memory)
{
    if (!memory->base)
        return;
    if (device->transport && !tern_transport_state(device->transport))
        (void)tern_transport_unmap(device->transport, (uintptr_t)memory->base, memory->bytes);
    munmap(memory->base, memory->bytes);
    close(memory->fd);
    memory->base = NULL;
}

/* ---- segments; device->lock is held */

static int segment_add(struct tern_device *device, struct tern_segment **link, uint64_t start,
                       uint64_t end)
{
    struct tern_segment *segment = calloc(1, sizeof(*segment));
    int status;

    if (!segment)
        return -TERN_ST_NO_MEMORY;
    status = tern_transport_map(device->transport, start, end - start, -1, 0);
    if (status) {
        free(segment);
        return status;
    }
    segment->start = start;
    segment->end = end;
    segment->next = *link;
    *link = segment;
    return 0;
}

/* The list is in ascending order.  Fills the gaps of [start, end). */
static int segments_fill(struct tern_device *device, uint64_t start, uint64_t end)
{
    struct tern_segment **link = &device->segments;

    while (start < end) {
        uint64_t stop = end;
        int status;

        while (*link && (*link)->end <= start)
            link = &(*link)->next;
        if (*link && (*link)->start <= start) {
            start = (*link)->end;
            continue;
        }
        if (*link && (*link)->start < end)
            stop = (*link)->start;
        status = segment_add(device, link, start, stop);
        if (status)
            return status;
        start = stop;
    }
    return 0;
}

/* Adds `change` to the uses of what [start, end) touches, and drops what nobody uses. */
static void segments_use(struct tern_device *device, uint64_t start, uint64_t end, int change)
{
    struct tern_segment **link = &device->segments;

    while (*link) {
        struct tern_segment *segment = *link;

        if (segment->start < end && segment->end > start)
            segment->uses = (unsigned)((int)segment->uses + change);
        if (segment->uses) {
            link = &segment->next;
            continue;
        }
        (void)tern_transport_unmap(device->transport, segment->start,
                                   segment->end - segment->start);
        *link = segment->next;
        free(segment);
    }
}

static int user_memory_map(struct tern_device *device, uint64_t addr, uint64_t bytes)
{
    uint64_t start = addr & ~page_mask();
    uint64_t end = (addr + bytes + page_mask()) & ~page_mask();
    int status;

    pthread_mutex_lock(&device->lock);
    status = segments_fill(device, start, end);
    segments_use(device, start, end, status ? 0 : 1);
    pthread_mutex_unlock(&device->lock);
    return status;
}

static void user_memory_unmap(struct tern_device *device, uint64_t addr, uint64_t bytes)
{
    pthread_mutex_lock(&device->lock);
    segments_use(device, addr & ~page_mask(), (addr + bytes + page_mask()) & ~page_mask(), -1);
    pthread_mutex_unlock(&device->lock);
}

/* ---- regions */

/* With the key of `wanted`, or, if that is TERN_KEY_NONE, one that the NIC chooses. */
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

/* Memory of the process, under `key` or any. */
static int user_register(struct tern_device *device, void *addr, size_t bytes, unsigned rights,
                         uint16_t counter, uint32_t key, struct tern_region **region)
{
    struct tern_region wanted = {.addr = (uintptr_t)addr, .bytes = bytes, .key = key,
                                 .rights = (uint8_t)rights, .user_memory = true};
    int status;

    if (!addr || !bytes || rights > UINT8_MAX || wanted.addr + bytes < wanted.addr)
        return -TERN_ST_BAD_ARGUMENT;
    status = user_memory_map(device, wanted.addr, bytes);
    if (status)
        return status;
    status = region_create(device, &wanted, counter, region);
    if (status)
        user_memory_unmap(device, wanted.addr, bytes);
    return status;
}

int tern_register_counted(struct tern_device *device, void *addr, size_t bytes, unsigned rights,
                          uint16_t counter, struct tern_region **region)
{
    return user_register(device, addr, bytes, rights, counter, TERN_KEY_NONE, region);
}

int tern_register(struct tern_device *device, void *addr, size_t bytes, unsigned rights,
                  struct tern_region **region)
{
    return user_register(device, addr, bytes, rights, TERN_COUNTER_NONE, TERN_KEY_NONE, region);
}

int tern_register_keyed(struct tern_device *device, void *addr, size_t bytes, unsigned rights,
                        uint16_t counter, uint32_t key, struct tern_region **region)
{
    if (key == TERN_KEY_NONE)
        return -TERN_ST_BAD_KEY;
    return user_register(device, addr, bytes, rights, counter, key, region);
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
    if (region->user_memory)
        user_memory_unmap(device, region->addr, region->bytes);
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
    /* after a reset or on a dead connection the NIC has forgotten it already */
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
 * The twin is what the origin's question is put to: a byte at the end of what it needs, written where
 * nobody looks.  It has no counter, and is as long as the memory, so what is refused there would be
 * refused here.  Only pages that were asked after ever exist.
 */
static int twin_register(struct tern_device *device, size_t bytes, uint32_t key,
                         struct tern_region **twin)
{
    void *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int status;

    if (own == MAP_FAILED)
        return -TERN_ST_NO_MEMORY;
    status = tern_register_keyed(device, own, bytes, TERN_RIGHT_REMOTE_WRITE, TERN_COUNTER_NONE, key,
                                 twin);
    if (status)
        munmap(own, bytes);
    else
        (*twin)->own_memory = true;
    return status;
}

int tern_group_join(struct tern_device *device, uint32_t key, void *addr, size_t bytes,
                    unsigned rights, uint16_t counter, struct tern_region **out)
{
    struct tern_region *region;
    int status = tern_register_keyed(device, addr, bytes, rights | TERN_RIGHT_REMOTE_WRITE, counter,
                                     key, &region);

    if (status)
        return status;
    status = twin_register(device, bytes, tern_group_twin(key), &region->twin);
    if (status) {
        (void)tern_release(region);
        return status;
    }
    *out = region;
    return 0;
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

void tern_memory_free_all(struct tern_device *device)
{
    while (device->regions) {
        struct tern_region *region = device->regions;

        device->regions = region->next;
        region_free(region);
    }
    while (device->segments) {
        struct tern_segment *segment = device->segments;

        device->segments = segment->next;
        free(segment);
    }
}

/* ---- the NIC's accesses by message */

/*
 * The kernel copies, not this code: memory that went away is an error then, not the end of the
 * process.
 */
int tern_memory_access(void *arg, uint64_t addr, void *data, size_t bytes, bool write)
{
    struct iovec here = {data, bytes};
    struct iovec there = {(void *)(uintptr_t)addr, bytes};
    ssize_t moved;

    (void)arg;
    if (bytes == 0)
        return 0;
    if (write)
        moved = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
    else
        moved = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (moved == (ssize_t)bytes)
        return 0;
    if (moved >= 0 || errno == EFAULT)
        return EFAULT;
    memcpy(write ? there.iov_base : data, write ? data : there.iov_base, bytes);
    return 0;
}
