/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that both tiers carry out. */
#define _GNU_SOURCE
#include "steps.h"

#include <string.h>
#include <sys/mman.h>

#include "internal.h"
#include "lookups.h"
#include <tern/counter.h>
#include <tern/atomic.h>
#include <tern/group.h>
#include <tern/read.h>

/* ---- state that the NICs report */

static void identities(struct world *world)
{
    for (unsigned end = 0; end < WORLD_ENDS; end++) {
        const struct tern_info *i = &world->end[end].info;

        world_say(world, " node=%x dims=%x incarnation=%u links=%x data=%u ports=%u abi=%x",
                  i->node, i->dims, i->incarnation, i->links_up, i->link_data_bits, i->ports,
                  i->abi_version);
        world_say(world, " firmware=%x bytes=%u function=%u of %u, queues %u from %u",
                  i->fw_version, i->fw_bytes, i->function, i->functions, i->queues, i->first_queue);
        world_say(world, " regions=%u counters=%u operations=%u payload=%u put=%u", i->regions,
                  i->counters, i->operations, i->max_payload, i->put_bytes_max);
        world_say(world, " clock=%u latency=%u timeout=%u", i->clock_hz, i->host_latency,
                  i->op_timeout);
    }
}

/* Writes a log line without its time. Links come up in any order. */
static void log_line(void *arg, const char *text)
{
    text += strspn(text, " 0123456789");
    if (strncmp(text, "link", 4) != 0)
        world_say(arg, "  %s", text);
}

static void logs(struct world *world)
{
    for (unsigned end = 0; end < 3; end++) {
        world_say(world, " log of end %u", end);
        world_must(tern_log_read(world->end[end].device, log_line, world), "log");
    }
}

/* Registers that depend on time, that a read changes, or that hold an address of this process. */
static bool may_differ(uint32_t offset)
{
    switch (offset) {
    case TERN_REG_CYCLE_LO:
    case TERN_REG_CYCLE_HI:
    case TERN_REG_INSTRET_LO:
    case TERN_REG_INSTRET_HI:
    case TERN_REG_BUSY_LO:
    case TERN_REG_BUSY_HI:
    case TERN_REG_LOG_POP:
    case TERN_REG_AQ_BASE_LO:
    case TERN_REG_AQ_BASE_HI:
        return true;
    default:
        return false;
    }
}

static void read_registers(struct world *world, unsigned end)
{
    /* registers of the contract, and gaps between them */
    static const uint32_t offsets[] = {
#define REG(name, offset, access, reset, text) offset,
#include "tables.h"
        0x048, 0x05c, 0x060, 0x0fc, 0x17c, 0x180, 0xff8, TERN_BAR_DB, TERN_BAR_BYTES - 8};

    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        uint32_t value = 0;

        if (may_differ(offsets[i]))
            continue;
        world_must(tern_reg_read(world->end[end].device, offsets[i], &value), "read");
        world_say(world, " register %03x of end %u: %x", offsets[i], end, value);
    }
}

/* Reads all registers, then writes all read-only ones and reads again. */
static void registers(struct world *world)
{
    static const struct {
        uint32_t offset;
        bool writable;
    } rows[] = {
#define REG(name, offset, access, reset, text) {offset, #access[0] == 'F' || #access[1] == 'W'},
#include "tables.h"
    };

    for (unsigned end = 0; end < WORLD_ENDS; end++)
        read_registers(world, end);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (!rows[i].writable)
            world_must(tern_reg_write(world->end[0].device, rows[i].offset, UINT32_MAX), "write");
    world_must(tern_reg_write(world->end[3].device, TERN_REG_CORE_CTRL, 1), "write");
    for (unsigned end = 0; end < WORLD_ENDS; end++)
        read_registers(world, end);
}

/* ---- puts */

static struct tern_rptr at(struct world *world, unsigned end, uint64_t offset)
{
    return tern_region_pointer(world->end[end].region, offset);
}

static void put(struct world *world, unsigned from, unsigned to, uint32_t bytes, uint32_t here,
                uint32_t there)
{
    struct world_end *origin = &world->end[from];

    world_say(world, " put %u bytes from %u of end %u to %u of end %u", bytes, here, from, there,
              to);
    world_must(tern_put(origin->sq, at(world, to, there), origin->region, origin->memory + here,
                        bytes, TERN_DFLAG_SIGNAL, bytes),
               "post");
    (void)world_completion(world, from);
}

static void puts_of_all_sizes(struct world *world)
{
    static const uint32_t sizes[] = {0,    1,    2,    7,    8,     9,     31,  63,
                                     64,   65,   255,  256,  257,   511,   512, 513,
                                     1023, 1024, 1025, 4096, 10000, 102400};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        world_fill(world, 0, (unsigned)i);
        put(world, 0, 1, sizes[i], 0, 0);
        world_memory(world, 1);
    }
}

