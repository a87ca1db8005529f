/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the firmware: all variable data is in one `struct fw`.
 *
 * Handlers take an event or descriptor, start an operation and return; none waits. Work that lacks
 * room is held (one descriptor; all queues wait for it), stalled (one queue; its descriptors are
 * fetched again later) or kept as a bit in `work`.
 */
#ifndef FW_STATE_FW_H
#define FW_STATE_FW_H

#include "hwr.h"
#include "rx.h"
#include "sys.h"
#include "tx.h"
#include "version.h"

/* Sizes of the largest configuration; fw->id has those of this node. */
#define FW_QUEUES 512
#define FW_FUNCTIONS 64
#define FW_REGIONS 4096
#define FW_COUNTERS 256
#define FW_SLOTS 32
#define FW_OWN_SLOTS 8u /* at most so many own slots */
#define FW_AREAS TERN_CHECKIN_AREAS
#define FW_AREA_SLOTS TERN_CHECKIN_SLOTS
#define FW_ARENAS TERN_ARENAS
#define FW_TREES 8u
#define FW_REPLIES 16u /* a power of two */
#define FW_RX_SLOTS TERN_MMIO_RXSLOT_COUNT
#define FW_STAT_FIRST TERN_STAT_fw_gets
#define FW_STATS (TERN_STAT_COUNT - FW_STAT_FIRST)

#define FW_QUEUE_NIL 0xffffu
#define FW_SLOT_NIL 0xffu
/*
 * Parked descriptors take at most one in so many slots, so that no chain takes the slots of other
 * queues.
 */
#define FW_PARKED_SHARE 4u
/* `places` of a queue whose puts must be checked first. */
#define FW_PLACES_NIL ((uint16_t)(FW_QUEUES * sizeof(struct fw_queue)))
#define FW_COUNTER_FREE 0xffu

/* Results of descriptor and admin handlers, in addition to the status codes. */
enum fw_result {
    FW_HOLD = 0x100, /* a table is full: call this descriptor again, before any other */
    FW_STALL,        /* the queue must wait: fetch the descriptor again later */
    FW_LATER,        /* taken; the completion is written later */
};

/* One call of a handler starts at most this many host writes: a completion and its interrupt. */
#define FW_WRITES_PER_EVENT 2

/* Work to check in every turn of the loop; the core does not sleep while a bit is set. */
enum fw_work {
    WORK_HELD = 1,    /* fw->held */
    WORK_RX_HELD = 2, /* fw->rx_held */
    WORK_RX_DONE = 4, /* fw->rx_order */
    WORK_JOB = 8,     /* fw->job can go on */
    WORK_SWEEP = 16,  /* functions are being taken down */
    WORK_AREA = 32,   /* an area is complete and its values are written */
    WORK_REPLY = 64,  /* a message of the firmware itself can leave */
    WORK_FENCE = 128, /* fw->parked: a fence may have opened */
    WORK_DESCS = 256, /* descriptors wait behind a series of other events */
};

/* Tables that a tick must check. */
enum fw_watch { WATCH_AREAS = 1, WATCH_ARENAS = 2, WATCH_TREES = 4 };

enum fw_queue_flag {
    QUEUE_STALLED = 1, /* SQ: in the list of stalled queues; descriptors are dropped until it
                          resumes at `resume` */
    QUEUE_CUT = 2, /* SQ: an operation with `decides` failed; linked ones are flushed */
    QUEUE_CLOSING = 4, /* SQ, RQ: takes no new operations; running ones complete */
    QUEUE_DYING = 8, /* is deleted without completions */
    QUEUE_ADMIN = 16, /* SQ: admin ring */
    QUEUE_BROKEN = 32, /* CQ: the host's memory refused a completion; SQ: a wait failed */
    QUEUE_FENCED = 64, /* SQ: waits for a fence: with parked descriptors, or, if STALLED, without */
    QUEUE_INTERRUPTS = 128, /* CQ: has a vector */
    QUEUE_REMOTE = 128, /* SQ: an injection FIFO; RQ: an inbox, written by pairs only */
};

/* In addition to the kind. */
enum fw_pair_form {
    PAIR_KIND = 3,
    PAIR_READY = 4, /* takes messages */
    PAIR_BEGUN = 8, /* part of a message has arrived: `entry` is taken */
};

