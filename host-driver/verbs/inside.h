/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of libtern-verbs. The library is preloaded into a program that uses stock libibverbs,
 * and answers, inside the process, the calls of libibverbs and its rxe provider to the kernel.
 * docs/verbs.md shows the parts.
 *
 * Locks. nic->lock guards everything that belongs to a NIC. This library and the provider share the
 * rings without a lock, like a kernel and a provider: each side writes one index.
 */
#ifndef TERN_VERBS_INSIDE_H
#define TERN_VERBS_INSIDE_H

#include <pthread.h>
#include <rdma/ib_user_verbs.h>
#include <sched.h>
#include <rdma/rdma_user_rxe.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <tern/atomic.h>
#include <tern/pair.h>
#include <tern/tern.h>
#include <tern/work.h>

enum {
    VERBS_FDS = 65536,        /* file descriptors that the library can tell apart */
    VERBS_QPS = 120,          /* for each process and NIC, reported as max_qp */
    VERBS_SGE = 16,           /* reported as max_sge */
    VERBS_INLINE = 256,       /* reported as max_inline_data */
    VERBS_WR_LOG2 = 14,       /* entries of the largest work queue */
    VERBS_CQE_LOG2 = 18,      /* entries of the largest completion queue: ofi_rxm asks for 262144 */
    VERBS_MESSAGE = 16777216, /* bytes, reported as max_msg_sz: one put */
    VERBS_DATAGRAM = 4096,    /* bytes, the path MTU */
    VERBS_GRH = 40,           /* bytes before a datagram in its buffer */
    VERBS_EAGER = 4064,       /* longest message sent with its envelope; the receiver reads longer
                               * ones */
    VERBS_WINDOW = 32         /* messages of a queue pair that its peer has not yet acknowledged */
};

/*
 * Codes that are not in the UAPI headers; infiniband/verbs.h of libibverbs has the same values
 * permanently.
 */
enum {
    WC_SUCCESS = 0,
    WC_LOC_LEN = 1,
    WC_LOC_QP_OP = 2,
    WC_LOC_PROT = 4,
    WC_FLUSH = 5,
    WC_REM_INV_REQ = 9,
    WC_REM_ACCESS = 10,
    WC_REM_OP = 11,
    WC_RETRY = 12,
    WC_RNR = 13,
    WC_FATAL = 19,
    WC_GENERAL = 21,
    WC_ATOMIC_WRITE = 9,
    WC_RECV = 128,
    WC_RECV_WITH_IMM = 129,
    WC_FLAG_GRH = 1,
    WC_FLAG_IMM = 2,
    WR_ATOMIC_WRITE = 15,
    QPT_RC = 2,
    QPT_UC = 3,
    QPT_UD = 4,
    QPS_RESET = 0,
    QPS_INIT,
    QPS_RTR,
    QPS_RTS,
    QPS_SQD,
    QPS_SQE,
    QPS_ERR,
    SEND_FENCE = 1,
    SEND_SIGNALED = 2,
    SEND_SOLICITED = 4,
    SEND_INLINE = 8,
    ACCESS_LOCAL_WRITE = 1,
    ACCESS_REMOTE_WRITE = 2,
    ACCESS_REMOTE_READ = 4,
    ACCESS_REMOTE_ATOMIC = 8,
    ACCESS_ZERO_BASED = 0x20,
    ACCESS_ON_DEMAND = 0x40,
    ACCESS_OPTIONAL = 0x3ff00000,
    ACCESS_RELAXED = 0x100000,
    EVENT_CQ_ERR = 0,
    EVENT_QP_FATAL,
    EVENT_QP_REQ_ERR,
    EVENT_QP_ACCESS_ERR,
    EVENT_COMM_EST,
    EVENT_SQ_DRAINED,
    EVENT_DEVICE_FATAL = 8,
    EVENT_SRQ_LIMIT = 15,
    EVENT_QP_LAST_WQE = 16
};

