/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forged descriptors, commands and register accesses, one at a time, each right in all fields but
 * one.
 *
 * The hostile process knows its victims' keys, numbers and passes. For each forgery it must get the
 * status of the table, its own memory outside its regions must not change, and a valid put of its
 * own must still succeed. Its victims check for damage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

enum { BYTES = 64, NO_QUEUE = 499, CONTEXT = 7, GOOD = 8, WAIT_MS = 60000 };

/* ---- descriptors ---- */

struct forged {
    const char *name;
    void (*forge)(const struct lair *lair, uint32_t *w);
    enum tern_status status;
};

static uint64_t addr_of(struct tern_rptr pointer)
{
    return TERN_GET(RPTR, addr, pointer.w);
}

static uint32_t key_of(struct tern_rptr pointer)
{
    return (uint32_t)TERN_GET(RPTR, key, pointer.w);
}

static uint64_t own(const struct lair *lair)
{
    return (uintptr_t)lair->memory.bytes + open_part.at;
}

static void to(uint32_t *w, struct tern_rptr pointer, uint64_t offset)
{
    tern_desc_set_remote(w, tern_rptr_add(pointer, offset));
}

/* Makes a put from own memory to the far victim's memory that others may write. */
static void put(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, length, w, BYTES);
    TERN_SET(DESC, local_addr, w, own(lair));
    TERN_SET(DESC, local_key, w, tern_region_key(lair->open));
    to(w, lair->far->target, 2000);
}

/* Forges a put from another function's memory to its own. */
static void steal(const struct lair *lair, uint32_t *w, struct tern_rptr what)
{
    put(lair, w);
    to(w, tern_region_pointer(lair->open, 4096), 0);
    TERN_SET(DESC, local_addr, w, addr_of(what));
    TERN_SET(DESC, local_key, w, key_of(what));
}

static void from_near_source(const struct lair *lair, uint32_t *w)
{
    steal(lair, w, lair->near->source);
}

static void from_near_target(const struct lair *lair, uint32_t *w)
{
    steal(lair, w, lair->near->target);
}

static void from_released(const struct lair *lair, uint32_t *w)
{
    steal(lair, w, lair->near->target);
    TERN_SET(DESC, local_key, w, lair->near->released_key);
}

static void from_next_index(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, local_key, w, tern_region_key(lair->open) + 2);
}

static void from_before_own(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, local_addr, w, own(lair) - 1);
}

static void from_behind_own(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, local_addr, w, own(lair) + open_part.bytes - BYTES + 1);
}

static void from_all_addresses(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, local_addr, w, UINT64_MAX - 7);
}

static void to_near_source(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    to(w, lair->near->source, 0);
}

static void to_far_source(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    to(w, lair->far->source, 0);
}

static void to_far_values(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, length, w, 8);
    to(w, lair->far->values, 0);
}

static void to_own_closed(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    to(w, tern_region_pointer(lair->closed, 0), 0);
}

static void to_released(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, remote_key, w, lair->far->released_key);
}

static void to_another_tag(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, remote_key, w, key_of(lair->far->target) + 0x10000);
}

static void to_another_index(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, remote_key, w, key_of(lair->far->target) + 1);
}

static void to_index_beyond(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, remote_key, w, key_of(lair->far->target) | 0xf000);
}

static void to_another_life(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, incarnation, w, (TERN_GET(DESC, incarnation, w) + 1) & 0xff);
}

static void to_before(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    to(w, lair->far->target, UINT64_MAX);
}

static void to_behind(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    to(w, lair->far->target, target_part.bytes - BYTES + 1);
}

static void to_the_end_of_addresses(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, remote_addr, w, UINT64_MAX - BYTES / 2);
}

/* As long as the region, but with an offset equal to the region's length. */
static void to_offset_behind(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, target_part.bytes - BYTES + 1);
}

/* Base plus offset wraps to an address just before the region. */
static void to_offset_round(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, UINT64_MAX - 15);
}

