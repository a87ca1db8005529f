/* SPDX-License-Identifier: Apache-2.0 */
#include "combine.h"

#include "clock.h"
#include "cq.h"
#include "desc.h"
#include "log.h"
#include "messages_in.h"
#include "messages_out.h"
#include "node.h"
#include "op.h"
#include "queue.h"
#include "send.h"
#include "slots.h"
#include "tree_net.h"

uint32_t fw_feature_combine(const struct fw *fw)
{
    return fw->tree_groups != 0 ? TERN_FEATURE_COMBINE : 0;
}

void fw_combines_init(struct fw *fw)
{
    fw->tree_groups = tree_groups();
}

/* Set-ups are rare, and must be small. */
#define SELDOM __attribute__((cold))

/* ---- groups */

/* Returns the number of this node in the torus, X first: its rank in the tree. */
static uint32_t own_rank(const struct fw *fw)
{
    return node_rank(fw->id.node, fw->id.dims);
}

static uint32_t node_of(uint32_t rank, uint32_t dims)
{
    uint32_t node = 0;

    for (unsigned at = 0; at < 15; at += 5) {
        uint32_t side = (dims >> at & 31) + 1;

        node |= rank % side << at;
        rank /= side;
    }
    return node;
}

/* In place of the function of a group that this node only forwards; no function has this number. */
#define FORWARDER 0xffu

_Static_assert(FORWARDER >= FW_FUNCTIONS, "it is no function");

static bool is_forwarded(uint32_t state)
{
    return TERN_F(TRG, active, state) && TERN_F(TRG, fn, state) == FORWARDER;
}

/* Tells whether the group is active in the epoch that a question names. */
static bool in_use(uint32_t state, uint32_t what)
{
    return TERN_F(TRG, active, state) && TERN_F(TRG, epoch, state) == TERN_F(TRS, epoch, what);
}

SELDOM static void give_back(const struct fw *fw, uint32_t group, uint32_t fn)
{
    tree_set(own_rank(fw), 0, TERN_V(TRS, group, group) | TERN_V(TRG, fn, fn));
}

/*
 * Asks the node that a forwarded group serves whether it is still in use there: a set-up may come
 * later than the notice that all members are gone. Returns QUEUE_BUSY: it is in use; RNR: there is
 * no answer yet, and the next set-up will be taken or refused.
 */
SELDOM static uint32_t ask(struct fw *fw, uint32_t group, uint32_t state)
{
    const struct fw_reply question = {
        .opcode = TERN_OP_TREE_FORWARD,
        .node = fw->tree_for[group],
        .bytes = TERN_FORWARD_BYTES,
        .value = {TERN_V(TRS, group, group) | TERN_V(TRS, epoch, TERN_F(TRG, epoch, state))},
    };
    uint32_t bit = 1u << group;

    if (fw->tree_used & bit) {
        fw->tree_used &= (uint8_t)~bit;
        return TERN_ST_QUEUE_BUSY;
    }
    if (!(fw->tree_asked & bit) && fw_reply_room(fw)) {
        fw_reply(fw, &question);
        fw->tree_asked |= (uint8_t)bit;
    }
    return TERN_ST_RNR;
}

/* An active group, even of this function, is set up anew only after it was given back. */
SELDOM static uint32_t set_status(struct fw *fw, uint32_t fn, uint32_t what)
{
    uint32_t group = TERN_F(TRS, group, what), state;
    bool on = TERN_F(TRS, on, what);

    if (group >= fw->tree_groups)
        return TERN_ST_NO_TREE;
    state = tree_state(group);
    if (on && is_forwarded(state))
        return ask(fw, group, state);
    if (TERN_F(TRG, active, state) && (on || TERN_F(TRG, fn, state) != fn))
        return TERN_ST_QUEUE_BUSY;
    if (on && (TERN_F(TRG, pending, state) != 0 || TERN_F(TRG, long, state)))
        return TERN_ST_QUEUE_BUSY;
    return TERN_ST_OK;
}

/* Returns the patience for a limit in cycles; 0: the longest. */
static uint32_t ticks_of(uint32_t limit)
{
    return limit != 0 ? limit / TERN_TREE_TICK + 1 : 0xffffff;
}

