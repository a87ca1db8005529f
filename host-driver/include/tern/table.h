/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups: the NIC that has a linked structure walks through it and returns what it finds, in one
 * round trip for any number of steps. Its host takes no part.
 *
 * A chase follows list links from linked node to linked node: a list, or a tree by key. A lookup in
 * a table finds the record of a key. The structure is registered with TERN_RIGHT_REMOTE_READ, and
 * consists of linked nodes: of TERN_NODE_BYTES at a multiple of that, alone or at the head of a
 * longer object. The destination here is registered with TERN_RIGHT_REMOTE_WRITE.
 *
 * Atomicity: 8 aligned bytes are read as a whole, nothing larger. The NIC reads a linked node when
 * the walk reaches it, and reads the found bytes again at the end. A program that changes a
 * structure during walks therefore first writes the new part, then the link to it, and changes the
 * generation of the old part after removing the last link to it. Records also carry a checksum.
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

/* ---- links and linked nodes -------------------------------------------------- */

/*
 * Makes a list link from the address of a linked node and its expected generation; 0: any
 * generation. The address is that of the region's owner or, in a chase with TERN_DFLAG_OFFSET,
 * counts from the start of the region; it is less than 2^48. A link whose low 32 bits are 0 is the
 * end of a list, so a linked node must not lie at a multiple of 4 GiB.
 */
uint64_t tern_link(uint64_t addr, uint16_t generation);
uint64_t tern_link_addr(uint64_t link);
uint16_t tern_link_generation(uint64_t link);

/*
 * Converts a link read from the region of `near` to a remote pointer, for programs that walk by
 * reads.
 */
struct tern_rptr tern_link_follow(struct tern_rptr near, uint64_t link);

/*
 * Makes a linked node without links at `node`, before any link leads there; does not change word 6,
 * nor the part of word 7 below the generation.
 */
void tern_linked_init(void *node, uint64_t key, uint16_t generation);

/*
 * Set the next link of a list (in a tree, the link to lesser keys), the link to greater keys, and
 * the generation. Each is one store, ordered after all earlier writes of this thread.
 */
void tern_linked_set_less(void *node, uint64_t link);
void tern_linked_set_more(void *node, uint64_t link);
void tern_linked_set_generation(void *node, uint16_t generation);

/* Returns the first of these links; 0: none. */
uint64_t tern_linked_less(const void *node);

/* The parameters of a chase. */
struct tern_chase {
    uint64_t key;        /* key to find, not 0 */
    uint16_t generation; /* of the first node, 0: any */
    uint8_t nodes;       /* maximum number of nodes to visit, at least 1 */
    bool tree;           /* follow both links, by key; else a list, always the first link */
};

/*
 * Looks for a key, beginning with the linked node at `from`. Copies `bytes` (1 to max_payload of
 * tern_query()) from the node with that key to `to` in `region`; all of them must lie inside the
 * region there. Returns AGAIN as tern_put(); BAD_ARGUMENT without a region, for key 0, for 0 nodes,
 * or for an address of 2^48 or more; BAD_ALIGN, BAD_LENGTH. Completes as TERN_OP_LOOKUP, with
 * `length` the bytes found: OK; NOT_FOUND at the end of the links; TOO_FAR after the allowed number
 * of nodes, or in a circle; STALE_POINTER when a node has another generation than its link;
 * BAD_LINK for a link out of the region or to an unaligned address; for the first node BAD_KEY,
 * BAD_RIGHTS, BAD_RANGE, BAD_ALIGN; else as tern_read().
 */
int tern_chase(struct tern_sq *sq, struct tern_rptr from, const struct tern_chase *chase,
               const struct tern_region *region, void *to, uint32_t bytes, unsigned flags,
               uint64_t context);

/* ---- tables: the owner -------------------------------------------------------------------- */

/* The secret of a hash: without it a process cannot make keys with equal hashes. */
struct tern_table_secret {
    uint64_t key[2]; /* drawn at random */
    uint8_t bits;    /* bits of the hash that are used; 0: all 64; few bits make collisions
                      * frequent, for tests */
};

/*
 * A hash table in one piece of memory: 2^log2_buckets buckets, followed by records. The memory of
 * removed records is not used again. One thread at a time changes a table; any number of nodes may
 * look keys up meanwhile.
 */
struct tern_table {
    uint8_t *memory;
    uint32_t nodes, used;  /* of TERN_NODE_BYTES */
    uint32_t reach;        /* maximum number of nodes that a lookup returns */
    uint16_t generation;   /* of the next record to be written */
    uint8_t log2_buckets;
    /*
     * Secret of the hash. Set it before the first key and send it to the clients that look keys up;
     * all zero: tern_table_hash().
     */
    struct tern_table_secret secret;
};