static void longest(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, length, w, UINT32_MAX);
}

static void too_long(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, length, w, TERN_PUT_BYTES_MAX + 1);
}

static void as_long_as_can_be(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, length, w, TERN_PUT_BYTES_MAX);
}

static void counted(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    TERN_SET(DESC, counted, w, 1);
    TERN_SET(DESC, counter, w, lair->near->counter);
}

static void add_to(uint32_t *w, struct tern_rptr word)
{
    TERN_SET(DESC, opcode, w, TERN_OP_ADD);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_ATO_BYTES);
    TERN_SET(ATO, swap, w, 1);
    TERN_SET(ATO, swap_mask, w, UINT64_MAX);
    to(w, word, 0);
}

static void add_to_source(const struct lair *lair, uint32_t *w)
{
    add_to(w, lair->far->source);
}

static void add_to_near_values(const struct lair *lair, uint32_t *w)
{
    add_to(w, lair->near->values);
}

static void add_behind(const struct lair *lair, uint32_t *w)
{
    add_to(w, tern_rptr_add(lair->far->target, target_part.bytes));
}

static void add_by_released(const struct lair *lair, uint32_t *w)
{
    add_to(w, lair->far->target);
    TERN_SET(DESC, remote_key, w, lair->far->released_key);
}

static void send_to(uint32_t *w, uint16_t node, uint16_t queue)
{
    TERN_SET(DESC, opcode, w, TERN_OP_SEND);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, 32);
    TERN_SET(DESC, dst_node, w, node);
    TERN_SET(DESC, dst_queue, w, queue);
}

static void send_to_cq(const struct lair *lair, uint32_t *w)
{
    send_to(w, lair->far->node, lair->far->cq);
}

static void send_to_sq(const struct lair *lair, uint32_t *w)
{
    send_to(w, lair->near->node, lair->near->sq);
}

static void send_to_admin(const struct lair *lair, uint32_t *w)
{
    send_to(w, lair->far->node, 0);
}

static void send_to_nobody(const struct lair *lair, uint32_t *w)
{
    send_to(w, lair->far->node, UINT16_MAX);
}

static void check_in(const struct facts *whom, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_OP_CHECKIN);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, dst_node, w, whom->node);
    TERN_SET(CHK, area, w, whom->area);
    TERN_SET(CHK, epoch, w, whom->epoch);
    TERN_SET(CHK, pass, w, whom->pass);
}

static void check_in_unasked(const struct lair *lair, uint32_t *w)
{
    check_in(lair->far, w);
    TERN_SET(CHK, pass, w, lair->far->pass ^ 1);
}

static void check_in_refusing(const struct lair *lair, uint32_t *w)
{
    check_in(lair->near, w);
    TERN_SET(CHK, pass, w, 0);
    TERN_SET(CHK, refusal, w, TERN_ST_NO_RESOURCE);
}

static void check_in_beyond(const struct lair *lair, uint32_t *w)
{
    check_in(lair->far, w);
    TERN_SET(CHK, slot, w, TERN_CHECKIN_SLOTS - 1);
}

static void check_in_late(const struct lair *lair, uint32_t *w)
{
    check_in(lair->far, w);
    TERN_SET(CHK, epoch, w, lair->far->epoch - 1u);
}

static void check_in_nowhere(const struct lair *lair, uint32_t *w)
{
    check_in(lair->far, w);
    TERN_SET(CHK, area, w, TERN_CHECKIN_AREAS);
}

static void wait_for(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_OP_WAIT);
    TERN_SET(CHK, area, w, lair->near->area);
    TERN_SET(CHK, epoch, w, lair->near->epoch);
}

