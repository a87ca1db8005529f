/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that are killed while they use a ring of NICs, and bystanders.
 *
 * A run is a sequence of rounds. In each, a sender and a receiver on two nodes work until one of
 * them, or both, are killed. plan_of() chooses victim, time and activity from the seed and the
 * number of the round alone. Meanwhile the bystanders, one on each node, pass a token with data
 * around the ring, and a watcher reads the usage of each NIC. Each is a process of its own.
 */
#ifndef TERN_CHAOS_H
#define TERN_CHAOS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rig.h"

enum { NODES = 3, STATUSES = 256 };

/* The activity during which the victim dies. */
enum moment {
    AT_OPENING, /* attaches and leaves repeatedly */
    AT_REGISTERING, /* makes and frees regions, queues, counters */
    AT_RINGING, /* small operations, many per doorbell; messages */
    AT_MOVING, /* long puts in flight */
    AT_COMPLETED, /* completions wait unpolled */
    MOMENTS
};

enum victim { KILL_SENDER, KILL_RECEIVER, KILL_BOTH, VICTIMS };

struct plan {
    uint64_t random; /* seed of the actors */
    unsigned round;
    unsigned from, to; /* nodes */
    enum victim victim;
    enum moment moment;
    bool receiver_counts; /* the receiver's points lead to the kill; otherwise the sender's */
    uint32_t points, delay_us; /* the kill comes so long after so many points */
    bool sender_by_message, receiver_by_message; /* the NIC accesses memory by messages */
};

struct plan plan_of(uint64_t seed, unsigned round);
const char *moment_name(enum moment moment);
const char *victim_name(enum victim victim);

/* Returns the next random number of a sequence. */
uint64_t random_next(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t bound);

/* ---- processes ---- */

struct child {
    pid_t pid;
    int to, from; /* pipes */
};

typedef void child_fn(const void *arg, int in, int out);

/* Runs `run` in a process of its own, which dies with this one. */
struct child child_start(child_fn *run, const void *arg);
void child_kill(struct child *child);
/* Waits for the child's end; returns whether it exited without an error. */
bool child_end(struct child *child);
bool get(int fd, void *data, size_t bytes);
bool give(int fd, const void *data, size_t bytes);
bool give_word(const struct child *child, char word);
/*
 * Ends this process with a message that names `what`, unless `got` equals `want`. The parent
 * notices that the process sends no more answers.
 */
void gives(int got, int want, const char *what);
/* Returns the next completion of `cq`; ends this process when none has come after `wait_ms`. */
struct tern_completion next_completion(struct tern_cq *cq, int wait_ms);

/* ---- actors ---- */

/* The target of puts and messages. */
struct target {
    struct tern_rptr pointer;
    uint16_t node, queue;
};

/* The report that a surviving actor sends at its end. */
struct verdict {
    uint32_t posted, good, failed; /* operations */
    uint32_t received;
    uint32_t by_status[STATUSES];
    uint32_t wrong; /* errors found; `why` describes the first */
    char why[96];
};

struct actor {
    const struct rig *rig;
    struct plan plan;
};

/*
 * Commands to an actor: the other one is dead; the NIC has freed all objects of the dead one; quit.
 */
enum { SAY_DEAD = 'd', SAY_SETTLED = 's', SAY_QUIT = 'q' };
/* Answer of an actor: it has reached a point that the plan counts. */
enum { SAID_POINT = 'p' };

/* Sends its target, then receives puts and messages; a survivor ends with a verdict. */
void receiver(const void *actor, int in, int out);
/* Reads a target, then puts and sends there; a survivor ends with a verdict. */
void sender(const void *actor, int in, int out);

/* ---- bystanders ---- */

/* Shared memory of all processes. */
struct board {
    _Atomic uint32_t laps[NODES], wrong[NODES];
    _Atomic bool stopping, parked; /* stopping: the holder keeps the token; parked: it has
                                    * stopped */
};

struct bystander {
    const struct rig *rig;
    struct board *board;
    unsigned node;
};

/* Sends its target, reads the next bystander's, and passes the token on until it gets SAY_QUIT. */
void bystander(const void *arg, int in, int out);

/* ---- the watcher ---- */

enum { USED_REGIONS, USED_QUEUES, USED_COUNTERS, USED_OPERATIONS, USED_ROWS };

struct usage {
    uint64_t used[NODES][USED_ROWS];
};

/*
 * Commands to the watcher: record the present usage as the expected one; wait until the usage of
 * the node in the next byte is as expected ('y'), or give up ('n', then struct usage); count the
 * free entries of the region table and answer whether the count is right ('y', 'n').
 */
enum { WATCH_BEGIN = 'b', WATCH_NODE = 'w', WATCH_FILL = 'f', WATCH_QUIT = 'q' };

void watcher(const void *rig, int in, int out);

/* ---- all bystanders and the watcher ---- */

struct others {
    struct board *board; /* shared() */
    struct child watcher, bystanders[NODES];
    struct target target[NODES]; /* of the bystanders */
};

/* Returns zeroed memory that this process shares with its children, or NULL. */
void *shared(size_t bytes);

/*
 * Starts the watcher first, so that it gets function 0 of each node; then a bystander on each node;
 * then the token.
 */
bool others_start(struct others *others, const struct rig *rig);

/*
 * Asks the watcher about `node` or all nodes; if the answer is no, prints the usage.
 */
bool others_ask(struct others *others, char word, unsigned node);
bool others_ask_all(struct others *others, char word);

/* Tells whether no bystander has noticed a fault. */
bool others_undisturbed(const struct others *others);

/* Waits until the token has gone once around the ring; all earlier packets have then arrived. */
bool others_await_lap(const struct others *others);

/* Ends the bystanders, but not the watcher; returns whether none had seen a fault. */
bool others_end(struct others *others);

#endif
