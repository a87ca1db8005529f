/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that the NIC may access. Rings are in sealed memfds that both sides map. The driver
 * announces application memory by address, in page-aligned segments that never overlap: a new
 * region announces only the gaps between existing segments, and counts as a user of all segments
 * that it touches.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device.h"

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
    /* Without this a child would write into the parent's rings. */
    status = madvise(memory->base, memory->bytes, MADV_DONTFORK) ? -TERN_ST_SYSTEM : 0;
    if (!status)
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
    if (!device->forked) /* in a child, other memory may be at that address */
        munmap(memory->base, memory->bytes);
    close(memory->fd);
    memory->base = NULL;
}

/* ---- segments; device->lock is held */

static int segment_add(struct tern_device *device, struct tern_segment **link, uint64_t start,
                       uint64_t end, int fd, uint64_t offset)
{
    struct tern_segment *segment = calloc(1, sizeof(*segment));
    int status;

    if (!segment)
        return -TERN_ST_NO_MEMORY;
    status = tern_transport_map(device->transport, start, end - start, fd, offset);
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

/*
 * Fills the gaps of [start, end) with segments; `offset` is that of start. Keeps the list
 * ascending.
 */
static int segments_fill(struct tern_device *device, uint64_t start, uint64_t end, int fd,
                         uint64_t offset)
{
    struct tern_segment **link = &device->segments;
    uint64_t first = start;

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
        status = segment_add(device, link, start, stop, fd, fd < 0 ? 0 : offset + (start - first));
        if (status)
            return status;
        start = stop;
    }
    return 0;
}

/* Adds `change` to the use counts of segments in [start, end), and drops unused segments. */
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

int tern_user_memory_map(struct tern_device *device, uint64_t addr, uint64_t bytes, int fd,
                         uint64_t offset)
{
    uint64_t start = addr & ~page_mask();
    uint64_t end = (addr + bytes + page_mask()) & ~page_mask();
    int status;

    if (fd >= 0 && ((addr ^ offset) & page_mask()))
        return -TERN_ST_BAD_ALIGN;
    pthread_mutex_lock(&device->lock);
    status = segments_fill(device, start, end, fd, offset & ~page_mask());
    segments_use(device, start, end, status ? 0 : 1);
    pthread_mutex_unlock(&device->lock);
    return status;
}

void tern_user_memory_unmap(struct tern_device *device, uint64_t addr, uint64_t bytes)
{
    pthread_mutex_lock(&device->lock);
    segments_use(device, addr & ~page_mask(), (addr + bytes + page_mask()) & ~page_mask(), -1);
    pthread_mutex_unlock(&device->lock);
}

void tern_segments_free_all(struct tern_device *device)
{
    while (device->segments) {
        struct tern_segment *segment = device->segments;

        device->segments = segment->next;
        free(segment);
    }
}

/* ---- accesses of the NIC by message */

/*
 * Lets the kernel copy: if the memory is unmapped, that gives an error instead of a signal.
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