static void get_by(const struct lair *lair, uint32_t *w, uint16_t queue, uint32_t key)
{
    TERN_SET(DESC, opcode, w, TERN_OP_GET);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    to(w, tern_region_pointer(lair->open, 0), 0);
    TERN_SET(DESC, dst_node, w, lair->far->node);
    TERN_SET(DESC, dst_queue, w, queue);
    TERN_SET(GET, area, w, TERN_AREA_NONE);
    TERN_SET(GET, opcode, w, TERN_OP_PUT);
    TERN_SET(GET, node, w, tern_rptr_node(tern_region_pointer(lair->open, 0)));
    TERN_SET(GET, length, w, 64);
    TERN_SET(GET, remote_addr, w, own(lair));
    TERN_SET(GET, local_addr, w, addr_of(lair->far->source));
    TERN_SET(GET, local_key, w, key);
}

static void get_by_sq(const struct lair *lair, uint32_t *w)
{
    get_by(lair, w, lair->far->sq, key_of(lair->far->source));
}

static void get_by_admin(const struct lair *lair, uint32_t *w)
{
    get_by(lair, w, 0, key_of(lair->far->source));
}

static void get_into_area(const struct lair *lair, uint32_t *w)
{
    get_by(lair, w, lair->far->sq, key_of(lair->far->source));
    TERN_SET(GET, area, w, lair->near->area);
    TERN_SET(GET, epoch, w, lair->near->epoch + 1u);
}

static void request_into_area(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_OP_RTS);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(BOX, low, w, lair->near->node);
    TERN_SET(BOX, high, w, lair->near->node);
    TERN_SET(RTS, area, w, lair->near->area);
    TERN_SET(RTS, epoch, w, lair->near->epoch + 1u);
}

static void broadcast_from_others(const struct lair *lair, uint32_t *w)
{
    steal(lair, w, lair->near->source);
    TERN_SET(DESC, opcode, w, TERN_OP_BCAST);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SELF);
    TERN_SET(DESC, remote_key, w, tern_region_key(lair->open));
    TERN_SET(BOX, low, w, lair->near->node);
    TERN_SET(BOX, high, w, lair->near->node);
    TERN_SET(BOX, members, w, 0);
}

/* A permitted put whose notification names an object that does not exist. */
static void put_told_outside(const struct lair *lair, uint32_t *w)
{
    put(lair, w);
    to(w, lair->far->given, 0);
    TERN_SET(DESC, opcode, w, TERN_OP_PULL);
    TERN_SET(PULL, node, w, 0x7fff);
}

static void get_of_the_closed(const struct lair *lair, uint32_t *w)
{
    get_by(lair, w, lair->far->fifo, key_of(lair->far->source));
}

