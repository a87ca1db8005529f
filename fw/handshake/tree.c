/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <stddef.h>

#include "checkin.h"
#include "clock.h"
#include "epoch.h"
#include "messages_in.h"
#include "messages_out.h"

const uint32_t fw_feature_tree = TERN_FEATURE_TREE;

/* In a set of ports: this node itself. */
#define TREE_SELF 0x40u

/* Each link from the origin shortens a node's time limit by so many ticks. */
#define TICKS_PER_LINK 2u

/* Leases that the bytes may take to reach other nodes, of which this node sees nothing. */
#define LEASES 16u

enum fw_tree_state { TREE_FREE = 0, TREE_ASKED, TREE_OWED };

static struct fw_tree *tree_find(struct fw *fw, uint32_t pass)
{
    for (struct fw_tree *tree = fw->tree; tree < fw->tree + FW_TREES; tree++)
        if (tree->state != TREE_FREE && tree->pass == pass)
            return tree;
    return NULL;
}

static struct fw_tree *tree_of(struct fw *fw, uint32_t pass, uint32_t epoch)
{
    struct fw_tree *tree = tree_find(fw, pass);

    return tree != NULL && tree->epoch == (uint16_t)epoch ? tree : NULL;
}

static struct fw_tree *tree_unused(struct fw *fw)
{
    for (struct fw_tree *tree = fw->tree; tree < fw->tree + FW_TREES; tree++)
        if (tree->state == TREE_FREE)
            return tree;
    return NULL;
}

/* Returns the time limit of a node `depth` links from the origin; 0: no limit. */
static uint32_t limit_at(const struct fw *fw, uint32_t limit, uint32_t depth)
{
    uint32_t ticks = fw_ticks(fw, limit), less = TICKS_PER_LINK * depth;

    return ticks == 0 ? 0 : ticks > less ? ticks - less : 1;
}

static void set_tree(struct fw *fw, struct fw_tree *tree, const struct fw_tree_new *wanted)
{
    struct box_tree place;

    box_tree(wanted->box, wanted->origin, fw->id.node, fw->id.dims, &place);
    *tree = (struct fw_tree){
        .pass = wanted->pass,
        .ticks = limit_at(fw, wanted->limit, place.depth),
        .lease = fw_ticks(fw, wanted->lease),
        .epoch = (uint16_t)wanted->epoch,
        .area = (uint16_t)wanted->area,
        .low = wanted->box.low,
        .high = wanted->box.high,
        .parent = place.parent,
        .here = (uint16_t)box_rank(wanted->box, fw->id.node, fw->id.dims),
        .asked = (uint8_t)(place.children | TREE_SELF),
        .owed = (uint8_t)(place.children | (wanted->is_member ? TREE_SELF : 0)),
        .members = wanted->is_member,
        .tells = wanted->delivered,
        .port = place.port,
        .state = TREE_ASKED,
        .origin_next = place.parent == wanted->origin,
    };
}

bool fw_tree_begin(struct fw *fw, const struct fw_tree_new *wanted)
{
    struct fw_tree *tree = tree_find(fw, wanted->pass);

    if (tree != NULL && epoch_ahead(wanted->epoch, tree->epoch) <= 0)
        return false;
    if (tree == NULL)
        tree = tree_unused(fw);
    if (tree == NULL)
        return false;
    set_tree(fw, tree, wanted);
    fw->watched |= WATCH_TREES;
    if (tree->ticks != 0)
        fw_tick_hurry(fw);
    return true;
}

/*
 * Sends one word to the parent. The table of replies has room for each tree, so it is never full
 * for long.
 */
static void tell_parent(struct fw *fw, const struct fw_tree *tree, bool done)
{
    uint32_t area = done ? TERN_CHECKIN_TREE_DONE : TERN_CHECKIN_TREE;
    struct fw_reply reply = {
        .value = {TERN_V(ANS, base, tree->refusal != 0 ? tree->refuser : tree->members),
                  TERN_V(ANS, epoch, tree->epoch) | TERN_V(ANS, refusal, tree->refusal)},
        .pass = tree->pass,
        .node = tree->parent,
        .to = tree->epoch,
        .bytes = TERN_CHECKIN_BYTES,
        .opcode = TERN_OP_CHECKIN,
    };

    if (tree->origin_next)
        area = tree->area + (uint32_t)done;
    reply.where = checkin_named(area, tree->port, tree->refusal);
    if (fw_reply_room(fw))
        fw_reply(fw, &reply);
}

static void tree_refuse(struct fw_tree *tree, uint32_t status, uint32_t refuser)
{
    if (tree->refusal != 0)
        return;
    tree->refusal = (uint8_t)status;
    tree->refuser = (uint16_t)refuser;
}

