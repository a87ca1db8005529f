/* SPDX-License-Identifier: Apache-2.0 */
/* Writing descriptors and ringing for them. */
#include <string.h>

#include "internal.h"

static uint32_t cq_entries(const struct tern_cq *cq)
{
    return UINT32_C(1) << cq->ring.log2_entries;
}

/* A place in the ring, and one in the completion queue if the operation will need it for sure. */
static bool has_room(const struct tern_sq *sq, bool watched)
{
    bool completes = watched || tern_places_owe(&sq->places);

    return tern_places_free(&sq->places) > 0 &&
           (!completes || sq->cq->expected < cq_entries(sq->cq));
}

bool tern_post_room(const struct tern_sq *sq, unsigned count)
{
    /* Quiet ones may have to complete, too. */
    return tern_places_free(&sq->places) >= count && sq->cq->expected + count <= cq_entries(sq->cq);
}

int tern_sq_flush(struct tern_sq *sq)
{
    int status;

    if (sq->rung == sq->places.made)
        return tern_transport_state(sq->cq->device->transport);
    status = tern_doorbell(sq->cq->device, sq->number, sq->places.made);
    sq->rung = sq->places.made;
    return status;
}

/* Copies the descriptor into its ring place, which was taken as `count`. */
static void write_place(struct tern_sq *sq, uint32_t count, const uint32_t *words)
{
    uint32_t place = count & ((UINT32_C(1) << sq->places.log2_entries) - 1);

    memcpy(sq->memory.base + (size_t)place * TERN_DESC_BYTES, words, TERN_DESC_BYTES);
}

/*
 * A descriptor with its payload goes through the doorbell window, which saves the NIC a read, unless
 * others wait for the doorbell: the window raises the index by one.
 */
static int ring(struct tern_sq *sq, const uint32_t *words)
{
    bool alone = sq->rung + 1 == sq->places.made;

    if (!alone || !(TERN_GET(DESC, flags, words) & TERN_DFLAG_INLINE))
        return tern_sq_flush(sq);
    sq->rung = sq->places.made;
    return tern_doorbell_inline(sq->cq->device, sq->number, words);
}

/* Why nothing can be posted now.  What waits for the doorbell must not wait for the caller's poll. */
static int refuse(struct tern_sq *sq)
{
    int status = tern_sq_flush(sq);

    return status ? status : -TERN_ST_AGAIN;
}

/* With the queue's byte counter, if it has one. */
static void count_bytes(const struct tern_sq *sq, uint32_t *words)
{
    if (sq->counter == TERN_COUNTER_NONE)
        return;
    TERN_SET(DESC, counted, words, 1);
    TERN_SET(DESC, counter, words, sq->counter);
}

int tern_sq_count(struct tern_sq *sq, uint16_t counter)
{
    if (counter != TERN_COUNTER_NONE && counter >> TERN_DESC_counter_BITS)
        return -TERN_ST_BAD_COUNTER;
    sq->counter = counter;
    return 0;
}

int tern_post_for(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context,
                  uint32_t group)
{
    bool watched = (flags & TERN_DFLAG_SIGNAL) != 0;
    int status = tern_transport_state(sq->cq->device->transport);
    uint32_t count;

    if (status)
        return status;
    if (sq->chain)
        return group ? -TERN_ST_BAD_ARGUMENT : tern_chain_add(sq, words, flags, context);
    if (!has_room(sq, watched))
        return refuse(sq);
    if (watched || tern_places_owe(&sq->places)) {
        flags |= TERN_DFLAG_SIGNAL;
        sq->cq->expected++;
    }
    count = tern_places_take(&sq->places, context, (uint8_t)TERN_GET(DESC, opcode, words), watched);
    tern_places_belong(&sq->places, count, group);
    TERN_SET(DESC, flags, words, (flags & 0xff) | TERN_GET(DESC, flags, words));
    TERN_SET(DESC, version, words, TERN_DESC_VERSION);
    TERN_SET(DESC, index, words, count);
    count_bytes(sq, words);
    write_place(sq, count, words);
    return flags & TERN_MORE ? 0 : ring(sq, words);
}