static void puts_at_all_alignments(struct world *world)
{
    static const uint32_t sizes[] = {3, 8, 250, 517, 1030};

    world_fill(world, 0, 5);
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        for (uint32_t a = 0; a < 8; a++)
            put(world, 0, 1, sizes[s], 4090 + a, 8190 + 3 * a);
    world_memory(world, 1);
}

static void inline_puts(struct world *world)
{
    struct world_end *origin = &world->end[0];

    world_fill(world, 0, 6);
    for (uint32_t bytes = 0; bytes <= TERN_INLINE_BYTES_MAX; bytes++) {
        world_say(world, " put %u bytes inline", bytes);
        world_must(tern_put_inline(origin->sq, at(world, 1, 64 * bytes + bytes % 7), origin->memory,
                                   bytes, TERN_DFLAG_SIGNAL, bytes),
                   "post");
        (void)world_completion(world, 0);
    }
    world_memory(world, 1);
}

static void puts_round_the_ring(struct world *world)
{
    world_fill(world, 0, 7);
    world_fill(world, 2, 8);
    put(world, 0, 0, 1000, 0, 100000);
    put(world, 0, 3, 1000, 0, 5);
    put(world, 0, 2, 1000, 0, 3);
    put(world, 2, 0, 1000, 50000, 60000);
    put(world, 2, 1, 700, 1, 2);
    for (unsigned end = 0; end < WORLD_ENDS; end++)
        world_memory(world, end);
}

static void quiet_puts(struct world *world)
{
    struct world_end *origin = &world->end[0];

    world_fill(world, 0, 9);
    for (unsigned i = 0; i < 10; i++) {
        world_must(tern_put(origin->sq, at(world, 1, 600 * i), origin->region, origin->memory, 600,
                            i % 2 ? TERN_DFLAG_UNACKED : 0, i),
                   "post");
        world_settle(world);
    }
    world_must(tern_put(origin->sq, at(world, 1, 0), origin->region, origin->memory, 8,
                        TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 77),
               "post");
    (void)world_completion(world, 0);
    world_must(tern_put(origin->sq, at(world, 1, 0), origin->region, origin->memory, 800,
                        TERN_DFLAG_SIGNAL | TERN_DFLAG_UNACKED, 78),
               "post");
    (void)world_completion(world, 0);
    world_memory(world, 1);
}

/* Many operations at once: the order of their completions depends on the tier. */
static void a_burst(struct world *world)
{
    enum { PUTS = 120, BYTES = 1000 };
    struct world_end *origin = &world->end[0];
    unsigned posted = 0, completed = 0;

    world_fill(world, 0, 10);
    while (completed < PUTS / 10) {
        struct tern_completion done;
        unsigned flags = posted % 10 == 9 ? TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE : 0;

        if (posted < PUTS && !tern_put(origin->sq, at(world, 1, posted * BYTES), origin->region,
                                       origin->memory + posted * BYTES, BYTES, flags, posted)) {
            posted++;
            continue;
        }
        if (tern_cq_poll(origin->cq, &done, 1) != 1)
            continue;
        world_say(world, " %s context=%u", tern_strerror((int)done.status), (unsigned)done.context);
        completed++;
    }
    world_memory(world, 1);
}

/* ---- descriptors that are refused */

static void good_put(struct world *world, uint32_t *w)
{
    struct world_end *origin = &world->end[0];
    struct tern_rptr target = at(world, 1, 4096);

    memset(w, 0, TERN_DESC_BYTES);
    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, index, w, origin->sq->places.made);
    TERN_SET(DESC, dst_node, w, tern_rptr_node(target));
    TERN_SET(DESC, length, w, 2000);
    TERN_SET(DESC, remote_addr, w, TERN_GET(RPTR, addr, target.w));
    TERN_SET(DESC, remote_key, w, TERN_GET(RPTR, key, target.w));
    TERN_SET(DESC, local_addr, w, (uintptr_t)origin->memory);
    TERN_SET(DESC, local_key, w, tern_region_key(origin->region));
}

static void post(struct world *world, const char *what, const uint32_t *w)
{
    world_say(world, " %s", what);
    world_must(tern_post_raw(world->end[0].sq, w, 7), what);
    (void)world_completion(world, 0);
}

