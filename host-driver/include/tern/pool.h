/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools: memory of a node that many nodes use by their NICs, and who may use it.
 *
 * A server makes a pool: memory, with a directory of named objects in it.  Clients anywhere join it
 * and become members.  Each member has a key of its own for the same memory, so the server can take
 * the memory away from one of them alone.  A member keeps its lease by a put every quarter of it;
 * the host of the server takes no part in what members do with the memory.
 *
 * Death.  A member whose put stayed out for a lease, by the server's clock, is dead, whether it was
 * killed, cut off or paused.  In this order, the server releases the member's key, waits for an
 * atomic operation through its own NIC (after which no operation of the dead member can change the
 * memory), frees what the member had, and frees its place.  A member that was only paused finds its
 * operations refused with BAD_KEY, and its calls with LEASE_OVER; it leaves and joins anew.
 *
 * Grace periods.  Things that no member is sure to have (a slab that was taken and has no owner
 * yet) are freed by progress of the members, never by time: a member publishes a number which grows
 * only when the operations begun before the last number have ended.  Services bracket each
 * operation by tern_member_enter() and tern_member_leave(), and look at their words between grace
 * periods (struct tern_pool_service).
 *
 * Survival.  With `keep`, a child process holds the memory and the connection to the NIC. The
 * server may be killed: reads and operations of members go on, joins and deaths wait. Another
 * process adopts the pool by name; members move to new keys with their next renewals and lose
 * nothing.
 *
 * Rights.  A reader has a key without the right to write; it writes its own lease page alone, 64
 * bytes.  Writers of a pool trust each other.  A pool takes a region of the NIC for each writer,
 * two for each reader, and one for itself.
 *
 * Errors, units: as tern.h says.  Threads: a member belongs to one thread at a time, a pool may be
 * called from any. Memory: handles belong to the caller until tern_pool_close() or
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

struct tern_pool;   /* the side that has the memory */
struct tern_member; /* a client's side: its key, its name, its lease */

/* Bytes of a name of a pool or an object, with its end. */
#define TERN_POOL_NAME 32

/* ---- the server --------------------------------------------------------------------------------
 */

struct tern_pool_config {
    const char *name;  /* up to 31 bytes, on this node the only one */
    size_t bytes;      /* for objects; 64 to 2^31 */
    unsigned members;  /* at most at a time, 1 to 1024 */
    uint32_t lease_ms; /* 20 to 600000; 0: 1000 */
    bool keep;         /* goes on when this process is dead */
};

/*
 * Makes a pool of zeroed memory.  BAD_ARGUMENT (name, members, lease); BAD_SIZE; NO_MEMORY;
 * NO_RESOURCE (regions, queues); QUEUE_BUSY: a pool on this node has the name.
 */
int tern_pool_create(struct tern_device *device, const struct tern_pool_config *config,
                     struct tern_pool **pool);

/*
 * Takes over the pool that a dead process left with its keeper, on the same node. NO_POOL: there is
 * no keeper; QUEUE_BUSY: its server lives; PROTOCOL: it has another layout; as tern_pool_create().
 * Services attach anew.  Operations that members have in flight by their old keys go on; the keeper
 * ends when all live members have moved, or after a lease.
 */
int tern_pool_adopt(struct tern_device *device, const char *name, struct tern_pool **pool);

/*
 * Does what there is to do: joins, deaths, looks of services; waits up to `timeout_ms` for it (-1:
 * no limit).  Call often, a quarter of a lease apart at most, or start a thread. Returns how many
 * joins and deaths there were; 0 at the end of the time; DISCONNECTED.
 */
int tern_pool_serve(struct tern_pool *pool, int timeout_ms);

/* Starts a thread that serves until tern_pool_close().  BAD_STATE: there is one; SYSTEM. */
int tern_pool_thread(struct tern_pool *pool);

/* Returns the memory for objects, where offset 0 of pointers lies.  `bytes` may be NULL. */
void *tern_pool_memory(struct tern_pool *pool, size_t *bytes);

/* Ends the pool: all keys, and the keeper.  NULL is fine. */
void tern_pool_close(struct tern_pool *pool);

/* A named piece of the pool's memory; `kind` is the maker's own. */
struct tern_pool_object {
    char name[TERN_POOL_NAME];
    uint32_t kind;
    uint64_t offset, bytes;
};

/*
 * Makes an object of zeroed memory, at a multiple of 64 bytes, for the life of the pool. Members
 * find it from tern_pool_publish() on.  BAD_ARGUMENT (name); QUEUE_BUSY: there is one of that name;
 * NO_MEMORY; NO_RESOURCE: 63 objects are there.  A name that was never published is given out anew.
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

/* ---- what services do at the server -------------------------------------------------------------
 */

/* Returns the device that the pool was made with. */
struct tern_device *tern_pool_device(struct tern_pool *pool);

