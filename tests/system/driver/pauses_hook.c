/* SPDX-License-Identifier: Apache-2.0 */
/* Stops this process at a boundary of its messages to the NIC: the linker wraps the functions. */
#include <signal.h>

#include "pauses.h"

struct tern_device;

int __real_tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index);
int __real_tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words);
int __wrap_tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index);
int __wrap_tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words);

enum { LINGERS = 4 /* one of so many times */ };

void (*pauses_linger)(void *of);
void *pauses_linger_of;

static struct {
    struct pause_order order;
    bool armed;
    unsigned pauses, gaps, last; /* last: opcode */
    uint64_t messages;
} hook;

void pauses_arm(const struct pause_order *order)
{
    hook.order = *order;
    hook.armed = true;
}

unsigned pauses_had(void)
{
    return hook.pauses;
}

uint64_t pauses_messages(void)
{
    return hook.messages;
}

static void stop(void)
{
    hook.armed = false;
    if (hook.order.kill)
        (void)raise(SIGKILL);
    (void)raise(SIGSTOP);
    hook.pauses++;
}

static void boundary(bool after)
{
    if (hook.armed && hook.order.messages == 0 && hook.order.after == after)
        stop();
}

/* A descriptor is about to be sent. */
static void note(unsigned opcode)
{
    bool gap = hook.armed && opcode == TERN_OP_PUT && hook.last == TERN_OP_TAKE;

    if (gap && hook.order.unowned)
        stop();
    if (gap && hook.order.lingers && ++hook.gaps % LINGERS == 0)
        pauses_linger(pauses_linger_of);
    hook.last = opcode;
}

static void count(void)
{
    boundary(true);
    hook.messages++;
    if (hook.armed && hook.order.messages > 0)
        hook.order.messages--;
}

int __wrap_tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index)
{
    int status;

    boundary(false);
    status = __real_tern_doorbell(device, queue, index);
    count();
    return status;
}

int __wrap_tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words)
{
    int status;

    note((unsigned)TERN_GET(DESC, opcode, words));
    boundary(false);
    status = __real_tern_doorbell_inline(device, queue, words);
    count();
    return status;
}
