/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools: memory of a node that members on many nodes use through their NICs.
 *
 * A server makes a pool: memory, with a directory of named objects in it. Clients on any node join
 * it and become members. Each member has a key of its own for the same memory, so the server can
 * revoke the access of one member alone. A member renews its lease by a put every quarter of the
 * lease. The server's host takes no part in the members' operations on the memory.
 *
 * Death. A member that has sent no put for a whole lease, by the server's clock, is dead, whether
 * it was killed, cut off or paused. In this order, the server releases the member's key, waits for
 * an atomic operation through its own NIC (after which no operation of the dead member can change
 * the memory), frees the objects of the member, and frees its place. A member that was only paused
 * gets BAD_KEY from its operations and LEASE_OVER from its calls; it leaves and joins anew.
 *
 * Grace periods. The server frees objects whose owner is unknown (a slab that was taken and has no
 * owner yet) by progress of the members, never by time. Each member publishes a number that grows
 * only when the operations begun before the last number have ended. Services bracket each operation
 * by tern_member_enter() and tern_member_leave(), and look at their words between grace periods
 * (struct tern_pool_service).
 *
 * Survival. With `keep`, a child process holds the memory and the connection to the NIC. If the
 * server is killed, operations of members go on; joins and the clean-up of dead members wait.
 * Another process adopts the pool by name; members move to new keys with their next renewals and
 * lose nothing.
 *
 * Rights. A reader has a key without the right to write, and a second key to write its own lease
 * page of 64 bytes. Writers of a pool trust each other. A pool takes one region of the NIC for each
 * writer, two for each reader, and one for itself.
 *
 * Errors, units: as tern.h says. Threads: a member belongs to one thread at a time, functions of a
 * pool may be called from any. Memory: handles belong to the caller until tern_pool_close() or
 * tern_member_quit(), which come before tern_close() of the device.
 *
 * Sources: leases after Gray and Cheriton (SOSP 1989); fencing by key after the epochs of RDMA
 * registration keys in FaRM (SOSP 2015), grace periods after RCU.
 */
#ifndef TERN_POOL_H
#define TERN_POOL_H

#include <tern/slabs.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_pool;   /* server side: owns the memory */
struct tern_member; /* client side: key, name and lease of a member */

/* Bytes of a name of a pool or an object, with its NUL. */
#define TERN_POOL_NAME 32

/* ---- the server --------------------------------------------------------------------------------
 */

struct tern_pool_config {
    const char *name;  /* up to 31 bytes, unique on this node */
    size_t bytes;      /* for objects: 64 to 2^31 */
    unsigned members;  /* maximum at one time, 1 to 1024 */
    uint32_t lease_ms; /* 20 to 600000; 0: 1000 */
    bool keep;         /* the pool outlives this process */
};

/*
 * Makes a pool of zeroed memory.  BAD_ARGUMENT (name, members, lease); BAD_SIZE; NO_MEMORY;
 * NO_RESOURCE (regions, queues); QUEUE_BUSY: a pool on this node has the name.
 */
int tern_pool_create(struct tern_device *device, const struct tern_pool_config *config,
                     struct tern_pool **pool);

/*
 * Takes over the pool of a dead server on the same node from its keeper process. NO_POOL: there is
 * no keeper; QUEUE_BUSY: its server lives; PROTOCOL: it has another layout; as tern_pool_create().
 * Services attach anew. Operations in flight with old keys go on; the keeper exits when all live
 * members use their new keys, or after two leases.
 */
int tern_pool_adopt(struct tern_device *device, const char *name, struct tern_pool **pool);

/*
 * Handles joins and deaths, and calls services; waits up to `timeout_ms` for something to do (-1:
 * no limit). Call it at least every quarter of a lease, or start a thread. Returns how many joins
 * and deaths it handled; 0 at the end of the time; DISCONNECTED.
 */
int tern_pool_serve(struct tern_pool *pool, int timeout_ms);