struct fw_queue {
    uint8_t type, flags; /* adjacent: puts test both at once */
    uint8_t fn;
    union {
        uint8_t log2_entries;
        uint8_t form; /* pair: kind, and enum fw_pair_form */
    };
    union {
        uint16_t cq;     /* SQ, RQ: where completions go */
        uint16_t vector; /* CQ */
        uint16_t rq;     /* pair: its reception FIFO; may be deleted */
    };
    union {
        uint16_t users;  /* CQ: queues that complete here; RQ, pair: messages being written */
        uint16_t places; /* SQ: byte offset in `queue` of its CQ, or of an entry without room */
    };
    union {
        uint32_t producer; /* SQ: descriptors seen; RQ: entries used */
        uint32_t peer;     /* pair: node and send queue, or Q_Key */
    };
    union {
        uint16_t room;     /* RQ, CQ: entries known to be free */
        uint16_t resume;   /* SQ: low half of the index to resume at */
        uint16_t expected; /* pair: sequence number of the next packet */
    };
    union {
        uint16_t reserved;   /* CQ: entries reserved, except for puts in flight */
        uint16_t log2_bytes; /* RQ: of an entry */
        uint16_t next;       /* SQ: link in the list of stalled queues */
        uint16_t entry;      /* pair: of the latest message */
        struct {
            uint8_t parked_first,
                parked_last; /* SQ, FENCED and not STALLED: slots, a list through op.next */
        };
    };
};

/* Checks without progress until an operation is late, as a power of two; ticks between checks. */
#define OP_IDLE_LOG2 4u
#define OP_LOOK_TICKS 4u

enum fw_op_flag {
    OP_SEND = 1,   /* a message: keeps its slot until the final answer */
    OP_WAITS = 2,  /* OP_SEND: not in flight, will be sent again */
    OP_DEAD = 4,   /* its queue is gone: free the slot when it ends */
    OP_KILLED = 8,
    OP_COUNTED = 16, /* a counter or chain needs its end, which hardware reports */
    OP_OWN = 32,     /* in an own slot, always: belongs to no queue */
    OP_PULLED = 64,  /* a check-in reports its end to another node */
    OP_SERVES = 128, /* OP_OWN: sends bytes that another node reads */
};

/*
 * State of the operation in a slot, as far as hardware does not keep it. It is zero for a put until
 * a special case occurs, so starting a put writes nothing here.
 */
struct fw_op {
    uint8_t flags;
    union {
        uint8_t idle; /* how often it was late; more than once only for reads */
        uint8_t wait; /* OP_WAITS: ticks left */
    };
    union {
        uint8_t attempts; /* OP_SEND; OP_OWN: of a message */
        uint8_t next; /* OP_OWN, free: next slot in the list of free ones, 0: none; parked:
                         FW_SLOT_NIL: none */
        uint8_t from;     /* OP_SERVES: receive slot of the request */
    };
    union {
        uint8_t owner; /* OP_DEAD: function */
        uint8_t port;  /* OP_KILLED with LINK_DOWN: the port that went down */
    };
};

enum fw_area_state {
    AREA_FREE = 0,
    AREA_ARMED,
    AREA_ENDED, /* `status`: OK when all have checked in */
};

struct fw_area {
    uint64_t values;
    uint32_t values_key, pass;
    uint32_t limit, ticks; /* limit to start with; ticks left; 0: no limit */
    uint16_t epoch, slots, missing;
    uint16_t members, counted; /* members that combined answers must report; reported so far */
    uint16_t refused; /* 1 + the first slot that refused, 0: none; `status` has the reason */
    uint16_t cq;     /* gets the completion, 0: none */
    uint16_t waiter; /* queue to resume, 0: none */
    uint16_t writing; /* the last value is being written to host memory */
    uint8_t fn, state, status;
    uint32_t seen[FW_AREA_SLOTS / 32];
};

enum fw_arena_state {
    ARENA_FREE = 0,
    ARENA_OPEN,    /* no transfer is announced */
    ARENA_ASKED,   /* the host has been asked for the place */
    ARENA_GRANTED, /* room is reserved, bytes may come */
};

