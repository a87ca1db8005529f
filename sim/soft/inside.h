/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a soft node, one struct for each block of the chip, and the calls between blocks. A
 * block does in one call what the chip's block does in several cycles. Its behaviour, order and
 * counters are those of the chip (hw-model/README.md).
 */
#ifndef TERN_SIM_SOFT_INSIDE_H
#define TERN_SIM_SOFT_INSIDE_H

#include "cost.h"
#include "soft.h"
#include "tern_abi.h"

/* The chip's parameters in simulation, hw-model/README.md. */
enum {
    SOFT_FUNCTIONS = TERN_MODEL_FUNCTIONS,
    SOFT_DATA_BITS = 8 * TERN_MODEL_BEAT_MAX,
    SOFT_PAYLOAD = 512,
    SOFT_ROWS = 512,
    SOFT_QUEUES = 512,
    SOFT_SLOTS = 32,
    SOFT_SLOTS_OWN = 4, /* own slots, included above */
    SOFT_POOL = SOFT_SLOTS - SOFT_SLOTS_OWN,
    SOFT_SPARE = 3, /* slots of the pool that one function cannot take */
    SOFT_REGIONS = 4096,
    SOFT_COUNTERS = 256,
    SOFT_RX_SLOTS = 8
};

enum {
    SOFT_DESC_WORDS = TERN_DESC_BYTES / 4,
    SOFT_BURST = 4,        /* descriptors of one fetch */
    SOFT_EVENTS = 256,     /* entries of an event queue; no block fills them */
    SOFT_EVENT_TYPES = 16,
    SOFT_DBERRS = 4,
    SOFT_TX_COMMANDS = 8,
    SOFT_TX_AHEAD = 4096,  /* bytes of payload fetched at once */
    SOFT_WRITES = 32,      /* host writes in flight ... */
    SOFT_WRITES_PUT = 16,  /* ... of which deposits leave so many for the firmware */
    SOFT_WRITES_FW = 28,
    SOFT_HWR = 7,          /* largest value of HW_SPACE */
    SOFT_ACKS = 32,        /* acks in flight */
    SOFT_ACKS_KEPT = 8,    /* acks that packets for the firmware leave to others */
    SOFT_LOG_WORDS = 256,
    SOFT_INCARNATION_FIRST = 1,
    SOFT_LINK_HOLD = 5120, /* cycles a link stays down, like HoldTicks of the chip */
    SOFT_PACKET_MAX = TERN_PKT_HEADER_BYTES + SOFT_PAYLOAD + TERN_PKT_TRAILER_BYTES,
    SOFT_HEADER_WORDS = TERN_PKT_HEADER_BYTES / 4,
    SOFT_TREE_ENDS = TERN_TREE_GROUPS * TERN_TREE_SLOTS
};

#define SOFT_NEVER UINT64_MAX

/* ---- blocks ---- */

struct soft_bar {
    struct tern_bar_access access[TERN_BAR_QUEUE];
    unsigned first, count;
    uint32_t fn[SOFT_FUNCTIONS][TERN_BAR_FN_WORDS];
    uint64_t control; /* a bit per function: its FN_CTRL was written */
    uint8_t control_value[SOFT_FUNCTIONS];
    unsigned control_turn;
    uint32_t cycle_high, busy_high;
    bool hold; /* CORE_CTRL */
    bool path; /* a reset of the datapath is asked for and has not happened */
    /* the inline descriptor being assembled */
    uint32_t desc[SOFT_DESC_WORDS];
    bool whole;
    unsigned next_word, queue;
    uint8_t function;
};

struct soft_queue {
    uint64_t base;
    uint32_t key, head, doorbell;
    uint8_t type, function, log2;
    bool stop, listed;
};

struct soft_slot {
    uint32_t words[SOFT_DESC_WORDS];
    uint16_t queue;
    uint8_t function;
};

/* A burst of descriptors in flight. */
struct soft_fetch {
    bool active;
    unsigned queue, count;
    uint32_t index; /* of the first one */
    uint8_t slots[SOFT_BURST];
    uint32_t words[SOFT_BURST * SOFT_DESC_WORDS];
    struct tern_dma_op op;
};