static const struct forged descriptors[] = {
    {"nothing: a put whose end is told outside the torus", put_told_outside, TERN_ST_OK},
    {"a put from memory of another process of the NIC", from_near_source, TERN_ST_NOT_OWNER},
    {"a put from memory that others may write", from_near_target, TERN_ST_NOT_OWNER},
    {"a put from memory that was released", from_released, TERN_ST_BAD_KEY},
    {"a put by the key behind its own", from_next_index, TERN_ST_BAD_KEY},
    {"a put from a byte before its region", from_before_own, TERN_ST_BAD_RANGE},
    {"a put from a byte behind its region", from_behind_own, TERN_ST_BAD_RANGE},
    {"a put from the end of all addresses", from_all_addresses, TERN_ST_BAD_RANGE},
    {"a broadcast from memory of another process", broadcast_from_others, TERN_ST_NOT_OWNER},
    {"a put to memory that is read only, same NIC", to_near_source, TERN_ST_BAD_RIGHTS},
    {"a put to memory that is read only, next NIC", to_far_source, TERN_ST_BAD_RIGHTS},
    {"a put to memory that its NIC alone may write", to_far_values, TERN_ST_BAD_RIGHTS},
    {"a put to its own memory that is read only", to_own_closed, TERN_ST_BAD_RIGHTS},
    {"a put by a key that was released", to_released, TERN_ST_BAD_KEY},
    {"a put by a key with another tag", to_another_tag, TERN_ST_BAD_KEY},
    {"a put by the tag of another region", to_another_index, TERN_ST_BAD_KEY},
    {"a put by an index beyond the table", to_index_beyond, TERN_ST_BAD_KEY},
    {"a put to another life of the NIC", to_another_life, TERN_ST_STALE_NODE},
    {"a put that begins a byte before a region", to_before, TERN_ST_BAD_RANGE},
    {"a put that ends a byte behind a region", to_behind, TERN_ST_BAD_RANGE},
    {"a put round the end of all addresses", to_the_end_of_addresses, TERN_ST_BAD_RANGE},
    {"a put by offset that ends a byte behind", to_offset_behind, TERN_ST_BAD_RANGE},
    {"a put by an offset that wraps", to_offset_round, TERN_ST_BAD_RANGE},
    {"a put of 2^32 - 1 bytes", longest, TERN_ST_BAD_LENGTH},
    {"a put of a byte too many", too_long, TERN_ST_BAD_LENGTH},
    {"a put of all bytes there can be", as_long_as_can_be, TERN_ST_BAD_RANGE},
    {"a put that counts on another's counter", counted, TERN_ST_BAD_COUNTER},
    {"an addition to read-only memory", add_to_source, TERN_ST_BAD_RIGHTS},
    {"an addition to memory that its NIC alone writes", add_to_near_values, TERN_ST_BAD_RIGHTS},
    {"an addition just behind a region", add_behind, TERN_ST_BAD_RANGE},
    {"an addition by a released key", add_by_released, TERN_ST_BAD_KEY},
    {"a message into a completion queue", send_to_cq, TERN_ST_BAD_TYPE},
    {"a message into a send queue", send_to_sq, TERN_ST_BAD_TYPE},
    {"a message into an admin queue", send_to_admin, TERN_ST_BAD_TYPE},
    {"a message into no queue", send_to_nobody, TERN_ST_BAD_QUEUE},
    {"a check-in without the word", check_in_unasked, TERN_ST_BAD_KEY},
    {"a refusing check-in without the word", check_in_refusing, TERN_ST_BAD_KEY},
    {"a check-in beyond the slots", check_in_beyond, TERN_ST_BAD_RANGE},
    {"a check-in of an older epoch", check_in_late, TERN_ST_STALE_EPOCH},
    {"a check-in to no area", check_in_nowhere, TERN_ST_BAD_AREA},
    {"a wait for another's area", wait_for, TERN_ST_BAD_AREA},
    {"a get by a queue that serves none", get_by_sq, TERN_ST_BAD_TYPE},
    {"a get of what others may not read", get_of_the_closed, TERN_ST_BAD_RIGHTS},
    {"a get by an admin queue", get_by_admin, TERN_ST_BAD_TYPE},
    {"a get that is told in another's area", get_into_area, TERN_ST_BAD_AREA},
    {"a request answered in another's area", request_into_area, TERN_ST_BAD_AREA},
};

/* ---- commands ---- */

static void create(const struct lair *lair, uint32_t *w, unsigned qtype)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, qtype, w, qtype);
    TERN_SET(ADM, log2_entries, w, 2);
    TERN_SET(ADM, log2_bytes, w, TERN_RQ_ENTRY_LOG2_MIN);
    TERN_SET(ADM, addr, w, (own(lair) + TERN_RING_ALIGN) / TERN_RING_ALIGN * TERN_RING_ALIGN);
    TERN_SET(ADM, key, w, tern_region_key(lair->open));
    TERN_SET(ADM, cq, w, lair->cq->number);
}

static void ring_in(uint32_t *w, struct tern_rptr memory)
{
    TERN_SET(ADM, addr, w, (addr_of(memory) + TERN_RING_ALIGN) / TERN_RING_ALIGN * TERN_RING_ALIGN);
    TERN_SET(ADM, key, w, key_of(memory));
}

static void cq_in_others(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_CQ);
    ring_in(w, lair->near->target);
}

static void sq_in_others(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_SQ);
    ring_in(w, lair->near->source);
}

static void rq_in_closed(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_RQ);
    ring_in(w, tern_region_pointer(lair->closed, 0));
}

