/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the system tests: a simulator for each test, ends that put to each other, and TAP
 * lines.
 *
 * A rig is one running simulator in a folder of its own. A failed set-up ends the program with a
 * `not ok` line: a test that cannot run has failed.
 */
#ifndef TERN_RIG_H
#define TERN_RIG_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <tern/tern.h>

struct rig {
    pid_t sim;
    char dir[64];
};

/*
 * Starts a simulator with `args` (NULL-ended, may be NULL) besides the folder; returns when it is
 * ready.
 */
void rig_start(struct rig *rig, const char *const *args);

/* Ends it and removes the folder. The test fails if the simulator did not exit successfully. */
void rig_stop(struct rig *rig);

/*
 * Returns the number of the node at place `x` of the ring. A board has fewer nodes than the ring
 * has places, $NODES of them, each at several places.
 */
static inline uint16_t rig_node(unsigned x)
{
    const char *text = getenv("NODES");
    unsigned nodes = text ? (unsigned)atoi(text) : 0;

    return tern_node(nodes ? x % nodes : x, 0, 0);
}

/* Opens node `x` of the ring. */
struct tern_device *rig_open(const struct rig *rig, unsigned x);

/* One side of a transfer: a function of a NIC with its queues and a registered buffer. */
enum { RIG_BUFFER = 1 << 16 };
struct rig_end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *buffer; /* RIG_BUFFER bytes */
};

void rig_end_open(struct rig_end *end, const struct rig *rig, unsigned x);
void rig_end_close(struct rig_end *end);

/* Returns the remote pointer to `offset` of the end's buffer. */
struct tern_rptr rig_end_at(const struct rig_end *end, uint64_t offset);

/* Returns the next completion within a minute, else status WAIT_EXPIRED. */
struct tern_completion rig_wait(struct tern_cq *cq);

/*
 * Puts `bytes` of `from`'s buffer at the same offset of `to`'s, waits, returns the completion's
 * status.
 */
enum tern_status rig_put(struct rig_end *from, const struct rig_end *to, uint32_t offset,
                         uint32_t bytes);

/* Fills `bytes` at `at` with a pattern of `seed`; checks that they still have it. */
void rig_fill(uint8_t *at, size_t bytes, unsigned seed);
bool rig_holds(const uint8_t *at, size_t bytes, unsigned seed);

/* ---- TAP */
/* Prints a test line; records failures. */
void tap(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a comment line with evidence for requirement `id`. */
void tap_evidence(const char *id, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a comment line. */
void tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the plan; returns the program's exit status. */
int tap_end(void);

#endif