SELDOM void fw_tree_set(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), what = tx_slot_word(slot, TERN_TRS_epoch_WORD),
             status = set_status(fw, q->fn, what);

    if (status != TERN_ST_OK) {
        fw_desc_not_started(fw, q, event, status == TERN_ST_RNR ? FW_STALL : status);
        return;
    }
    tree_set(own_rank(fw), ticks_of(tx_slot_word(slot, TERN_TRS_limit_WORD)),
             (what & ~TERN_V(TRG, fn, UINT32_MAX)) | TERN_V(TRG, fn, q->fn));
    fw_desc_finish(fw, q, event);
}

/* ---- groups that this node forwards for others, or others for this one */

/* The group must be this function's here: a question about it could not be answered else. */
SELDOM static uint32_t served_status(const struct fw *fw, uint32_t fn, uint32_t what)
{
    uint32_t group = TERN_F(TRS, group, what), state;

    if (group >= fw->tree_groups)
        return TERN_ST_NO_TREE;
    state = tree_state(group);
    return in_use(state, what) && TERN_F(TRG, fn, state) == fn ? TERN_ST_OK : TERN_ST_NO_GROUP;
}

SELDOM void fw_tree_forward(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event),
             status = served_status(fw, q->fn, tx_slot_word(slot, TERN_TRF_what_WORD));

    if (status == TERN_ST_OK)
        fw_send(fw, q, event);
    else
        fw_desc_not_started(fw, q, event, status);
}

/* Returns OK if the group may be set up for the node. */
SELDOM static uint32_t forward_status(struct fw *fw, uint32_t node, uint32_t what)
{
    uint32_t group = TERN_F(TRS, group, what), state = tree_state(group);

    if (!is_forwarded(state) || fw->tree_for[group] != node)
        return set_status(fw, FORWARDER, what);
    /* That node has one such group: it has left the old one, and is the last one that could. */
    give_back(fw, group, FORWARDER);
    return TERN_ST_RNR;
}

SELDOM uint32_t fw_forward_take(struct fw *fw, uint32_t slot)
{
    uint32_t what = rx_payload(slot, 0), group = TERN_F(TRS, group, what), status,
             node = TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD));

    if (TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)) != TERN_FORWARD_BYTES)
        return TERN_ST_BAD_LENGTH;
    if (group >= fw->tree_groups)
        return TERN_ST_NO_TREE;
    if (!TERN_F(TRS, on, what))
        return in_use(tree_state(group), what) ? TERN_ST_OK : TERN_ST_NO_GROUP;
    status = forward_status(fw, node, what);
    if (status != TERN_ST_OK)
        return status;
    fw->tree_for[group] = (uint16_t)node;
    fw->tree_used &= (uint8_t)~(1u << group);
    what &= ~(TERN_V(TRG, fn, UINT32_MAX) | TERN_V(TRS, self, 1));
    tree_set(own_rank(fw), ticks_of(rx_payload(slot, 1)), what | TERN_V(TRG, fn, FORWARDER));
    return TERN_ST_OK;
}

bool fw_forward_is(uint32_t slot)
{
    return fw_slot_opcode(slot) == TERN_OP_TREE_FORWARD;
}

/*
 * A node without an answer is dead, or out of reach of its team. The group that the question was
 * about may be another one's now.
 */
SELDOM void fw_forward_answered(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t what = tx_slot_word(slot, TERN_TRF_what_WORD),
             group = TERN_F(TRS, group, what) % TERN_TREE_GROUPS, state = tree_state(group);

    fw->tree_asked &= (uint8_t)~(1u << group);
    if (!is_forwarded(state) || !in_use(state, what) || fw->tree_for[group] != fw_slot_node(slot))
        return;
    if (status == TERN_ST_OK)
        fw->tree_used |= (uint8_t)(1u << group);
    else
        give_back(fw, group, FORWARDER);
}

/* ---- contributions */

static bool is_long(uint32_t frame)
{
    return !(TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE);
}