/* A ring of bytes in host memory; the used part begins at `tail` and ends at `head`. */
struct fw_arena {
    uint64_t base;             /* host address */
    uint32_t bytes, key, memory_key; /* keys: of the group; of the region around the arena */
    union {
        struct {
            uint32_t head, tail, used,
                before; /* of the ring; `before`: `head` before the last grant */
        };
        struct {
            uint32_t question, where; /* number; destination of the answer, as in CHK */
            uint16_t to, tag;         /* epoch or queue; of the window */
            uint8_t opcode;           /* of the answer, 0: combined */
        } asked;                      /* if `asks` */
    };
    /* the last grant, or the open question */
    uint32_t start, length, taken; /* offset, bytes, bytes of the ring */
    uint32_t pass, reference, seen;        /* `seen`: last value of the counter */
    uint32_t lease, ticks;                 /* of the lease; ticks left; 0: no limit */
    uint16_t origin, epoch;
    uint16_t spare; /* bytes of the room that only the stored request needed */
    uint16_t counter, cq;
    uint8_t fn, state;
    uint8_t asks; /* the host chooses the place of bytes; there is no ring */
};

/* A request whose answers are combined on their way to the origin. */
struct fw_tree {
    uint32_t pass, ticks, lease; /* `ticks` left, 0: no limit */
    uint16_t epoch, area, parent, here; /* `here`: this node's place in the box */
    uint16_t low, high;   /* corners of the box */
    uint16_t refuser;     /* place of the refusing node */
    uint16_t members;     /* that have room, as reported so far */
    uint8_t asked,
        owed; /* not answered yet; not complete yet: ports, and TREE_SELF */
    uint8_t refusal;      /* status */
    uint8_t port;         /* of the parent */
    uint8_t state;        /* enum fw_tree_state */
    uint8_t tells;        /* a second report follows when all bytes have arrived */
    uint8_t origin_next;  /* the parent is the origin */
};

/* A message that the firmware is to send: a check-in, or a message of the same layout. */
struct fw_reply {
    uint32_t
        value[TERN_INLINE_BYTES_MAX / 4]; /* inline; OP_RELAY: words 8 to 15 of its descriptor */
    uint32_t pass, where; /* `where`: area, slot and refusal, as in CHK */
    uint16_t node;
    uint16_t to;     /* epoch, or queue */
    uint16_t bytes;
    uint8_t opcode;  /* OP_CHECKIN, OP_SEND, OP_GET, OP_RELAY */
};

enum fw_sweep { SWEEP_NONE = 0, SWEEP_ALL, SWEEP_KEEP_ADMIN, SWEEP_DONE };

struct fw_fn {
    uint8_t state;  /* FNSTATE_* */
    uint8_t sweep;  /* enum fw_sweep */
    uint8_t clean;  /* this pass has met no object of it */
    uint8_t grace;  /* ticks until writes in flight have certainly left */
    uint8_t errors; /* FN_ERROR count */
    uint16_t resets;
    uint16_t admin_region; /* index, 0 = none */
};

/* The one long answer being written. */
struct fw_job {
    uint8_t active, opcode, status, ended;
    uint8_t record_words; /* LOG: words left of the record being moved */
    uint16_t queue, index;
    uint32_t left, bytes; /* to write, written */
    uint32_t position;    /* words produced */
    struct hwr_place to;
};

/*
 * The most frequently used words come first, because compressed loads and stores reach only the
 * first 128 bytes. They exist neither for bytes and half-words nor for indexed arrays.
 */