/* ---- rings.c: queues in memory that the provider maps ---------------------------------------- */

struct verbs_ring {
    struct rxe_queue_buf *buf;
    uint64_t offset; /* in the file of the context */
    size_t bytes;
};

struct verbs_context;

/* Makes a ring of at least `entries` usable entries; 0 or an errno. */
int ring_create(struct verbs_context *context, struct verbs_ring *ring, uint32_t entries,
                size_t entry_bytes);
void ring_destroy(struct verbs_context *context, struct verbs_ring *ring);
struct mminfo ring_info(const struct verbs_ring *ring);

static inline uint32_t ring_entries(const struct verbs_ring *ring)
{
    return ring->buf->index_mask; /* one place stays empty */
}

static inline void *ring_at(const struct verbs_ring *ring, uint32_t index)
{
    return ring->buf->data + ((size_t)index << ring->buf->log2_elem_size);
}

static inline uint32_t ring_next(const struct verbs_ring *ring, uint32_t index)
{
    return (index + 1) & ring->buf->index_mask;
}

static inline uint32_t ring_producer(const struct verbs_ring *ring)
{
    return __atomic_load_n(&ring->buf->producer_index, __ATOMIC_ACQUIRE) & ring->buf->index_mask;
}

static inline uint32_t ring_consumer(const struct verbs_ring *ring)
{
    return __atomic_load_n(&ring->buf->consumer_index, __ATOMIC_ACQUIRE) & ring->buf->index_mask;
}

static inline void ring_consume(struct verbs_ring *ring, uint32_t index)
{
    __atomic_store_n(&ring->buf->consumer_index, index, __ATOMIC_RELEASE);
}

static inline void ring_produce(struct verbs_ring *ring, uint32_t index)
{
    __atomic_store_n(&ring->buf->producer_index, index, __ATOMIC_RELEASE);
}

static inline bool ring_is_empty(const struct verbs_ring *ring)
{
    return ring_producer(ring) == ring_consumer(ring);
}

static inline uint32_t ring_filled(const struct verbs_ring *ring)
{
    return (ring_producer(ring) - ring_consumer(ring)) & ring->buf->index_mask;
}

/*
 * ---- objects.c --------------------------------------------------------------------------------
 */

/* Objects by handle, which the commands of the provider name. */
struct verbs_table {
    void **items;
    uint32_t room, used, most;
};

/* Gives `item` the lowest free handle, from 1; 0 or ENOMEM. */
int table_add(struct verbs_table *table, void *item, uint32_t *handle);
void table_remove(struct verbs_table *table, uint32_t handle);

static inline void *table_get(const struct verbs_table *table, uint32_t handle)
{
    uint32_t at = handle - 1; /* of handle 0: beyond every table */

    return at < table->room ? table->items[at] : NULL;
}

struct verbs_pd {
    struct verbs_context *context;
    uint32_t handle, users;
};

struct verbs_mr {
    struct verbs_pd *pd;
    uint32_t handle, lkey, rkey, access;
    uint64_t start, length;
    struct tern_region *local;  /* for the NIC and the peers of large messages */
    struct tern_region *remote; /* region of rkey; NULL without a remote right */
};

struct verbs_event {
    struct verbs_event *next;
    uint64_t element;
    uint32_t type;
    uint32_t *reported; /* counted when the event is read */
    const void *owner;
};

/*
 * A descriptor for reading events: a completion channel, or the asynchronous events of a context.
 */
struct verbs_channel {
    pthread_mutex_t lock;
    struct verbs_event *first, **last;
    int fd; /* an eventfd that counts the events */
    bool is_async;
    unsigned users;
};

struct verbs_channel *channel_create(bool is_async);
struct verbs_channel *channel_hold(int fd);
void channel_drop(struct verbs_channel *channel);
void channel_raise(struct verbs_channel *channel, uint64_t element, uint32_t type,
                   uint32_t *reported, const void *owner);
