/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile process on a NIC, and those beside it.
 *
 * On a ring of three, each node has a bystander and the watcher of tests/system/chaos, and a
 * victim, which has one of everything that a NIC gives away and goes on using it.  The hostile
 * process is a function of one of the NICs.  It knows all that its victims have, as if it had read
 * their memory, and lets its NIC have whatever bytes it likes: raw descriptors, commands,
 * doorbells, register accesses.
 *
 * Memory of a victim, and of the hostile process, is one piece that the NIC can reach, and of which
 * parts are registered, beginning and ending inside pages.  The rest is a pattern that has to stay.
 */
#ifndef TERN_HOSTILE_H
#define TERN_HOSTILE_H

#include "chaos.h"
#include "internal.h"

/* A registered part of memory. */
struct part {
    uint32_t at, bytes;
};

enum { MEMORY_BYTES = 32768 };

static const struct part target_part = {4096 + 72, 3000}; /* others write and change words there */
/* its owner's NIC reads it, and nobody else */
static const struct part source_part = {12288 + 40, 1600};
static const struct part values_part = {16384 + 24, 64};   /* values of check-ins */
/* others may write there, and have been told so */
static const struct part given_part = {28672 + 56, 2048};
static const struct part room_part = {20480 + 64, 4096};   /* an arena */

/* Every part's rights, so that what follows from them can be said. */
enum { TARGET_RIGHTS = TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC };

/* The numbers of a victim's objects, which the hostile process may use. */
struct facts {
    uint64_t memory; /* in its own address space */
    struct tern_rptr target, source, given, values, room;
    uint32_t released_key; /* of a region that it had, where its target is */
    uint32_t pass, group;
    uint16_t node, sq, cq, rq, fifo, counter, area, epoch, arena;
};

struct scene {
    struct facts facts[NODES];
    uint32_t bystander_keys[NODES];
    _Atomic uint32_t laps[NODES]; /* of the victims */
    _Atomic uint32_t ended[STATUSES]; /* what random descriptors and commands came to */
    _Atomic bool wrong;           /* some victim has noticed something, and said so */
    struct board board;           /* of the bystanders */
};

/* ---- memory with parts ---- */

struct memory {
    uint8_t *bytes;
    unsigned seed;
    struct tern_region *whole; /* so that the NIC can reach all of it; allows nothing */
};

/* Makes it, all pattern, and lets the NIC reach it; 0 or a status. */
int memory_make(struct memory *memory, struct tern_device *device, unsigned seed);
int memory_register(struct memory *memory, struct tern_device *device, struct part part,
                    unsigned rights, struct tern_region **region);
/* Tells whether all bytes outside `parts` are unchanged. */
bool memory_holds(const struct memory *memory, const struct part *parts, unsigned count);

/* ---- the victims ---- */

/* `node`: of NODES, and its number in the ring. */
struct seat {
    const struct rig *rig;
    struct scene *scene;
    unsigned node;
};

struct holder {
    const struct seat *me;
    struct tern_device *device;
    struct tern_cq *cq, *told; /* `told`: of what must not happen */
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *target, *source, *given, *values, *room;
    struct memory memory;
    struct facts *facts;
    struct verdict verdict;
    uint64_t lap;
};

/* Takes all that it will have, and writes down the facts. */
void holder_begin(struct holder *holder, const struct seat *seat, struct tern_device *device);
/* Puts and adds at the next one's; both end well. */
void holder_lap(struct holder *holder);
/* Looks whether all is as it should be, and uses it all; see the verdict. */
void holder_judge(struct holder *holder);

/*
 * Words to a victim as a process, which it repeats when it has done so: put and add at the next
 * victim's from here on; stop that; look whether all is as it should be, and use it all once more
 * (a struct verdict instead of the word); leave.
 */
enum { VICTIM_WORK = 'w', VICTIM_REST = 'r', VICTIM_JUDGE = 'j', VICTIM_LEAVE = 'l' };

/* Says VICTIM_REST first, when its facts are there. */
void victim(const void *arg, int in, int out);

/* ---- the hostile process ---- */

struct attacker {
    const struct rig *rig;
    struct scene *scene;
    unsigned node;
    uint64_t seed;
    unsigned round, acts;
};

/* The outcome of one thing that the hostile process tried; the last one has no name. */
struct tried {
    char name[96];
    bool good;
    char why[96];
};

/* Tries the table of forged things, each followed by a good put of its own. */
void forger(const void *attacker, int in, int out);

/* Does `acts` things that follow from seed and round, and ends in one of several ways. */
void rioter(const void *attacker, int in, int out);

/* The objects that forger and rioter both set up first. */
struct lair {
    const struct attacker *attacker;
    const struct facts *near, *far; /* a victim on the same NIC, one on the next */
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *open, *closed; /* all rights; may be read alone */
    struct memory memory;
};

static const struct part open_part = {8192 + 136, 8000};
static const struct part closed_part = {20480 + 48, 2000};

/* Ends the process when it fails. */
void lair_open(struct lair *lair, const struct attacker *attacker);

/* Its own memory, where it may not be written. */
bool lair_holds(const struct lair *lair);

#endif