struct soft_prefetch {
    struct soft_queue queue[SOFT_QUEUES];
    uint32_t select;
    uint16_t list[SOFT_QUEUES]; /* queues with something to fetch, each once */
    unsigned list_first, list_count;
    struct soft_slot slot[SOFT_SLOTS];
    uint32_t free; /* free slots, a bit each */
    struct soft_fetch fetch;
};

struct soft_key {
    uint32_t entry[SOFT_REGIONS][8];
    uint32_t select;
};

struct soft_op {
    uint32_t out; /* answers awaited */
    uint8_t status, generation;
    bool notify, sent_all, killed, sent, busy, told; /* told: its event was not taken yet */
};

struct soft_ops {
    struct soft_op op[SOFT_SLOTS];
    uint32_t progress;
};

/* A message whose command was given. */
struct soft_message {
    uint32_t command;
    uint8_t status; /* its final status */
    uint32_t desc[SOFT_DESC_WORDS];
    uint16_t queue;
    uint8_t function;
    uint64_t host_address, remote_address; /* of the next packet */
    uint32_t left;                         /* bytes from the next packet on */
    uint16_t packets;                      /* packets already sent */
    /* payload fetched already */
    uint32_t ahead_at, ahead_bytes;
    bool fetching, cautious; /* cautious: fetch packet by packet, to find the one that fails */
    struct tern_dma_op op;
    _Alignas(8) uint8_t ahead[SOFT_TX_AHEAD];
};

struct soft_tx {
    struct soft_message message[SOFT_SLOTS];
    uint8_t order[SOFT_SLOTS]; /* slots with a command, oldest first */
    unsigned count;
    unsigned begun; /* so many of them are in progress */
};

enum soft_write_kind { WRITE_PUT, WRITE_REFUSED, WRITE_FIRMWARE, WRITE_INTERRUPT, WRITE_ATOMIC };

struct soft_write {
    uint8_t kind; /* enum soft_write_kind */
    uint8_t function;
    uint16_t bytes;
    uint64_t address;
    /* for puts */
    uint16_t source, opid, counter;
    uint16_t number; /* the packet's number in its broadcast, or PKT_UNNUMBERED */
    uint8_t status;
    bool ack, deposit, reply;
    /* for writes of the firmware */
    uint16_t tag;
    bool notify;
    uint16_t vector;
    bool begun;
    uint64_t due; /* of a lost answer: time of its time-out */
    struct tern_dma_op op;
    uint8_t data[SOFT_PAYLOAD];
};

struct soft_writes {
    struct soft_write write[SOFT_WRITES];
    unsigned first, count;
    unsigned lost; /* oldest writes that are done but get no answer */
    unsigned lose; /* next answers to lose */
    /* registers of the firmware's host writes */
    uint64_t address;
    uint32_t key;
    uint8_t function;
    uint32_t data[8];
};

struct soft_ack {
    uint16_t node, opid;
    uint8_t status;
    bool here;   /* for an operation of this node */
    bool last;   /* no other answer to the operation follows */
    bool brings; /* carries a word */
    uint64_t word;
};

struct soft_atomic {
    uint16_t waiting[SOFT_RX_SLOTS]; /* commands (RXA), in order */
    unsigned first, count;
    /* the operation in flight, with its place among the writes */
    bool busy, add, take, writes;
    bool walk, tree, on, between; /* between: between two nodes of a walk */
    unsigned more;                /* nodes after this one */
    uint16_t generation;          /* of the list link */
    unsigned slot; /* SOFT_RX_SLOTS: dropped with the core that owned it */
    uint16_t source, opid;
    uint32_t operands[TERN_ATO_BYTES / 4];
    uint64_t old, new_word;
    uint32_t words[TERN_NODE_BYTES / 4];
    struct tern_dma_op op;
};

/* An arriving broadcast: its operation, and the number of the next packet. */
struct soft_row {
    uint16_t source, opid, due;
    bool valid;
};

struct soft_rx {
    struct soft_row row[SOFT_ROWS];
    bool taken[SOFT_RX_SLOTS];
    struct {
        uint32_t header[SOFT_HEADER_WORDS];
        uint8_t payload[SOFT_PAYLOAD];
    } slot[SOFT_RX_SLOTS];
    struct soft_ack ack[SOFT_ACKS];
    unsigned ack_first, ack_count;
    unsigned next; /* own slot for the next READ packet, 0: none */
    uint32_t told; /* answers for this node itself, which are not packets */
};

