/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups: the NIC that has a structure walks through it and returns what it finds, in one round
 * trip for any number of steps; its host takes no part.
 *
 * A chase follows list links from linked node to linked node: a list, or a tree by key. A lookup in
 * a table finds the record of a key. The structure is registered with TERN_RIGHT_REMOTE_READ, and
 * consists of linked nodes: TERN_NODE_BYTES at a multiple of that, alone or at the head of
 * something longer. The destination here is registered with TERN_RIGHT_REMOTE_WRITE.
 *
 * Atomicity: 8 aligned bytes are read as a whole, nothing larger. The NIC reads a linked node when
 * the walk reaches it, and the bytes found once more. So a program that changes a structure during
 * walks first writes the new part, then the link that leads there, and gives the old part another
 * generation after its last link is gone. Records also carry a checksum.
 *
 * Order: as with reads (tern/read.h).
 *
 * Errors, threads, ownership, units: as tern.h says. `flags`, and the room that is needed, are as
 * with tern_put(); TERN_DFLAG_OFFSET is for chases, as described below, TERN_DFLAG_UNACKED has no
 * effect.
 */
#ifndef TERN_TABLE_H
#define TERN_TABLE_H

#include <tern/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- links and nodes ------------------------------------------------------------------------ */

/*
 * Makes a list link: address and expected generation of a linked node, 0: any. Addresses are those
 * of the region's owner, or, in a chase with TERN_DFLAG_OFFSET, count from the start of the region;
 * less than 2^48. A link whose low 32 bits are 0 leads nowhere, so a linked node must not be at a
 * multiple of 4 GiB.
 */
uint64_t tern_link(uint64_t addr, uint16_t generation);
uint64_t tern_link_addr(uint64_t link);
uint16_t tern_link_generation(uint64_t link);

/*
 * Converts a link that was found in the region of `near` to a remote pointer, for programs that
 * walk by reads.
 */
struct tern_rptr tern_link_follow(struct tern_rptr near, uint64_t link);

/*
 * Makes a linked node without links of the memory at `node`, before any link leads there; keeps
 * word 6, and 7 below the generation.
 */
void tern_linked_init(void *node, uint64_t key, uint16_t generation);

/*
 * Set the link by which a list goes on, or a tree to lesser keys; the link to greater keys; the
 * generation. Each is one store, ordered after all earlier writes of this thread.
 */
void tern_linked_set_less(void *node, uint64_t link);
void tern_linked_set_more(void *node, uint64_t link);
void tern_linked_set_generation(void *node, uint16_t generation);

/* Returns the first of these links; 0: there is none. */
uint64_t tern_linked_less(const void *node);

/* The parameters of a chase. */
struct tern_chase {
    uint64_t key;        /* that is wanted, not 0 */
    uint16_t generation; /* of the first node, 0: any */
    uint8_t nodes;       /* to be looked at, at most: 1 or more */
    bool tree;           /* go by less or more; else a list, always by less */
};

/*
 * Looks for a key, beginning with the linked node at `from`. `bytes` from the node with that key on
 * go to `to` in `region`: 1 to max_payload of tern_query(), all inside the region there. Returns
 * AGAIN as tern_put(); BAD_ARGUMENT without a region, for the key 0, for no nodes, or for an
 * address of 2^48 and more; BAD_ALIGN, BAD_LENGTH. Completes as TERN_OP_LOOKUP, with `length` the
 * bytes found: OK; NOT_FOUND at the end of the links; TOO_FAR after the allowed number of nodes, or
 * in a circle; STALE_POINTER when a node has another generation than its link; BAD_LINK for a link
 * out of the region or to an unaligned address; of the first node BAD_KEY, BAD_RIGHTS, BAD_RANGE,
 * BAD_ALIGN; else as tern_read().
 */
int tern_chase(struct tern_sq *sq, struct tern_rptr from, const struct tern_chase *chase,
               const struct tern_region *region, void *to, uint32_t bytes, unsigned flags,
               uint64_t context);

/* ---- tables: the owner -------------------------------------------------------------------- */

/* The secret of a hash: a process without it cannot make keys of one hash. */
struct tern_table_secret {
    uint64_t key[2]; /* drawn at random */
    uint8_t bits;    /* of the hash that are used; 0: all 64.  For tests: keys of one hash abound */
};

/*
 * A hash table in one piece of memory: 2^log2_buckets buckets, followed by records. Memory is used
 * once: removed records leave theirs unused. One thread at a time changes a table; any number of
 * nodes may look keys up meanwhile.
 */
struct tern_table {
    uint8_t *memory;
    uint32_t nodes, used;  /* of TERN_NODE_BYTES */
    uint32_t reach;        /* nodes that a lookup brings at most */
    uint16_t generation;   /* of the next record */
    uint8_t log2_buckets;
    /*
     * Of the hash, to be set before the first key and told to those who look keys up; all zero:
     * tern_table_hash().
     */
    struct tern_table_secret secret;
};

