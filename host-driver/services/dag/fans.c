/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node with successors at many homes: its worker writes one word to all homes, by a broadcast.
 * The host of each home then sets the bits of the successors that it has. A byte counter of the NIC
 * wakes it.
 *
 * The words stay for the run: a server that adopts the pool, and one that was paused, find them
 * there. To set a bit again changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include <tern/counter.h>
#include <tern/group.h>
#include <tern/table.h>

#include "fans.h"
#include "operate.h"

enum {
    CACHES = 16, /* pairs of places at the end of the region table that caches use */
    GROUPS = 16, /* pairs before these */
};

struct dag_fans {
    struct tern_pool *pool;
    struct tern_region *region; /* NULL: no member */
    uint64_t *done;             /* words whose bits are set */
    uint16_t counter;           /* of the bytes of broadcasts; TERN_COUNTER_NONE */
    bool watching;              /* the counter tells of the next broadcast */
};

/* ---- membership */

static uint32_t group_key(const struct tern_info *info, const char *name)
{
    uint64_t hash = tern_table_hash(name, strlen(name));

    return tern_group_key((uint16_t)(info->regions - 4 - 2 * (CACHES + hash % GROUPS)),
                          (uint16_t)(hash >> 16));
}

/* Finds a counter that no program has, this one included, from the highest on. */
static uint16_t find_counter(struct tern_device *device, const struct tern_info *info)
{
    for (uint32_t id = info->counters; id > 0; id--) {
        uint32_t bytes;

        if (tern_counter_get(device, (uint16_t)(id - 1), &bytes) == -TERN_ST_BAD_COUNTER &&
            tern_counter_set(device, (uint16_t)(id - 1), 0) == 0)
            return (uint16_t)(id - 1);
    }
    return TERN_COUNTER_NONE;
}

/*
 * Sets the counter, if it has told of a broadcast. That comes before the words are read, so a
 * broadcast after the read is told, too.
 */
static void watch(struct dag_fans *f)
{
    if (!f->watching)
        f->watching =
            tern_counter_watch(tern_pool_events(f->pool), f->counter, DAG_WORD) == 0;
}

static void join_group(struct dag_fans *f, const char *name, struct dag_head *head)
{
    struct tern_device *device = tern_pool_device(f->pool);
    struct tern_region_attr attr = {.bytes = (size_t)head->fans_max * DAG_WORD, .member = true,
                                    .keyed = true, .counted = true};
    struct tern_info info;

    attr.addr = (uint8_t *)tern_pool_memory(f->pool, NULL) + head->told;
    if (head->fans_max == 0 || tern_query(device, &info) != 0)
        return;
    attr.key = group_key(&info, name);
    attr.counter = f->counter = find_counter(device, &info);
    if (f->counter != TERN_COUNTER_NONE && tern_register_with(device, &attr, &f->region) == 0)
        head->fan_key = attr.key;
    if (f->region)
        watch(f);
}

struct dag_fans *fans_open(struct tern_pool *pool, const char *name, struct dag_head *head)
{
    struct dag_fans *f = calloc(1, sizeof(*f));

    head->fan_key = 0;
    if (!f)
        return NULL;
    *f = (struct dag_fans){.pool = pool, .counter = TERN_COUNTER_NONE};
    f->done = calloc(head->fans_max ? head->fans_max : 1, sizeof(*f->done));
    if (!f->done) {
        free(f);
        return NULL;
    }
    join_group(f, name, head);
    return f;
}

void fans_close(struct dag_fans *f)
{
    if (!f)
        return;
    if (f->region)
        (void)tern_release(f->region);
    if (f->counter != TERN_COUNTER_NONE)
        (void)tern_counter_set(tern_pool_device(f->pool), f->counter, 0);
    free(f->done);
    free(f);
}

bool fans_told(struct dag_fans *f, const struct tern_completion *done)
{
    if (done->opcode != TERN_OP_COUNTER || done->index != f->counter)
        return false;
    f->watching = false;
    return true;
}

/* ---- bits */

/* Sets the bits of one successor, from its join up to a join that is not full; then pushes it. */
static int set_bits(const struct dag_fans *f, const struct dag_head *head, uint8_t life,
                    const struct dag_out *out)
{
    bool full = true;
    int status = 0;

    for (unsigned level = 0; level < out->levels && full && !status; level++) {
        const struct dag_bit *bit = &out->path[level];
        const struct tern_masked set = dag_set(life, dag_bit(bit->bit));
        uint64_t word;

        status = operate_swap(f->pool, head->joins + (uint64_t)bit->join * DAG_WORD, &set, &word);
        word |= dag_bit(bit->bit);
        full = (uint8_t)word == life && (word & DAG_ALL_BITS) == DAG_ALL_BITS;
    }
    return status || !full ? status
                           : operate_push(f->pool, head, life, out->to / head->homes);
}

static bool is_good(const struct dag_head *head, const struct dag_out *out)
{
    bool good = out->to % head->homes == head->home && out->to / head->homes < head->local &&
                out->levels > 0 && out->levels <= DAG_LEVELS;

    for (unsigned level = 0; good && level < out->levels; level++)
        good = out->path[level].join < head->join_words && out->path[level].bit < DAG_BITS;
    return good;
}

static int hear_one(const struct dag_fans *f, const struct dag_head *head, uint8_t life,
                    uint32_t number)
{
    const uint8_t *memory = tern_pool_memory(f->pool, NULL);
    struct dag_fan fan;
    int status = 0;

    memcpy(&fan, memory + head->fans + number * sizeof(fan), sizeof(fan));
    if (fan.first > head->outs_max || fan.count > head->outs_max - fan.first)
        return 0;
    for (uint32_t i = 0; i < fan.count && !status; i++) {
        struct dag_out out;

        memcpy(&out, memory + head->outs + (fan.first + i) * sizeof(out), sizeof(out));
        if (is_good(head, &out))
            status = set_bits(f, head, life, &out);
    }
    return status;
}

/* Tells whether a word is one of this run, whichever node it names. */
static bool is_of(const struct dag_head *head, uint8_t life, uint64_t word)
{
    return word == dag_told(head->started, life, (uint32_t)(word >> 8));
}

int fans_hear(struct dag_fans *f, const struct dag_head *head, uint8_t life)
{
    const uint8_t *memory = tern_pool_memory(f->pool, NULL);
    int status = 0;

    if (!f->region)
        return 0;
    watch(f);
    if (head->homes == 0)
        return 0;
    for (uint32_t i = 0; i < head->fan_count && i < head->fans_max && !status; i++) {
        uint64_t word = __atomic_load_n(
            (const uint64_t *)(const void *)(memory + head->told + (uint64_t)i * DAG_WORD),
            __ATOMIC_ACQUIRE);

        if (word == f->done[i] || !is_of(head, life, word))
            continue;
        status = hear_one(f, head, life, i);
        if (!status)
            f->done[i] = word;
    }
    return status;
}