static void cq_in_closed(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_CQ);
    ring_in(w, tern_region_pointer(lair->closed, 0));
}

static void cq_before_own(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_CQ);
    TERN_SET(ADM, addr, w, own(lair) / TERN_RING_ALIGN * TERN_RING_ALIGN);
}

static void cq_longer_than_own(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_CQ);
    TERN_SET(ADM, log2_entries, w, TERN_CQ_LOG2_MAX);
}

static void into_the_cq_of_others(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_SQ);
    TERN_SET(ADM, cq, w, lair->near->cq);
}

static void number_of_others(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_SQ);
    TERN_SET(ADM, id, w, lair->near->sq);
}

static void number_of_admin(const struct lair *lair, uint32_t *w)
{
    create(lair, w, TERN_QTYPE_SQ);
    TERN_SET(ADM, id, w, 0);
}

static void destroy(uint32_t *w, unsigned queue)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, queue);
}

static void destroy_sq(const struct lair *lair, uint32_t *w)
{
    destroy(w, lair->near->sq);
}

static void destroy_cq(const struct lair *lair, uint32_t *w)
{
    destroy(w, lair->near->cq);
}

static void destroy_fifo(const struct lair *lair, uint32_t *w)
{
    destroy(w, lair->near->rq);
}

static void destroy_admin(const struct lair *lair, uint32_t *w)
{
    (void)lair;
    destroy(w, 0);
}

static void release(uint32_t *w, uint32_t key)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_REL_REGION);
    TERN_SET(ADM, key, w, key);
}

static void release_source(const struct lair *lair, uint32_t *w)
{
    release(w, key_of(lair->near->source));
}

static void release_twice(const struct lair *lair, uint32_t *w)
{
    release(w, lair->near->released_key);
}

static void register_own(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_REG_REGION);
    TERN_SET(ADM, addr, w, own(lair));
    TERN_SET(ADM, size, w, 64);
    TERN_SET(ADM, rights, w, TERN_RIGHT_LOCAL_READ);
    TERN_SET(ADM, counter, w, TERN_COUNTER_NONE);
}

static void key_of_others(const struct lair *lair, uint32_t *w)
{
    register_own(lair, w);
    TERN_SET(ADM, key, w, key_of(lair->near->target) ^ 0x10000);
}

static void counted_by_others(const struct lair *lair, uint32_t *w)
{
    register_own(lair, w);
    TERN_SET(ADM, counter, w, lair->near->counter);
}

static void region_round_the_end(const struct lair *lair, uint32_t *w)
{
    register_own(lair, w);
    TERN_SET(ADM, addr, w, UINT64_MAX - 4095);
    TERN_SET(ADM, size, w, 8192);
}

static void answer_to(const struct lair *lair, uint32_t *w, unsigned command,
                      struct tern_rptr to_whom)
{
    (void)lair;
    TERN_SET(DESC, opcode, w, command);
    TERN_SET(ADM, addr, w, addr_of(to_whom));
    TERN_SET(ADM, key, w, key_of(to_whom));
    TERN_SET(ADM, length, w, 64);
}

static void identify_to_others(const struct lair *lair, uint32_t *w)
{
    answer_to(lair, w, TERN_ADMIN_IDENTIFY, lair->near->target);
}

static void statistics_to_closed(const struct lair *lair, uint32_t *w)
{
    answer_to(lair, w, TERN_ADMIN_STATS, tern_region_pointer(lair->closed, 0));
}

static void statistics_behind(const struct lair *lair, uint32_t *w)
{
    answer_to(lair, w, TERN_ADMIN_STATS, tern_region_pointer(lair->open, open_part.bytes - 8));
}

static void read_the_log(const struct lair *lair, uint32_t *w)
{
    answer_to(lair, w, TERN_ADMIN_LOG, tern_region_pointer(lair->open, 0));
}

static void set_counter(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, w, lair->near->counter);
    TERN_SET(ADM, length, w, 1);
}

