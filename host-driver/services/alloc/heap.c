/* SPDX-License-Identifier: Apache-2.0 */
/* Heaps at a client: opens and closes them, returns their figures. */
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>

#include "heap.h"

enum { CQ_LOG2 = 8, SQ_LOG2 = 6, WAIT_MS = 10000, PAUSE_MS = 1, PARTS_MAX = 4096 };

/* ---- parts */

/* Counts the hops between coordinates a and b in one dimension of a torus or mesh. */
static unsigned steps_between(unsigned a, unsigned b, unsigned side, bool mesh)
{
    unsigned apart = a > b ? a - b : b - a;

    return mesh || 2 * apart <= side ? apart : side - apart;
}

static unsigned distance(const struct tern_info *info, uint16_t to)
{
    bool mesh = info->dims >> 15;
    unsigned sum = 0;

    for (unsigned shift = 0; shift < 15; shift += 5)
        sum += steps_between(info->node >> shift & 31u, to >> shift & 31u,
                             (info->dims >> shift & 31u) + 1, mesh);
    return sum;
}

/* Reads the head by a READ. */
static int read_head(struct tern_heap *heap, struct heap_part *part)
{
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, heap->sq, &done);
    status = tern_read(heap->sq, tern_member_at(part->member, part->object.offset), heap->region,
                       heap->memory->landing, sizeof(part->head), TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, WAIT_MS);
    if (!status && done.status != TERN_ST_OK)
        status = -(int)done.status;
    if (status)
        return heap_told(part, status);
    memcpy(&part->head, heap->memory->landing, sizeof(part->head));
    return part->head.blocks ? 0 : -TERN_ST_PROTOCOL;
}

static int part_open(struct tern_heap *heap, struct heap_part *part, struct tern_member *member,
                     const char *name)
{
    struct tern_info info;
    int status = tern_query(heap->device, &info);

    part->member = member;
    part->distance = distance(&info, tern_member_node(member));
    if (!status)
        status = tern_member_find(member, name, &part->object);
    if (!status && part->object.kind != HEAP_KIND)
        status = -TERN_ST_NOT_FOUND;
    if (!status)
        status = read_head(heap, part);
    if (status)
        return status;
    part->known = calloc(part->head.blocks, sizeof(*part->known));
    return part->known ? 0 : -TERN_ST_NO_MEMORY;
}

/* ---- opening and closing */

static int open_queues(struct tern_heap *heap)
{
    int status = tern_register(heap->device, heap->memory, sizeof(*heap->memory),
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &heap->region);

    if (!status)
        status = tern_cq_create(heap->device, CQ_LOG2, 0, &heap->cq);
    if (!status)
        status = tern_sq_create(heap->cq, SQ_LOG2, &heap->sq);
    if (!status)
        heap_tail_open(heap);
    return status;
}

static void close_parts(struct tern_heap *heap)
{
    for (unsigned i = 0; heap->parts && i < heap->count; i++)
        free(heap->parts[i].known);
    free(heap->parts);
}

static void close_queues(struct tern_heap *heap)
{
    if (heap->cq)
        tern_work_remove(&heap->tail);
    if (heap->sq)
        (void)tern_sq_destroy(heap->sq);
    if (heap->cq)
        (void)tern_cq_destroy(heap->cq);
    if (heap->region)
        (void)tern_release(heap->region);
}

static void heap_free(struct tern_heap *heap)
{
    close_queues(heap);
    close_parts(heap);
    free(heap->memory);
    free(heap);
}

static int heap_open(struct tern_heap *heap, struct tern_member *const *members, const char *name)
{
    int status = 0;

    for (unsigned i = 0; !status && i < heap->count; i++)
        status = tern_member_renew(members[i]);
    if (!status)
        status = open_queues(heap);
    for (unsigned i = 0; !status && i < heap->count; i++)
        status = tern_member_device(members[i]) == heap->device
                     ? part_open(heap, &heap->parts[i], members[i], name)
                     : -TERN_ST_BAD_ARGUMENT;
    return status;
}

int tern_heap_open(struct tern_member *const *members, unsigned count, const char *name,
                   const struct tern_heap_config *config, struct tern_heap **out)
{
    struct tern_heap *heap;
    int status;

    if (!members || count == 0 || count > PARTS_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    heap = calloc(1, sizeof(*heap));
    if (!heap)
        return -TERN_ST_NO_MEMORY;
    if (config)
        heap->config = *config;
    if (!heap->config.tries)
        heap->config.tries = HEAP_TRIES;
    heap->device = tern_member_device(members[0]);
    heap->count = count;
    heap->parts = calloc(count, sizeof(*heap->parts));
    heap->memory = calloc(1, sizeof(*heap->memory));
    status = heap->parts && heap->memory ? heap_open(heap, members, name) : -TERN_ST_NO_MEMORY;
    if (status)
        heap_free(heap);
    else
        *out = heap;
    return status;
}

void tern_heap_close(struct tern_heap *heap)
{
    if (!heap)
        return;
    heap_stock_close(heap);
    for (unsigned turn = 0; heap->tail_out && turn < WAIT_MS; turn++)
        if (heap_hear(heap, PAUSE_MS) < 0)
            break;
    heap_free(heap);
}

int tern_heap_renew(struct tern_heap *heap)
{
    int status = heap_hear(heap, 0);

    for (unsigned i = 0; i < heap->count; i++) {
        int one = tern_member_renew(heap->parts[i].member);

        status = status < 0 ? status : one;
    }
    return status;
}

/* ---- figures */

void tern_heap_counts(const struct tern_heap *heap, struct tern_heap_counts *out)
{
    *out = heap->counts;
}

struct tern_heap_limits tern_heap_limits(const struct tern_heap *heap)
{
    return (struct tern_heap_limits){
        .tries = heap->config.tries, .words = HEAP_WORDS, .blocks = HEAP_BLOCKS_TRIED};
}

uint64_t tern_usable_bytes(const struct tern_heap *heap, struct tern_ptr at)
{
    uint32_t block, slab;
    const struct heap_part *part = heap_part_of(heap, at, &block);
    struct heap_block header;

    if (!part || heap_slab_of(part, part->known[block], at, &slab))
        return 0;
    header = heap_unpack(part->known[block]);
    return header.state == BLOCK_BIG ? (uint64_t)header.run * HEAP_BLOCK - HEAP_BIG_HEAD
                                     : heap_slab_bytes(header.klass);
}

struct tern_rptr tern_heap_rptr(const struct tern_heap *heap, struct tern_ptr at)
{
    uint32_t block;
    const struct heap_part *part = heap_part_of(heap, at, &block);

    return part ? tern_member_rptr(part->member, at) : (struct tern_rptr){{0}};
}