/* Discards the unread events of `owner`. */
void channel_forget(struct verbs_channel *channel, const void *owner);
ssize_t channel_read(struct verbs_channel *channel, void *to, size_t bytes);

enum { CQ_UNARMED, CQ_ARMED_SOLICITED, CQ_ARMED };

struct verbs_cq {
    struct verbs_context *context;
    struct verbs_ring ring;
    struct verbs_channel *channel;
    uint64_t user_handle;
    uint32_t handle, users, comp_events, async_events;
    uint32_t size; /* requested entries */
    uint8_t armed;
    bool overrun;
};

struct verbs_srq {
    struct verbs_context *context;
    struct verbs_pd *pd;
    struct verbs_ring ring;
    uint64_t user_handle;
    uint32_t handle, users, async_events, limit, max_sge;
};

struct verbs_ah {
    struct verbs_pd *pd;
    uint32_t handle;
    struct ib_uverbs_ah_attr attr;
};

/* One open of a device by libibverbs. */
struct verbs_context {
    struct verbs_nic *nic;
    struct verbs_context *next;
    struct verbs_channel *async;
    int fd;        /* the memory of its rings */
    unsigned opens; /* descriptors that name it */
    uint64_t file_bytes;
    bool started; /* GET_CONTEXT was received */
};


/*
 * ---- queue pairs --------------------------------------------------------------------------------
 */

/* Progress of a work request. */
struct verbs_work {
    uint8_t state;     /* enum work_state */
    uint8_t opcode;    /* IB_UVERBS_WR_* */
    uint8_t wc_status; /* IBV_WC_*, so far */
    uint16_t parts;    /* operations of the NIC in flight */
    uint16_t piece;    /* first unposted piece */
    uint32_t sequence; /* of its message, if it has one */
    uint32_t length;
    uint64_t *result;  /* address for the old word of an atomic operation */
};

enum work_state { WORK_FREE, WORK_STARTED, WORK_POSTED };

/* A message that waits for a receive request. */
struct verbs_stashed {
    struct verbs_stashed *next;
    uint32_t bytes;
    uint8_t data[];
};

enum link_state {
    LINK_NONE,    /* not connected */
    LINK_WAITING, /* the peer sends the first HELLO */
    LINK_ASKING,  /* HELLO is sent */
    LINK_AGAIN,   /* the peer was not ready; the pair is being reset */
    LINK_UP
};

enum ask_state { ASK_NONE, ASK_OUT, ASK_REFUSED };

struct verbs_qp {
    struct verbs_context *context;
    struct verbs_nic *nic;
    struct verbs_qp *next_busy; /* queue pairs that have something to do */
    bool busy;
    struct verbs_pd *pd;
    struct verbs_cq *send_cq, *recv_cq;
    struct verbs_srq *srq;
    struct verbs_ring sq, rq;
    struct verbs_work *work;
    struct tern_pair *pair;
    struct tern_work served; /* gets the ends of the pair's operations */
    uint64_t user_handle;
    uint32_t handle, index, async_events;
    uint16_t number; /* of the pair: qp_num */
    uint8_t type, state;
    bool sq_sig_all, sqd_notify, draining, last_wqe_told;
    uint32_t max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline;
    struct ib_uverbs_modify_qp attr; /* as set so far */
    uint32_t peer_access; /* access that the peer's queue pair allows */
    bool peer_domains;    /* its process has several: the library asks for each key */
    uint8_t asking;       /* enum ask_state */
    uint32_t asked;       /* the key in question */
    uint32_t *known;      /* keys of its domain */
    int64_t asked_at;     /* milliseconds */
    uint16_t peer_node;
    uint8_t peer_incarnation;