/*
 * Makes an empty table in `bytes` at `memory`, a multiple of TERN_NODE_BYTES; the caller registers
 * all of it as one region, at this address. `room` is the maximum that lookups ask for, for example
 * max_payload of tern_query(): that many bytes stay free after the last record. BAD_ALIGN,
 * NO_MEMORY when not even the buckets fit.
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

/* Returns the 64-bit FNV-1a hash, mixed by the finalizer of MurmurHash3; 1 instead of 0. */
uint64_t tern_table_hash(const void *key, size_t bytes);

/* Returns the 64-bit SipHash-2-4, or its lowest `secret->bits`; 1 instead of 0. */
uint64_t tern_table_hash_keyed(const struct tern_table_secret *secret, const void *key,
                               size_t bytes);

/* ---- tables: lookups --------------------------------------------------------- */

/* A table of another node. */
struct tern_table_pointer {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of its owner */
    uint8_t log2_buckets;
};

/* The place of a record as a lookup found it; all zero: unknown. */
struct tern_table_seen {
    uint32_t place; /* offset in the table, in TERN_NODE_BYTES */
    uint16_t generation;
};

/* Returns the bucket of a hash. */
struct tern_rptr tern_table_bucket(const struct tern_table_pointer *table, uint64_t hash);

struct tern_table_lookup {
    struct tern_table_pointer table;
    uint64_t hash;                    /* of the key */
    /* if known, the lookup tries this place alone */
    struct tern_table_seen seen;
    const struct tern_region *region; /* contains `to` */
    void *to;
    uint32_t room;                    /* bytes to copy, at most the `room` of tern_table_init() */
    /* maximum number of buckets and records to visit; 0: no limit of its own */
    uint8_t nodes;
    /* 0, or tern_table_record.next: continue after a record of another key with this hash */
    uint64_t next;
};

/*
 * Copies the record of a hash, and the bytes after it up to `room`, to `lookup->to`; parse it with
 * tern_table_record_read(). Returns and completes as tern_chase(). STALE_POINTER: the record is no
 * longer at `seen`, or, without `seen`, a record on the way was replaced meanwhile. Then ask again
 * without `seen`.
 */
int tern_table_lookup(struct tern_sq *sq, const struct tern_table_lookup *lookup, unsigned flags,
                      uint64_t context);

/* A record in memory. */
struct tern_table_record {
    const uint8_t *value;
    uint32_t value_bytes; /* of the whole value */
    bool whole;           /* all of it arrived, and its checksum is right */
    /* for the next lookup; all zero when the record was removed meanwhile */
    struct tern_table_seen at;
    /*
     * After NOT_FOUND because of another key, if the record was found by bucket: the link to the
     * records after it, for tern_table_lookup.next; 0: none.
     */
    uint64_t next;
};

/*
 * Parses a record whose first `bytes` are at `from`. NOT_FOUND: it belongs to another key, which
 * may have the same hash, or marks a removed key (tern/table_shared.h); BAD_LINK: its checksum is
 * wrong, so it is no record; BAD_LENGTH: its key is incomplete.
 */
int tern_table_record_read(const void *from, size_t bytes, const void *key, size_t key_bytes,
                           struct tern_table_record *record);

/*
 * Returns the checksum that a whole record must have; for a program that changes values in place,
 * and then the checksum.
 */
uint32_t tern_table_record_sum(const void *record);

/*
 * Finds a key by one lookup. It takes another lookup for each earlier key with the same hash, and
 * one when the record is no longer where it was seen. The caller fills in the first part; the
 * structure, and all that it points to, must not move until the operation has completed.
 */
struct tern_table_find {
    struct tern_steps steps; /* library */
    struct tern_table_lookup lookup; /* the library sets `next`, and may clear `seen` */
    const void *key;
    size_t key_bytes;

    struct tern_table_record record; /* out: the record, in lookup.to */
    unsigned lookups;                /* out: round trips */

    unsigned tries; /* library */
    enum tern_status answer;
    bool asked;
};

/*
 * Posts it. Returns as tern_table_lookup(), BAD_ARGUMENT without a key. Completes once, as
 * TERN_OP_LOOKUP with `context`: OK, and `record` has the record; NOT_FOUND; STALE_POINTER or
 * BAD_LINK: other clients replaced records during each of many lookups; otherwise as
 * tern_table_lookup().
 */
int tern_table_find(struct tern_sq *sq, struct tern_table_find *find, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