static bool is_proper_length(uint32_t slot, uint32_t frame, uint32_t what)
{
    uint32_t most = TERN_TREE_BYTES, bytes = TERN_F(DESC, inline_len, frame);

    if (is_long(frame)) {
        most = TERN_TREE_LONG_BYTES;
        bytes = tx_slot_word(slot, TERN_DESC_length_WORD);
        if (bytes == 0)
            return false;
    }
    return bytes <= most && bytes % (TERN_F(TRO, wide, what) ? 8 : 4) == 0;
}

/*
 * Returns the slots whose contributions from host memory have not ended; forgets those that have.
 */
static uint32_t longs_of(struct fw *fw, uint32_t group)
{
    uint32_t set = fw->tree_longs &= fw->marked, found = 0, slot;

    while (fw_slots_take(&set, &slot))
        if (!fw_slot_combines(slot))
            fw->tree_longs &= ~(1u << slot);
        else if (TERN_F(TRO, group, tx_slot_word(slot, TERN_TRO_group_WORD)) == group)
            found |= 1u << slot;
    return found;
}

/* Tells whether the contribution in `slot` may follow the ones in the set. */
static bool follows(uint32_t slot, uint32_t set)
{
    uint32_t before = fw_bit_number(set & -set);

    return (set & (set - 1)) == 0 && tx_slot_queue(slot) == tx_slot_queue(before) &&
           tx_slot_word(slot, TERN_TRO_group_WORD) == tx_slot_word(before, TERN_TRO_group_WORD) &&
           tx_slot_word(slot, TERN_DESC_length_WORD) == tx_slot_word(before, TERN_DESC_length_WORD);
}

/*
 * Contributions keep their slots until the end, as messages do. One from host memory has its group
 * for itself, but for another one like it of the same queue, whose packets follow in order.
 */
static bool is_full(struct fw *fw, uint32_t slot, uint32_t frame, uint32_t group, uint32_t state)
{
    uint32_t longs = longs_of(fw, group), pending = TERN_F(TRG, pending, state);

    if (fw->sends >= fw->id.slots / 2)
        return true;
    if (!is_long(frame))
        return pending >= TERN_TREE_SLOTS || longs != 0 || TERN_F(TRG, long, state);
    return pending != 0 || (longs != 0 ? !follows(slot, longs) : TERN_F(TRG, long, state));
}

static uint32_t combine_status(struct fw *fw, uint32_t fn, uint32_t slot, uint32_t frame,
                               uint32_t what)
{
    uint32_t group = TERN_F(TRO, group, what), state;

    if (group >= fw->tree_groups)
        return TERN_ST_NO_TREE;
    state = tree_state(group);
    if (!TERN_F(TRG, on, state) || TERN_F(TRG, fn, state) != fn ||
        TERN_F(TRG, epoch, state) != TERN_F(TRO, epoch, what))
        return TERN_ST_NO_GROUP;
    if (!is_proper_length(slot, frame, what))
        return TERN_ST_BAD_LENGTH;
    if (TERN_F(TRO, op, what) > TERN_TREE_XOR)
        return TERN_ST_BAD_TYPE;
    if (is_long(frame) && fw_slot_node(slot) != fw->id.node)
        return TERN_ST_BAD_NODE;
    if (is_full(fw, slot, frame, group, state))
        return FW_STALL;
    return is_long(frame) && !tx_ready(&fw->tx) ? FW_HOLD : TERN_ST_OK;
}

/* Sends the bytes in host memory through the tree to this node itself. */
static void start_long(struct fw *fw, uint32_t slot, uint32_t what)
{
    uint32_t group = TERN_F(TRO, group, what);
    uint32_t more = (tx_slot_word(slot, TERN_DESC_length_WORD) - 1) / fw->id.payload_max;

    tree_arm(what | TERN_V(TRO, bytes, more));
    fw->tree_longs |= 1u << slot;
    fw->op[slot].idle = 0;
    fw->op[slot].attempts = 0;
    tx_start(&fw->tx, TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_TREE) |
                          TERN_V(TXC, type, TERN_TREE_DATA + group) | TERN_V(TXC, notify, 1));
    fw_tick_hurry(fw);
}

static void start_short(struct fw *fw, uint32_t slot, uint32_t frame, uint32_t what)
{
    tree_go(tx_slot_word(slot, TERN_INLINE_OFFSET / 4),
            tx_slot_word(slot, TERN_INLINE_OFFSET / 4 + 1),
            what | TERN_V(TRO, bytes, TERN_F(DESC, inline_len, frame)) | slot);
    fw->combines |= 1u << slot;
}