    /* sending */
    uint32_t next, done; /* places of the send queue: first not started, first not completed */
    uint32_t sent, acked; /* messages */
    uint8_t lost;         /* IBV_WC_* of what can no longer reach the peer; 0: it can be reached */
    bool told_error;      /* a request has ended with an error: later ones are flushed */
    unsigned envelopes;   /* that the NIC works on */
    int64_t rnr_until, waiting_since, heard, pinged; /* milliseconds, 0: unset */

    /* receiving */
    struct verbs_stashed *stash, **stash_end;
    uint32_t received, told_received;
    bool told_rnr;
    struct verbs_receipt *receipt; /* a large message that the library is reading */

    /* connection */
    uint8_t link;
    int64_t link_at;      /* time of the next step */
    unsigned link_tries;

    /* datagrams */
    uint16_t datagram_id;
};

/*
 * ---- nic.c
 * ---------------------------------------------------------------------------------------
 */

struct verbs_slot {
    uint16_t next;
    uint16_t users; /* operations of the NIC that read it */
    struct verbs_qp *qp;
};

struct verbs_nic {
    struct tern_work stepper; /* awake while queue pairs have something to do */
    struct tern_work cm_served; /* gets the ends of the messages of rdma_cm */
    atomic_int lock;   /* nic_lock() */
    atomic_int wanted; /* number of waiting threads: a polling program yields to them */
    struct verbs_nic *next;
    char name[16]; /* tern0 */
    char uri[32];
    unsigned index;
    uint16_t node;
    struct tern_info info;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_inbox *inbox, *datagrams;
    uint8_t *buffers;  /* of the inboxes */
    uint8_t *staging;  /* bytes of messages being sent */
    struct tern_region *staging_region;
    struct verbs_slot *slots;
    uint16_t free_slot;
    struct verbs_context *contexts;
    struct verbs_table pds, mrs, cqs, qps, srqs, ahs;
    struct verbs_qp **by_number;
    struct verbs_qp *busy, **busy_end;
    struct verbs_datagram *partial;
    unsigned errored;  /* queue pairs in an error state: their receive queues are flushed */
    bool dead, gone;   /* the simulator has ended; this process may not use it (after fork) */
    atomic_uint polls; /* by the program, so that the agent can stay out of its way */
    atomic_uint armed; /* completion queues that wait for an event */
    atomic_uint waiting; /* messages that wait for a receive request */
    atomic_uint envelopes; /* that the NIC works on, of all queue pairs */
    atomic_uint passes; /* of the agent over what has arrived */
    struct tern_sq *cm_sq; /* sends messages of rdma_cm */
    struct tern_rq *cm_rq;
    bool cm_listens;
    int64_t command_us; /* how long a command to the NIC takes */
    int kick_fd;
    pthread_t agent;
};

/* Returns the memory at `addr` that queues of `pd` may use through `lkey`, or NULL. */
static inline struct verbs_mr *mr_find(struct verbs_nic *nic, const struct verbs_pd *pd,
                                       uint32_t lkey, uint64_t addr, uint64_t length, bool write)
{
    struct verbs_mr *mr = table_get(&nic->mrs, lkey >> 8);

    if (!mr || mr->lkey != lkey || mr->pd != pd || addr - mr->start > mr->length ||
        length > mr->length - (addr - mr->start) || (write && !(mr->access & ACCESS_LOCAL_WRITE)))
        return NULL;
    return mr;
}

/*
 * The lock is taken twice for each request, so it is a single word. A thread that does not get it
 * yields its processor.
 */
static inline bool nic_try_lock(struct verbs_nic *nic)
{
    return !atomic_exchange_explicit(&nic->lock, 1, memory_order_acquire);
}

void nic_lock_later(struct verbs_nic *nic);

static inline void nic_lock(struct verbs_nic *nic)
{
    if (!nic_try_lock(nic))
        nic_lock_later(nic);
}

static inline void nic_unlock(struct verbs_nic *nic)
{
    atomic_store_explicit(&nic->lock, 0, memory_order_release);
}