static void counter_tells_others(const struct lair *lair, uint32_t *w)
{
    set_counter(lair, w);
    TERN_SET(ADM, id, w, lair->near->counter + 10u);
    TERN_SET(ADM, cq, w, lair->near->cq);
}

static void read_counter(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_GET_COUNTER);
    TERN_SET(ADM, id, w, lair->near->counter);
}

static void arm_area(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_ARM_AREA);
    TERN_SET(ADM, id, w, lair->near->area);
    TERN_SET(ADM, epoch, w, lair->near->epoch + 1u);
    TERN_SET(ADM, length, w, 1);
}

static void values_to_others(const struct lair *lair, uint32_t *w)
{
    arm_area(lair, w);
    TERN_SET(ADM, id, w, lair->near->area + 1u);
    TERN_SET(ADM, addr, w, addr_of(lair->near->values));
    TERN_SET(ADM, key, w, key_of(lair->near->values));
}

static void area_tells_others(const struct lair *lair, uint32_t *w)
{
    arm_area(lair, w);
    TERN_SET(ADM, id, w, lair->near->area + 1u);
    TERN_SET(ADM, cq, w, lair->near->cq);
}

static void look_at_area(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_GET_AREA);
    TERN_SET(ADM, id, w, lair->near->area);
}

static void open_arena(const struct lair *lair, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_ADMIN_OPEN_ARENA);
    TERN_SET(ADM, addr, w, addr_of(lair->near->room));
    TERN_SET(ADM, size, w, room_part.bytes);
    TERN_SET(ADM, key, w, key_of(lair->near->room));
    TERN_SET(ADM, cq, w, lair->cq->number);
    TERN_SET(ADM, group, w, lair->near->group + 1);
    TERN_SET(ADM, counter, w, lair->near->counter);
}

static void on_arena(const struct lair *lair, uint32_t *w, unsigned command)
{
    TERN_SET(DESC, opcode, w, command);
    TERN_SET(ADM, id, w, lair->near->arena);
}

static void give_arena(const struct lair *lair, uint32_t *w)
{
    on_arena(lair, w, TERN_ADMIN_GIVE_ARENA);
}

static void close_arena(const struct lair *lair, uint32_t *w)
{
    on_arena(lair, w, TERN_ADMIN_CLOSE_ARENA);
}

static void answer_arena(const struct lair *lair, uint32_t *w)
{
    on_arena(lair, w, TERN_ADMIN_ANSWER_ARENA);
}

