/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device: its connection, its admin queue, the memory that its NIC may access, its interrupts.
 * Internal to the core.
 */
#ifndef TERN_DEVICE_H
#define TERN_DEVICE_H

#include <pthread.h>
#include <tern/tern.h>

#include "cqring.h"
#include "transport.h"

enum {
    DESC_WORDS = TERN_DESC_BYTES / 4,
    ADMIN_LOG2 = 5,          /* admin ring entries */
    ADMIN_CQ_LOG2 = 6,
    ADMIN_SCRATCH = 4096,    /* offset in the admin memory where answers go, and their room */
    ADMIN_BYTES = 8192,
    ADMIN_VECTOR = 0,
    VECTORS_MAX = 64,        /* interrupts that the library uses */
    LOG_CARRY = 8,           /* words of a record cut by the end of an answer */
};

/*
 * Memory that this process shares with the NIC: a sealed memfd, mapped on both sides, here at
 * `base`.
 */
struct tern_shared {
    uint8_t *base;
    size_t bytes;
    int fd;
};

/* A range of the process's own memory that the NIC may access by address. */
struct tern_segment {
    struct tern_segment *next;
    uint64_t start, end;
    unsigned uses;
};

struct tern_watch;

struct tern_region {
    struct tern_device *device;
    struct tern_watch *watches;
    struct tern_region *next;
    uint64_t addr, bytes;
    uint32_t key;
    uint8_t rights;
    bool user_memory; /* mapped through segments, not a shared memfd */
    bool own_memory;  /* the library allocated the user memory */
    struct tern_region *twin; /* of a group member's region, or NULL */
};

struct tern_device {
    struct tern_device *next; /* in the list of this process: fork.c */
    bool forked;              /* this process is a child of the one that opened the device */
    struct tern_transport *transport;
    pthread_mutex_t lock;       /* protects the lists and segments */
    struct tern_segment *segments;
    struct tern_region *regions;
    struct tern_cq *cqs;
    pthread_mutex_t watch_lock; /* all watches of its objects */
    /* interrupts, protected by event_lock; the eventfd of each vector, or -1 */
    pthread_mutex_t event_lock;
    int events[VECTORS_MAX];
    void (*free_queues)(struct tern_device *device);   /* all set by the first queue */
    void (*disown_queues)(struct tern_device *device);
    void (*reset_queues)(struct tern_device *device);
    struct tern_end **ends;     /* by queue number; each entry is its completion queue's thread's */
    struct tern_end *arrivals[TERN_ARENAS]; /* by number of an arena, likewise */
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
    /* constant after opening; the incarnation is read when the firmware is ready */
    uint32_t incarnation;
    struct tern_info info;
};

/* ---- shared memory and segments: shared.c; regions: region.c */
int tern_shared_create(struct tern_device *device, size_t bytes, struct tern_shared *memory);
void tern_shared_destroy(struct tern_device *device, struct tern_shared *memory);
/* Registers shared memory for this function's own queues. */
int tern_shared_register(struct tern_device *device, const struct tern_shared *memory,
                         struct tern_region **region);
/* Reads or writes host memory for the transport. */
int tern_memory_access(void *arg, uint64_t addr, void *data, size_t bytes, bool write);
/*
 * Announces pages of application memory to the NIC, or withdraws them; ranges may overlap. `fd`:
 * -1, or a file whose byte at `offset` lies at `addr`.
 */
int tern_user_memory_map(struct tern_device *device, uint64_t addr, uint64_t bytes, int fd,
                         uint64_t offset);
void tern_user_memory_unmap(struct tern_device *device, uint64_t addr, uint64_t bytes);
/* Returns the key of the twin of a group member's region: the entry after that of `key`. */
static inline uint32_t tern_group_twin(uint32_t key)
{
    return (key & 0xffff0000) | ((key + 1) & 0xffff);
}
/* Adds a watch to those of an object of `device`. */
void tern_watch_add(struct tern_device *device, struct tern_watch **watches,
                    struct tern_watch *watch);
/* Ends all of them, and says so: the object goes. */
void tern_watches_tell(struct tern_device *device, struct tern_watch **watches);
/* Frees the regions that the application left; the connection is closed. */
void tern_regions_free_all(struct tern_device *device);
void tern_segments_free_all(struct tern_device *device);

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
 * Runs one command: `words` has its fields, opcode included. With `answer`, copies up to `bytes` of
 * the command's answer there. `cqe` (may be NULL) gets the completion. Any thread may call it.
 */
int tern_admin(struct tern_device *device, uint32_t words[DESC_WORDS], void *answer, size_t bytes,
               uint32_t *cqe);
/*
 * Removes the object `id` by the command `opcode`. The status `gone` counts as success: a reset has
 * removed the object before.
 */
int tern_admin_remove(struct tern_device *device, uint32_t opcode, uint16_t id,
                      enum tern_status gone);

/* ---- forks: fork.c */
/*
 * Registers the device for forks: until tern_fork_forget(), a child's copy of it refuses all
 * calls.
 */
void tern_fork_watch(struct tern_device *device);
void tern_fork_forget(struct tern_device *device);

/* ---- interrupts: events.c */
void tern_events_init(struct tern_device *device);
/* Makes an eventfd and lets `*vector` signal it; the first free one, if `*vector` is negative. */
int tern_event_create(struct tern_device *device, int *vector, int *event_fd);
void tern_event_destroy(struct tern_device *device, int vector);
/* Wakes all threads that sleep on an event of the device, because the connection has ended. */
void tern_events_wake_all(void *arg);

/* ---- waiting: wait.c */
/* Returns milliseconds of a monotonic clock. */
int64_t tern_now_ms(void);
/* Returns how long the firmware may take to start or answer: $TERN_PATIENCE seconds, or 60 s. */
int tern_patience_ms(void);
/*
 * Sleeps until `ready(arg)`, the device is lost, or the time is over. An event on `event_fd` (-1:
 * none) wakes it.
 */
int tern_wait_until(struct tern_device *device, bool (*ready)(const void *arg), const void *arg,
                    int event_fd, int timeout_ms);

/* ---- log: logtext.c */
/*
 * Formats the record that begins at `words` as a line. Returns the number of words it used; 0 when
 * the record is incomplete.
 */
unsigned tern_log_format(const uint32_t *words, unsigned count, char *text, size_t bytes);

#endif
