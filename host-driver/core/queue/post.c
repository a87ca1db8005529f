/* SPDX-License-Identifier: Apache-2.0 */
/* Writes descriptors and rings doorbells. */
#include <string.h>

#include "queue.h"

static uint32_t cq_entries(const struct tern_cq *cq)
{
    return UINT32_C(1) << cq->ring.log2_entries;
}

/*
 * Tells whether there is a place in the ring, and in the completion queue if the operation is sure
 * to complete.
 */
static bool has_room(const struct tern_sq *sq, bool watched)
{
    bool completes = watched || tern_places_owe(&sq->places);

    return tern_places_free(&sq->places) > 0 &&
           (!completes || sq->cq->expected < cq_entries(sq->cq));
}

bool tern_sq_room(const struct tern_sq *sq, unsigned count)
{
    /* Quiet operations may have to complete, too. */
    return tern_places_free(&sq->places) >= count && sq->cq->expected + count <= cq_entries(sq->cq);
}

/* Returns the count up to which the NIC may fetch: not the steps of an unfinished chain. */
static uint32_t to_ring(const struct tern_sq *sq)
{
    return sq->chain.steps ? sq->chain.first : sq->places.made;
}

/* Rings the doorbell for all descriptors before count `made`. */
static int ring_to(struct tern_sq *sq, uint32_t made)
{
    if (sq->rung == made)
        return tern_transport_state(sq->cq->device->transport);
    sq->rung = made;
    return tern_doorbell(sq->cq->device, sq->number, made);
}

int tern_sq_flush(struct tern_sq *sq)
{
    return ring_to(sq, to_ring(sq));
}

/* Copies the descriptor into its ring place, which was taken as `count`. */
static void write_place(struct tern_sq *sq, uint32_t count, const uint32_t *words)
{
    uint32_t place = count & ((UINT32_C(1) << sq->places.log2_entries) - 1);

    memcpy(sq->memory.base + (size_t)place * TERN_DESC_BYTES, words, TERN_DESC_BYTES);
}

/*
 * Rings the doorbell for one descriptor. Sends it through the doorbell window, which saves the NIC
 * a read of host memory, unless earlier ones still need the doorbell: the window raises the index
 * by one. A lost connection is no error here: the operation has its place, and completes with
 * DISCONNECTED.
 */
static int ring(struct tern_sq *sq, const uint32_t *words)
{
    struct tern_device *device = sq->cq->device;
    bool alone = sq->rung + 1 == sq->places.made;
    int status;

    if (alone) {
        sq->rung = sq->places.made;
        status = tern_doorbell_inline(device, sq->number, words);
    } else {
        status = ring_to(sq, sq->places.made);
    }
    return status && tern_transport_state(device->transport) ? 0 : status;
}

/* Rings for the operations posted so far, because the caller will poll before it posts again. */
int tern_post_refuse(struct tern_sq *sq)
{
    int status = tern_sq_flush(sq);

    return status ? status : -TERN_ST_AGAIN;
}

/* Names the queue's byte counter in the descriptor, if it has one. */
static void count_bytes(const struct tern_sq *sq, uint32_t *words)
{
    if (sq->counter == TERN_COUNTER_NONE)
        return;
    TERN_SET(DESC, counted, words, 1);
    TERN_SET(DESC, counter, words, sq->counter);
}

/* Posts when there is room. Inlined in both callers: every instruction here adds to each post. */
static inline __attribute__((always_inline)) int post(struct tern_sq *sq,
        uint32_t words[DESC_WORDS], unsigned flags, uint64_t context,
                struct tern_work *work, uint32_t chain)
{
    bool watched = (flags & (TERN_DFLAG_SIGNAL | POST_SILENT)) != 0;
    uint32_t count;

    if (watched || tern_places_owe(&sq->places)) {
        flags |= TERN_DFLAG_SIGNAL;
        sq->cq->expected++;
    }
    count = tern_places_take(&sq->places, context, (uint8_t)TERN_GET(DESC, opcode, words), watched);
    tern_places_belong(&sq->places, count, work, chain);
    if (flags & POST_SILENT)
        tern_places_silence(&sq->places, count);
    TERN_SET(DESC, flags, words, (flags & 0xff) | TERN_GET(DESC, flags, words));
    TERN_SET(DESC, version, words, TERN_DESC_VERSION);
    TERN_SET(DESC, index, words, count);
    count_bytes(sq, words);
    write_place(sq, count, words);
    return flags & TERN_MORE ? 0 : ring(sq, words);
}

/* Posts a step of a chain. The last step rings the doorbell for all. */
static __attribute__((noinline)) int post_step(struct tern_sq *sq, uint32_t words[DESC_WORDS],
                                               unsigned flags, uint64_t context,
                     struct tern_work *work)
{
    bool last = !(flags & TERN_LINK);
    int status = tern_chain_step(sq, words, &flags, work);

    if (status) {
        int failed = tern_sq_flush(sq);

        return failed ? failed : status;
    }
    if (last)
        sq->chain.steps = 0;
    return post(sq, words, flags, context, work, sq->chain_number);
}

int tern_post_for(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context,
                  struct tern_work *work)
{
    int status = tern_transport_state(sq->cq->device->transport);

    if (status)
        return status;
    if (flags & TERN_LINK || sq->chain.steps)
        return post_step(sq, words, flags, context, work);
    if (!has_room(sq, (flags & (TERN_DFLAG_SIGNAL | POST_SILENT)) != 0))
        return tern_post_refuse(sq);
    return post(sq, words, flags, context, work, 0);
}

int tern_post(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context)
{
    return tern_post_for(sq, words, flags, context, sq->work);
}

int tern_post_raw(struct tern_sq *sq, const uint32_t words[DESC_WORDS], uint64_t context)
{
    uint32_t count;

    if (sq->chain.steps || !has_room(sq, true))
        return tern_post_refuse(sq);
    sq->cq->expected++;
    count = tern_places_take(&sq->places, context, (uint8_t)TERN_GET(DESC, opcode, words), true);
    write_place(sq, count, words);
    return tern_sq_flush(sq);
}

void tern_desc_set_inline(uint32_t *words, const void *from, uint32_t bytes)
{
    TERN_SET(DESC, flags, words, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, words, bytes);
    if (bytes)
        memcpy((uint8_t *)words + TERN_INLINE_OFFSET, from, bytes);
}