/* Returns the NIC `name` ("tern0"), opened at its first use; NULL with errno. */
struct verbs_nic *nic_get(const char *name);
/* Advances all queue pairs. The lock is held. Returns the number of received messages. */
int nic_progress(struct verbs_nic *nic);
/* Wakes the agent, so that it checks for new work. */
void nic_kick(struct verbs_nic *nic);
void nic_fail(struct verbs_nic *nic);
/*
 * Waits, for a bounded time, until the peers have all acknowledgements: the process is about to
 * end. The agent does the work, and nothing here waits for a lock without a limit: a signal handler
 * may end the process.
 */
void nic_settle_all(void);
/* Tries to advance the NIC at a program's poll of a queue. */
void nic_poll(struct verbs_cq *cq);
int64_t now_ms(void);
int64_t now_us(void);

/* Takes a slot for a message to send; 0: none is free. */
uint16_t slot_take(struct verbs_nic *nic, struct verbs_qp *qp);
void slot_release(struct verbs_nic *nic, uint16_t slot);
enum { SLOT_BYTES = 4608 };
static inline uint8_t *slot_at(const struct verbs_nic *nic, uint16_t slot)
{
    return nic->staging + (size_t)slot * SLOT_BYTES;
}

/* The purpose of a NIC operation; a part of its context. */
enum purpose { FOR_WORK = 1, FOR_CONTROL, FOR_HELLO, FOR_RECEIPT, FOR_PING };

static inline uint64_t context_make(enum purpose purpose, uint32_t place, uint16_t slot)
{
    return (uint64_t)purpose << 56 | (uint64_t)place << 16 | slot;
}

/*
 * ---- events of queues: cq.c
 * -----------------------------------------------------------------------
 */
void cq_push(struct verbs_cq *cq, const struct ib_uverbs_wc *wc, bool solicited);
/* A full queue loses the completion: an error of the queue. */
void cq_overrun(struct verbs_cq *cq);
void cq_fire(struct verbs_cq *cq);

/*
 * Returns the place of the next completion to write, and the index after it; NULL: the queue is
 * full.
 */
static inline struct ib_uverbs_wc *cq_place(const struct verbs_cq *cq, uint32_t *next)
{
    uint32_t at = ring_producer(&cq->ring);

    *next = ring_next(&cq->ring, at);
    return *next == ring_consumer(&cq->ring) ? NULL : ring_at(&cq->ring, at);
}

/* Makes the completion before `next` visible to programs. */
static inline void cq_written(struct verbs_cq *cq, uint32_t next, bool solicited,
                              unsigned wc_status)
{
    ring_produce(&cq->ring, next);
    if (cq->armed == CQ_ARMED || (cq->armed == CQ_ARMED_SOLICITED && (solicited || wc_status)))
        cq_fire(cq);
}
int cq_arm(struct verbs_cq *cq, bool solicited_only);
void qp_event(struct verbs_qp *qp, uint32_t type);

/*
 * ---- qp.c
 * ------------------------------------------------------------------------------------------
 */
/* Makes the pair pass its completions to the queue pair from now on. */
void qp_serve(struct verbs_qp *qp);
void qp_busy(struct verbs_qp *qp);
/*
 * Ends all work of the queue pair: the first incomplete request with `wc_status`, the others
 * flushed.
 */
void qp_break(struct verbs_qp *qp, unsigned wc_status);
/*
 * Notes that the peer cannot be reached. An operation of the NIC still ends as the NIC says; the
 * first request without one ends with `wc_status`.
 */
void qp_lose(struct verbs_qp *qp, unsigned wc_status);
int qp_destroy(struct verbs_qp *qp);
int qp_modify(struct verbs_qp *qp, const struct ib_uverbs_modify_qp *command);
bool gid_to_node(const struct verbs_nic *nic, const uint8_t *gid, uint16_t *node);
void gid_of_node(uint16_t node, uint8_t *gid);

