/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups: the NIC that has a structure walks through it, and what it finds comes here, in one round trip however
 * many links lead there; its host takes no part.
 *
 * A chase follows links from node to node: a list, or a tree by key.  A lookup in a table finds the record of a key.  What is
 * looked at is registered with TERN_RIGHT_REMOTE_READ, and consists of nodes: TERN_NODE_BYTES at a multiple of that,
 * alone or at the head of something longer.  Where the answer goes is registered here with TERN_RIGHT_REMOTE_WRITE.
 *
 * What is whole: 8 aligned bytes, nothing larger.  A node is read when the walk comes to it, and what is found is read
 * once more.  So who changes a structure while others walk through it writes what is new before the link that leads there, and
 * another generation into what is no more after the last link to it is gone.  Records carry a checksum besides.
 *
 * Order: as with reads (tern/read.h).
 *
 * Errors, threads, ownership, units: as tern.h says.  `flags`, and the room that is needed, are as with tern_put();
 * TERN_DFLAG_OFFSET is for chases, as said below, TERN_DFLAG_UNACKED means nothing here.
 */
#ifndef TERN_TABLE_H
#define TERN_TABLE_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- links and nodes ------------------------------------------------------------------------ */

/*
 * A link: where a node stands, and the generation that it has then, 0: any.  Addresses are those of the region's owner, or,
 * in a chase with TERN_DFLAG_OFFSET, count from the start of the region; less than 2^48.  A link whose low 32
 * bits are 0 leads nowhere, so nodes do not stand at multiples of 4 GiB.
 */
uint64_t tern_link(uint64_t addr, uint16_t generation);
uint64_t tern_link_addr(uint64_t link);
uint16_t tern_link_generation(uint64_t link);

/* Where a link leads that was found in the region that `near` leads to: for who reads from afar. */
struct tern_rptr tern_link_follow(struct tern_rptr near, uint64_t link);

/* Makes a node without links of the memory at `node`, before any link leads there; word 6, and 7 below the generation, stay. */
void tern_linked_init(void *node, uint64_t key, uint16_t generation);

/*
 * The link by which a list goes on, or a tree to lesser keys; the one to greater keys; another generation: in one store each,
 * behind all that this thread has written before.
 */
void tern_linked_set_less(void *node, uint64_t link);
void tern_linked_set_more(void *node, uint64_t link);
void tern_linked_set_generation(void *node, uint16_t generation);

/* The first of these links; 0: there is none. */
uint64_t tern_linked_less(const void *node);

/* What to look for, and how. */
struct tern_chase {
    uint64_t key;        /* that is wanted, not 0 */
    uint16_t generation; /* of the first node, 0: any */
    uint8_t nodes;       /* to be looked at, at most: 1 or more */
    bool tree;           /* go by less or more; else a list, always by less */
};

/*
 * Looks for a key from the node at `from` on; `bytes` from the node on that has it go to `to`, which lies in `region`: 1 to
 * max_payload of tern_query().  All of them must stand in the region there.  Returns AGAIN like tern_put(); BAD_ARGUMENT
 * without a region, for the key 0, no nodes, or an address of 2^48 and more; BAD_ALIGN, BAD_LENGTH.  Completes as TERN_OP_LOOKUP, with
 * `length` the bytes that came: OK; NOT_FOUND when links end; TOO_FAR when so many nodes were looked at, or links go in a
 * circle; STALE_POINTER when a node is of another generation than its link; BAD_LINK for a link that leads out of the region or
 * beside a node; of the first node BAD_KEY, BAD_RIGHTS, BAD_RANGE, BAD_ALIGN; else as tern_read().
 */
int tern_chase(struct tern_sq *sq, struct tern_rptr from, const struct tern_chase *chase,
               const struct tern_region *region, void *to, uint32_t bytes, unsigned flags, uint64_t context);

/* ---- tables: who has one -------------------------------------------------------------------- */