int tern_post(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context)
{
    return tern_post_for(sq, words, flags, context, 0);
}

int tern_post_raw(struct tern_sq *sq, const uint32_t words[DESC_WORDS], uint64_t context)
{
    uint32_t count;

    if (!has_room(sq, true))
        return refuse(sq);
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

void tern_desc_set_local(uint32_t *words, const struct tern_region *region, const void *from)
{
    TERN_SET(DESC, local_addr, words, (uintptr_t)from);
    TERN_SET(DESC, local_key, words, region->key);
}

void tern_desc_set_remote(uint32_t *words, struct tern_rptr to)
{
    TERN_SET(DESC, dst_node, words, TERN_GET(RPTR, node, to.w));
    TERN_SET(DESC, incarnation, words, TERN_GET(RPTR, incarnation, to.w));
    TERN_SET(DESC, remote_addr, words, TERN_GET(RPTR, addr, to.w));
    TERN_SET(DESC, remote_key, words, TERN_GET(RPTR, key, to.w));
}

static void set_put(uint32_t *words, struct tern_rptr to, uint32_t bytes)
{
    TERN_SET(DESC, opcode, words, TERN_OP_PUT);
    tern_desc_set_remote(words, to);
    TERN_SET(DESC, length, words, bytes);
}

int tern_put(struct tern_sq *sq, struct tern_rptr to, const struct tern_region *region,
             const void *from, uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region || flags & TERN_DFLAG_INLINE)
        return -TERN_ST_BAD_ARGUMENT;
    set_put(words, to, bytes);
    tern_desc_set_local(words, region, from);
    return tern_post(sq, words, flags, context);
}

int tern_put_inline(struct tern_sq *sq, struct tern_rptr to, const void *from, uint32_t bytes,
                    unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_LENGTH;
    set_put(words, to, bytes);
    tern_desc_set_inline(words, from, bytes);
    return tern_post(sq, words, flags, context);
}

/* All pieces or none: the places are counted before the first is posted. */
int tern_put_long(struct tern_sq *sq, struct tern_rptr to, const struct tern_region *region,
                  const void *from, uint64_t bytes, unsigned flags, uint64_t context)
{
    uint64_t done = 0;
    uint64_t pieces = (bytes + TERN_PUT_BYTES_MAX - 1) / TERN_PUT_BYTES_MAX;

    if (pieces > UINT64_C(1) << sq->places.log2_entries)
        return -TERN_ST_BAD_LENGTH;
    if (pieces > tern_places_free(&sq->places) ||
        pieces > cq_entries(sq->cq) - sq->cq->expected)
        return refuse(sq);
    while (bytes - done > TERN_PUT_BYTES_MAX) {
        int status = tern_put(sq, tern_rptr_add(to, done), region, (const uint8_t *)from + done,
                              TERN_PUT_BYTES_MAX, (flags & ~(unsigned)TERN_DFLAG_SIGNAL) | TERN_MORE,
                              context);

        if (status)
            return status;
        done += TERN_PUT_BYTES_MAX;
    }
    if (done)
        flags |= TERN_DFLAG_FENCE;
    return tern_put(sq, tern_rptr_add(to, done), region, (const uint8_t *)from + done,
                    (uint32_t)(bytes - done), flags, context);
}

int tern_send(struct tern_sq *sq, struct tern_target to, const struct tern_region *region,
              const void *from, uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region && bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    TERN_SET(DESC, opcode, words, TERN_OP_SEND);
    TERN_SET(DESC, dst_node, words, to.node);
    TERN_SET(DESC, dst_queue, words, to.queue);
    TERN_SET(DESC, length, words, bytes);
    TERN_SET(DESC, imm, words, to.imm);
    if (region)
        tern_desc_set_local(words, region, from);
    else
        tern_desc_set_inline(words, from, bytes);
    return tern_post(sq, words, flags, context);
}

int tern_nop(struct tern_sq *sq, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_NOP);
    return tern_post(sq, words, flags, context);
}
