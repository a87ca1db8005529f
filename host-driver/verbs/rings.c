/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues that a provider maps. They are in the file of the context's descriptor, so the provider's
 * own mmap() maps them. Layout: struct rxe_queue_buf of linux/rdma/rdma_user_rxe.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"

enum { PAGE = 4096 };

static unsigned log2_up(size_t n)
{
    unsigned bits = 0;

    while ((size_t)1 << bits < n)
        bits++;
    return bits;
}

int ring_create(struct verbs_context *context, struct verbs_ring *ring, uint32_t entries,
                size_t entry_bytes)
{
    unsigned element = log2_up(entry_bytes < 64 ? 64 : entry_bytes),
             count = log2_up((size_t)entries + 1);
    size_t bytes = sizeof(struct rxe_queue_buf) + ((size_t)1 << (element + count));
    uint64_t end;
    void *at;

    bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    end = context->file_bytes + bytes;
    if (ftruncate(context->fd, (off_t)end))
        return errno;
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, context->fd,
              (off_t)context->file_bytes);
    if (at == MAP_FAILED)
        return errno;
    *ring = (struct verbs_ring){.buf = at, .offset = context->file_bytes, .bytes = bytes};
    ring->buf->log2_elem_size = element;
    ring->buf->index_mask = (UINT32_C(1) << count) - 1;
    context->file_bytes = end;
    return 0;
}

void ring_destroy(struct verbs_context *context, struct verbs_ring *ring)
{
    if (!ring->buf)
        return;
    munmap(ring->buf, ring->bytes);
    /* The place in the file is not reused; its memory is freed. */
    (void)fallocate(context->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)ring->offset,
                    (off_t)ring->bytes);
    ring->buf = NULL;
}

struct mminfo ring_info(const struct verbs_ring *ring)
{
    return (struct mminfo){.offset = ring->offset, .size = (uint32_t)ring->bytes};
}