void fw_combine(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0),
             what = tx_slot_word(slot, TERN_TRO_epoch_WORD),
             status = combine_status(fw, q->fn, slot, frame, what);

    if (status != TERN_ST_OK) {
        fw_desc_not_started(fw, q, event, status);
        return;
    }
    what &= ~(TERN_V(TRO, epoch, UINT32_MAX) | TERN_V(TRO, bytes, UINT32_MAX) |
              TERN_V(TRO, long, UINT32_MAX));
    if (is_long(frame)) {
        fw_op_mark(fw, slot, OP_SEND | OP_COUNTED); /* its end is not one of a message */
        start_long(fw, slot, what);
    } else {
        fw_op_mark(fw, slot, OP_SEND);
        start_short(fw, slot, frame, what);
    }
    fw->sends++;
    q->producer++;
    fw_cq_reserve(&fw->queue[q->cq]);
    FW_COUNT(fw, sends);
}

/* ---- puts by rank */

static uint32_t put_status(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame)
{
    uint32_t status = TERN_ST_OK;

    if (fw->tree_groups == 0)
        return TERN_ST_NO_TREE;
    if (!node_inside(fw_slot_node(slot), fw->id.dims))
        return TERN_ST_BAD_NODE;
    if (TERN_F(DESC, counted, frame))
        status = fw_op_counter_status(fw, q, slot);
    return status == TERN_ST_OK && !tx_ready(&fw->tx) ? FW_HOLD : status;
}

/* A put to this node itself needs no link: it is a put like any other. Hardware checks the rest. */
void fw_tree_put(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0),
             flags = TERN_F(DESC, flags, frame) & PLAIN_FLAGS,
             vn = fw_slot_node(slot) == fw->id.node ? TERN_VN_DATA : TERN_VN_TREE,
             status = put_status(fw, q, slot, frame);

    if (status != TERN_ST_OK) {
        fw_desc_not_started(fw, q, event, status);
        return;
    }
    flags |= fw_op_follow(fw, slot, frame);
    tx_start(&fw->tx, TERN_V(TXC, slot, slot) | TERN_V(TXC, type, TERN_PTYPE_PUT) |
                          TERN_V(TXC, vn, vn) | flags << TERN_TXC_notify_LSB);
    q->producer++;
    fw->queue[q->cq].room--;
    FW_COUNT(fw, puts);
    fw_tick_hurry(fw);
}

/* ---- ends */

static uint32_t status_of(uint32_t event)
{
    static const uint8_t statuses[16] = {
        [TERN_TREE_OK] = TERN_ST_OK,
        [TERN_TREE_TIMEOUT] = TERN_ST_TIMEOUT,
        [TERN_TREE_LINK_DOWN] = TERN_ST_LINK_DOWN,
        [TERN_TREE_MISMATCH] = TERN_ST_DIFFERS,
        [TERN_TREE_MALFORMED] = TERN_ST_DAMAGED,
        [TERN_TREE_OVERRUN] = TERN_ST_DAMAGED,
        [TERN_TREE_DAMAGED] = TERN_ST_DAMAGED,
        [TERN_TREE_NO_GROUP] = TERN_ST_NO_GROUP,
    };

    return statuses[TERN_F(EV, treestatus, event) % sizeof(statuses)];
}

/* Writes the completion, with the combination, or with node and rank concerned. */
static void complete(struct fw *fw, uint32_t event, const struct fw_queue *q, uint64_t value)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0),
             rank = TERN_F(EV, rank, event);
    struct done done = {
        .status = status_of(event),
        .opcode = TERN_F(DESC, opcode, frame),
        .queue = tx_slot_queue(slot) % FW_QUEUES,
        .index = TERN_F(DESC, index, tx_slot_word(slot, TERN_DESC_index_WORD)),
        .length = TERN_F(DESC, inline_len, frame),
        .value = value,
    };

    if (done.status != TERN_ST_OK) {
        done.fault = FAULT_NETWORK;
        done.length = 0;
        done.value = rank;
        done.node = node_of(rank, fw->id.dims);
        LOG(OP_ERROR, done.queue, done.status, done.node);
        fw_queue_decide(fw, done.queue, frame);
    }
    fw_cq_write(fw, q->cq, &done);
}

