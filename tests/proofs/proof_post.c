/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Posting (host-driver/core/queue/post.c) into a ring in any state. A descriptor is written only
 * into its own place; the driver never expects more completions than the queue has entries; and a
 * doorbell's index lies between the last one and the number of written descriptors.
 */
#include "post.c"
#include "put.c"
#include "proof.h"

enum { LOG2_MAX = 1, CQ_LOG2 = 2, PLACES = 1 << LOG2_MAX, LONGEST = PLACES + 1 };

static uint32_t memory[PLACES * DESC_WORDS];
static struct tern_place at[PLACES];
static struct tern_device device;
static struct tern_cq cq = {.device = &device};
static struct tern_sq sq = {.cq = &cq, .memory = {.base = (uint8_t *)memory}, .places = {.at = at}};
static uint32_t told; /* index of the last doorbell */

static uint32_t entries(void)
{
    return UINT32_C(1) << sq.places.log2_entries;
}

/* The invariant: descriptors up to the doorbell were written, and no later place was. */
static bool holds(void)
{
    return sq.places.made - sq.places.retired <= entries() && told == sq.rung &&
           sq.places.made - sq.rung <= sq.places.made - sq.places.retired &&
           sq.places.quiet_run <= sq.places.made - sq.places.retired + entries() &&
           cq.expected <= cq_entries(&cq);
}

int tern_transport_state(struct tern_transport *transport)
{
    (void)transport;
    return nondet_bool() ? 0 : -TERN_ST_DISCONNECTED;
}

int tern_doorbell(struct tern_device *to, uint16_t queue, uint32_t index)
{
    (void)to;
    (void)queue;
    PROVE(index - told <= sq.places.made - told, "the NIC is told of what was written");
    told = index;
    return nondet_bool() ? 0 : -TERN_ST_DISCONNECTED;
}

int tern_doorbell_inline(struct tern_device *to, uint16_t queue, const uint32_t *words)
{
    (void)to;
    (void)queue;
    told++;
    (void)words;
    PROVE(told == sq.places.made, "a descriptor in the doorbell is the next one");
    return nondet_bool() ? 0 : -TERN_ST_DISCONNECTED;
}

struct tern_rptr tern_rptr_add(struct tern_rptr pointer, uint64_t bytes)
{
    TERN_SET(RPTR, addr, pointer.w, TERN_GET(RPTR, addr, pointer.w) + bytes);
    return pointer;
}

static void one(uint32_t witness, uint32_t kept)
{
    uint32_t words[DESC_WORDS], made = sq.places.made, expected = cq.expected;
    unsigned flags = nondet_u32() &
                     ~(unsigned)(TERN_LINK | POST_SILENT); /* chains: torus_chains.c */
    uint32_t place = made & (entries() - 1);
    int status = tern_post(&sq, words, flags, nondet_u64());

    if (sq.places.made == made) {
        PROVE(status != 0 && cq.expected == expected, "what is refused leaves nothing behind");
        return;
    }
    PROVE(sq.places.made == made + 1, "one place is taken");
    PROVE(memory[witness] == kept || witness / DESC_WORDS == place, "no other place is written");
    PROVE(TERN_GET(DESC, index, memory + place * DESC_WORDS) == (made & UINT16_MAX),
          "a descriptor says its place");
    PROVE(cq.expected - expected ==
              ((TERN_GET(DESC, flags, memory + place * DESC_WORDS) & TERN_DFLAG_SIGNAL) != 0) ||
              TERN_GET(DESC, flags, words) & TERN_DFLAG_SIGNAL,
          "what will complete is expected");
    if (!(flags & TERN_MORE))
        PROVE(told == sq.places.made, "the NIC knows all of it");
    else
        REACHED("the NIC is told later");
}

/* A long put is posted whole or not at all, unless the connection is lost. */
static void pieces(void)
{
    struct tern_region region;
    struct tern_rptr to;
    uint64_t bytes = nondet_u64();
    uint32_t made = sq.places.made;
    uint64_t wanted = bytes / TERN_PUT_BYTES_MAX + (bytes % TERN_PUT_BYTES_MAX != 0);
    int status;

    ASSUME(bytes <= UINT64_MAX - TERN_PUT_BYTES_MAX);
    status = tern_put_long(&sq, to, &region, NULL, bytes,
                           nondet_u8() & ~(unsigned)TERN_DFLAG_INLINE, nondet_u64());
    if (status == -TERN_ST_AGAIN || status == -TERN_ST_BAD_LENGTH)
        PROVE(sq.places.made == made, "nothing of it is posted");
    if (status == 0)
        PROVE(sq.places.made - made == wanted + (wanted == 0), "all of it is posted");
    if (status == 0 && wanted == PLACES)
        REACHED("a put of many pieces");
}

void proof(void)
{
    uint32_t witness = any_up_to(PLACES * DESC_WORDS - 1);

    __CPROVER_havoc_object(memory);
    __CPROVER_havoc_object(at);
    sq.places.made = nondet_u32();
    sq.places.retired = nondet_u32();
    sq.places.quiet_run = nondet_u32();
    sq.places.log2_entries = any_up_to(LOG2_MAX);
    sq.counter = nondet_u16();
    sq.rung = nondet_u32();
    told = sq.rung;
    cq.ring.log2_entries = any_up_to(CQ_LOG2);
    cq.expected = nondet_u32();
    ASSUME(holds());
    if (nondet_bool())
        one(witness, memory[witness]);
    else
        pieces();
    PROVE(holds(), "the queue stays good");
}