struct soft_link {
    bool up, forced;
    uint64_t hold_until;
    uint32_t drops, bad_crc, good;
    uint16_t sequence;
    uint8_t owed[TERN_NET_CHANNELS]; /* a bit per output: its oldest packet owes a copy there */
    bool tell_down, tell_up;
    uint8_t broke; /* LINK_BROKE_*: reason of the last fall, or 0 */
};

/* A contribution that waits at a port of the tree, or a result. */
struct soft_part {
    uint64_t word[SOFT_PAYLOAD / 8];
    uint32_t key, number; /* words 6 and 7 of TRP */
    uint16_t rank, bytes;
    bool some; /* it has words */
};

struct soft_parts {
    struct soft_part part[TERN_TREE_LONG_SLOTS]; /* oldest first */
    unsigned count;
};

/* Puts of this node whose packets went to the tree: the headers of those that have not ended. */
struct soft_long {
    uint32_t key, number; /* of their contributions */
    uint32_t header[TERN_TREE_LONG_SLOTS][SOFT_HEADER_WORDS]; /* oldest first */
    unsigned count;
};

struct soft_group {
    bool on, failed, root;
    uint8_t epoch, fn;
    unsigned expect;   /* ports that it waits for, a bit each: children, this node */
    unsigned tell;     /* links over which its failure is still to be told */
    uint32_t patience; /* ticks */
    uint8_t status;    /* why it failed */
    uint16_t rank;     /* the one concerned */
    uint64_t since;    /* cycle since which some ports wait for others */
    struct soft_parts parts[TERN_MODEL_TREE];
    uint8_t slot[TERN_TREE_SLOTS]; /* of this node's contributions, oldest first */
    unsigned pending;              /* how many of them */
    struct soft_long puts;
};

struct soft_tree_end {
    uint64_t value;
    uint16_t rank;
    uint8_t slot, status;
};

struct soft_tree_link {
    bool up;
    uint64_t hold_until;
};

struct soft_tree {
    struct tern_net *net;
    struct soft_group group[TERN_TREE_GROUPS];
    struct soft_tree_link link[TERN_MODEL_TREE]; /* children, parent */
    struct soft_tree_end end[SOFT_TREE_ENDS];
    unsigned end_first, end_count;
    bool held;              /* an event was taken, TREE_HI was not read yet */
    uint64_t value, result; /* registers: of the next contribution; of the event taken last */
    uint32_t patience;
    uint16_t rank;
};

struct soft_events {
    uint32_t word[SOFT_EVENTS];
    unsigned first, count;
};

struct soft_sys {
    struct soft_events events[SOFT_EVENT_TYPES];
    uint32_t pending, mask; /* bits of event types */
    uint64_t now, last_read; /* time of this turn; last time that the firmware read */
    uint64_t compare, watchdog;
    uint64_t busy;
    uint32_t status, version;
    uint32_t log[SOFT_LOG_WORDS];
    unsigned log_first, log_count;
    uint32_t counter[SOFT_COUNTERS];
    bool counter_listed[SOFT_COUNTERS];
    uint32_t counter_select;
    uint32_t stat[TERN_STAT_COUNT];
    uint32_t drops;
    uint8_t incarnation, cause;
    uint8_t life; /* number stored in the flash */
};

enum soft_core { CORE_HELD, CORE_NO_IMAGE, CORE_BAD_IMAGE, CORE_RUNS, CORE_FAILED };

struct soft_node {
    struct soft_config config;
    struct tern_net *net;
    struct soft_bar bar;
    struct soft_prefetch prefetch;
    struct soft_key key;
    struct soft_ops ops;
    struct soft_tx tx;
    struct soft_writes writes;
    struct soft_atomic atomic;
    struct soft_rx rx;
    struct soft_link link[TERN_MODEL_PORTS];
    struct soft_tree tree;
    uint8_t owed; /* copies owed of the broadcast that this node sends */
    bool waits_here; /* a request to this node itself found no room here: it goes before requests
                        from links */
    uint32_t copies; /* copies made of broadcasts here, less the broadcasts themselves */
    uint64_t net_seen; /* tern_net_changes() at the last check of the links */
    struct soft_sys sys;
    enum soft_core core;
    bool asleep; /* the firmware has no work */
    unsigned cost; /* of this turn */
    void *firmware; /* its context */
};