static const struct forged commands[] = {
    {"a completion queue in memory of another process", cq_in_others, TERN_ST_NOT_OWNER},
    {"a send queue in memory of another process", sq_in_others, TERN_ST_NOT_OWNER},
    {"a FIFO in its own memory that is read only", rq_in_closed, TERN_ST_BAD_RIGHTS},
    {"a completion queue in memory that is read only", cq_in_closed, TERN_ST_BAD_RIGHTS},
    {"a completion queue that begins before its region", cq_before_own, TERN_ST_BAD_RANGE},
    {"a completion queue longer than its region", cq_longer_than_own, TERN_ST_BAD_RANGE},
    {"a queue that completes into another's", into_the_cq_of_others, TERN_ST_NOT_OWNER},
    {"a queue of a number that another has", number_of_others, TERN_ST_QUEUE_BUSY},
    {"a queue of an admin queue's number", number_of_admin, TERN_ST_BAD_QUEUE},
    {"the end of another's send queue", destroy_sq, TERN_ST_NOT_OWNER},
    {"the end of another's completion queue", destroy_cq, TERN_ST_NOT_OWNER},
    {"the end of another's FIFO", destroy_fifo, TERN_ST_NOT_OWNER},
    {"the end of another's admin queue", destroy_admin, TERN_ST_BAD_QUEUE},
    {"the release of another's memory", release_source, TERN_ST_NOT_OWNER},
    {"the release of what was released", release_twice, TERN_ST_BAD_KEY},
    {"a region in the place of another's", key_of_others, TERN_ST_QUEUE_BUSY},
    {"a region on another's counter", counted_by_others, TERN_ST_BAD_COUNTER},
    {"a region round the end of all addresses", region_round_the_end, TERN_ST_BAD_RANGE},
    {"an answer to memory of another process", identify_to_others, TERN_ST_NOT_OWNER},
    {"an answer to memory that is read only", statistics_to_closed, TERN_ST_BAD_RIGHTS},
    {"an answer that leaves its region", statistics_behind, TERN_ST_BAD_RANGE},
    {"the log, which is function 0's", read_the_log, TERN_ST_DENIED},
    {"another's counter, set", set_counter, TERN_ST_BAD_COUNTER},
    {"a counter that tells another's queue", counter_tells_others, TERN_ST_NOT_OWNER},
    {"another's counter, read", read_counter, TERN_ST_BAD_COUNTER},
    {"another's area, armed", arm_area, TERN_ST_BAD_AREA},
    {"an area with values in another's memory", values_to_others, TERN_ST_NOT_OWNER},
    {"an area that tells another's queue", area_tells_others, TERN_ST_NOT_OWNER},
    {"another's area, looked at", look_at_area, TERN_ST_BAD_AREA},
    {"an arena in memory of another process", open_arena, TERN_ST_NOT_OWNER},
    {"another's arena, emptied", give_arena, TERN_ST_BAD_ARENA},
    {"another's arena, closed", close_arena, TERN_ST_BAD_ARENA},
    {"a question to another, answered", answer_arena, TERN_ST_BAD_ARENA},
};

/* ---- registers ---- */

/* A register word that only the node or another function may write. */
struct word {
    const char *name;
    uint32_t offset, value;
};

static const struct word words[] = {
    {"the core, which is function 0's, held in reset", TERN_REG_CORE_CTRL, 1},
    {"the number of the node", TERN_REG_NODE, 31},
    {"the incarnation of the node", TERN_REG_INCARNATION, 99},
    {"the state of the node", TERN_REG_STATUS, TERN_FWSTATE_FAILED},
    {"the number of the function", TERN_REG_FUNCTION, 0},
    {"what the firmware says of the function", TERN_REG_FN_STATUS, TERN_FNSTATE_OFF},
    {"the queues the firmware gave it", TERN_REG_AQ_QUEUE, 0},
};

/* A doorbell of another function's queue, by index or by a descriptor in the window. */
struct bell {
    const char *name;
    /*
     * 0: the victim's send queue, 1: its completion queue, 2: function 0's admin queue, 3: no queue
     */
    int owner;
    bool window;
};

static const struct bell bells[] = {
    {"the doorbell of another's send queue", 0, false},
    {"the doorbell of another's completion queue", 1, false},
    {"the doorbell of another's admin queue", 2, false},
    {"the doorbell of no queue", 3, false},
    {"a descriptor in the window of another's send queue", 0, true},
    {"a descriptor in the window of another's admin queue", 2, true},
    {"a descriptor in the window of no queue", 3, true},
};

/* ---- trying ---- */

/*
 * Returns the status of the next completion as the NIC wrote it, because the library changes some.
 */
static int next_status(struct lair *lair)
{
    struct tern_cqring look = lair->cq->ring;
    struct tern_completion done;
    uint32_t cqe[CQE_WORDS];
    int status = tern_cq_wait(lair->cq, WAIT_MS);

    if (status || !tern_cqring_take(&look, cqe))
        return TERN_ST_WAIT_EXPIRED;
    (void)tern_cq_poll(lair->cq, &done, 1);
    return (int)TERN_GET(CQE, status, cqe);
}

static bool served(struct lair *lair)
{
    struct tern_completion done;

    if (tern_put(lair->sq, tern_region_pointer(lair->open, 4096), lair->open,
                 lair->memory.bytes + open_part.at, 200, TERN_DFLAG_SIGNAL, GOOD))
        return false;
    done = rig_wait(lair->cq);
    return done.status == TERN_ST_OK && done.context == GOOD;
}

