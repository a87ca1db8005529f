/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtern: the host's side of a tern NIC.
 *
 * A process opens a NIC, registers memory for transfers, makes queues, posts operations and polls
 * completions. Nothing here is specific to the simulator: a URI names the NIC.
 *
 * Errors. Functions that return int return 0 (or a count) on success and a negated TERN_ST_* code
 * otherwise; tern_strerror() has the text. TERN_ST_SYSTEM: see errno. When the connection is lost,
 * or a waiting call notices that the firmware has restarted, every call returns
 * -TERN_ST_DISCONNECTED, and operations in flight complete with that status. An operation whose
 * post returned 0 completes, and no other does.
 *
 * Threads.  A completion queue, and the queues that report to it, belong to one thread at a time;
 * everything else may be called from any thread.  Close a device when no other thread uses it.
 *
 * Forks. A child of fork() has copies of the handles, and can only close them, with tern_close().
 * Every other call on an inherited device or its objects returns -TERN_ST_FORKED, moves nothing and
 * takes no completion; operations of the parent go on. The memory of rings is not mapped in the
 * child. Memory that the application registered is a copy there; the NIC uses the parent's. A child
 * opens the NIC anew. (Not detected: vfork() and bare clone().)
 *
 * Ownership. An object that a function returns through a pointer to pointer belongs to the caller,
 * who frees it with the matching call; tern_close() frees whatever is left. Registered memory stays
 * the caller's: keep it mapped until it is released and no operation uses it.
 *
 * Growth. struct tern_completion, struct tern_info and struct tern_region_attr gain fields at their
 * end only. Functions that fill or read one take its size in the program, with `_sized` in their
 * name; inline functions beside them pass sizeof. So a program runs with a library that knows more
 * fields, or fewer (the others are 0 then).
 *
 * Units.  Lengths are bytes unless the name says otherwise.  Times of the host are milliseconds,
 * times of the NIC are its clock cycles.
 */
#ifndef TERN_TERN_H
#define TERN_TERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tern_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tern_device;
struct tern_region;
struct tern_cq;
struct tern_sq;
struct tern_rq;

/* Returns the text of a status code, negated or not.  Never NULL; static. */
const char *tern_strerror(int status);

/* Version of this header: 1 000 000 major + 1 000 minor + patch.  See docs/library.md. */
#define TERN_VERSION 1000u

/* Returns TERN_VERSION of the library that the program runs with. */
uint32_t tern_version(void);

/* ---- nodes and remote pointers -------------------------------------------------------------- */

/* Coordinates packed as the NIC packs them: x 4:0, y 9:5, z 14:10. */
uint16_t tern_node(unsigned x, unsigned y, unsigned z);

/* Longest text of a node, with its NUL: "31.31.31". */
#define TERN_NODE_TEXT 12

/* Writes "x.y.z" to `text`, which has TERN_NODE_TEXT bytes; returns `text`. */
char *tern_node_format(uint16_t node, char *text);

/*
 * Parses "x.y.z" or "x"; sets `*end`, unless NULL, to the first character after it. 0 or
 * BAD_ARGUMENT.
 */
int tern_node_parse(const char *text, uint16_t *node, const char **end);

/*
 * Names a place in registered memory of any node: 16 bytes in the canonical layout (RPTR of the
 * contract).  A program may copy them to any other node.
 */
struct tern_rptr {
    uint32_t w[4];
};

/* Returns the pointer advanced by `bytes`, unchecked: the target checks its range. */
struct tern_rptr tern_rptr_add(struct tern_rptr pointer, uint64_t bytes);

/* Returns the node of the pointer, packed as by tern_node(). */
uint16_t tern_rptr_node(struct tern_rptr pointer);

/* Text of a pointer, with its NUL: 32 hexadecimal digits. */
#define TERN_RPTR_TEXT 33

/*
 * Writes the pointer's words as lower-case hexadecimal digits to `text`, which has TERN_RPTR_TEXT
 * bytes; returns `text`.
 */
