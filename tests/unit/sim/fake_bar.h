/* SPDX-License-Identifier: Apache-2.0 */
/* Registers for tests of the host side: a chip that the test controls. */
#ifndef TESTS_FAKE_BAR_H
#define TESTS_FAKE_BAR_H

#include "nic.h"

enum { FAKE_BAR_QUEUE = 4096, FAKE_BAR_FUNCTIONS = 4, FAKE_BAR_BYTES = 131072 };

struct fake_bar {
    struct tern_nic *nic;
    struct tern_bar_access queue[FAKE_BAR_QUEUE]; /* accesses not carried out yet */
    size_t count;
    size_t room;   /* maximum number of accesses in `queue` */
    uint64_t done; /* accesses carried out */
    bool dead;     /* the firmware does not answer FN_CTRL */
    uint8_t bytes[FAKE_BAR_FUNCTIONS][FAKE_BAR_BYTES];
};

/* Returns a port to it; its firmware is running. */
struct tern_bar_port fake_bar_port(struct fake_bar *bar);

/* Carries out the queued accesses. */
void fake_bar_run(struct fake_bar *bar);

uint32_t fake_bar_get(const struct fake_bar *bar, unsigned function, uint32_t address);
void fake_bar_set(struct fake_bar *bar, unsigned function, uint32_t address,
                  uint32_t value);

#endif