#define SOFT_COUNT(node, name) ((node)->sys.stat[TERN_STAT_##name]++)
#define SOFT_COUNT_BY(node, name, by) ((node)->sys.stat[TERN_STAT_##name] += (uint32_t)(by))

/* ---- calls between blocks ---- */

/* bar.c */
bool soft_bar_work(struct soft_node *node); /* work functions return true if they did something */
uint32_t soft_bar_event(struct soft_node *node); /* takes the next FN_CTRL event, or 0 */
void soft_bar_forget(struct soft_node *node); /* answers reads with ones, drops writes */

/* prefetch.c */
struct soft_doorbell {
    uint8_t function;
    unsigned queue;
    bool inlined, commit; /* the descriptor is complete; the window's last word was written */
    uint32_t index;
    const uint32_t *desc;
};
void soft_doorbell(struct soft_node *node, const struct soft_doorbell *bell);
bool soft_prefetch_work(struct soft_node *node);
void soft_slot_free(struct soft_node *node, unsigned slot);
uint32_t soft_slot_queue(const struct soft_node *node, unsigned slot);
/* Takes the next entry of a completion queue. */
struct soft_place {
    uint64_t address;
    uint32_t key, number;
    uint8_t function;
    bool phase;
};
void soft_queue_count(struct soft_node *node, unsigned number, struct soft_place *place);
uint32_t soft_queue_read(const struct soft_node *node, uint32_t offset);
void soft_queue_write(struct soft_node *node, uint32_t offset, uint32_t value);
void soft_prefetch_init(struct soft_node *node);

/* key.c */
struct soft_check {
    uint32_t key;
    uint64_t address;
    uint32_t bytes;
    uint8_t function, right;
    bool any_function, offset;
};
struct soft_grant {
    uint64_t address;
    uint16_t counter;
    uint8_t function;
};
uint8_t soft_key_check(struct soft_node *node, const struct soft_check *check,
                       struct soft_grant *grant);

/* ops.c */
void soft_op_begin(struct soft_node *node, uint32_t slot); /* a command was given */
void soft_op_taken(struct soft_node *node, uint32_t slot); /* the firmware took its event */
void soft_op_kill(struct soft_node *node, uint32_t slot, uint8_t status);
uint32_t soft_ops_busy(const struct soft_node *node);
uint32_t soft_ops_sent(const struct soft_node *node);
uint32_t soft_ops_progress(struct soft_node *node);
void soft_op_members(struct soft_node *node, uint32_t slot,
                     uint32_t members); /* call before the operation begins */
void soft_op_start(struct soft_node *node, uint32_t slot, bool notify);
void soft_op_sent(struct soft_node *node, uint32_t slot, bool answered); /* answered: by one ack */
void soft_op_end(struct soft_node *node, uint32_t slot, uint8_t status, bool answered);
/* Handles an ack; returns whether an operation awaited it. `last`: no other ack to it follows. */
bool soft_op_acked(struct soft_node *node, uint16_t opid, uint8_t status, bool last);
uint16_t soft_op_id(const struct soft_node *node, uint32_t slot); /* as in packets */
uint32_t soft_op_slot(const struct soft_node *node, uint16_t opid); /* no slot: of another life */

/* tx.c */
uint32_t soft_tx_space(struct soft_node *node);
void soft_tx_command(struct soft_node *node, uint32_t command);
bool soft_tx_work(struct soft_node *node);

/* rx.c */
/*
 * Takes a packet for this node; false when there is no room now. `stomped`: a link found it
 * damaged.
 */
bool soft_rx_take(struct soft_node *node, const uint8_t *packet, size_t bytes, bool stomped);
void soft_rx_answer(struct soft_node *node, const struct soft_ack *ack);
/* Tells whether this packet of a broadcast and all earlier ones have come. */
bool soft_rx_whole(struct soft_node *node, const struct soft_write *packet);
bool soft_rx_work(struct soft_node *node); /* sends acks */
uint32_t soft_rx_ack_space(const struct soft_node *node);
void soft_rx_ack(struct soft_node *node, uint32_t value);
void soft_rx_copy(struct soft_node *node, uint32_t value); /* RX_COPY */
void soft_rx_forget(struct soft_node *node);
uint32_t soft_rx_window(const struct soft_node *node, uint32_t offset);