char *tern_rptr_format(struct tern_rptr pointer, char *text);

/*
 * Parses such a text into `*pointer`; sets `*end`, unless NULL, to the first character after it. 0;
 * or BAD_ARGUMENT, and nothing is written.
 */
int tern_rptr_parse(const char *text, struct tern_rptr *pointer, const char **end);

/* ---- device --------------------------------------------------------------------------------- */

/*
 * Advances a simulator inside the process while the driver waits. The waiting thread calls it. A
 * non-zero result ends the wait: the driver call returns -TERN_ST_WAIT_EXPIRED.
 */
typedef int tern_progress_fn(void *arg);

/*
 * Opens the NIC that `uri` names and enables a function of it:
 *   sim:PATH      the socket PATH (it holds a '/')
 *   sim:X.Y.Z     node of the simulator whose sockets are in $TERN_SIM_DIR, else in
 *   sim:X         ${XDG_RUNTIME_DIR:-/tmp}/tern-sim-<uid>
 * Returns BAD_ARGUMENT (`uri` is none of these), NO_DEVICE (no simulator listens there),
 * NO_FUNCTION (every function of the NIC has a process already), SYSTEM with errno EACCES (the
 * simulator of another user), ABI_MISMATCH, BAD_FIRMWARE, PROTOCOL, SYSTEM, NO_MEMORY, TIMEOUT, or
 * the status with which the firmware refused.
 *
 * The firmware has a minute to boot, and a minute for each admin command. A large simulated torus
 * may need more: $TERN_PATIENCE, in seconds (1 to 86400; any other value means a minute).
 */
int tern_open(const char *uri, struct tern_device **device);

/*
 * Opens a NIC on a connected socket, which the device owns from then on, even on failure.
 * `progress` may be NULL.
 */
int tern_open_fd(int fd, tern_progress_fn *progress, void *arg, struct tern_device **device);

/*
 * Returns the descriptor of the connection, which stays the device's. The NIC keeps the function as
 * long as any process has it, or a copy, open.
 */
int tern_device_fd(const struct tern_device *device);

/*
 * Answers the NIC's messages that access host memory. Only for devices with a progress function,
 * which calls this for each device that it serves; other devices have a thread for it.
 */
void tern_serve(struct tern_device *device);

/* Frees the device and all its objects. The NIC resets the function. NULL is fine. */
void tern_close(struct tern_device *device);

/* Finds the path of the socket that `uri` names. 0, BAD_ARGUMENT, or BAD_SIZE when it does not
 * fit. */
int tern_uri_path(const char *uri, char *path, size_t bytes);

/* Finds the folder in which short URIs are looked up. */
int tern_sim_dir(char *path, size_t bytes);

struct tern_info {
    uint32_t abi_version;   /* major 31:16, minor 15:0 */
    uint32_t fw_version;
    uint32_t fw_bytes;
    uint16_t node;
    /* sides of the torus minus one, packed as a node; bit 15: a mesh, open at the ends */
    uint16_t dims;
    uint8_t incarnation;
    uint8_t link_data_bits;
    uint8_t ports;
    uint8_t links_up;       /* a bit for each port, when tern_query() was called */
    uint16_t function;
    uint16_t first_queue;   /* lowest number an application may ask for */
    uint32_t functions, queues, regions, counters, operations;
    uint32_t max_payload;   /* bytes of a packet, and of a message */
    uint32_t put_bytes_max; /* bytes of one put */
    uint32_t clock_hz;      /* 0: simulated */
    uint32_t host_latency;  /* cycles */
    /* cycles without progress after which a put fails; messages, atomics and reads wait longer */
    uint32_t op_timeout;
    bool modelled;          /* the `soft` tier, software models: cycle counts mean nothing */
    uint32_t features;      /* of the firmware, TERN_FEATURE_* */
};

/*
 * Reads the identity of the NIC and the state of its links.  tern_query_sized() fills the first
 * `size` bytes of a tern_info; applications call tern_query().
 */
