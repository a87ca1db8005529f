/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of nodes, and the broadcast put: one descriptor writes the same bytes into the memory of
 * every member of a group; the NICs in between copy the packets on.
 *
 * A node becomes a member by registering memory under the key of the group, at any address:
 * a broadcast names bytes by their offset.  A node that lies in the box of a group and has no
 * such memory passes packets on and stores nothing.
 *
 * Errors, ownership, units: as tern.h says.  Threads: a group belongs to the thread of its
 * completion queue; functions that take a device only may be called from any thread.
 */
#ifndef TERN_GROUP_H
#define TERN_GROUP_H

#include "tern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- boxes ---------------------------------------------------------------------------------- */

/*
 * All nodes between two corners, both included: in each dimension those met going up from `low` to
 * `high`.  In a torus that may lead over the end of the ring; in a mesh low is at most high.
 */
struct tern_box {
    uint16_t low, high; /* as tern_node() */
};

/* Longest text of a box with its end, "31.31.31-31.31.31". */
#define TERN_BOX_TEXT 24

/* Writes "x.y.z-x.y.z" to `text`, which has room for TERN_BOX_TEXT; returns `text`. */
char *tern_box_format(struct tern_box box, char *text);

/*
 * Reads "LOW-HIGH", or one node; `end`, if not NULL, gets the first character not used.  0 or
 * BAD_ARGUMENT.
 */
int tern_box_parse(const char *text, struct tern_box *box, const char **end);

/* All nodes of a torus or mesh of `dims` (tern_info). */
struct tern_box tern_box_all(uint16_t dims);

/* Is `node` in the box?  Both lie in a torus or mesh of `dims`. */
bool tern_box_holds(struct tern_box box, uint16_t dims, uint16_t node);

/* Nodes of a box. */
uint32_t tern_box_nodes(struct tern_box box, uint16_t dims);

/* ---- a member's side ------------------------------------------------------------------------ */

/*
 * A key that all members of a group agree on.  `index` is a place in the region table of every one
 * of their NICs, 1 to regions - 2; high ones are the better choice, as keys that the NIC chooses
 * take low ones.  A group takes this place and the next.  `tag` may be anything.
 */
uint32_t tern_group_key(uint16_t index, uint16_t tag);

/*
 * A node becomes a member by tern_register_with() with `member` and that key: the memory may be
 * written by broadcasts of the group, and counts down `counter` if it is `counted`.
 * TERN_RIGHT_REMOTE_WRITE is implied.  Beside that memory the library registers as much address
 * space of its own under the next key, which is where tern_group_open() asks for members: nothing
 * but broadcasts writes to the memory.  tern_release() ends the membership.
 *
 * tern_counter_watch() (tern/counter.h) with the counter of that memory is the call back of a
 * member: everything has arrived.  Set it before the first byte can come, and anew for the next
 * message.
 */

/* ---- the origin's side ---------------------------------------------------------------------- */

struct tern_group;

/* A member as seen by the origin when it last looked. */
struct tern_member {
    uint16_t node;
    /*
     * OK; DEAD_MEMBER, it does not answer; NO_BASE, it has no memory for the group; BAD_RANGE, it
     * has too little; or why else it refused.
     */
    enum tern_status status;
};

/*
 * Makes a group of all nodes of `box` but this one, whose memory for it has the key `key` and at
 * least `bytes` bytes.  Nothing is sent.  BAD_BOX when the box leaves the torus or does not hold
 * this node.  A dimension in which the box goes all round the ring is turned so that both
 * directions carry equally.
 *
 * Its broadcasts go through send queues that report to `cq`, which the group keeps in use.
 */
int tern_group_create(struct tern_cq *cq, struct tern_box box, uint32_t key, uint64_t bytes,
                      struct tern_group **group);

/*
 * The same of `count` nodes, with the smallest box around them and this one.  This node may be
 * among them.  BAD_NODE when one lies outside the torus, DUP_MEMBER when one is named twice.
 */
int tern_group_create_list(struct tern_cq *cq, const uint16_t *members, unsigned count,
                           uint32_t key, uint64_t bytes, struct tern_group **group);

/*
 * QUEUE_BUSY while it looks for the reason of a failure: poll.  A broadcast still out then ends
 * without a member named.
 */
int tern_group_destroy(struct tern_group *group);

/*
 * Asks every member whether it is there, many at a time, and waits for the answers.  Needed before
 * the first broadcast, and after a failed one.  0, or what is wrong with the first member that is
 * not ready, as in tern_member; `node`, if not NULL, gets that member.  AGAIN while it looks for
 * the reason of a failure.
 */
int tern_group_open(struct tern_group *group, uint16_t *node);

/* Returns the key of the members' memory. */
uint32_t tern_group_region_key(const struct tern_group *group);

/* The box, turned. */
struct tern_box tern_group_box(const struct tern_group *group);

/*
 * Writes up to `max` members, in order; returns how many there are.  `members` may be NULL with 0.
 */
unsigned tern_group_members(const struct tern_group *group, struct tern_member *members,
                            unsigned max);

/*
 * Posts a broadcast of `bytes` (1 to put_bytes_max) at `from_offset` of `region`, to `to_offset` of
 * the memory of every member.  With TERN_DFLAG_SELF the memory that this node has for the group
 * takes a copy too.  Returns AGAIN as tern_put(), BAD_RANGE when the group has not so many bytes,
 * and what tern_group_open() found as long as the group is not open.  The bytes must not change
 * until the operation has ended.
 *
 * Its completion means delivered to every member, or, with TERN_DFLAG_UNACKED, sent.  When a member
 * did not take it, the library first asks who, and the completion comes after that: its node is the
 * first member that is not ready, its status that member's (tern_group_members() has all), and the
 * group is no longer open.  When everybody answers by then, the completion is as the NIC gave it.
 * PACKET_LOST: all members are there, but a link on the way fell for a moment and part of it did
 * not come everywhere; it may be sent again.
 */
int tern_bcast(struct tern_sq *sq, struct tern_group *group, const struct tern_region *region,
               uint64_t from_offset, uint32_t bytes, uint64_t to_offset, unsigned flags,
               uint64_t context);

/* Up to 32 bytes from anywhere: they are copied at once. */
int tern_bcast_inline(struct tern_sq *sq, struct tern_group *group, const void *from,
                      uint32_t bytes, uint64_t to_offset, unsigned flags, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