/*
 * Makes an empty table in `bytes` at `memory`, a multiple of TERN_NODE_BYTES; the caller registers
 * all of it as one region, at this address. `room` is the most that lookups ask for, for example
 * max_payload of tern_query(): so much stays free after the last record. BAD_ALIGN, NO_MEMORY when
 * not even the buckets fit.
 */
int tern_table_init(struct tern_table *table, void *memory, size_t bytes, unsigned log2_buckets,
                    uint32_t room);

/*
 * Sets the value of a key, replacing an earlier one. NO_MEMORY: the table is full; BAD_LENGTH: more
 * than 65535 bytes of key, or 2^32-2 of value, or no key.
 */
int tern_table_set(struct tern_table *table, const void *key, size_t key_bytes, const void *value,
                   size_t value_bytes);

/* Removes a key. NOT_FOUND. */
int tern_table_remove(struct tern_table *table, const void *key, size_t key_bytes);

/* Returns FNV-1a of 64 bits, mixed by the finalizer of MurmurHash3; 1 where that is 0. */
uint64_t tern_table_hash(const void *key, size_t bytes);

/* Returns SipHash-2-4 of 64 bits, or its lowest `secret->bits`; 1 where that is 0. */
uint64_t tern_table_hash_keyed(const struct tern_table_secret *secret, const void *key,
                               size_t bytes);

/* ---- tables: lookups --------------------------------------------------------- */

/* A table of another node. */
struct tern_table_pointer {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of its owner */
    uint8_t log2_buckets;
};

/* The place of a record at the last lookup; all zero: unknown. */
struct tern_table_seen {
    uint32_t place; /* in TERN_NODE_BYTES, from the start of the table */
    uint16_t generation;
};

/* Returns the bucket of a hash. */
struct tern_rptr tern_table_bucket(const struct tern_table_pointer *table, uint64_t hash);

struct tern_table_lookup {
    struct tern_table_pointer table;
    uint64_t hash;                    /* of the key */
    /* if known, the record is looked for there, and nowhere else */
    struct tern_table_seen seen;
    const struct tern_region *region; /* around `to` */
    void *to;
    uint32_t room;                    /* bytes to bring, no more than the owner has said */
    /* bucket and records to be looked at, at most; 0: as many as can be */
    uint8_t nodes;
    /* tern_table_record.next of a record of another key with this hash: go on there; 0: begin */
    uint64_t next;
};

/*
 * Brings the record of a hash to `lookup->to`: `room` bytes, the record and the bytes after it.
 * Take it apart with tern_table_record_read(). A chase, and returns and completes as one.
 * STALE_POINTER: the record is no longer at `seen`, or, without `seen`, a record on the way was
 * replaced meanwhile. Then ask again without `seen`.
 */
int tern_table_lookup(struct tern_sq *sq, const struct tern_table_lookup *lookup, unsigned flags,
                      uint64_t context);

/* A record in memory. */
struct tern_table_record {
    const uint8_t *value;
    uint32_t value_bytes; /* of the whole */
    bool whole;           /* all of it is there, and its checksum was good */
    /* for the next lookup; all zero when the record was just taken out */
    struct tern_table_seen at;
    /*
     * After NOT_FOUND, when the record is of another key: the link to those after it, for
     * tern_table_lookup.next, if the record was found by bucket; 0: there are none.
     */
    uint64_t next;
};

/*
 * Takes a record apart of which `bytes` came to `from`. NOT_FOUND: it belongs to another key, which
 * may have the same hash, or marks a removed key (tern/table_shared.h); BAD_LINK: its checksum is
 * wrong, so it is no record; BAD_LENGTH: its key did not come entirely.
 */
int tern_table_record_read(const void *from, size_t bytes, const void *key, size_t key_bytes,
                           struct tern_table_record *record);

/*
 * Finds a key: one lookup, and another one for each key with the same hash that is found first, and
 * when the record is no longer where it was seen.  The caller fills in the first part; the
 * structure, and what it points to, stays where it is until the operation has completed.
 */
struct tern_table_find {
    struct tern_steps steps; /* library */
    struct tern_table_lookup lookup; /* `next` is the library's, which also clears `seen` */
    const void *key;
    size_t key_bytes;

    struct tern_table_record record; /* what came of it: in lookup.to */
    unsigned lookups;                /* round trips that it took */

    unsigned tries; /* library */
    enum tern_status answer;
    bool asked;
};

/*
 * Posts it. Returns as tern_table_lookup(), BAD_ARGUMENT without a key. Completes once, as
 * TERN_OP_LOOKUP with `context`: OK, and `record` has the record; NOT_FOUND; STALE_POINTER or
 * BAD_LINK: records were replaced during each of many lookups; otherwise as tern_table_lookup().
 */
int tern_table_find(struct tern_sq *sq, struct tern_table_find *find, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
