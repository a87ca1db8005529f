/* SPDX-License-Identifier: Apache-2.0 */
/* Posting to queue pairs. */
#include <string.h>
#include <tern/atomic.h>
#include <tern/read.h>

#include "pairs.h"

static uint32_t packet_bytes(const struct tern_pair *pair)
{
    return pair->sq->cq->device->info.max_payload;
}

static bool is_connected(const struct tern_pair *pair)
{
    return pair->kind != TERN_PAIR_UD;
}

/* Tells whether `count` packets can be posted now. */
static int check(const struct tern_pair *pair, uint32_t count)
{
    int status = tern_transport_state(pair->sq->cq->device->transport);

    if (status)
        return status;
    if (pair->state != TERN_PAIR_RTS)
        return -TERN_ST_BAD_STATE;
    if (count > UINT32_C(1) << pair->sq->places.log2_entries)
        return -TERN_ST_BAD_LENGTH;
    return pair->bad_count || !tern_sq_room(pair->sq, count) ? -TERN_ST_AGAIN : 0;
}

/*
 * Links a descriptor of a connected pair to the one before, so that they run in order: if one
 * fails, the NIC flushes those posted after it.
 */
static void bind(struct tern_pair *pair, uint32_t *words)
{
    if (!is_connected(pair))
        return;
    TERN_SET(DESC, decides, words, 1);
    if (!pair->unlinked)
        TERN_SET(DESC, linked, words, 1);
}

/*
 * Returns the fence that keeps posting order: messages use another virtual network than puts, and
 * would overtake them.
 */
static unsigned fence(const struct tern_pair *pair, enum tern_pair_class class)
{
    enum tern_pair_class before = (enum tern_pair_class)pair->last;

    return is_connected(pair) && before != CLASS_NONE && before != class ? TERN_DFLAG_FENCE : 0;
}

/* Posts an operation that completes in any case, so that the library knows what is in flight. */
static int post(struct tern_pair *pair, uint32_t *words, unsigned flags, uint64_t context)
{
    return tern_post_for(pair->sq, words, flags & TERN_DFLAG_SIGNAL
                         ? flags : flags | POST_SILENT, context, &pair->work);
}

/* Notes the class of the operation just posted, for the fence of the next one. */
static void was_posted(struct tern_pair *pair, enum tern_pair_class class)
{
    pair->last = (uint8_t)class;
    pair->unlinked = false;
}

/* Posts one packet; `words` already holds its target and key. */
static int post_packet(struct tern_pair *pair, uint32_t *words,
                       const struct tern_region *region, const void *from,
                       uint32_t bytes, unsigned flags, uint64_t context)
{
    int status;

    TERN_SET(DESC, opcode, words, TERN_OP_SEND);
    TERN_SET(DESC, length, words, bytes);
    if (bytes <= TERN_INLINE_BYTES_MAX)
        tern_desc_set_inline(words, from, bytes);
    else
        tern_desc_set_local(words, region, from);
    bind(pair, words);
    status = post(pair, words, flags | fence(pair, CLASS_MESSAGE), context);
    if (!status)
        was_posted(pair, CLASS_MESSAGE);
    return status;
}

static void address(uint32_t *words, const struct tern_pair_name *to, uint32_t imm)
{
    TERN_SET(DESC, dst_node, words, to->node);
    TERN_SET(DESC, dst_queue, words, to->number);
    TERN_SET(DESC, incarnation, words, to->incarnation);
    TERN_SET(DESC, imm, words, imm);
}

int tern_pair_send(struct tern_pair *pair, const struct tern_region *region, const void *from,
                   uint32_t bytes, uint32_t imm, unsigned flags, uint64_t context)
{
    const uint32_t most = packet_bytes(pair);
    const uint32_t parts = bytes ? (bytes - 1) / most + 1 : 1;
    const unsigned kept = flags & (TERN_DFLAG_FENCE | TERN_MORE);
    int status;

    if (!is_connected(pair))
        return -TERN_ST_BAD_TYPE;
    if (!region && (parts > 1 || bytes > TERN_INLINE_BYTES_MAX))
        return -TERN_ST_BAD_ARGUMENT;
    if (parts > 1u << TERN_PAR_part_BITS)
        return -TERN_ST_BAD_LENGTH;
    status = check(pair, parts);
    for (uint32_t part = 0; !status && part < parts; part++) {
        bool more = part + 1 < parts;
        uint32_t words[DESC_WORDS] = {0};

        address(words, &pair->peer.name, imm);
        TERN_SET(PAR, sequence, words, pair->sequence++);
        TERN_SET(PAR, part, words, part);
        TERN_SET(PAR, more, words, more);
        status = post_packet(pair, words, region, (const uint8_t *)from + (size_t)part * most,
                             more ? most : bytes - part * most, more ? kept | TERN_MORE : flags,
                                 context);
    }
    return status;
}

