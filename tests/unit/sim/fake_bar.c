/* SPDX-License-Identifier: Apache-2.0 */
/* Registers for tests of the host side. */
#include "fake_bar.h"

#include <string.h>

#include "tern_abi.h"

uint32_t fake_bar_get(const struct fake_bar *bar, unsigned function, uint32_t address)
{
    uint32_t value;

    memcpy(&value, &bar->bytes[function][address], sizeof value);
    return value;
}

void fake_bar_set(struct fake_bar *bar, unsigned function, uint32_t address, uint32_t value)
{
    memcpy(&bar->bytes[function][address], &value, sizeof value);
}

static size_t room(void *ctx)
{
    const struct fake_bar *bar = ctx;

    return bar->room - bar->count;
}

static void push(void *ctx, const struct tern_bar_access *access)
{
    struct fake_bar *bar = ctx;

    bar->queue[bar->count++] = *access;
}

struct tern_bar_port fake_bar_port(struct fake_bar *bar)
{
    memset(bar, 0, sizeof *bar);
    bar->room = FAKE_BAR_QUEUE;
    for (unsigned f = 0; f < FAKE_BAR_FUNCTIONS; f++)
        fake_bar_set(bar, f, TERN_REG_STATUS, TERN_FWSTATE_READY);
    return (struct tern_bar_port){.ctx = bar, .room = room, .push = push};
}

/* Does what the firmware does when FN_CTRL is written with 2. */
static void reset_function(struct fake_bar *bar, unsigned function)
{
    uint32_t status = fake_bar_get(bar, function, TERN_REG_FN_STATUS);

    if (!bar->dead)
        fake_bar_set(bar, function, TERN_REG_FN_STATUS,
                     ((status >> 16) + 1) << 16 | TERN_FNSTATE_OFF);
}

static void carry_out(struct fake_bar *bar, const struct tern_bar_access *access)
{
    uint8_t *at = &bar->bytes[access->function][access->address];
    uint64_t data;

    bar->done++;
    if (!access->write) {
        memcpy(&data, at, sizeof data);
        tern_nic_read_done(bar->nic, access->cookie, data);
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (access->enables >> i & 1)
            at[i] = (uint8_t)(access->data >> (8 * i));
    }
    if (access->address == TERN_REG_FN_CTRL && (access->data & 0xff) == 2)
        reset_function(bar, access->function);
}

void fake_bar_run(struct fake_bar *bar)
{
    for (size_t i = 0; i < bar->count; i++)
        carry_out(bar, &bar->queue[i]);
    bar->count = 0;
}
