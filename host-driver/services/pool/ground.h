/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of a pool, in a layout that successive servers share.
 *
 * It is a memfd, mapped at the same address by every server, so links in it are addresses. It
 * begins at a multiple of 4 GiB and is shorter than that, so no object crosses such a multiple.
 *
 *   ground   for the server alone, under no key of a member: the head, and a seat for each member
 *   leases   for each member a page of 64 bytes, which it writes
 *   directory, objects   shared by the members
 */
#ifndef TERN_POOL_GROUND_H
#define TERN_POOL_GROUND_H

#include <tern/pool.h>

enum {
    POOL_LAYOUT = 1,
    POOL_OBJECTS = 63,   /* directory entries; the first entry is the head */
    POOL_ALIGN = 64,     /* alignment of objects */
    POOL_MEMBERS_MAX = 1024,
    POOL_LEASE_MIN = 20,
    POOL_LEASE_MAX = 600000,
    POOL_LEASE = 1000,   /* default, in ms */
};

/*
 * A page that a member writes. Each field or pair is a word of 8 bytes, which changes as a whole.
 */
struct pool_lease {
    uint32_t alive, number;      /* one word: count of renewals; the member's quiescent number */
    uint64_t moved;              /* the adoption whose keys the member uses exclusively */
    uint32_t key, lease_key;     /* one word: its keys since the latest adoption */
    uint64_t adoption;           /* number of that adoption, written after the keys */
    uint64_t rest[4];
};

enum seat_state { SEAT_FREE, SEAT_LIVE, SEAT_DYING };

/* A member, as the server knows it. */
struct pool_seat {
    uint32_t state;
    uint16_t epoch;
    uint16_t rights;
    uint32_t key, lease_key;         /* lease_key: TERN_KEY_NONE for writers */
    uint32_t old_key, old_lease_key; /* keys of the previous server, while its keeper lives */
    uint16_t node, queue;            /* address for answers */
    uint32_t left;                   /* the member asked to leave */
    uint64_t nonce;                  /* of its request to join */
    uint64_t rest[3];
};

struct pool_entry {
    char name[TERN_POOL_NAME];
    uint32_t kind, published;
    uint64_t offset, bytes;
    uint64_t rest;           /* pads an entry to 64 bytes */
};

struct pool_ground {
    uint8_t magic[8];
    uint32_t layout, members, lease_ms;
    uint16_t pool;
    uint8_t life;
    bool keep;
    char name[TERN_POOL_NAME];
    uint64_t address, bytes;                /* of the whole memory */
    uint64_t leases, directory, objects;    /* offsets */
    uint64_t objects_bytes;
    uint64_t used;                          /* bytes of the objects */
    uint64_t secret[2];
    uint64_t adoption;
    uint64_t drain;                         /* the word to which the server adds 0 */
    uint32_t tags;                          /* number of keys made so far */
    uint32_t next_seat;
    struct pool_seat seats[];
};

_Static_assert(sizeof(struct pool_lease) == 64, "a lease page has 64 bytes");
_Static_assert(sizeof(struct pool_seat) == 64, "a seat has 64 bytes");
_Static_assert(sizeof(struct pool_entry) == 64, "an entry of the directory has 64 bytes");

/* Makes the memory and maps it; `*file` is its memfd. */
int pool_ground_make(const struct tern_pool_config *config, struct pool_ground **ground, int *file);

/* Maps the memory of an earlier server at its address. PROTOCOL, NO_MEMORY. */
int pool_ground_map(int file, struct pool_ground **ground);

void pool_ground_unmap(struct pool_ground *ground);

static inline struct pool_lease *pool_lease_of(struct pool_ground *ground, uint32_t seat)
{
    return (struct pool_lease *)(void *)((uint8_t *)ground + ground->leases) + seat;
}

static inline struct pool_entry *pool_directory(struct pool_ground *ground)
{
    return (struct pool_entry *)(void *)((uint8_t *)ground + ground->directory);
}

/* Objects: see tern_pool_make(), tern_pool_publish() and tern_pool_find(). */
int pool_object_make(struct pool_ground *ground, const char *name, uint32_t kind, size_t bytes,
                     struct tern_pool_object *object);
int pool_object_publish(struct pool_ground *ground, const struct tern_pool_object *object);

/* Finds the published entry of that name in a directory, or a copy of one. */
int pool_object_find(const struct pool_entry *directory, const char *name,
                     struct tern_pool_object *object);

/* Returns milliseconds of a monotonic clock. */
int64_t pool_now_ms(void);

/* Tells whether `name` has 1 to 31 bytes. */
bool pool_name_is_good(const char *name);

#endif
