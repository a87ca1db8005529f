/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the driver core share.  Tests may use it to post descriptors that the public
 * functions would not write.
 */
#ifndef TERN_INTERNAL_H
#define TERN_INTERNAL_H

#include <pthread.h>
#include <tern/tern.h>

#include "cqring.h"
#include "places.h"
#include "transport.h"

enum {
    DESC_WORDS = TERN_DESC_BYTES / 4,
    ADMIN_LOG2 = 5,          /* admin ring entries */
    ADMIN_CQ_LOG2 = 6,
    ADMIN_SCRATCH = 4096,    /* offset in the admin memory where answers go, and their room */
    ADMIN_BYTES = 8192,
    ADMIN_VECTOR = 0,
    VECTORS_MAX = 64,        /* interrupts the library makes use of */
    LOG_CARRY = 8,           /* words of a record cut by the end of an answer */
};

/* Memory this process shares with the NIC: a sealed memfd, mapped on both sides at this address. */
struct tern_shared {
    uint8_t *base;
    size_t bytes;
    int fd;
};

/* A stretch of the process's own memory that the NIC may reach by address. */
struct tern_segment {
    struct tern_segment *next;
    uint64_t start, end;
    unsigned uses;
};

struct tern_region {
    struct tern_device *device;
    struct tern_region *next;
    uint64_t addr, bytes;
    uint32_t key;
    uint8_t rights;
    bool user_memory; /* mapped through segments, not shared */
    bool own_memory;  /* the library's own, in user memory */
    struct tern_region *twin; /* of a group's member, or NULL */
};

struct tern_cq {
    struct tern_device *device;
    struct tern_cq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_cqring ring;
    struct tern_sq *sqs;
    struct tern_rq *rqs;
    struct tern_group *groups;
    struct tern_arena *arenas;
    struct tern_rendezvous *rendezvous;
    struct tern_getter *getters;
    struct tern_fifo *fifos;
    struct tern_pair *pairs;
    struct tern_inbox *inboxes;
    uint16_t number;
    uint32_t expected; /* completions that posted operations will still bring */
    int event_fd;
    int vector;
};

struct tern_sq {
    struct tern_cq *cq;
    struct tern_sq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_places places;
    struct tern_pair *pair; /* that it sends for, or NULL */
    uint32_t rung;
    uint16_t number;
    uint16_t counter; /* of what is posted now */
    struct tern_chain *chain; /* that is being made, or NULL */
    uint32_t chain_number, chain_failed; /* of the last one posted; of the last one whose failure was told */
};

struct tern_rq {
    struct tern_cq *cq;
    struct tern_rq *next;
    struct tern_shared memory;
    struct tern_region *region;
    uint16_t number;
    unsigned log2_entries, log2_bytes;
    uint32_t arrived, released, rung;
};

struct tern_device {
    struct tern_transport *transport;
    pthread_mutex_t lock;       /* the lists and segments */
    struct tern_segment *segments;
    struct tern_region *regions;
    struct tern_cq *cqs;
    /* interrupts, under event_lock; the eventfd of each vector, or -1 */
    pthread_mutex_t event_lock;
    int events[VECTORS_MAX];
    uint32_t groups_made;       /* under lock: names them */
    /* admin queue, under admin_lock */
    pthread_mutex_t admin_lock;
    struct tern_shared admin_memory;
    struct tern_cqring admin_ring;
    uint32_t admin_made;
    uint16_t admin_queue, admin_cq;
    int admin_event_fd;
    uint32_t scratch_key;
    uint32_t log_words[LOG_CARRY];
    unsigned log_carried;
    /* constant once open; the incarnation from the moment the firmware was found ready */
    uint32_t incarnation;
    struct tern_info info;
};

/* ---- shared memory, segments, regions: memory.c */
int tern_shared_create(struct tern_device *device, size_t bytes, struct tern_shared *memory);
void tern_shared_destroy(struct tern_device *device, struct tern_shared *memory);
/* Registers shared memory for this function's own queues. */
int tern_shared_register(struct tern_device *device, const struct tern_shared *memory,
                         struct tern_region **region);
/* The transport's door to host memory. */
int tern_memory_access(void *arg, uint64_t addr, void *data, size_t bytes, bool write);
void tern_memory_free_all(struct tern_device *device);

/* ---- registers: registers.c */
int tern_reg_read(struct tern_device *device, uint32_t offset, uint32_t *value);
int tern_reg_write(struct tern_device *device, uint32_t offset, uint32_t value);
int tern_reg_read_pair(struct tern_device *device, uint32_t offset_low, uint64_t *value);
/* Rings the index doorbell of `queue`; posted. */
int tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index);
/* Writes a whole descriptor into the doorbell window of `queue`; posted. */
int tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words);