static void bad_descriptors(struct world *world)
{
    uint32_t w[DESC_WORDS];

    good_put(world, w);
    TERN_SET(DESC, opcode, w, 0x7f);
    post(world, "unknown opcode", w);
    good_put(world, w);
    TERN_SET(DESC, opcode, w, 4);
    post(world, "opcode without a handler", w);
    good_put(world, w);
    TERN_SET(DESC, version, w, 9);
    post(world, "unknown version", w);
    good_put(world, w);
    TERN_SET(DESC, index, w, world->end[0].sq->places.made + 3);
    post(world, "index of another place", w);
    good_put(world, w);
    TERN_SET(DESC, length, w, 0);
    post(world, "no length", w);
    good_put(world, w);
    TERN_SET(DESC, length, w, TERN_PUT_BYTES_MAX + 1);
    post(world, "too long", w);
    good_put(world, w);
    TERN_SET(DESC, dst_node, w, tern_node(0, 1, 0));
    post(world, "outside the torus", w);
    good_put(world, w);
    TERN_SET(DESC, incarnation, w, 2);
    post(world, "a node of another life", w);
    world_memory(world, 1);
}

static void bad_ranges(struct world *world)
{
    struct world_end *origin = &world->end[0], *target = &world->end[1];
    uint64_t base = (uintptr_t)target->memory;
    uint64_t places[] = {base - 1, base + WORLD_BYTES - 1999, base + WORLD_BYTES, UINT64_MAX - 7,
                         UINT64_MAX - 1999, 0};
    uint32_t w[DESC_WORDS];

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        good_put(world, w);
        TERN_SET(DESC, remote_addr, w, places[i]);
        post(world, "a range that is not inside the target", w);
    }
    good_put(world, w);
    TERN_SET(DESC, local_addr, w, (uintptr_t)origin->memory + WORLD_BYTES - 1999);
    post(world, "a range that is not inside the origin", w);
    good_put(world, w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, WORLD_BYTES - 1999);
    post(world, "an offset that is too far", w);
    good_put(world, w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, WORLD_BYTES - 2000);
    post(world, "an offset that just fits", w);
    world_memory(world, 1);
}

static void bad_keys(struct world *world)
{
    struct world_end *origin = &world->end[0], *target = &world->end[1], *other = &world->end[3];
    uint32_t w[DESC_WORDS];

    good_put(world, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(target->region) ^ 0x10000);
    post(world, "a key of the target that is wrong", w);
    good_put(world, w);
    TERN_SET(DESC, remote_key, w, TERN_KEY_NONE);
    post(world, "no key of the target", w);
    good_put(world, w);
    TERN_SET(DESC, remote_key, w, 0xffff);
    post(world, "a key outside the table", w);
    good_put(world, w);
    TERN_SET(DESC, local_key, w, tern_region_key(origin->region) ^ 0x80000000);
    post(world, "a key of the origin that is wrong", w);
    good_put(world, w);
    TERN_SET(DESC, local_key, w, tern_region_key(other->region));
    TERN_SET(DESC, local_addr, w, (uintptr_t)other->memory);
    post(world, "a region of another function", w);
    world_memory(world, 1);
}

static void regions_that_are_not_what_they_were(struct world *world)
{
    struct world_end *target = &world->end[1];
    struct tern_region *region;
    uint32_t w[DESC_WORDS], key;

    world_must(tern_register(target->device, target->memory, 4096, TERN_RIGHT_REMOTE_READ, &region),
               "register");
    good_put(world, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(region));
    TERN_SET(DESC, remote_addr, w, (uintptr_t)target->memory);
    post(world, "a region that may not be written", w);
    key = tern_region_key(region);
    world_must(tern_release(region), "release");
    good_put(world, w);
    TERN_SET(DESC, remote_key, w, key);
    TERN_SET(DESC, remote_addr, w, (uintptr_t)target->memory);
    post(world, "a region that was released", w);
}

static struct tern_region *region_without_memory(struct world_end *end, uint8_t **memory)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ |
                            TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC;
    struct tern_region *region;

    *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    world_must(*memory == MAP_FAILED ? -TERN_ST_NO_MEMORY : 0, "memory");
    world_must(tern_register(end->device, *memory, 4096, rights, &region), "register");
    munmap(*memory, 4096);
    return region;
}

static void memory_that_is_gone(struct world *world)
{
    struct tern_region *here, *there;
    uint8_t *near_memory, *far_memory;
    uint32_t w[DESC_WORDS];

    here = region_without_memory(&world->end[0], &near_memory);
    there = region_without_memory(&world->end[1], &far_memory);
    good_put(world, w);
    TERN_SET(DESC, local_key, w, tern_region_key(here));
    TERN_SET(DESC, local_addr, w, (uintptr_t)near_memory);
    TERN_SET(DESC, length, w, 200);
    post(world, "memory of the origin that is gone", w);
    good_put(world, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(there));
    TERN_SET(DESC, remote_addr, w, (uintptr_t)far_memory);
    TERN_SET(DESC, length, w, 200);
    post(world, "memory of the target that is gone", w);
    world_must(tern_release(here), "release");
    world_must(tern_release(there), "release");
}