/* writes.c */
bool soft_write_room(const struct soft_node *node); /* for one deposit */
struct soft_write *soft_write_new(struct soft_node *node, enum soft_write_kind kind);
bool soft_writes_work(struct soft_node *node);
uint64_t soft_writes_timer(const struct soft_node *node); /* time-out of a lost answer */
uint32_t soft_hwr_space(const struct soft_node *node);
void soft_hwr_go(struct soft_node *node, uint32_t go);
void soft_complete(struct soft_node *node, uint32_t value); /* Q_COMPLETE */

/* atomic.c */
void soft_atomic_push(struct soft_node *node, uint32_t value); /* RX_ATOMIC */
bool soft_atomic_work(struct soft_node *node); /* starts one, with a place among the writes */
bool soft_atomic_go_on(struct soft_node *node); /* at its turn; true when it has ended */
void soft_atomic_forget(struct soft_node *node);

/* link.c */
bool soft_link_work(struct soft_node *node); /* handles arrived packets */
void soft_links_look(struct soft_node *node); /* updates whether they are up */
void soft_link_force(struct soft_node *node, unsigned port, bool down);
bool soft_links_up(const struct soft_node *node); /* all of them */
uint64_t soft_links_timer(const struct soft_node *node);
uint32_t soft_link_event(struct soft_node *node);

/*
 * Sends a packet of this node, or takes it if it is for this node itself; false when there is no
 * room. Fills in the direction bits and the fields of a link.
 */
bool soft_route(struct soft_node *node, uint8_t *packet, size_t bytes, unsigned vn);

/*
 * The same for a packet to a box of nodes, which may hold this one (`self`). False while a copy is
 * owed: call again with the same packet, before another broadcast.
 */
bool soft_broadcast(struct soft_node *node, const uint8_t *packet, size_t bytes, unsigned vn,
                    bool self);

/* tree.c */
bool soft_tree_work(struct soft_node *node);
bool soft_tree_waits(const struct soft_node *node); /* whether it has an event now */
uint32_t soft_tree_event(struct soft_node *node); /* takes it, or 0 */
/* Takes a packet of the transmit unit as a contribution; false: there is no room. */
bool soft_tree_take(struct soft_node *node, const uint8_t *packet, size_t bytes);
uint64_t soft_tree_timer(const struct soft_node *node);
void soft_tree_forget(struct soft_node *node);
uint32_t soft_tree_read(struct soft_node *node, uint32_t offset);
void soft_tree_write(struct soft_node *node, uint32_t offset, uint32_t value);

/* unicast.c */
/* Sends a put of this node over the tree; false when it must stay. */
bool soft_unicast(struct soft_node *node, const uint8_t *packet, size_t bytes);
/* Passes on what came by a link of the tree; returns whether there was any. */
bool soft_unicast_work(struct soft_node *node, unsigned port);

/* packet.c */
uint32_t soft_packet_crc(const uint8_t *packet, size_t bytes); /* end to end */
size_t soft_packet_bytes(uint32_t payload);

/* sys.c */
void soft_event(struct soft_node *node, unsigned type, uint32_t word);
uint32_t soft_event_pop(struct soft_node *node);
uint32_t soft_events_pending(const struct soft_node *node);
void soft_log_push(struct soft_node *node, uint32_t word);
uint32_t soft_log_pop(struct soft_node *node);
void soft_counter_take(struct soft_node *node, uint32_t counter, uint32_t bytes);
uint64_t soft_time_read(struct soft_node *node);
uint64_t soft_time_seen(const struct soft_node *node);

/* core.c */
void soft_core_hold(struct soft_node *node, bool hold);
void soft_path_reset(struct soft_node *node); /* asks for it; the core is held */
uint8_t soft_next_life(uint8_t life); /* number of the next life, never 0 */
void soft_core_bite(struct soft_node *node);
uint32_t soft_core_state(const struct soft_node *node); /* FWSTATE_*, code 31:16 */
bool soft_core_work(struct soft_node *node);
void soft_core_pump(struct soft_node *node); /* runs the hardware while the firmware sleeps */
bool soft_hardware_work(struct soft_node *node);

/* registers.c: accesses of the firmware */
uint32_t soft_register_read(struct soft_node *node, uint32_t offset);
void soft_register_write(struct soft_node *node, uint32_t offset, uint32_t value);

#endif