/* A queue of the pool for services, used in `look` and `asked` alone, by functions that wait. */
struct tern_sq *tern_pool_queue(struct tern_pool *pool);

/* Returns the pointer by the pool's own key to `offset`. */
struct tern_rptr tern_pool_rptr(struct tern_pool *pool, uint64_t offset);

/* Tells whether `holder` is a member now; until its key is gone and drained, it is. */
bool tern_pool_has(struct tern_pool *pool, struct tern_holder holder);

/*
 * A service of the pool, embedded in the service's own structure.  `look` is called by
 * tern_pool_serve() after every grace period and after every death: `period` counts full grace
 * periods since the service was attached, and stays for a look after a death.  A word that was the
 * same in looks of three different periods has been left alone by every operation that was begun
 * before the first.  Returns 0 or how an operation failed; then the same period is looked at again.
 * `asked` answers a request of a member (tern_member_ask()): up to TERN_POOL_ASK bytes, to be
 * changed in place; returns whether the request is one of the service's.  May be NULL.
 */
#define TERN_POOL_ASK 64u
struct tern_pool_service {
    int (*look)(struct tern_pool_service *service, uint64_t period);
    bool (*asked)(struct tern_pool_service *service, struct tern_holder holder, void *words);
    void (*free)(struct tern_pool_service *service); /* at tern_pool_close(); may be NULL */
    uint64_t since;                                  /* library */
    struct tern_pool_service *next;
};
void tern_pool_attach(struct tern_pool *pool, struct tern_pool_service *service);

/* ---- members ------------------------------------------------------------------------------------
 */

#define TERN_POOL_READ 1u
#define TERN_POOL_WRITE 2u /* and to read, and atomic operations */

/*
 * Joins the pool `name` of node `node`, any node, one's own too.  Waits for the server for ten
 * seconds at most.  BAD_ARGUMENT; NO_POOL: no server there has the name; NO_RESOURCE: it has no
 * place, or its NIC no region; TIMEOUT: a server is there and does not answer; as tern_send().
 */
int tern_member_join(struct tern_device *device, uint16_t node, const char *name, unsigned rights,
                     struct tern_member **member);

/*
 * Leaves the pool and frees the member. Frees the objects that the member still has in the pool.
 */
void tern_member_quit(struct tern_member *member);

/*
 * Keeps the lease: posts the put that is due every quarter of a lease, and hears earlier ones.
 * Never waits.  0; LEASE_OVER: too late, quit and join anew; DISCONNECTED.  Services call it with
 * every operation of theirs, a program that does nothing calls it itself.
 */
int tern_member_renew(struct tern_member *member);

/* Tells whether the lease, by this host's clock, holds; no call of the NIC. */
bool tern_member_alive(const struct tern_member *member);

/* Returns the name of the member for owner words. */
struct tern_holder tern_member_holder(const struct tern_member *member);

/* Length of the lease in milliseconds; milliseconds left of it. */
uint32_t tern_member_lease(const struct tern_member *member);
int tern_member_left(const struct tern_member *member);

/* Returns the device that it joined with. */
struct tern_device *tern_member_device(const struct tern_member *member);

/* Returns node and number of the pool, as in pointers; its life. */
uint16_t tern_member_node(const struct tern_member *member);
uint16_t tern_member_pool(const struct tern_member *member);
uint8_t tern_member_life(const struct tern_member *member);

/*
 * Begin and end of an operation on the pool's memory: everything from the first post to the end of
 * the last descriptor on all queues, those without a completion included.  `status` is how it
 * ended: after TIMEOUT, LINK_DOWN, WAIT_EXPIRED, FLUSHED or DISCONNECTED nothing says when a part
 * of it may still land, and after BAD_KEY the key is gone; the member then publishes no number any
 * more, and the next calls return LEASE_OVER.  Operations may overlap.
 */
unsigned tern_member_enter(struct tern_member *member);
void tern_member_leave(struct tern_member *member, unsigned entered, int status);

/*
 * A pointer that every member can use, 16 bytes: a place of a pool, and the generation of the
 * object there. It may be handed to other members as bytes.
 */
struct tern_ptr {
    uint16_t node, pool;
    uint32_t generation;
    uint64_t offset;
};

/*
 * Returns the remote pointer to `at` by this member's key, good until the next
 * tern_member_renew().
 */
struct tern_rptr tern_member_rptr(const struct tern_member *member, struct tern_ptr at);

/* The same for an offset of the pool. */
struct tern_rptr tern_member_at(const struct tern_member *member, uint64_t offset);

/* Finds a published object by a read of the directory; waits.  NOT_FOUND, LEASE_OVER. */
int tern_member_find(struct tern_member *member, const char *name,
                     struct tern_pool_object *object);

/*
 * Tells why operations end with BAD_KEY: LEASE_OVER, or NO_POOL: the server has closed the pool, or
 * died without a keeper.  Waits for a message to the server, a second at most.
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