/* ---- atomic operations */

static struct tern_region *atomic_words(struct world *world, unsigned end)
{
    struct tern_region *region;

    world_must(tern_register(world->end[end].device, world->end[end].memory, WORLD_BYTES,
                             TERN_RIGHT_REMOTE_ATOMIC, &region),
               "register");
    return region;
}

/* Posts all kinds, including those that change nothing, on a word of end `to`. */
static void atomics_of(struct world *world, unsigned to)
{
    struct tern_region *region = atomic_words(world, to);
    struct tern_rptr word = tern_region_pointer(region, 4000);
    const struct tern_masked masked = {
        .compare = 5, .compare_mask = 0xff, .swap = UINT64_MAX, .swap_mask = 0xff00};
    const struct tern_masked take = {.swap = UINT64_C(1) << 20,
                                     .swap_mask = UINT64_C(0xfffff00000)};
    struct tern_sq *sq = world->end[0].sq;
    const unsigned s = TERN_DFLAG_SIGNAL;

    world_say(world, " atomic operations on a word of end %u", to);
    world_must(tern_swap(sq, word, 5, s, 1), "post");
    (void)world_completion(world, 0);
    world_must(tern_compare_swap_masked(sq, word, &masked, s, 2), "post");
    (void)world_completion(world, 0);
    world_must(tern_compare_swap(sq, word, 5, 6, s, 3), "post");
    (void)world_completion(world, 0);
    world_must(tern_compare_swap(sq, word, 0xff05, UINT64_MAX - 1, s, 4), "post");
    (void)world_completion(world, 0);
    world_must(tern_fetch_add(sq, word, 3, s, 5), "post");
    (void)world_completion(world, 0);
    world_must(tern_fetch_add_masked(sq, word, &masked, s | TERN_DFLAG_UNACKED, 6), "post");
    (void)world_completion(world, 0);
    world_must(tern_take(sq, word, &take, s, 9), "post");
    (void)world_completion(world, 0);
    world_must(tern_take(sq, word, &masked, s, 10), "post");
    (void)world_completion(world, 0);
    world_must(tern_fetch_add(sq, word, 7, 0, 7), "post");
    world_must(tern_fetch_add(sq, word, 0, s, 8), "post");
    (void)world_completion(world, 0);
    world_memory(world, to);
    world_must(tern_release(region), "release");
}

static void atomic_operations(struct world *world)
{
    for (unsigned to = 0; to < 3; to++)
        atomics_of(world, to);
}

static void good_swap(struct world *world, const struct tern_region *region, uint32_t *w)
{
    memset(w, 0, TERN_DESC_BYTES);
    TERN_SET(DESC, opcode, w, TERN_OP_CAS);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, index, w, world->end[0].sq->places.made);
    TERN_SET(DESC, inline_len, w, TERN_ATO_BYTES);
    TERN_SET(DESC, result, w, 1);
    tern_desc_set_remote(w, tern_region_pointer(region, 8000));
    TERN_SET(ATO, swap, w, 9);
    TERN_SET(ATO, swap_mask, w, UINT64_MAX);
}

/*
 * Sets the bits that make the firmware check a descriptor, which otherwise the chip or the target
 * checks.
 */
static void look_at(uint32_t *w)
{
    TERN_SET(DESC, flags, w, TERN_GET(DESC, flags, w) | TERN_DFLAG_FENCE);
}

static void bad_atomics(struct world *world)
{
    struct tern_region *region = atomic_words(world, 1), *gone;
    uint64_t base = (uintptr_t)world->end[1].memory;
    uint64_t places[] = {base + 1, base + 4, base - 8, base + WORLD_BYTES - 7, UINT64_MAX - 7};
    uint32_t w[DESC_WORDS];
    uint8_t *memory;

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        good_swap(world, region, w);
        TERN_SET(DESC, remote_addr, w, places[i]);
        post(world, "no whole word of the region", w);
    }
    good_swap(world, world->end[1].region, w);
    post(world, "no right to do so", w);
    good_swap(world, region, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(region) ^ 0x10000);
    post(world, "a key that is wrong", w);
    good_swap(world, region, w);
    TERN_SET(DESC, incarnation, w, 2);
    post(world, "a node of another life", w);
    good_swap(world, region, w);
    look_at(w);
    TERN_SET(DESC, inline_len, w, 24);
    post(world, "operands that are too short", w);
    good_swap(world, region, w);
    look_at(w);
    TERN_SET(DESC, dst_node, w, tern_node(0, 1, 0));
    post(world, "outside the torus", w);
    gone = region_without_memory(&world->end[1], &memory);
    good_swap(world, region, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(gone));
    TERN_SET(DESC, remote_addr, w, (uintptr_t)memory);
    post(world, "memory that is gone", w);
    world_memory(world, 1);
    world_must(tern_release(gone), "release");
    world_must(tern_release(region), "release");
}

