/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile process on a NIC, its victims, and bystanders.
 *
 * On a ring of three, each node has a bystander and the watcher of tests/system/chaos, and a
 * victim, which owns one of each kind of NIC object and keeps using them. The hostile process has a
 * function of one of the NICs. It knows all numbers of its victims, as if it had read their memory,
 * and sends its NIC any bytes: raw descriptors, commands, doorbells, register accesses.
 *
 * The memory of a victim, and of the hostile process, is one block that the NIC can access. Parts
 * of it are registered, and begin and end inside pages. The rest has a pattern that must not
 * change.
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
/* only its owner's NIC may read it */
static const struct part source_part = {12288 + 40, 1600};
static const struct part values_part = {16384 + 24, 64};   /* values of check-ins */
/* others may write there, and know its pointer */
static const struct part given_part = {28672 + 56, 2048};
static const struct part room_part = {20480 + 64, 4096};   /* an arena */

/* The rights of each part, which determine the expected status of each access. */
enum { TARGET_RIGHTS = TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC };

/* The numbers of a victim's objects, which the hostile process may use. */
struct facts {
    uint64_t memory; /* in the victim's address space */
    struct tern_rptr target, source, given, values, room;
    uint32_t released_key; /* of a region that it released, at the place of its target */
    uint32_t pass, group;
    uint16_t node, sq, cq, rq, fifo, counter, area, epoch, arena;
};

struct scene {
    struct facts facts[NODES];
    uint32_t bystander_keys[NODES];
    _Atomic uint32_t laps[NODES]; /* of each victim */
    _Atomic uint32_t ended[STATUSES]; /* how many random descriptors and commands ended with each
                                       * status */
    _Atomic bool wrong;           /* a victim has found and reported an error */
    struct board board;           /* for the bystanders */
};

/* ---- memory with parts ---- */

struct memory {
    uint8_t *bytes;
    unsigned seed;
    struct tern_region *whole; /* lets the NIC access all of the memory, with no rights */
};

/* Makes the memory, filled with the pattern, and registers it; 0 or a status. */
int memory_make(struct memory *memory, struct tern_device *device, unsigned seed);
int memory_register(struct memory *memory, struct tern_device *device, struct part part,
                    unsigned rights, struct tern_region **region);
/* Tells whether all bytes outside `parts` are unchanged. */
bool memory_holds(const struct memory *memory, const struct part *parts, unsigned count);

/* ---- the victims ---- */

/* `node`: its index in NODES, and its number in the ring. */
struct seat {
    const struct rig *rig;
    struct scene *scene;
    unsigned node;
};

struct holder {
    const struct seat *me;
    struct tern_device *device;
    struct tern_cq *cq, *told; /* `told`: for completions that must not come */
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *target, *source, *given, *values, *room;
    struct memory memory;
    struct facts *facts;
    struct verdict verdict;
    uint64_t lap;
};

/* Makes all objects of the victim, and writes their numbers to the facts. */
void holder_begin(struct holder *holder, const struct seat *seat, struct tern_device *device);
/* Puts to the next victim and adds there; both must succeed. */
void holder_lap(struct holder *holder);
/* Checks that all objects are as expected, and uses them; the result is in the verdict. */
void holder_judge(struct holder *holder);

/*
 * Commands to a victim's process, which it repeats when done: start to put and add at the next
 * victim; stop; check and use all its objects once more (answered by a struct verdict instead);
 * leave.
 */
enum { VICTIM_WORK = 'w', VICTIM_REST = 'r', VICTIM_JUDGE = 'j', VICTIM_LEAVE = 'l' };

/* Sends VICTIM_REST first, when its facts are written. */
void victim(const void *arg, int in, int out);

/* ---- the hostile process ---- */

struct attacker {
    const struct rig *rig;
    struct scene *scene;
    unsigned node;
    uint64_t seed;
    unsigned round, acts;
};

/* The outcome of one attempt of the hostile process; the last entry has no name. */
struct tried {
    char name[96];
    bool good;
    char why[96];
};

/* Tries each forgery of the table, followed by a valid put of its own. */
void forger(const void *attacker, int in, int out);

/* Makes `acts` random attempts, determined by seed and round, and ends in one of several ways. */
void rioter(const void *attacker, int in, int out);

/* The objects that forger and rioter set up first. */
struct lair {
    const struct attacker *attacker;
    const struct facts *near, *far; /* a victim on the same NIC, and one on the next */
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *open, *closed; /* all rights; the right to be read alone */
    struct memory memory;
};

static const struct part open_part = {8192 + 136, 8000};
static const struct part closed_part = {20480 + 48, 2000};

/* Sets up the objects; ends the process on failure. */
void lair_open(struct lair *lair, const struct attacker *attacker);

/* Tells whether its own memory is unchanged outside the parts that others may write. */
bool lair_holds(const struct lair *lair);

#endif