int tern_query_sized(struct tern_device *device, void *info, size_t size);
static inline int tern_query(struct tern_device *device, struct tern_info *info)
{
    return tern_query_sized(device, info, sizeof(*info));
}

/* Reads the clock cycles of the NIC since power-on. */
int tern_cycles(struct tern_device *device, uint64_t *cycles);

/* Reads how many instructions the NIC's core has retired, and how many cycles it was awake. */
int tern_core_counters(struct tern_device *device, uint64_t *instructions, uint64_t *busy_cycles);

/*
 * Holds the core in reset, or restarts it. For function 0 alone; the NIC ignores it from others.
 */
int tern_core_hold(struct tern_device *device, bool hold);

/*
 * Holds the core and resets the datapath as well: the blocks between network, host and core, with
 * all queues, regions and operations of all functions. Packets that pass through the node are not
 * disturbed. The reset comes when the NIC's open packets and accesses to hosts have ended;
 * tern_path_busy() sets `busy` until then. tern_core_hold(device, false) restarts the core. For
 * function 0 alone; the NIC ignores it from others.
 */
int tern_path_reset(struct tern_device *device);
int tern_path_busy(struct tern_device *device, bool *busy);

/* Reads the last error that belongs to no descriptor (a bad doorbell), the number of such errors,
 * and the queue. The NIC counts an error soon after it, not in the order of the descriptors. */
int tern_last_error(struct tern_device *device, enum tern_status *status, uint16_t *queue,
                    unsigned *count);

/*
 * Takes down all queues and regions of this function on the NIC.  Earlier completions can still be
 * polled; the operations still out complete with DISCONNECTED, and have happened or not.  Destroy
 * the handles before you make new queues and regions, which may get the same numbers.
 */
int tern_reset(struct tern_device *device);

/* ---- memory --------------------------------------------------------------------------------- */

/*
 * Registers `bytes` at `addr` with TERN_RIGHT_* rights, so that the NIC may access them. Any memory
 * of the process, any alignment. Returns NO_RESOURCE when the NIC's table is full.
 */
int tern_register(struct tern_device *device, void *addr, size_t bytes, unsigned rights,
                  struct tern_region **region);

/* Attributes of a region. With all fields 0 they are those of tern_register(). */
struct tern_region_attr {
    void *addr;
    size_t bytes;
    unsigned rights;  /* TERN_RIGHT_* */
    /*
     * deposits into the region count down byte counter `counter` of this function (tern/counter.h)
     */
    bool counted;
    /* the region has the key `key`, agreed beforehand; else the NIC chooses one */
    bool keyed;
    /* the region makes this node a member of the group of `key` (tern/group.h); implies `keyed` */
    bool member;
    uint16_t counter;
    uint32_t key;     /* as tern_group_key() */
    /*
     * the memory is a shared mapping of the memfd `file`, sealed with F_SEAL_SHRINK. Byte
     * `file_offset` of the file lies at `addr`; both have the same offset in their page. The NIC
     * maps the file too, and accesses it as long as any process has the connection open
     */
    bool shared;
    int file;
    uint64_t file_offset;
};

/*
 * Registers memory as `attr` says; `size` is that of struct tern_region_attr. As tern_register();
 * BAD_KEY when the NIC's table has no such entry, QUEUE_BUSY when the entry is in use, BAD_COUNTER;
 * BAD_ALIGN when address and file offset differ within a page. `attr` is copied; `file` is used
 * only during the call.
 */
int tern_register_sized(struct tern_device *device, const void *attr, size_t size,
                        struct tern_region **region);

static inline int tern_register_with(struct tern_device *device,
                                     const struct tern_region_attr *attr,
                                     struct tern_region **region)
{
    return tern_register_sized(device, attr, sizeof(*attr), region);
}

/* Ends all access to the region. QUEUE_BUSY, without any change, while a queue uses it. */
int tern_release(struct tern_region *region);

uint32_t tern_region_key(const struct tern_region *region);

/*
 * Returns a remote pointer to `offset` in the region, for other nodes. The rights in it are for
 * information only.
 */