/* Starts a thread that serves until tern_pool_close().  BAD_STATE: there is one; SYSTEM. */
int tern_pool_thread(struct tern_pool *pool);

/* Returns the memory for objects; offset 0 of pointers is its start. `bytes` may be NULL. */
void *tern_pool_memory(struct tern_pool *pool, size_t *bytes);

/* Ends the pool: revokes all keys and ends the keeper. NULL is fine. */
void tern_pool_close(struct tern_pool *pool);

/* A named piece of the pool's memory; `kind` is the maker's own. */
struct tern_pool_object {
    char name[TERN_POOL_NAME];
    uint32_t kind;
    uint64_t offset, bytes;
};

/*
 * Makes an object of zeroed memory, at a multiple of 64 bytes, for the life of the pool. Members
 * find it after tern_pool_publish(). BAD_ARGUMENT (name); QUEUE_BUSY: there is one of that name;
 * NO_MEMORY; NO_RESOURCE: the pool has 63 objects. An object that was never published can be made
 * again.
 */
int tern_pool_make(struct tern_pool *pool, const char *name, uint32_t kind, size_t bytes,
                   struct tern_pool_object *object);
int tern_pool_publish(struct tern_pool *pool, const struct tern_pool_object *object);

/* Finds a published object.  NOT_FOUND. */
int tern_pool_find(struct tern_pool *pool, const char *name, struct tern_pool_object *object);

/* Figures of a pool, since it was made or adopted; `live` now. */
struct tern_pool_counts {
    uint64_t joins, leaves, deaths, refused; /* of members */
    uint64_t looks;                          /* grace periods begun */
    unsigned live;
};
void tern_pool_counts(struct tern_pool *pool, struct tern_pool_counts *out);

/* ---- services at the server -------------------------------------------------------------
 */

/* Returns the device that the pool was made with. */
struct tern_device *tern_pool_device(struct tern_pool *pool);

/* Returns the send queue of the pool for services. They use it only in `look` and `asked`, and with
 * functions that wait. */
struct tern_sq *tern_pool_queue(struct tern_pool *pool);

/* Returns the completion queue of the pool, where a counter may tell a service (tern/counter.h). */
struct tern_cq *tern_pool_events(struct tern_pool *pool);

/* Returns the pointer by the pool's own key to `offset`. */
struct tern_rptr tern_pool_rptr(struct tern_pool *pool, uint64_t offset);

/* Tells whether `holder` is a member; a dead one remains a member until its key is released and its
 * operations are drained. */
bool tern_pool_has(struct tern_pool *pool, struct tern_holder holder);

/*
 * A service of the pool, embedded in the service's own structure. tern_pool_serve() calls `look`
 * after every grace period and after every death. `period` counts grace periods since the service
 * was attached; it does not change for a look after a death. If a word was the same in looks of
 * three different periods, no operation begun before the first of them is still to change it.
 * `look` returns 0 or the status of a failed operation; tern_pool_serve() then repeats the look for
 * the same period. `asked` answers a request of a member (tern_member_ask()): up to TERN_POOL_ASK
 * bytes, to be changed in place; returns whether the request is one of the service's. May be NULL.
 * tern_pool_serve() calls `turn` each time that it has handled what was due, some 16 times a lease.
 * `told` gets the completions of other kinds in tern_pool_events(), before the next turn.
 */
#define TERN_POOL_ASK 64u
struct tern_pool_service {
    int (*look)(struct tern_pool_service *service, uint64_t period);
    bool (*asked)(struct tern_pool_service *service, struct tern_holder holder, void *words);
    void (*turn)(struct tern_pool_service *service); /* between looks; may be NULL */
    /* may be NULL */
    void (*told)(struct tern_pool_service *service, const struct tern_completion *done);
    void (*free)(struct tern_pool_service *service); /* at tern_pool_close(); may be NULL */
    uint64_t since;                                  /* library */
    struct tern_pool_service *next;
};
void tern_pool_attach(struct tern_pool *pool, struct tern_pool_service *service);

