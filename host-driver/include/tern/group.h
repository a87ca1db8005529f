/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of nodes, and the broadcast put: one descriptor writes the same bytes into the memory of
 * every member of a group. The NICs on the way replicate its packets.
 *
 * A node becomes a member by registering memory under the key of the group, at any address: a
 * broadcast names bytes by their offset. A node in the box of the group without such memory
 * forwards the packets and stores nothing.
 *
 * Errors, ownership, units: as tern.h says. Threads: a group belongs to the thread of its
 * completion queue; functions that take only a device may be called from any thread.
 */
#ifndef TERN_GROUP_H
#define TERN_GROUP_H

#include "tern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- boxes ---------------------------------------------------------------------------------- */

/*
 * All nodes between two corners, both included: in each dimension the nodes from `low` up to
 * `high`. In a torus the range may wrap around the ring; in a mesh low is at most high.
 */
struct tern_box {
    uint16_t low, high; /* packed as by tern_node() */
};

/* Longest text of a box, with its NUL: "31.31.31-31.31.31". */
#define TERN_BOX_TEXT 24

/* Writes "x.y.z-x.y.z" to `text`, which has TERN_BOX_TEXT bytes; returns `text`. */
char *tern_box_format(struct tern_box box, char *text);

/*
 * Parses "LOW-HIGH", or one node; sets `*end`, unless NULL, to the first character after it. 0 or
 * BAD_ARGUMENT.
 */
int tern_box_parse(const char *text, struct tern_box *box, const char **end);

/* All nodes of a torus or mesh of `dims` (tern_info). */
struct tern_box tern_box_all(uint16_t dims);

/* Returns whether the box holds `node`; both lie in a torus or mesh of `dims`. */
bool tern_box_holds(struct tern_box box, uint16_t dims, uint16_t node);

/* Counts the nodes of a box. */
uint32_t tern_box_nodes(struct tern_box box, uint16_t dims);

/* ---- member side ------------------------------------------------------------------------ */

/*
 * Makes a key that all members of a group agree on. `index` is an entry of the region table of each
 * of their NICs, 1 to regions - 2. Prefer high ones, since a NIC allocates keys from the low end. A
 * group takes this entry and the next. `tag` may be anything.
 */
uint32_t tern_group_key(uint16_t index, uint16_t tag);

/*
 * A node becomes a member by tern_register_with() with `member` and that key. Broadcasts of the
 * group may then write to the memory; if `counted` they count down `counter`.
 * TERN_RIGHT_REMOTE_WRITE is implied. The library also registers an address range of the same
 * length under the next key, which tern_group_open() uses to ask for members; so only broadcasts
 * write to the memory itself. tern_release() ends the membership.
 *
 * To learn that everything has arrived, a member calls tern_counter_watch() (tern/counter.h) with
 * the counter of that memory. Call it before the first byte can come, and again before the next
 * message.
 */

/* ---- origin side ---------------------------------------------------------------------- */

struct tern_group;

/* A member as the origin last saw it. */
struct tern_member {
    uint16_t node;
    /*
     * OK; DEAD_MEMBER: no answer; NO_BASE: no memory for the group; BAD_RANGE: too little memory;
     * or another refusal
     */
    enum tern_status status;
};

/*
 * Makes a group of all nodes of `box` except this one, each with at least `bytes` bytes of memory
 * under `key`. Sends nothing. BAD_BOX when the box leaves the torus or does not hold this node. In
 * a dimension that the box covers entirely, the library shifts it so that both directions carry
 * equal load.
 *
 * Its broadcasts use send queues that report to `cq`, which the group keeps in use.
 */
int tern_group_create(struct tern_cq *cq, struct tern_box box, uint32_t key, uint64_t bytes,
                      struct tern_group **group);

/*
 * Makes the same of `count` nodes, with the smallest box around them and this one. This node may be
 * among them. BAD_NODE when one lies outside the torus, DUP_MEMBER when one is named twice.
 */
int tern_group_create_list(struct tern_cq *cq, const uint16_t *members, unsigned count,
                           uint32_t key, uint64_t bytes, struct tern_group **group);

/*
 * Frees the group. QUEUE_BUSY while it diagnoses a failure: poll. A broadcast still in flight then
 * ends without naming a member.
 */
int tern_group_destroy(struct tern_group *group);

/*
 * Asks all members, many at a time, whether they are ready, and waits for the answers. Required
 * before the first broadcast, and after a failed one. Returns 0, or the status (as in tern_member)
 * of the first member that is not ready; `*node`, unless NULL, gets that member. AGAIN while it
 * diagnoses a failure.
 */
int tern_group_open(struct tern_group *group, uint16_t *node);

/* Returns the key of the members' memory. */
uint32_t tern_group_region_key(const struct tern_group *group);

/* Returns the box as shifted by the library. */
struct tern_box tern_group_box(const struct tern_group *group);

/*
 * Writes up to `max` members, in order; returns how many there are.  `members` may be NULL with 0.
 */
unsigned tern_group_members(const struct tern_group *group, struct tern_member *members,
                            unsigned max);

/*
 * Posts a broadcast of `bytes` (1 to put_bytes_max) at `from_offset` of `region` to `to_offset` in
 * the memory of every member. With TERN_DFLAG_SELF it also writes this node's own memory of the
 * group. Returns AGAIN as tern_put(); BAD_RANGE when the memory of the group is shorter; and, while
 * the group is not open, the status that tern_group_open() found. The bytes must not change until
 * the operation has ended.
 *
 * It completes when delivered to every member or, with TERN_DFLAG_UNACKED, when sent. When delivery
 * to a member failed, the library first asks all members, then delivers the completion with node
 * and status of the first member that is not ready (tern_group_members() lists all), and closes the
 * group. When all members answer, the completion stays as the NIC wrote it. PACKET_LOST: all
 * members are there, but a link failed for a moment and some bytes did not reach every member; the
 * program may send it again.
 */
int tern_bcast(struct tern_sq *sq, struct tern_group *group, const struct tern_region *region,
               uint64_t from_offset, uint32_t bytes, uint64_t to_offset, unsigned flags,
               uint64_t context);

/*
 * Calls `ended` of `work` (tern/work.h) from now on for each completion of a broadcast of the
 * group, before the application gets it; `ended` returns whether the application does. NULL: the
 * application gets them all. The work must exist until the group serves another one or is
 * destroyed.
 */
struct tern_work;
void tern_group_serve(struct tern_group *group, struct tern_work *work);

/* Broadcasts up to 32 bytes of any memory, which the call copies. */
int tern_bcast_inline(struct tern_sq *sq, struct tern_group *group, const void *from,
                      uint32_t bytes, uint64_t to_offset, unsigned flags, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