/*
 * ---- send.c
 * ----------------------------------------------------------------------------------------
 */
/* Handles a doorbell: reads the new requests in the send queue. 0 or an errno. */
int send_doorbell(struct verbs_qp *qp);
/* Copies the bytes of a request; false if a piece is not the queue pair's to read. */
bool send_gather(struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint8_t *to);
void send_step(struct verbs_qp *qp);
/*
 * Handles the end of an operation of the request at `place`. Returns false: the application does
 * not get it.
 */
bool send_ended(struct verbs_qp *qp, uint32_t place, const struct tern_completion *done);
void send_complete(struct verbs_qp *qp);
void send_acked(struct verbs_qp *qp, uint32_t acked);
void send_flush(struct verbs_qp *qp);
unsigned wc_status_of(const struct tern_completion *done);

/*
 * ---- receive.c: messages from the peer of a connected queue pair
 * -----------------------------------
 */
enum envelope_type {
    ENVELOPE_DATA = 1,
    ENVELOPE_ANNOUNCE,
    ENVELOPE_WRITTEN,
    ENVELOPE_ACK,
    ENVELOPE_RNR,
    ENVELOPE_REFUSED,
    ENVELOPE_PING,
    ENVELOPE_HELLO,
    ENVELOPE_WELCOME,
    ENVELOPE_ACCESS,
    ENVELOPE_BYE,
    ENVELOPE_KEY,
    ENVELOPE_KEY_IS
};

enum { ENVELOPE_IMM = 1, ENVELOPE_SOLICITED = 2, ENVELOPE_ALLOWED = 4 };

/* Before every message of a connected queue pair; both sides are little-endian. */
struct envelope {
    uint8_t type, flags;
    uint16_t pieces;   /* ANNOUNCE: number of pieces that follow */
    uint32_t length;   /* of the message */
    uint32_t imm;
    uint32_t sequence; /* DATA, ANNOUNCE, WRITTEN, REFUSED, RNR: which message */
    uint32_t acked;    /* number of messages from the other side that have reached their buffers */
    uint32_t value;    /* REFUSED: IBV_WC_*; RNR: code of a pause; KEY, KEY_IS: the key */
    uint32_t access;   /* HELLO, WELCOME, ACCESS: access flags of the queue pair */
    uint32_t domains;  /* in the same messages: whether the process has several domains */
};

/* ANNOUNCE: a piece of a message in the sender's memory. */
struct envelope_piece {
    uint64_t addr;
    uint32_t key, length;
};

void receive_message(struct verbs_qp *qp, const void *data, uint32_t bytes);
void receive_step(struct verbs_qp *qp);
void receive_ended(struct verbs_qp *qp, const struct tern_completion *done);
void receive_flush(struct verbs_qp *qp);
void receive_forget(struct verbs_qp *qp);
/* Acknowledges all received messages before the queue pair is destroyed. */
void receive_settle(struct verbs_qp *qp);
/* Counts an envelope that the NIC works on from now on. */
void envelope_begun(struct verbs_qp *qp);
/* Sends an envelope alone; false when there is no place now. */
bool control_send(struct verbs_qp *qp, enum purpose purpose, const struct envelope *envelope);

/* Returns the place of the next receive request, or NULL. */
struct rxe_recv_wqe *request_peek(struct verbs_qp *qp);
void request_taken(struct verbs_qp *qp);
/* Copies into the pieces of a request, after `skip` bytes; returns an IBV_WC_* code. */
unsigned request_fill(struct verbs_qp *qp, const struct rxe_recv_wqe *request, uint32_t skip,
                      const void *from, uint32_t bytes);

/*
 * ---- link.c: how two queue pairs find each other
 * ------------------------------------------------------
 */