/* ---- reads */

/* Registers all memory with the right to be read. */
static struct tern_region *readable(struct world *world, unsigned end)
{
    struct tern_region *region;

    world_must(tern_register(world->end[end].device, world->end[end].memory, WORLD_BYTES,
                             TERN_RIGHT_REMOTE_READ, &region),
               "register");
    return region;
}

static void reads_of(struct world *world, unsigned from)
{
    static const uint32_t sizes[] = {1, 8, 63, 64, 255, 512, 513, 1024, 3000};
    struct tern_region *region = readable(world, from);
    struct world_end *origin = &world->end[0];

    world_fill(world, from, 21 + from);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct tern_rptr there = tern_region_pointer(region, 100 * i);

        world_say(world, " read %u bytes of end %u", sizes[i], from);
        world_must(tern_read(origin->sq, there, origin->region, origin->memory + 4096 + i, sizes[i],
                             TERN_DFLAG_SIGNAL | (i % 3 == 2 ? TERN_DFLAG_FENCE : 0), i), "post");
        (void)world_completion(world, 0);
        world_memory(world, 0);
    }
    world_must(tern_read(origin->sq, tern_region_pointer(region, 0), origin->region, origin->memory,
                         700, 0, 0),
               "post");
    world_must(tern_nop(origin->sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 1), "post");
    (void)world_completion(world, 0);
    world_memory(world, 0);
    world_must(tern_release(region), "release");
}

static void reads(struct world *world)
{
    for (unsigned from = 0; from < 3; from++)
        reads_of(world, from);
}

static void good_read(struct world *world, const struct tern_region *region, uint32_t *w)
{
    memset(w, 0, TERN_DESC_BYTES);
    TERN_SET(DESC, opcode, w, TERN_OP_READ);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, index, w, world->end[0].sq->places.made);
    TERN_SET(DESC, inline_len, w, TERN_READ_BYTES);
    TERN_SET(DESC, length, w, 600);
    tern_desc_set_remote(w, tern_region_pointer(region, 8000));
    TERN_SET(RDR, addr, w, (uintptr_t)world->end[0].memory);
    TERN_SET(RDR, key, w, tern_region_key(world->end[0].region));
    TERN_SET(RDR, length, w, 600);
}

/* Posts reads with wrong sources. */
static void bad_sources(struct world *world, const struct tern_region *region)
{
    uint64_t base = (uintptr_t)world->end[1].memory;
    uint64_t places[] = {base - 1, base + WORLD_BYTES - 599, UINT64_MAX - 7};
    uint32_t w[DESC_WORDS];

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        good_read(world, region, w);
        TERN_SET(DESC, remote_addr, w, places[i]);
        post(world, "not in the region", w);
    }
    good_read(world, world->end[1].region, w);
    post(world, "no right to do so", w);
    good_read(world, region, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(region) ^ 0x10000);
    post(world, "a key that is wrong", w);
    good_read(world, region, w);
    TERN_SET(DESC, incarnation, w, 2);
    post(world, "a node of another life", w);
    good_read(world, region, w);
    TERN_SET(DESC, dst_node, w, tern_node(0, 1, 0));
    post(world, "outside the torus", w);
}

/* Posts reads with wrong destinations. */
static void bad_places_for_reads(struct world *world, const struct tern_region *region)
{
    static const uint32_t lengths[] = {0, TERN_PUT_BYTES_MAX + 1};
    uint32_t w[DESC_WORDS];

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        good_read(world, region, w);
        TERN_SET(RDR, length, w, lengths[i]);
        post(world, "a length that cannot be", w);
    }
    good_read(world, region, w);
    TERN_SET(DESC, inline_len, w, 24);
    post(world, "operands that are too long", w);
    good_read(world, region, w);
    TERN_SET(RDR, length, w, 8);
    TERN_SET(DESC, inline_len, w, 12);
    post(world, "operands that are too short", w);
    good_read(world, region, w);
    TERN_SET(RDR, key, w, tern_region_key(world->end[0].region) ^ 0x10000);
    post(world, "a key of here that is wrong", w);
    good_read(world, region, w);
    TERN_SET(RDR, addr, w, (uintptr_t)world->end[0].memory + WORLD_BYTES - 599);
    post(world, "a place that leaves its region", w);
}