/*
 * Lets hardware write the completion of an operation that ended well, as for atomic operations.
 * Returns false if hardware cannot: the operation failed, or its descriptor asks for no result.
 */
static bool complete_well(struct fw *fw, uint32_t event, struct fw_queue *q, uint64_t value)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0);

    if (TERN_F(EV, treestatus, event) != TERN_TREE_OK || !TERN_F(DESC, result, frame))
        return false;
    tx_slot_set(slot, TERN_ATR_value_WORD, (uint32_t)value);
    tx_slot_set(slot, TERN_ATR_value_WORD + 1, (uint32_t)(value >> 32));
    return fw_op_complete(fw, slot, frame, q);
}

/* Ends a contribution of a living queue; returns whether its slot is free, too. */
static bool finish(struct fw *fw, uint32_t event, struct fw_queue *q, uint64_t value)
{
    uint32_t flags = TERN_F(DESC, flags, tx_slot_word(TERN_F(EV, slot, event), 0));
    struct fw_queue *cq = &fw->queue[q->cq];

    if (TERN_F(EV, treestatus, event) == TERN_TREE_OK && !(flags & TERN_DFLAG_SIGNAL)) {
        fw_cq_return(cq);
        return false;
    }
    cq->reserved--;
    if (complete_well(fw, event, q, value))
        return true;
    complete(fw, event, q, value);
    return false;
}

void fw_combine_ended(struct fw *fw, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    struct fw_queue *q = fw_op_queue(fw, slot);
    uint64_t value = tree_take();

    fw->sends--;
    fw->combines &= ~(1u << slot);
    if (fw->op[slot].flags & OP_DEAD || !finish(fw, event, q, value))
        fw_op_release(fw, slot, q);
}

/* Completes a contribution from host memory whose group has failed. */
static void fail_long(struct fw *fw, uint32_t slot)
{
    struct fw_queue *q = fw_op_queue(fw, slot);
    uint32_t why = tree_why(TERN_F(TRO, group, tx_slot_word(slot, TERN_TRO_group_WORD)));

    fw->sends--;
    fw->queue[q->cq].reserved--;
    complete(fw, TERN_V(EV, slot, slot) | TERN_V(EV, treestatus, TERN_F(TRW, status, why)) |
                     TERN_V(EV, rank, TERN_F(TRW, rank, why)), q, 0);
    fw_op_release(fw, slot, q);
}

bool fw_combine_over(struct fw *fw, uint32_t slot, uint32_t status)
{
    if (!fw_slot_combines(slot))
        return false;
    if (status == TERN_ST_NO_GROUP)
        fail_long(fw, slot);
    else
        fw_send_finish(fw, slot, status, tx_op_sent(slot));
    (void)fw_queues_tick(fw); /* the next one may wait for this */
    return true;
}

/* ---- functions that end */

SELDOM static void sweep_group(struct fw *fw, uint32_t group)
{
    uint32_t state = tree_state(group), fn = TERN_F(TRG, fn, state);

    if (fn == FORWARDER || !fw_fn_sweeping(fw, fn))
        return;
    if (TERN_F(TRG, active, state))
        give_back(fw, group, fn);
    if (TERN_F(TRG, pending, state) != 0 || TERN_F(TRG, long, state))
        fw->fn[fn].clean = 0;
}

SELDOM void fw_combines_sweep(struct fw *fw)
{
    uint32_t set = fw->combines, slot;

    while (fw_slots_take(&set, &slot)) {
        uint32_t fn = fw_op_queue(fw, slot)->fn;

        if (fw->op[slot].flags & OP_DEAD) {
            fw->fn[fw->op[slot].owner].clean = 0;
        } else if (fw_fn_sweeping(fw, fn)) {
            fw_op_mark(fw, slot, OP_SEND | OP_DEAD);
            fw->op[slot].owner = (uint8_t)fn;
            fw->fn[fn].clean = 0;
        }
    }
    for (uint32_t group = fw->tree_groups; group-- > 0;)
        sweep_group(fw, group);
}