void link_begin(struct verbs_qp *qp);
void link_step(struct verbs_qp *qp, int64_t now);
void link_failed(struct verbs_qp *qp);
void link_heard(struct verbs_qp *qp, const struct envelope *envelope);
/* Sends the peer the access flags that the queue pair has from now on. */
void link_tell_access(struct verbs_qp *qp);
int link_reset(struct verbs_qp *qp);

/* ---- domain.c: keys of another protection domain */
enum domain_answer { DOMAIN_ALLOWS, DOMAIN_UNKNOWN, DOMAIN_REFUSES };
/*
 * Returns whether the peer's memory of `key` belongs to the domain of its queue pair; asks the peer
 * if necessary.
 */
enum domain_answer domain_allows(struct verbs_qp *qp, uint32_t key);
/* Whether this process has several domains at the NIC. */
bool domain_several(const struct verbs_nic *nic);
void domain_added(struct verbs_nic *nic);
void domain_asked(struct verbs_qp *qp, uint32_t key);
void domain_told(struct verbs_qp *qp, uint32_t key, bool is_allowed);
void domain_forget(struct verbs_qp *qp);

/*
 * ---- datagram.c
 * ---------------------------------------------------------------------------------------
 */
/* 1 started, 0 no place now, -1 refused with *wc_status. */
int datagram_send(struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint32_t place,
                  struct verbs_work *work, unsigned *wc_status);
void datagram_arrived(struct verbs_qp *qp, const struct tern_completion *done);
void datagram_forget(struct verbs_nic *nic, const struct verbs_qp *qp);

/*
 * ---- uverbs.c
 * -------------------------------------------------------------------------------------------
 */
/*
 * Carries out a command that a program wrote to a device. Returns the number of bytes taken, or -1
 * with errno.
 */
ssize_t uverbs_write(struct verbs_context *context, const void *command, size_t bytes);
struct verbs_context *context_open(const char *device);
void context_close(struct verbs_context *context);

/*
 * ---- ucma.c: rdma_cm
 * ---------------------------------------------------------------------------------------------
 */
struct cm_channel;
struct cm_channel *cm_open(int *fd);
ssize_t cm_write(struct cm_channel *channel, const void *command, size_t bytes);
void cm_close(struct cm_channel *channel);

/*
 * ---- cmwire.c: messages of rdma_cm; nic->lock is held
 * -----------------------------------------------------
 */
void cm_arrived(struct verbs_nic *nic, const struct tern_completion *done);
void cm_tick(struct verbs_nic *nic, int64_t now);
bool cm_is_waiting(void);
/* Drops all connections, in a child process. */
void cm_forget(void);

/*
 * ---- hooks.c
 * -------------------------------------------------------------------------------------------
 */
enum fd_kind { FD_NONE, FD_CONTEXT, FD_CHANNEL, FD_CM, FD_NO_GID };
void fd_set_object(int fd, enum fd_kind kind, void *object);
enum fd_kind fd_kind(int fd);
void *fd_object(int fd);
/* Writes to stderr which command was refused, if $TERN_VERBS_DEBUG is set. */
void say_refused(const char *abi, unsigned number, int error);
/* Makes the descriptors that a child closes its own from now on. */
void fd_in_child(void);
int real_close(int fd);
ssize_t real_read(int fd, void *to, size_t bytes);
/* Assigns the next spin lock that the provider makes in [start, start + bytes) to `cq`. */
void spin_expect(struct verbs_cq *cq, uint64_t start, uint32_t bytes);
void spin_forget(struct verbs_cq *cq);

/*
 * ---- sysview.c
 * -----------------------------------------------------------------------------------------
 */
/* Returns the path that replaces `path`, in `buffer`, or `path` itself. */
const char *sysview_path(const char *path, char *buffer, size_t bytes);
/* Name of the device whose character device `path` is ("tern0"), or NULL. */
const char *sysview_device(const char *path, char *buffer, size_t bytes);
bool sysview_is_cm(const char *path);

#endif