/* ---- members ------------------------------------------------------------------------------------
 */

#define TERN_POOL_READ 1u
#define TERN_POOL_WRITE 2u /* read, write and atomic operations */

/*
 * Joins the pool `name` of `node`, which may be the own node. Waits for the server for ten seconds
 * at most. BAD_ARGUMENT; NO_POOL: no server there has the name; NO_RESOURCE: the pool has no free
 * place, or its NIC no free region; TIMEOUT: a server is there and does not answer; as tern_send().
 */
int tern_member_join(struct tern_device *device, uint16_t node, const char *name, unsigned rights,
                     struct tern_member **member);

/*
 * Leaves the pool and frees the member. Frees the objects that the member still has in the pool.
 */
void tern_member_quit(struct tern_member *member);

/*
 * Renews the lease: posts the put that is due every quarter of a lease, and processes completions
 * of earlier ones. Never blocks. 0; LEASE_OVER: too late, quit and join anew; DISCONNECTED.
 * Services call it with each of their operations; an idle program calls it itself.
 */
int tern_member_renew(struct tern_member *member);

/* Tells whether the lease holds by this host's clock; does not access the NIC. */
bool tern_member_alive(const struct tern_member *member);

/* Returns the member's holder name, for owner words. */
struct tern_holder tern_member_holder(const struct tern_member *member);

/* Return the length of the lease, and the time left of it, in milliseconds. */
uint32_t tern_member_lease(const struct tern_member *member);
int tern_member_left(const struct tern_member *member);

/* Returns the device that it joined with. */
struct tern_device *tern_member_device(const struct tern_member *member);

/* Return node and number of the pool, as in pointers, and its life. */
uint16_t tern_member_node(const struct tern_member *member);
uint16_t tern_member_pool(const struct tern_member *member);
uint8_t tern_member_life(const struct tern_member *member);

/*
 * Begin and end an operation on the pool's memory. An operation lasts from its first post until the
 * last descriptor has ended on all queues, unsignalled ones included. `status` is how it ended.
 * After TIMEOUT, LINK_DOWN, WAIT_EXPIRED, FLUSHED or DISCONNECTED a part of it may still reach
 * memory at any later time, and after BAD_KEY the key is revoked. The member then stops publishing
 * numbers, and later calls return LEASE_OVER. Operations may overlap.
 */
unsigned tern_member_enter(struct tern_member *member);
void tern_member_leave(struct tern_member *member, unsigned entered, int status);

/*
 * A pointer that every member can use: a place in a pool, and the generation of the object there.
 * Members may send its 16 bytes to each other.
 */
struct tern_ptr {
    uint16_t node, pool;
    uint32_t generation;
    uint64_t offset;
};

/*
 * Returns the remote pointer to `at` by this member's key, valid until the next
 * tern_member_renew().
 */
struct tern_rptr tern_member_rptr(const struct tern_member *member, struct tern_ptr at);

/* Returns the same for an offset of the pool. */
struct tern_rptr tern_member_at(const struct tern_member *member, uint64_t offset);

/* Finds a published object by reading the directory; blocks. NOT_FOUND, LEASE_OVER. */
int tern_member_find(struct tern_member *member, const char *name,
                     struct tern_pool_object *object);

/*
 * Tells why operations end with BAD_KEY: LEASE_OVER, or NO_POOL: the server has closed the pool, or
 * died without a keeper. Waits for the server's answer, at most a second.
 */
int tern_member_why(struct tern_member *member);

/*
 * Sends a request of up to TERN_POOL_ASK bytes in `words` to the services at the server, waits at
 * most ten seconds, and overwrites `words` with the answer.  UNSUPPORTED: no service knows the
 * request; TIMEOUT; LEASE_OVER.
 */
int tern_member_ask(struct tern_member *member, void *words, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