static void bad_reads(struct world *world)
{
    struct tern_region *region = readable(world, 1), *gone;
    uint32_t w[DESC_WORDS];
    uint8_t *memory;

    bad_sources(world, region);
    bad_places_for_reads(world, region);
    gone = region_without_memory(&world->end[1], &memory);
    good_read(world, region, w);
    TERN_SET(DESC, remote_key, w, tern_region_key(gone));
    TERN_SET(DESC, remote_addr, w, (uintptr_t)memory);
    TERN_SET(RDR, length, w, 200); /* one read of the host */
    post(world, "memory that is gone", w);
    world_must(tern_release(gone), "release");
    gone = region_without_memory(&world->end[0], &memory);
    good_read(world, region, w);
    TERN_SET(RDR, key, w, tern_region_key(gone));
    TERN_SET(RDR, addr, w, (uintptr_t)memory);
    post(world, "memory of here that is gone", w);
    world_must(tern_release(gone), "release");
    world_memory(world, 0);
    world_must(tern_release(region), "release");
}

/* ---- messages */

static void send(struct world *world, unsigned to, uint16_t queue, uint32_t bytes, unsigned flags)
{
    struct world_end *origin = &world->end[0];
    struct tern_target target = {
        .node = world->end[to].info.node, .queue = queue, .imm = 0xab000 + bytes};

    world_say(world, " message of %u bytes to end %u, flags %x", bytes, to, flags);
    world_must(tern_send(origin->sq, target, origin->region, origin->memory, bytes,
                         flags | TERN_DFLAG_SIGNAL, bytes),
               "post");
}

static void exchange(struct world *world, unsigned to, uint32_t bytes, unsigned flags)
{
    send(world, to, tern_rq_number(world->end[to].rq), bytes, flags);
    if (world_completion(world, 0) != TERN_ST_OK)
        return;
    (void)world_completion(world, to);
    world_must(tern_rq_release(world->end[to].rq, 1), "release a message");
}

static void messages(struct world *world)
{
    static const uint32_t sizes[] = {0, 1, 7, 8, 9, 32, 33, 63, 64};

    world_fill(world, 0, 11);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        exchange(world, 1, sizes[i], i % 2 ? TERN_DFLAG_IMM : 0);
        exchange(world, 2, sizes[i], i % 3 ? TERN_DFLAG_SOLICITED : 0);
    }
    exchange(world, 3, 40, TERN_DFLAG_IMM);
}

static void bad_messages(struct world *world)
{
    static const uint32_t sizes[] = {65, 512, 513, 70000};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        exchange(world, 1, sizes[i], 0);
    send(world, 1, 500, 8, 0);
    (void)world_completion(world, 0);
    send(world, 1, TERN_QUEUE_ANY, 8, 0);
    (void)world_completion(world, 0);
    send(world, 1, tern_sq_number(world->end[1].sq), 8, 0);
    (void)world_completion(world, 0);
    exchange(world, 1, 16, 0);
}

/* The FIFO has 8 places; the ninth message is retried until the retries end. */
static void a_full_fifo(struct world *world)
{
    for (unsigned i = 0; i < (1u << WORLD_FIFO_LOG2) + 1; i++) {
        send(world, 1, tern_rq_number(world->end[1].rq), 8, 0);
        (void)world_completion(world, 0);
    }
    for (unsigned i = 0; i < 1u << WORLD_FIFO_LOG2; i++)
        (void)world_completion(world, 1);
    world_must(tern_rq_release(world->end[1].rq, 1u << WORLD_FIFO_LOG2), "release messages");
    exchange(world, 1, 8, 0);
}

/* ---- counters and commands */

static void byte_counters(struct world *world)
{
    struct world_end *target = &world->end[1];
    struct tern_region *region;
    struct tern_rptr pointer;
    uint32_t left = 0;

    world_must(tern_counter_set(target->device, 3, 1000), "set counter");
    world_must(tern_register_with(target->device,
            &(struct tern_region_attr){.addr = target->memory, .bytes = 4096,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = 3},
            &region),
               "register");
    pointer = tern_region_pointer(region, 0);
    for (unsigned i = 0; i < 3; i++) {
        world_must(tern_put(world->end[0].sq, pointer, world->end[0].region, world->end[0].memory,
                            600, TERN_DFLAG_SIGNAL, i),
                   "post");
        (void)world_completion(world, 0);
        world_must(tern_counter_get(target->device, 3, &left), "get counter");
        world_say(world, " %u bytes are left", left);
    }
    /* The target gets one completion when its counter reaches zero. */
    world_must(tern_counter_watch(target->cq, 3, 1000), "watch counter");
    for (unsigned i = 0; i < 3; i++) {
        world_must(tern_put(world->end[0].sq, pointer, world->end[0].region, world->end[0].memory,
                            600, TERN_DFLAG_SIGNAL, i),
                   "post");
        (void)world_completion(world, 0);
        if (i == 1)
            (void)world_completion(world, 1);
    }
    world_must(tern_release(region), "release");
    world_status(world, "a counter of another function",
                 tern_counter_get(world->end[0].device, 3, &left));
    world_status(world, "a counter that does not exist",
                 tern_counter_set(world->end[0].device, 9999, 1));
}