/*
 * A hash table in one piece of memory: 2^log2_buckets buckets, behind them records.  Nothing is used twice: what was taken
 * out leaves its nodes unused.  One thread at a time changes a table; any number of nodes may look something up meanwhile.
 */
struct tern_table {
    uint8_t *memory;
    uint32_t nodes, used;  /* of TERN_NODE_BYTES */
    uint32_t reach;        /* nodes that a lookup brings at most */
    uint16_t generation;   /* of the next record */
    uint8_t log2_buckets;
};

/*
 * An empty table in `bytes` at `memory`, a multiple of TERN_NODE_BYTES; the caller registers all of it as one region, at
 * this address.  `room` is what lookups in it ask for at most, say max_payload of tern_query(): so much is left free behind
 * the last record.  BAD_ALIGN, NO_MEMORY when not even the buckets fit.
 */
int tern_table_init(struct tern_table *table, void *memory, size_t bytes, unsigned log2_buckets, uint32_t room);

/*
 * Puts a value in, in the place of the one that the key has, if it has one.  NO_MEMORY: the table is full; BAD_LENGTH: more
 * than 65535 bytes of key, or 2^32-2 of value, or no key; QUEUE_BUSY: another key has the same hash, of 64 bits, and no
 * table has both.
 */
int tern_table_set(struct tern_table *table, const void *key, size_t key_bytes, const void *value, size_t value_bytes);

/* Takes a key out.  NOT_FOUND. */
int tern_table_remove(struct tern_table *table, const void *key, size_t key_bytes);

/* FNV-1a of 64 bits, its bits then mixed as the finalizer of MurmurHash3 does; 1 where that is 0. */
uint64_t tern_table_hash(const void *key, size_t bytes);

/* ---- tables: who looks something up --------------------------------------------------------- */

/* A table of another node. */
struct tern_table_pointer {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of its owner */
    uint8_t log2_buckets;
};

/* Where a record stood when it was last seen; all zero: nobody knows. */
struct tern_table_seen {
    uint32_t place; /* in TERN_NODE_BYTES, from the start of the table */
    uint16_t generation;
};

/* The bucket of a hash. */
struct tern_rptr tern_table_bucket(const struct tern_table_pointer *table, uint64_t hash);

struct tern_table_lookup {
    struct tern_table_pointer table;
    uint64_t hash;                    /* of the key */
    struct tern_table_seen seen;            /* if known, the record is looked for there, and nowhere else */
    const struct tern_region *region; /* around `to` */
    void *to;
    uint32_t room;                    /* bytes to bring, no more than the owner has said */
    uint8_t nodes;                    /* bucket and records to be looked at, at most; 0: as many as can be */
};

/*
 * Has the record of a hash brought to `lookup->to`: `room` bytes, of which those behind the record are whatever stands there.
 * tern_table_record_read() tells what came.  A chase, and returns and completes like one.  STALE_POINTER: the record is no more where it
 * was seen, or, without `seen`, one on the way was replaced meanwhile.  Whoever gets that asks again without `seen`.
 */
int tern_table_lookup(struct tern_sq *sq, const struct tern_table_lookup *lookup, unsigned flags, uint64_t context);

/* A record, as it stands in memory. */
struct tern_table_record {
    const uint8_t *value;
    uint32_t value_bytes; /* of the whole */
    bool whole;           /* all of it is there, and its checksum was good */
    struct tern_table_seen at;  /* for the next lookup; all zero when the record was just taken out */
};

/*
 * Takes the record apart of which `bytes` came to `from`.  NOT_FOUND: it is that of another key, or says that the key was
 * taken out (tern/table_shared.h); BAD_LINK: its checksum is
 * wrong, so it is no record; BAD_LENGTH: not even all of its key came.
 */
int tern_table_record_read(const void *from, size_t bytes, const void *key, size_t key_bytes, struct tern_table_record *record);

#ifdef __cplusplus
}
#endif

#endif