struct tern_rptr tern_region_pointer(const struct tern_region *region, uint64_t offset);

/* ---- completions ---------------------------------------------------------------------------- */

#define TERN_CQ_POLLED 1u /* no interrupt: waiting means polling */

/*
 * Makes a completion queue of 2^log2_entries.  Without TERN_CQ_POLLED it has an event descriptor.
 */
int tern_cq_create(struct tern_device *device, unsigned log2_entries, unsigned flags,
                   struct tern_cq **cq);

/* Frees the queue. QUEUE_BUSY while a send queue, a group or a counter uses it. */
int tern_cq_destroy(struct tern_cq *cq);

struct tern_completion {
    enum tern_status status;
    /*
     * TERN_OP_*: of the operation, or TERN_OP_RECV, TERN_OP_COUNTER, TERN_OP_AREA, TERN_OP_ARRIVED,
     * TERN_OP_ASKED, TERN_OP_LOOKED, TERN_OP_ERROR
     */
    uint8_t opcode;
    uint8_t flags;       /* TERN_DFLAG_IMM, TERN_DFLAG_SOLICITED of a received message */
    uint16_t index;      /* number of the descriptor, reception entry, counter, area or arena */
    uint16_t queue;
    uint16_t node;       /* source of a message; for an error the node concerned */
    uint8_t link;        /* for LINK_DOWN the port (0 X+, 1 X-) plus 1, else 0 */
    uint8_t fault;       /* which side refused: 0 none, 1 origin, 2 target, 3 network */
    uint32_t length;     /* bytes moved */
    uint32_t imm;
    /*
     * for an atomic operation: the old word; for a message: the sender's queue; for an area: the
     * first missing slot; in an arena: offset
     */
    uint64_t value;
    uint64_t context;    /* the caller's, from the post */
    /*
     * for a message: its bytes, valid until tern_rq_release(); in an arena: valid until
     * tern_arena_release(); else NULL
     */
    const void *data;
};

/*
 * Takes up to `max` completions; returns how many. Yields the processor when there are none.
 * DISCONNECTED when the connection is lost and no completion is left.
 *
 * A completion says nothing about earlier operations of the queue, unless it was posted with
 * TERN_DFLAG_FENCE.  An error always completes, a success only with TERN_DFLAG_SIGNAL.
 */
int tern_cq_poll_sized(struct tern_cq *cq, void *out, int max, size_t size);

static inline int tern_cq_poll(struct tern_cq *cq, struct tern_completion *out, int max)
{
    return tern_cq_poll_sized(cq, out, max, sizeof(*out));
}

/*
 * Sleeps until a completion came, or `timeout_ms` have passed (WAIT_EXPIRED); -1: no limit. That
 * completion may be internal to the library, so a poll may return nothing: wait in a loop.
 */
int tern_cq_wait(struct tern_cq *cq, int timeout_ms);

/*
 * Waits for one completion and takes it, as tern_cq_poll() and tern_cq_wait() in a loop.  0;
 * WAIT_EXPIRED after `timeout_ms` (-1: no limit); DISCONNECTED.
 */
int tern_cq_next_sized(struct tern_cq *cq, void *out, size_t size, int timeout_ms);

static inline int tern_cq_next(struct tern_cq *cq, struct tern_completion *out, int timeout_ms)
{
    return tern_cq_next_sized(cq, out, sizeof(*out), timeout_ms);
}

/* Returns an eventfd that becomes readable when completions arrive, or -1. Read it until empty
 * before polling. */
int tern_cq_fd(const struct tern_cq *cq);

/* Returns the device that the queue belongs to. */
struct tern_device *tern_cq_device(const struct tern_cq *cq);

/*
 * Writes a text such as "queue 130, operation 5: key does not name a registered region, node 1.0.0"
 * for people. Returns `text`.
 */
char *tern_completion_format(const struct tern_completion *completion, char *text, size_t bytes);

/* ---- operations ----------------------------------------------------------------------------- */

