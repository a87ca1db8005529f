/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for something that the NIC writes. */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>

#include "device.h"

enum { LOOK_MS = 1000, LOOK_TURNS = 1024, PATIENCE_S = 60, PATIENCE_MAX_S = 86400 };

int64_t tern_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Sleeps until an event; without one, for longer and longer, up to a millisecond. */
static void sleep_some(int event_fd, int left_ms, unsigned turn)
{
    struct pollfd poll_fd = {.fd = event_fd, .events = POLLIN};
    struct timespec pause = {.tv_nsec = turn < 100 ? 10000 : 1000000};

    if (event_fd >= 0)
        poll(&poll_fd, 1, left_ms);
    else if (turn < 10)
        sched_yield();
    else
        nanosleep(&pause, NULL);
}

static void clear_event(int event_fd)
{
    struct pollfd poll_fd = {.fd = event_fd, .events = POLLIN};
    eventfd_t count;

    if (event_fd >= 0 && poll(&poll_fd, 1, 0) > 0)
        (void)eventfd_read(event_fd, &count);
}

/*
 * Marks the device lost if the firmware has restarted: the operations of its earlier run never
 * complete. Every wait calls this periodically.
 */
static void look_for_restart(struct tern_device *device)
{
    uint32_t incarnation;

    if (!tern_reg_read(device, TERN_REG_INCARNATION, &incarnation) &&
        incarnation != device->incarnation)
        tern_transport_lose(device->transport);
}

/*
 * Tells whether to look for a restart: every LOOK_MS or, if the caller advances a simulator inside
 * the process, every LOOK_TURNS turns.
 */
static bool is_time_to_look(const struct tern_device *device, int64_t *looked, unsigned turn)
{
    int64_t now = tern_now_ms();

    if (tern_transport_inline(device->transport))
        return turn % LOOK_TURNS == LOOK_TURNS - 1;
    if (now - *looked < LOOK_MS)
        return false;
    *looked = now;
    return true;
}

int tern_patience_ms(void)
{
    const char *text = getenv("TERN_PATIENCE");
    char *end = NULL;
    long seconds = text ? strtol(text, &end, 10) : 0;

    if (!text || *end || seconds < 1 || seconds > PATIENCE_MAX_S)
        seconds = PATIENCE_S;
    return (int)seconds * 1000;
}

/*
 * Clears the event before it looks, never after: an event in between then ends the sleep.
 */
int tern_wait_until(struct tern_device *device, bool (*ready)(const void *arg), const void *arg,
                    int event_fd, int timeout_ms)
{
    int64_t looked = tern_now_ms(), end = looked + timeout_ms;

    for (unsigned turn = 0;; turn++) {
        int64_t left;
        int status;

        clear_event(event_fd);
        if (ready(arg))
            return 0;
        if (is_time_to_look(device, &looked, turn))
            look_for_restart(device);
        status = tern_transport_turn(device->transport);
        if (ready(arg))
            return 0;
        if (status)
            return status;
        left = timeout_ms < 0 ? 1000 : end - tern_now_ms();
        if (left <= 0)
            return -TERN_ST_WAIT_EXPIRED;
        if (tern_transport_inline(device->transport))
            continue; /* the turn advanced the simulator */
        sleep_some(event_fd, left > 1000 ? 1000 : (int)left, turn);
    }
}