static void command(struct world *world, const char *what, uint32_t *w)
{
    uint32_t cqe[8] = {0};
    int status = tern_admin(world->end[0].device, w, NULL, 0, cqe);

    world_status(world, what, status);
    world_say(world, "  opcode=%x fault=%x", (unsigned)TERN_GET(CQE, opcode, cqe),
              (unsigned)TERN_GET(CQE, fault, cqe));
}

static void create(struct world *world, const char *what, uint64_t ring, unsigned log2,
                   uint32_t number, unsigned type)
{
    uint32_t w[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, w, number);
    TERN_SET(ADM, addr, w, ring);
    TERN_SET(ADM, key, w, tern_region_key(world->end[0].region));
    TERN_SET(ADM, qtype, w, type);
    TERN_SET(ADM, log2_entries, w, log2);
    TERN_SET(ADM, cq, w, world->end[0].cq->number);
    command(world, what, w);
}

static void commands(struct world *world)
{
    uint64_t ring = (uintptr_t)world->end[0].memory;
    uint32_t w[DESC_WORDS] = {0};

    create(world, "a ring that is not aligned", ring + 8, 4, TERN_QUEUE_ANY, TERN_QTYPE_SQ);
    create(world, "a ring that is too large", ring, TERN_RING_LOG2_MAX + 1, TERN_QUEUE_ANY,
           TERN_QTYPE_SQ);
    create(world, "a ring outside its region", ring + WORLD_BYTES, 4, TERN_QUEUE_ANY,
           TERN_QTYPE_SQ);
    create(world, "a queue of no type", ring, 4, TERN_QUEUE_ANY, 0);
    create(world, "a number that is taken", ring, 4, tern_sq_number(world->end[0].sq),
           TERN_QTYPE_SQ);
    create(world, "a number that is not for applications", ring, 4, 5, TERN_QTYPE_SQ);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, tern_sq_number(world->end[3].sq));
    command(world, "deleting a queue of another function", w);
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, TERN_ADMIN_REL_REGION);
    TERN_SET(ADM, key, w, tern_region_key(world->end[3].region));
    command(world, "releasing a region of another function", w);
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, 0x7e);
    command(world, "an unknown command", w);
}

static void doorbells(struct world *world)
{
    const struct {
        uint16_t queue;
        uint32_t index;
    } bells[] = {{300, 1},
                 {1000, 1},
                 {tern_sq_number(world->end[3].sq), 1},
                 {tern_sq_number(world->end[0].sq), world->end[0].sq->rung + 1000}};

    for (size_t i = 0; i < sizeof(bells) / sizeof(bells[0]); i++) {
        enum tern_status status;
        unsigned count;
        uint16_t queue;

        world_must(tern_doorbell(world->end[0].device, bells[i].queue, bells[i].index), "doorbell");
        world_settle(world);
        world_must(tern_last_error(world->end[0].device, &status, &queue, &count), "last error");
        world_say(world, " doorbell: %s queue=%u count=%u", tern_strerror((int)status), queue,
                  count);
    }
    put(world, 0, 1, 64, 0, 0);
}

static void nops_and_queues(struct world *world)
{
    struct world_end *end = &world->end[0];

    for (unsigned i = 0; i < 5; i++) {
        struct tern_cq *cq;
        struct tern_sq *sq;
        struct tern_completion done = {.status = TERN_ST_WAIT_EXPIRED};

        world_must(tern_nop(end->sq, TERN_DFLAG_SIGNAL, i), "nop");
        (void)world_completion(world, 0);
        world_must(tern_cq_create(end->device, 2, 0, &cq), "CQ");
        world_must(tern_sq_create(cq, 2, &sq), "SQ");
        world_must(tern_nop(sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, i), "nop");
        while (tern_cq_poll(cq, &done, 1) == 0)
            ;
        world_say(world, " queue %u: %s", done.queue, tern_strerror((int)done.status));
        world_must(tern_sq_destroy(sq), "SQ");
        world_must(tern_cq_destroy(cq), "CQ");
    }
}