/* Makes a send queue of 2^log2_entries descriptors that reports to `cq`. */
int tern_sq_create(struct tern_cq *cq, unsigned log2_entries, struct tern_sq **sq);

/* Waits for its operations in flight, then frees the queue. */
int tern_sq_destroy(struct tern_sq *sq);

uint16_t tern_sq_number(const struct tern_sq *sq);

/* Beside the TERN_DFLAG_* bits: more posts follow at once; delay the doorbell until then. */
#define TERN_MORE 0x100u

/*
 * The next post to this queue is the next step of the same chain: see tern/chain.h.
 */
#define TERN_LINK 0x200u

/*
 * Posts a put of `bytes` (1 to put_bytes_max) at `from`, which lies in `region`, to `to`.  Returns
 * AGAIN when the ring or the completion queue is full: poll, then try again.  `from` must not
 * change until the operation has ended.
 */
int tern_put(struct tern_sq *sq, struct tern_rptr to, const struct tern_region *region,
             const void *from, uint32_t bytes, unsigned flags, uint64_t context);

/* Posts a put of any length, as several puts; the last waits for the others and completes. */
int tern_put_long(struct tern_sq *sq, struct tern_rptr to, const struct tern_region *region,
                  const void *from, uint64_t bytes, unsigned flags, uint64_t context);

/* Posts a put of up to 32 bytes of any memory, which the call copies. */
int tern_put_inline(struct tern_sq *sq, struct tern_rptr to, const void *from, uint32_t bytes,
                    unsigned flags, uint64_t context);

/* The target of a message, and 32 bits that it may carry (TERN_DFLAG_IMM). */
struct tern_target {
    uint16_t node;
    uint16_t queue;
    uint32_t imm;
};

/*
 * Posts a message of up to max_payload bytes into a reception FIFO. With `region` NULL the call
 * copies the bytes, 32 at most.
 */
int tern_send(struct tern_sq *sq, struct tern_target to, const struct tern_region *region,
              const void *from, uint32_t bytes, unsigned flags, uint64_t context);

/* Does nothing; completes. */
int tern_nop(struct tern_sq *sq, unsigned flags, uint64_t context);

/*
 * Tells whether `count` operations can be posted now without AGAIN, even if all of them complete.
 */
bool tern_sq_room(const struct tern_sq *sq, unsigned count);

/* Rings the doorbell for operations posted with TERN_MORE. */
int tern_sq_flush(struct tern_sq *sq);

/* ---- messages ------------------------------------------------------------------------------- */

/*
 * Makes a reception FIFO of 2^log2_entries messages of up to 2^log2_bytes each.  `number` is the
 * queue number wanted, or TERN_QUEUE_ANY; QUEUE_BUSY when it is taken.  Arrived messages are
 * completions of opcode TERN_OP_RECV, in order.
 */
int tern_rq_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, uint16_t number,
                   struct tern_rq **rq);
int tern_rq_destroy(struct tern_rq *rq);
uint16_t tern_rq_number(const struct tern_rq *rq);

/*
 * Gives the oldest `count` polled messages back to the NIC; their bytes become invalid. The library
 * updates the NIC when a quarter of the entries are free, so up to a quarter may lie idle.
 */
int tern_rq_release(struct tern_rq *rq, unsigned count);

/* ---- statistics and log --------------------------------------------------------------------- */

/* Reads all statistics, in the order of the contract (TERN_STAT_*). */
int tern_stats(struct tern_device *device, uint64_t values[TERN_STAT_COUNT]);

/* Returns name and meaning of statistic `index`, or NULL where there is none. */
const char *tern_stat_name(unsigned index);
const char *tern_stat_text(unsigned index);

/* Returns the index of the statistic called `name`, or BAD_ARGUMENT. */
int tern_stat_find(const char *name);

/*
 * Takes the firmware's log, line by line. Function 0 alone (DENIED). Returns how many lines.
 */
int tern_log_read(struct tern_device *device, void (*line)(void *arg, const char *text), void *arg);

#ifdef __cplusplus
}
#endif

#endif