int tern_pair_send_to(struct tern_pair *pair, struct tern_pair_name to, uint32_t key,
                      const struct tern_region *region,
                      const void *from, uint32_t bytes, uint32_t imm, unsigned flags,
                          uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    if (is_connected(pair))
        return -TERN_ST_BAD_TYPE;
    if (bytes > packet_bytes(pair))
        return -TERN_ST_BAD_LENGTH;
    if (!region && bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    status = check(pair, 1);
    if (status)
        return status;
    address(words, &to, imm);
    TERN_SET(DESC, remote_key, words, key);
    return post_packet(pair, words, region, from, bytes, flags, context);
}

static bool takes_other(const struct tern_pair *pair)
{
    return is_connected(pair) && pair->state == TERN_PAIR_RTS && !pair->bad_count;
}

static __attribute__((noinline)) int refuse_other(const struct tern_pair *pair)
{
    int status = is_connected(pair) ? check(pair, 1) : -TERN_ST_BAD_TYPE;

    return status ? status : -TERN_ST_AGAIN;
}

/*
 * Posts an operation other than a message; takes_other() was true. Always inlined, and
 * tern_post_for() looks for room: every instruction here adds to each post.
 */
static inline __attribute__((always_inline)) int post_other(struct tern_pair *pair, uint32_t *words,
                                                            unsigned flags, uint64_t context)
{
    int status;

    bind(pair, words);
    status = post(pair, words, flags | fence(pair, CLASS_OTHER), context);
    if (!status)
        was_posted(pair, CLASS_OTHER);
    return status;
}

int tern_pair_put(struct tern_pair *pair, struct tern_rptr to, const struct tern_region *region,
                  const void *from,
                  uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region && bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    if (!takes_other(pair))
        return refuse_other(pair);
    TERN_SET(DESC, opcode, words, TERN_OP_PUT);
    TERN_SET(DESC, length, words, bytes);
    tern_desc_set_remote(words, to);
    if (region)
        tern_desc_set_local(words, region, from);
    else
        tern_desc_set_inline(words, from, bytes);
    return post_other(pair, words, flags, context);
}

int tern_pair_read(struct tern_pair *pair, struct tern_rptr from,
                   const struct tern_region *region, void *to,
                   uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region)
        return -TERN_ST_BAD_ARGUMENT;
    if (!takes_other(pair))
        return refuse_other(pair);
    tern_desc_set_read(words, from, region, to, bytes);
    return post_other(pair, words, flags, context);
}

/*
 * Posts a compare-and-swap or fetch-and-add. A failed comparison does not fail the operation: only
 * a strict operation, of a chain, fails then.
 */
static int change(struct tern_pair *pair, uint8_t opcode, struct tern_rptr at,
                  const struct tern_masked *masked,
                  unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};
    int status = tern_desc_set_atomic(words, opcode, at, masked, flags);

    if (!status && !takes_other(pair))
        status = refuse_other(pair);
    return status ? status : post_other(pair, words, flags, context);
}

int tern_pair_compare_swap(struct tern_pair *pair, struct tern_rptr at, uint64_t compare,
                           uint64_t swap,
                           unsigned flags, uint64_t context)
{
    const struct tern_masked whole = {compare, UINT64_MAX, swap, UINT64_MAX};

    return change(pair, TERN_OP_CAS, at, &whole, flags, context);
}

int tern_pair_fetch_add(struct tern_pair *pair, struct tern_rptr at, uint64_t add,
                        unsigned flags, uint64_t context)
{
    const struct tern_masked whole = {0, 0, add, UINT64_MAX};

    return change(pair, TERN_OP_ADD, at, &whole, flags, context);
}

void tern_pair_again(struct tern_pair *pair)
{
    /*
     * Posts all of them or none: a later failure is added to `bad`, and must not mix with
     * operations that still wait there.
     */
    if (!tern_sq_room(pair->sq, pair->bad_count))
        return;
    while (pair->bad_done < pair->bad_count) {
        struct tern_bad *bad = &pair->bad[pair->bad_done];

        TERN_SET(DESC, linked, bad->words, pair->bad_done != 0);
        if (tern_post_for(pair->sq, bad->words, bad->quiet ? POST_SILENT : TERN_DFLAG_SIGNAL,
                          bad->done.context, &pair->work))
            return;
        pair->bad_done++;
    }
    pair->bad_count = pair->bad_done = 0;
    pair->again = false;
}
