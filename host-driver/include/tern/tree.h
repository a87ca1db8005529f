/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree network: the NICs of a group combine 4 or 8 bytes of each member, or up to 8 KiB of its
 * memory, or none for a barrier, while no host takes part. Team operations (tern/collective.h) use
 * it by themselves; this is the interface below them.
 *
 * The same links carry puts from any rank to any other (tern_tree_put()).
 *
 * The NICs with a tree network report it in `features` of tern_query(): the bit of the feature
 * COMBINE (docs/abi.md). The rank of a node in the tree is its number in the torus, x counting
 * fastest; the nodes 2r + 1 and 2r + 2 are the children of node r.
 *
 * A group has a number below TERN_TREE_GROUPS, and must be set up on all its nodes before any of
 * them contributes, with the same number and epoch, by one function on each. Members post the same
 * operations in the same order; several may be under way. A group fails as a whole: the operations
 * under way and all later ones end with a status, `value` the rank concerned and `node` its node:
 *   TIMEOUT    it, or all nodes below it, did not contribute within the limit
 *   LINK_DOWN  its NIC, or a link to it, is down
 *   DIFFERS    its contribution has another operation, type, length or number
 *   NO_GROUP   its NIC has no such group in this epoch, for example because it was restarted
 *   DAMAGED    its contribution was damaged in a NIC
 * Members may see different operations fail first: a failure may overtake a result on its way to
 * some of them. Then set the group up anew, in another epoch.
 *
 * Errors, threads, ownership, units: as tern.h says. `flags`, and the room that is needed, are as
 * with tern_put(). Functions copy what they are given.
 */
#ifndef TERN_TREE_H
#define TERN_TREE_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_tree_group {
    uint8_t group, epoch;  /* a new epoch for each set-up; 8 bits, may begin anew */
    bool child[2];         /* members are at child 0 or below it; child 1 */
    bool self;             /* this node is a member */
    bool root;             /* no node above this one is in the group */
    uint32_t limit;        /* cycles that some members may wait for others; 0: some 10^10 */
};

/* Returns the rank of `node` in a torus or mesh of `dims` (tern_info). */
unsigned tern_tree_rank(uint16_t node, uint16_t dims);

/* Returns the node with that rank; the rank is below the number of nodes. */
uint16_t tern_tree_node(unsigned rank, uint16_t dims);

/*
 * Describes the place of `node` in the group of all nodes; the limit grows by two ticks of
 * TERN_TREE_TICK with each level above the leaves, so that the node next to a missing one notices
 * first.
 */
void tern_tree_all(uint16_t node, uint16_t dims, uint32_t limit, struct tern_tree_group *group);

/*
 * The same for the group of the `count` nodes of a list. Returns false if `node` has no place in
 * it. A node that is no member but lies between members has one, without `self`: it only forwards,
 * and is set up by its own host like the members, or by a member: tern_tree_forward().
 */
bool tern_tree_place(uint16_t node, uint16_t dims, const uint16_t *nodes, unsigned count,
                     uint32_t limit, struct tern_tree_group *group);

/*
 * Sets up a group on this NIC, one that has failed or was given back, or was never set up.
 * Completes as TERN_OP_TREE_SET: NO_TREE, the NIC has no such group; QUEUE_BUSY, it is in use, or
 * operations of it have not ended; UNSUPPORTED, the firmware has no such
 * operation.
 */
int tern_tree_set(struct tern_sq *sq, const struct tern_tree_group *group, unsigned flags,
                  uint64_t context);

/*
 * Gives the group back: it fails with NO_GROUP on all its nodes. Call it when the others have heard
 * of the end of their operations, too. Completes as tern_tree_set(); QUEUE_BUSY: it is another
 * function's.
 */
int tern_tree_leave(struct tern_sq *sq, uint8_t group, unsigned flags, uint64_t context);

/*
 * Sets up a group on another NIC, whose node only forwards (`self` is false): its firmware does it,
 * and its host takes no part. First set up the group on this NIC, which the other one serves: as
 * soon as the group has failed or was given back here, others can have it there. A group that fails
 * or is given back anywhere ends there, too, so it needs no call of its own. Completes as
 * TERN_OP_TREE_FORWARD: NO_GROUP, this NIC has no such group in this epoch; QUEUE_BUSY, it is in
 * use there; RNR, it may be, and the node that it
 * serves has not answered; NO_TREE; BAD_OPCODE, that NIC's firmware has no such operation;
 * BAD_NODE; and as a message does.
 */
int tern_tree_forward(struct tern_sq *sq, uint16_t node, const struct tern_tree_group *group,
                      unsigned flags, uint64_t context);

struct tern_tree_part {
    uint8_t group, epoch;
    uint8_t number;     /* of the operation; the same for all members, else free */
    uint8_t op;         /* TERN_TREE_SUM to TERN_TREE_XOR */
    bool wide;          /* one word of 64 bits, else one or two of 32 */
    bool is_signed;     /* words of TERN_TREE_MIN and TERN_TREE_MAX */
    uint8_t bytes;      /* 8; 4 if not wide; 0: a barrier */
};

/*
 * Contributes `bytes` at `from` (NULL for a barrier). Completes as TERN_OP_COMBINE when all members
 * have contributed, with the combination in `value`, little-endian as contributed. Fails as said
 * above, or with NO_TREE; NO_GROUP with this node; BAD_LENGTH; BAD_TYPE: no such operation.
 */
int tern_tree_combine(struct tern_sq *sq, const struct tern_tree_part *part, const void *from,
                      unsigned flags, uint64_t context);

/*
 * The same for `bytes` (a multiple of the word, 1 to TERN_TREE_LONG_BYTES) of memory: contributes
 * those at `from`, which lies in `region`, and puts the combination to `to`, memory of this node
 * that packets may write. `part->bytes` means nothing, and `value` is 0 when it ends well. A group
 * takes two of these at a time if they are of one queue and equal in `part` and `bytes`, else one,
 * and none beside other contributions; those after it wait. The memory at `to` holds anything after
 * a failure. Also fails as a put does, with BAD_KEY for example: then the other members end with
 * TIMEOUT, or well.
 */
int tern_tree_combine_long(struct tern_sq *sq, const struct tern_tree_part *part,
                           struct tern_rptr to, const struct tern_region *region,
                           const void *from, uint32_t bytes, unsigned flags, uint64_t context);

/*
 * Puts `bytes` at `from` to `to`, memory of the node with rank `rank`, as tern_put() does, but over
 * the links of the tree: up to the rank that is above both, and down. No group is needed. With
 * `region` NULL the call copies the bytes, 32 at most. The answers come over the torus. Such puts
 * and those over the torus overtake each other; TERN_DFLAG_FENCE orders them.
 *
 * Returns as tern_put(); BAD_RANK: no node has this rank; BAD_NODE: `to` is another node's memory;
 * BAD_LENGTH. Completes as TERN_OP_TREE_PUT. If it fails, `node` is the target, `value` its rank:
 *   TIMEOUT    no packet was answered for op_timeout cycles (tern_query()): its NIC is down, or a
 *              link on the way, of the tree or, for the answers, of the torus
 *   NO_TREE    this NIC has no tree network; `value` is 0
 * and as a put does, with BAD_KEY for example.
 *
 * To wait for it: tern_once_begin() and tern_once_end() (tern/work.h).
 */
int tern_tree_put(struct tern_sq *sq, unsigned rank, struct tern_rptr to,
                  const struct tern_region *region, const void *from, uint32_t bytes,
                  unsigned flags, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