/* ---- anything */

static uint32_t next_random(struct world *world)
{
    world->random ^= world->random << 13;
    world->random ^= world->random >> 17;
    world->random ^= world->random << 5;
    return world->random;
}

static uint32_t below(struct world *world, uint32_t bound)
{
    return next_random(world) % bound;
}

/* Returns sizes of all magnitudes. */
static uint32_t any_size(struct world *world)
{
    return below(world, 2u << below(world, 12));
}

/* Posts a put with random flags, addresses and keys; about one in three is invalid. */
static void any_put(struct world *world)
{
    static const uint32_t flags[] = {0, TERN_DFLAG_INLINE, TERN_DFLAG_UNACKED, TERN_DFLAG_FENCE,
                                     TERN_DFLAG_SOLICITED, TERN_DFLAG_OFFSET};
    uint32_t w[DESC_WORDS], chosen = flags[below(world, 6)];
    uint64_t place = below(world, WORLD_BYTES + WORLD_BYTES / 64);

    good_put(world, w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | chosen);
    TERN_SET(DESC, inline_len, w, below(world, 36));
    TERN_SET(DESC, length, w, any_size(world));
    TERN_SET(DESC, local_addr, w, (uintptr_t)world->end[0].memory + below(world, WORLD_BYTES));
    TERN_SET(DESC, remote_addr, w,
             chosen == TERN_DFLAG_OFFSET ? place : (uintptr_t)world->end[1].memory + place);
    if (below(world, 8) == 0)
        TERN_SET(DESC, remote_key, w, next_random(world) | 1);
    if (below(world, 8) == 0)
        TERN_SET(DESC, dst_node, w, below(world, 6));
    if (below(world, 16) == 0)
        TERN_SET(DESC, incarnation, w, below(world, 3));
    if (chosen ==
        TERN_DFLAG_INLINE) /* an inline payload is in place of local addresses */
        memcpy(w + TERN_INLINE_OFFSET / 4, world->end[0].memory + below(world, 1000),
               TERN_INLINE_BYTES_MAX);
    post(world, "any put", w);
}

static void random_operations(struct world *world)
{
    enum { OPERATIONS = 150 };

    world_fill(world, 0, 12);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        if (below(world, 4) == 0)
            exchange(world, 1 + below(world, 2), below(world, 70),
                     below(world, 2) ? TERN_DFLAG_IMM : 0);
        else
            any_put(world);
    }
    for (unsigned end = 0; end < WORLD_ENDS; end++)
        world_memory(world, end);
}

const struct step steps[] = {
    {"identities", identities, WORLD_ALL},
    {"logs of the start", logs, WORLD_ALL},
    {"registers", registers, WORLD_ALL},
    {"puts of all sizes", puts_of_all_sizes, WORLD_ALL},
    {"puts at all alignments", puts_at_all_alignments, WORLD_ALL},
    {"inline puts", inline_puts, WORLD_ALL},
    {"puts round the ring", puts_round_the_ring, WORLD_ALL},
    {"quiet puts", quiet_puts, WORLD_ALL},
    {"a burst of puts", a_burst, WORLD_TRAFFIC},
    {"bad descriptors", bad_descriptors, WORLD_ALL},
    {"bad ranges", bad_ranges, WORLD_ALL},
    {"bad keys", bad_keys, WORLD_ALL},
    {"logs of errors", logs, WORLD_ALL},
    {"regions that are not what they were", regions_that_are_not_what_they_were, WORLD_ALL},
    {"memory that is gone", memory_that_is_gone, WORLD_ALL},
    {"atomic operations", atomic_operations, WORLD_ALL},
    {"atomic operations that are refused", bad_atomics, WORLD_ALL},
    {"reads", reads, WORLD_ALL},
    {"reads that are refused", bad_reads, WORLD_TRAFFIC}, /* the chip reads ahead before it
                                                           * refuses */
    {"lookups", lookups, WORLD_ALL},
    {"messages", messages, WORLD_ALL},
    {"bad messages", bad_messages, WORLD_ALL},
    {"a full FIFO", a_full_fifo, WORLD_ALL},
    {"byte counters", byte_counters, WORLD_ALL},
    {"commands", commands, WORLD_ALL},
    {"doorbells", doorbells, WORLD_ALL},
    {"nops and queues", nops_and_queues, WORLD_ALL},
    {"random operations", random_operations, WORLD_ALL},
};
const unsigned step_count = sizeof(steps) / sizeof(steps[0]);
