/* SPDX-License-Identifier: Apache-2.0 */
/* Makes new inputs from old ones, step by step. */
#include <string.h>

#include "fuzz.h"

/* Returns the upper half of xorshift64*. */
uint32_t fuzz_random(struct fuzz_random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)(random->state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

/* Boundary values. */
static const uint32_t edges[] = {
    0,      1,      2,      4,      7,      8,      15,         16,         31,         32,
    33,     63,     64,     65,     127,    128,    255,        256,        511,        512,
    513,    1023,   4095,   4096,   4097,   0x7fff, 0x8000,     0xffff,     0x10000,    0xfffff,
    0x100000, 0x1000000, 0x1000001, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffff8, UINT32_MAX};

static void change_bytes(struct fuzz_random *random, uint8_t *data, size_t size)
{
    size_t at = fuzz_below(random, (uint32_t)size);
    size_t width = (size_t)1 << fuzz_below(random, 3);
    uint32_t value;

    switch (fuzz_below(random, 4)) {
    case 0:
        data[at] ^= (uint8_t)(1u << fuzz_below(random, 8));
        return;
    case 1:
        data[at] = (uint8_t)fuzz_random(random);
        return;
    case 2:
        data[at] = (uint8_t)(data[at] + fuzz_below(random, 9) - 4);
        return;
    default:
        at &= ~(width - 1);
        width = width < size - at ? width : size - at;
        value = edges[fuzz_below(random, sizeof edges / sizeof edges[0])];
        memcpy(data + at, &value, width);
    }
}

/* Makes room for step number `at`, and fills it. */
static size_t insert(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                     const uint8_t *from)
{
    size_t record = fuzz_target.record;
    size_t at = fuzz_below(random, (uint32_t)(size / record + 1)) * record;

    if (size + record > room)
        return size;
    memmove(data + at + record, data + at, size - at);
    if (from != NULL)
        memcpy(data + at, from, record);
    else
        fuzz_target.fresh(random, data + at);
    return size + record;
}

static size_t insert_own(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    uint8_t step[256];

    memcpy(step, data + fuzz_below(random, (uint32_t)(size / fuzz_target.record)) *
                            fuzz_target.record,
           fuzz_target.record);
    return insert(random, data, size, room, step);
}

static size_t take_out(struct fuzz_random *random, uint8_t *data, size_t size)
{
    size_t record = fuzz_target.record;
    size_t at = fuzz_below(random, (uint32_t)(size / record)) * record;

    if (size < 2 * record)
        return size;
    memmove(data + at, data + at + record, size - at - record);
    return size - record;
}

static size_t mutate_once(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                          const uint8_t *other, size_t other_size)
{
    size_t record = fuzz_target.record, steps = size / record;

    if (steps == 0)
        return insert(random, data, 0, room, NULL);
    switch (fuzz_below(random, 16)) {
    case 0:
    case 1:
    case 2:
        return insert(random, data, size, room, NULL);
    case 3:
        return take_out(random, data, size);
    case 4:
        fuzz_target.fresh(random, data + fuzz_below(random, (uint32_t)steps) * record);
        return size;
    case 5:
        return insert_own(random, data, size, room);
    case 6:
        if (other_size < record)
            return size;
        return insert(random, data, size, room,
                      other + fuzz_below(random, (uint32_t)(other_size / record)) * record);
    default:
        change_bytes(random, data, size);
        return size;
    }
}

size_t fuzz_mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                   const uint8_t *other, size_t other_size)
{
    unsigned times = 1 + fuzz_below(random, 4);

    size -= size % fuzz_target.record;
    while (times-- > 0)
        size = mutate_once(random, data, size, room, other, other_size);
    return size;
}