/* Reports to the parent if all children have all bytes, too. */
static void tree_finish(struct fw *fw, struct fw_tree *tree)
{
    if (tree->owed != 0)
        return;
    tell_parent(fw, tree, true);
    tree->state = TREE_FREE;
}

/* Answers the parent: all have answered, or one has refused. */
static void tree_conclude(struct fw *fw, struct fw_tree *tree)
{
    tell_parent(fw, tree, false);
    if (tree->refusal != 0 || !tree->tells) {
        tree->state = TREE_FREE;
        return;
    }
    tree->state = TREE_OWED;
    tree->ticks = LEASES * tree->lease;
    fw->watched |= WATCH_TREES;
    tree_finish(fw, tree);
}

static void tree_answered(struct fw *fw, struct fw_tree *tree, uint32_t who)
{
    if (tree->state != TREE_ASKED)
        return;
    tree->asked &= (uint8_t)~who;
    if (tree->asked == 0 || tree->refusal != 0)
        tree_conclude(fw, tree);
}

/*
 * Notes that `who` has all bytes. A child without members may report this before all have answered.
 */
static void tree_delivered(struct fw *fw, struct fw_tree *tree, uint32_t who)
{
    tree->owed &= (uint8_t)~who;
    if (tree->state == TREE_OWED)
        tree_finish(fw, tree);
}

void fw_tree_answer(struct fw *fw, uint32_t pass, uint32_t epoch, uint32_t status)
{
    struct fw_tree *tree = tree_of(fw, pass, epoch);

    if (tree == NULL)
        return;
    if (status != TERN_ST_OK)
        tree_refuse(tree, status, tree->here);
    tree_answered(fw, tree, TREE_SELF);
}

void fw_tree_delivered(struct fw *fw, uint32_t pass, uint32_t epoch)
{
    struct fw_tree *tree = tree_of(fw, pass, epoch);

    if (tree != NULL)
        tree_delivered(fw, tree, TREE_SELF);
}

void fw_tree_withdraw(struct fw *fw, uint32_t pass, uint32_t epoch)
{
    struct fw_tree *tree = tree_find(fw, pass);

    if (tree != NULL && epoch_ahead(epoch, tree->epoch) >= 0)
        tree->state = TREE_FREE;
}

uint32_t fw_tree_checkin(struct fw *fw, uint32_t slot)
{
    uint32_t told;
    struct checkin c;
    struct fw_tree *tree;

    fw_checkin_read(slot, &c);
    tree = tree_of(fw, c.pass, c.epoch);

    if (TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)) != TERN_CHECKIN_BYTES)
        return TERN_ST_BAD_LENGTH;
    if (c.place >= NODE_PORTS)
        return TERN_ST_BAD_RANGE;
    if (tree == NULL)
        return TERN_ST_RNR; /* the request may still be on its way to this firmware */
    if (c.area == TERN_CHECKIN_TREE_DONE) {
        tree_delivered(fw, tree, 1u << c.place);
        return TERN_ST_OK;
    }
    told = TERN_F(ANS, base, rx_payload(slot, TERN_ANS_base_WORD));
    if (c.refusal != 0)
        tree_refuse(tree, c.refusal, told);
    else if (tree->asked >> c.place & 1)
        tree->members += (uint16_t)told;
    tree_answered(fw, tree, 1u << c.place);
    return TERN_ST_OK;
}

/* Returns the place of the first child that has not answered. */
static uint32_t tree_missing(const struct fw *fw, const struct fw_tree *tree)
{
    const struct box box = {tree->low, tree->high};
    unsigned port = 0;

    while (port < NODE_PORTS && !(tree->asked >> port & 1))
        port++;
    return port == NODE_PORTS
               ? tree->here
               : box_rank(box, node_behind(fw->id.node, port, fw->id.dims), fw->id.dims);
}

static void limit_over(struct fw *fw, struct fw_tree *tree)
{
    if (tree->state == TREE_OWED) {
        tree->state = TREE_FREE;
        return;
    }
    tree_refuse(tree, TERN_ST_TIMEOUT, tree_missing(fw, tree));
    tree_conclude(fw, tree);
}

bool fw_trees_tick(struct fw *fw)
{
    bool busy = false;

    for (struct fw_tree *tree = fw->tree; tree < fw->tree + FW_TREES; tree++) {
        if (tree->state == TREE_FREE || tree->ticks == 0)
            continue;
        busy = true;
        if (--tree->ticks == 0)
            limit_over(fw, tree);
    }
    return busy;
}