static void report(struct lair *lair, int out, const char *name, int got, int wanted)
{
    struct tried tried = {.good = got == wanted};

    snprintf(tried.name, sizeof(tried.name), "%s", name);
    if (!tried.good)
        snprintf(tried.why, sizeof(tried.why), "%s, not %s", tern_strerror(got),
                 tern_strerror(wanted));
    if (tried.good && !(tried.good = lair_holds(lair)))
        snprintf(tried.why, sizeof(tried.why), "memory was written outside its regions");
    if (tried.good && !(tried.good = served(lair)))
        snprintf(tried.why, sizeof(tried.why), "a good put is not served any more");
    if (!give(out, &tried, sizeof(tried)))
        exit(EXIT_FAILURE);
}

static void try_descriptor(struct lair *lair, int out, const struct forged *forged)
{
    uint32_t w[DESC_WORDS] = {0};
    int status;

    forged->forge(lair, w);
    TERN_SET(DESC, flags, w, TERN_GET(DESC, flags, w) | TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, index, w, lair->sq->places.made);
    status = tern_post_raw(lair->sq, w, CONTEXT);
    report(lair, out, forged->name, status ? -status : next_status(lair), (int)forged->status);
}

static void try_command(struct lair *lair, int out, const struct forged *forged)
{
    uint32_t w[DESC_WORDS] = {0};

    forged->forge(lair, w);
    report(lair, out, forged->name, -tern_admin(lair->device, w, NULL, 0, NULL),
           (int)forged->status);
}

/* Writes a word that this function may not change, and checks that it keeps its value. */
static void try_word(struct lair *lair, int out, const struct word *word)
{
    uint32_t before = 0, after = 0;
    int status = tern_reg_read(lair->device, word->offset, &before);

    if (!status)
        status = tern_reg_write(lair->device, word->offset, word->value);
    if (!status)
        status = tern_reg_read(lair->device, word->offset, &after);
    if (!status && before != after)
        status = -TERN_ST_INTERNAL;
    report(lair, out, word->name, -status, TERN_ST_OK);
}

static uint16_t queue_of(const struct lair *lair, int owner)
{
    const uint16_t queues[] = {lair->near->sq, lair->near->cq, 0, NO_QUEUE};

    return queues[owner];
}

static void try_bell(struct lair *lair, int out, const struct bell *bell)
{
    uint16_t queue = queue_of(lair, bell->owner), seen = 0;
    enum tern_status status = TERN_ST_OK;
    uint32_t w[DESC_WORDS] = {0};
    unsigned before = 0, after = 0, served_most = 16;

    put(lair, w);
    (void)tern_last_error(lair->device, &status, &seen, &before);
    if (bell->window)
        (void)tern_doorbell_inline(lair->device, queue, w);
    else
        (void)tern_doorbell(lair->device, queue, 1);
    /* Descriptors that wait may have a turn before the error, so that one put may not suffice. */
    do {
        (void)served(lair);
        (void)tern_last_error(lair->device, &status, &seen, &after);
    } while (after == before && --served_most);
    if (after == before || seen != queue)
        status = TERN_ST_OK; /* no refusal came */
    report(lair, out, bell->name, (int)status, TERN_ST_BAD_QUEUE);
}

#define EACH(table, row) for (size_t row = 0; row < sizeof(table) / sizeof((table)[0]); row++)

void forger(const void *arg, int in, int out)
{
    static struct lair lair;
    const struct tried end = {0};

    (void)in;
    lair_open(&lair, arg);
    EACH(descriptors, i)
        try_descriptor(&lair, out, &descriptors[i]);
    EACH(commands, i)
        try_command(&lair, out, &commands[i]);
    EACH(words, i)
        try_word(&lair, out, &words[i]);
    EACH(bells, i)
        try_bell(&lair, out, &bells[i]);
    tern_close(lair.device);
    (void)give(out, &end, sizeof(end));
}