struct fw {
    struct tx tx;
    struct hwr hwr;
    struct rx rx;
    uint32_t work;
    uint32_t held, rx_held;
    uint32_t rx_failed; /* a bit per receive slot: its payload could not be written */
    uint32_t placing; /* a bit per receive slot: its put is being written into a ring */
    uint32_t marked; /* a bit per slot: its operation has flags */
    uint32_t stat[FW_STATS];
    uint32_t links_up; /* bits of NODE_PORTS_ALL; ports without a neighbour count as up */
    uint32_t mask; /* current EV_MASK */
    uint32_t parked; /* a bit per slot: its descriptor waits for a fence */
    uint32_t parked_ahead; /* of these, the first of each queue */
    uint32_t waiting; /* a bit per slot: its operation has OP_WAITS */
#ifndef TERN_NO_COMBINE
    uint32_t combines; /* a bit per slot: its contribution is in the tree network */
    uint32_t tree_groups; /* of the chip's tree network, 0: it has none */
    uint32_t tree_longs; /* a bit per slot: was a contribution from host memory, may have ended */
    /* of groups that this node forwards: the node that wanted that, one more */
    uint16_t tree_for[TERN_TREE_GROUPS];
    uint8_t tree_asked, tree_used; /* a bit per group: that node is asked; has said it is in use */
#endif
    uint32_t sample_left; /* reads to answer until the next sample; 0: 2^32 */
    union {
        struct {
            uint8_t watched; /* enum fw_watch */
            uint8_t sends; /* messages that hold a descriptor slot */
            uint8_t resetting;
            uint8_t own_busy; /* own slots that hold a message, a bit each */
        };
        uint32_t ticks_more; /* nonzero: a tick has more to check than operations */
    };
    uint32_t late; /* a bit per slot: its operation was late */
    /* Checks without progress: bit `slot` of word i is bit i of the count of that slot. */
    uint32_t idle_looks[OP_IDLE_LOG2];
    uint32_t tick_cycles;
    uint32_t random;
    uint32_t image_bytes;
    uint32_t sweep_position;
    struct sys_identity id;
    uint16_t first_queue;
    uint16_t stalled_first, stalled_last;
    uint16_t region_hint; /* word of the bitmap at which the search starts */
    uint8_t own_free; /* first in the list of own slots for reads and messages, 0: none */
    uint8_t own_next; /* the next READ packet is copied to this own slot, 0: none */
    uint8_t tick_fast;
    uint8_t ops_ticked; /* operations were checked in this tick */
    uint8_t parked_count;
    uint8_t parked_no_place; /* a fence is open, but its completion queue has no room */
    uint8_t rx_first, rx_last; /* messages written but not completed, in rx_order */
    uint8_t rx_order[FW_RX_SLOTS];
    uint8_t reply_first, reply_last;
    uint8_t reply_owed; /* replies that puts in flight will need */
    uint8_t ticks, rx_since; /* ticks so far; at the arrival of `rx_held` */
    uint16_t sample_most; /* reads that may be drawn until the next sample */
    struct fw_job job;
    struct fw_op op[FW_SLOTS];
    struct fw_fn fn[FW_FUNCTIONS];
    uint8_t nodes_left[FW_RX_SLOTS]; /* nodes that a lookup may still visit after the atomic unit's
                                        present lot */
    uint16_t rx_queue[FW_RX_SLOTS], rx_index[FW_RX_SLOTS];
    uint32_t region_used[FW_REGIONS / 32];
    uint8_t counter_owner[FW_COUNTERS];
    struct fw_queue queue[FW_QUEUES + 1]; /* the last one never has room and is broken */
    uint16_t counter_cq[FW_COUNTERS]; /* gets the completion, 0: none */
    struct fw_area area[FW_AREAS];
    struct fw_arena arena[FW_ARENAS];
    struct fw_tree tree[FW_TREES];
    struct fw_reply reply[FW_REPLIES];
    uint16_t sample_cq[FW_FUNCTIONS]; /* gets samples of reads, 0 = none */
};

/* Tells whether the function's objects are being taken down. */
static inline bool fw_fn_sweeping(const struct fw *fw, uint32_t fn)
{
    return fw->fn[fn].sweep == SWEEP_ALL || fw->fn[fn].sweep == SWEEP_KEEP_ADMIN;
}

#define FW_COUNT(fw, name) ((fw)->stat[TERN_STAT_fw_##name - FW_STAT_FIRST]++)
/* A row of the statistics that counts objects now in use. */
#define FW_USED(fw, name) ((fw)->stat[TERN_STAT_used_##name - FW_STAT_FIRST])

/*
 * Tags of host writes.  A tag below TAG_JOB is a receive slot; TAG_PART adds a receive slot,
 * TAG_AREA and TAG_AREA_LAST add a check-in area, and HWTAG_CQ adds a completion queue.
 */
enum fw_tag {
    TAG_JOB = 0x80,
    TAG_JOB_LAST = 0x81,
    TAG_INTERRUPT = 0x82,
    TAG_AREA = 0x90,
    TAG_AREA_LAST = 0xa0,
    TAG_PART = 0xb0 /* first part of a write for a message; the last part reports the end */
};

/*
 * Runs the self-test, then clears what the tables hold from before a reset; false: the node is
 * unusable. `fw` must be all zero.
 */
bool fw_init(struct fw *fw, uint32_t image_bytes);

/* Runs one turn of the event loop: some puts and one other event; sleeps if there is none. */
void fw_step(struct fw *fw);

#endif