/* ---- admin queue: admin.c */
int tern_admin_start(struct tern_device *device);
void tern_admin_stop(struct tern_device *device);
/*
 * Runs one command: `words` has its fields, opcode included.  With `answer`, up to `bytes` of what the
 * command wrote are copied there.  `cqe` (may be NULL) gets the completion.  Any thread.
 */
int tern_admin(struct tern_device *device, uint32_t words[DESC_WORDS], void *answer, size_t bytes,
               uint32_t *cqe);

/* ---- interrupts: events.c */
void tern_events_init(struct tern_device *device);
/* Makes an eventfd and lets `*vector` signal it; the first free one, if `*vector` is negative. */
int tern_event_create(struct tern_device *device, int *vector, int *event_fd);
void tern_event_destroy(struct tern_device *device, int vector);
/* Wakes whoever sleeps on any of them: the connection is gone. */
void tern_events_wake_all(void *arg);

/* ---- queues: queue.c */
/* Makes a completion queue for the library itself, whose interrupts go where those of `cq` go. */
int tern_cq_create_beside(struct tern_cq *cq, unsigned log2_entries, struct tern_cq **out);
struct tern_queue_request {
    unsigned qtype, log2_entries, log2_bytes;
    uint16_t number, cq, vector;
    bool remote; /* remote gets, or messages to pairs, fill it */
};

/* Makes ring memory and the queue on the NIC; undoes all of it on failure. */
int tern_queue_create(struct tern_device *device, const struct tern_queue_request *request,
                      size_t ring_bytes, struct tern_shared *memory, struct tern_region **region,
                      uint16_t *number);
int tern_queue_delete(struct tern_device *device, uint16_t number, struct tern_shared *memory,
                      struct tern_region *region);
/* Frees what the application left; the connection is closed. */
void tern_queues_free_all(struct tern_device *device);

/* Makes a reception FIFO where only messages to pairs land. */
int tern_rq_create_paired(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, struct tern_rq **out);

/* ---- posting: post.c */
/* Fills in what depends on the ring (index, version) and posts; `flags` may hold TERN_MORE. */
int tern_post(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context);
/* The same for `group`, which is asked when it fails; 0 = none. */
int tern_post_for(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context,
                  uint32_t group);
/* Whether `count` operations, one of them to complete for sure, can be posted now. */
bool tern_post_room(const struct tern_sq *sq, unsigned count);
/* Fills in the payload: in the descriptor, or at `from` in `region`. */
void tern_desc_set_inline(uint32_t *words, const void *from, uint32_t bytes);
void tern_desc_set_local(uint32_t *words, const struct tern_region *region, const void *from);
/* Fills in the place in somebody's memory. */
void tern_desc_set_remote(uint32_t *words, struct tern_rptr to);
/* A read of `bytes`: what, and where it goes; region not NULL. */
void tern_desc_set_read(uint32_t *words, struct tern_rptr from, const struct tern_region *region, const void *to,
                        uint32_t bytes);
/*
 * Posts exactly `words`, wrong as they may be, counting on a completion.
 */
int tern_post_raw(struct tern_sq *sq, const uint32_t words[DESC_WORDS], uint64_t context);

/* ---- chains: chain.c */
/* A step more of the chain that is being made: CHAIN_TOO_LONG. */
int tern_chain_add(struct tern_sq *sq, const uint32_t words[DESC_WORDS], unsigned flags, uint64_t context);
/* A step of chain `number` (0: none) has ended so: whether nobody is to be told, as an earlier one has failed. */
bool tern_chain_swallows(struct tern_sq *sq, uint32_t number, enum tern_status status);

/* ---- waiting: wait.c */
/* Milliseconds of a clock that only goes forward. */
int64_t tern_now_ms(void);
/* What the firmware is given to come up, or to answer: $TERN_PATIENCE in seconds, or a minute. */
int tern_patience_ms(void);
/*
 * Sleeps until `ready(arg)`, the device is lost, or the time is over.  `event_fd` wakes it, or -1.
 */
int tern_wait_until(struct tern_device *device, bool (*ready)(const void *arg), const void *arg,
                    int event_fd, int timeout_ms);

/* ---- log: logtext.c */
/*
 * Turns the record that begins at `words` into a line.  Returns the words it takes, 0 when the record
 * goes on after `count` words.
 */
unsigned tern_log_format(const uint32_t *words, unsigned count, char *text, size_t bytes);

#endif
