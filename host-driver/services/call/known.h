/* SPDX-License-Identifier: Apache-2.0 */
/* The regions that stored calls name, each watched. */
#ifndef TERN_CALL_KNOWN_H
#define TERN_CALL_KNOWN_H

#include <stdatomic.h>

#include <tern/call.h>

enum { KNOWN_CHAINS = 256 };

struct known {
    struct tern_watch watch;
    struct known *next;
    const struct tern_region *region;
    struct known_set *set;
    atomic_bool gone;
};

struct known_set {
    struct tern_device *device;
    struct known *chain[KNOWN_CHAINS];
    /* Counts objects that went, by any thread: the cache looks at it before each call. */
    atomic_uint changes;
};

/*
 * Makes sure that the device has the region, and watches it from here on.  STALE_POINTER,
 * NO_MEMORY.
 */
int known_add(struct known_set *set, const struct tern_region *region);

/* The region is watched and has not gone. */
bool known_alive(const struct known_set *set, const struct tern_region *region);

/* Frees those that went, or all. */
void known_sweep(struct known_set *set);
void known_free(struct known_set *set);

#endif
