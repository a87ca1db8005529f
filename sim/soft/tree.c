/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree network, like tern_tree_port and tern_tree, but packet by packet: a node combines the
 * contributions of its ports as soon as all have come. It needs no credit: firmware has at most
 * TREE_LONG_SLOTS contributions of a group under way, so no more can wait at a port.
 */
#include <string.h>

#include "inside.h"
#include "wire.h"

enum {
    CHILDREN = TERN_MODEL_TREE - 1,
    SELF = CHILDREN,   /* of a group's ports: this node */
    PARENT = CHILDREN, /* of the links */
    LINK_TRIES = 1000
};

static struct soft_group *group_at(struct soft_node *node, unsigned number)
{
    return number < TERN_TREE_GROUPS ? &node->tree.group[number] : NULL;
}

static unsigned number_of(const struct soft_node *node, const struct soft_group *group)
{
    return (unsigned)(group - node->tree.group);
}

/* ---- ends of this node's contributions, in order */

static bool has_event(const struct soft_tree *tree)
{
    return tree->end_count > 0 && !tree->held;
}

bool soft_tree_waits(const struct soft_node *node)
{
    return has_event(&node->tree);
}

static void end_oldest(struct soft_node *node, struct soft_group *group, unsigned status,
                       unsigned rank, uint64_t value)
{
    struct soft_tree *tree = &node->tree;
    struct soft_tree_end *end = &tree->end[(tree->end_first + tree->end_count) % SOFT_TREE_ENDS];

    if (group->pending == 0)
        return;
    *end = (struct soft_tree_end){.slot = group->slot[0], .status = (uint8_t)status,
                                  .rank = (uint16_t)rank, .value = value};
    tree->end_count++;
    group->pending--;
    memmove(group->slot, group->slot + 1, group->pending);
    if (has_event(tree))
        node->sys.pending |= UINT32_C(1) << TERN_EV_LINK;
}

uint32_t soft_tree_event(struct soft_node *node)
{
    struct soft_tree *tree = &node->tree;
    const struct soft_tree_end *end = &tree->end[tree->end_first];

    if (!has_event(tree))
        return 0;
    tree->end_first = (tree->end_first + 1) % SOFT_TREE_ENDS;
    tree->end_count--;
    tree->held = true;
    tree->result = end->value;
    return TERN_V(EV, type, TERN_EV_TREE) | TERN_V(EV, slot, end->slot) |
           TERN_V(EV, treestatus, end->status) | TERN_V(EV, rank, end->rank);
}

/* ---- packets */

/* A contribution or result; or why a group failed. */
struct packet {
    unsigned type, group, epoch, status, rank;
    struct soft_part part;
};

static size_t fill(const struct packet *from, uint8_t *packet)
{
    bool data = from->type == TERN_TREE_DATA;
    size_t bytes = soft_packet_bytes(data && from->part.some ? from->part.bytes : 0);
    uint32_t words[SOFT_HEADER_WORDS] = {
        TERN_V(PKT, vn, data ? TERN_VN_DATA : TERN_VN_ACK) | TERN_V(PKT, words, bytes / 8),
        TERN_V(TRP, group, from->group) | TERN_V(TRP, epoch, from->epoch),
        TERN_V(TRP, type, from->type) | TERN_V(PKT, version, TERN_PKT_VERSION) |
            (data ? TERN_V(TRP, empty, !from->part.some) : TERN_V(TRP, status, from->status)),
        TERN_V(TRP, rank, from->rank) | TERN_V(PKT, length, data ? from->part.bytes : 0)};

    words[TERN_TRP_op_WORD] = from->part.key;
    words[TERN_TRP_number_WORD] = from->part.number;
    memset(packet, 0, bytes);
    memcpy(packet, words, sizeof words);
    if (data && from->part.some)
        memcpy(packet + TERN_PKT_HEADER_BYTES, from->part.word, from->part.bytes);
    tern_wire_seal(packet, bytes, TERN_SEAL_ALL);
    return bytes;
}

static struct packet read_packet(const uint8_t *packet, size_t bytes)
{
    uint32_t w[SOFT_HEADER_WORDS];
    struct packet read;

    memcpy(w, packet, sizeof w);
    read = (struct packet){.type = TERN_F(TRP, type, w[TERN_TRP_type_WORD]),
                           .group = TERN_F(TRP, group, w[TERN_TRP_group_WORD]),
                           .epoch = TERN_F(TRP, epoch, w[TERN_TRP_epoch_WORD]),
                           .status = TERN_F(TRP, status, w[TERN_TRP_status_WORD]),
                           .rank = TERN_F(TRP, rank, w[TERN_TRP_rank_WORD])};
    read.part = (struct soft_part){
        .some = bytes > soft_packet_bytes(0),
        .rank = (uint16_t)read.rank,
        .bytes = (uint16_t)TERN_F(PKT, length, w[TERN_PKT_length_WORD]),
        .key = w[TERN_TRP_op_WORD],
        .number = w[TERN_TRP_number_WORD]};
    if (read.part.some)
        memcpy(read.part.word, packet + TERN_PKT_HEADER_BYTES,
               bytes - TERN_PKT_HEADER_BYTES - TERN_PKT_TRAILER_BYTES);
    return read;
}

static unsigned channel_of(const struct packet *packet)
{
    return tern_net_channel(packet->type == TERN_TREE_DATA ? TERN_VN_DATA : TERN_VN_ACK, false);
}

static bool has_room(const struct soft_node *node, unsigned port, const struct packet *packet)
{
    return !node->tree.link[port].up ||
           tern_net_room(node->tree.net, node->config.number, port, channel_of(packet),
                         node->sys.now) > 0;
}

/* Sends a packet for which there is room; over a link that is down it is lost. */
static void send(struct soft_node *node, unsigned port, const struct packet *from)
{
    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX];
    size_t bytes = fill(from, packet);

    node->cost += COST_PACKET + (unsigned)(bytes / 8) * COST_WORD;
    for (unsigned tries = 0; node->tree.link[port].up && tries < LINK_TRIES; tries++)
        if (tern_net_send(node->tree.net, node->config.number, port, channel_of(from), packet,
                          bytes, node->sys.now))
            break;
}

/* ---- failures */

/* Returns the links to the group's neighbours: a bit per port. */
static unsigned neighbours(const struct soft_group *group)
{
    return (group->expect & ((1U << CHILDREN) - 1)) | (unsigned)!group->root << PARENT;
}

/* Ends what is under way at this node, and tells the neighbours. */
static void fail(struct soft_node *node, struct soft_group *group, unsigned status, unsigned rank)
{
    if (!group->on || group->failed)
        return;
    group->failed = true;
    group->status = (uint8_t)status;
    group->rank = (uint16_t)rank;
    group->tell = neighbours(group);
    memset(group->parts, 0, sizeof group->parts);
    while (group->pending > 0)
        end_oldest(node, group, status, rank, 0);
}

static bool send_notices(struct soft_node *node, struct soft_group *group)
{
    struct packet packet = {.type = TERN_TREE_FAILED, .group = number_of(node, group),
                            .epoch = group->epoch, .status = group->status,
                            .rank = group->rank};
    bool did = false;

    for (unsigned port = 0; group->tell >> port != 0; port++)
        if (group->tell >> port & 1 && has_room(node, port, &packet)) {
            send(node, port, &packet);
            group->tell &= ~(1U << port);
            did = true;
        }
    return did;
}

static unsigned rank_behind(const struct soft_node *node, unsigned port)
{
    unsigned rank = node->tree.rank;

    return port == PARENT ? (rank - 1) / 2 : 2 * rank + 1 + port;
}

/* ---- combining */

static uint32_t narrow(uint32_t a, uint32_t b, uint32_t key)
{
    uint32_t sign = TERN_F(TRP, signed, key) << 31;
    bool less = (b ^ sign) < (a ^ sign);

    switch (TERN_F(TRP, op, key)) {
    case TERN_TREE_SUM:
        return a + b;
    case TERN_TREE_MIN:
        return less ? b : a;
    case TERN_TREE_MAX:
        return less ? a : b;
    case TERN_TREE_AND:
        return a & b;
    case TERN_TREE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint64_t combined(uint64_t a, uint64_t b, uint32_t key)
{
    uint64_t sign = (uint64_t)TERN_F(TRP, signed, key) << 63;
    bool less = (b ^ sign) < (a ^ sign);

    if (TERN_F(TRP, wide, key) && TERN_F(TRP, op, key) == TERN_TREE_SUM)
        return a + b;
    if (TERN_F(TRP, wide, key) && TERN_F(TRP, op, key) == TERN_TREE_MIN)
        return less ? b : a;
    if (TERN_F(TRP, wide, key) && TERN_F(TRP, op, key) == TERN_TREE_MAX)
        return less ? a : b;
    return narrow((uint32_t)a, (uint32_t)b, key) |
           (uint64_t)narrow((uint32_t)(a >> 32), (uint32_t)(b >> 32), key) << 32;
}

static bool is_complete(const struct soft_group *group)
{
    for (unsigned p = 0; p < TERN_MODEL_TREE; p++)
        if (group->expect >> p & 1 && group->parts[p].count == 0)
            return false;
    return group->on && !group->failed && group->expect != 0;
}

static bool is_alike(const struct soft_part *a, const struct soft_part *b)
{
    return a->key == b->key && a->number == b->number && a->bytes == b->bytes;
}

/* Combines the oldest parts of all ports into `all`; false: they differ, and the group fails. */
static bool combine(struct soft_node *node, struct soft_group *group, struct soft_part *all)
{
    bool first = true;

    for (unsigned p = 0; p < TERN_MODEL_TREE; p++) {
        const struct soft_part *part = &group->parts[p].part[0];

        if (!(group->expect >> p & 1))
            continue;
        if (first) {
            *all = *part;
        } else if (!is_alike(all, part)) {
            fail(node, group, TERN_TREE_MISMATCH, part->rank);
            return false;
        } else if (part->some) {
            for (unsigned i = 0; i < (part->bytes + 7U) / 8; i++)
                all->word[i] = all->some ? combined(all->word[i], part->word[i], all->key)
                                         : part->word[i];
            all->some = true;
        }
        first = false;
    }
    return true;
}

static void drop_oldest(struct soft_group *group)
{
    for (unsigned p = 0; p < TERN_MODEL_TREE; p++) {
        struct soft_parts *parts = &group->parts[p];

        if (!(group->expect >> p & 1))
            continue;
        parts->count--;
        memmove(parts->part, parts->part + 1, parts->count * sizeof *parts->part);
    }
}

/* ---- contributions from host memory */

/* Tells whether the group is set up, and this node does not just forward. */
static bool takes_part(const struct soft_group *group)
{
    return group->on && group->expect >> SELF & 1;
}

/* Tells whether a contribution of this node to the group is a put. */
static bool is_put(const struct soft_group *group)
{
    return group->puts.count > 0;
}

static void drop_put(struct soft_group *group)
{
    struct soft_long *puts = &group->puts;

    puts->count--;
    memmove(puts->header, puts->header + 1, puts->count * sizeof puts->header[0]);
}

/* Puts a result into host memory, as a packet to this node itself; false when there is no room. */
static bool put_result(struct soft_node *node, struct soft_group *group,
                       const struct soft_part *result)
{
    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX] = {0};
    uint32_t header[SOFT_HEADER_WORDS];
    size_t bytes = soft_packet_bytes(result->bytes);

    memcpy(header, group->puts.header[0], sizeof header);
    TERN_SET(PKT, vn, header, TERN_VN_DATA);
    TERN_SET(PKT, type, header, TERN_PTYPE_PUT);
    memcpy(packet, header, sizeof header);
    memcpy(packet + sizeof header, result->word, result->bytes);
    tern_wire_set_word(packet, bytes / 4 - 2, soft_packet_crc(packet, bytes));
    if (!soft_route(node, packet, bytes, TERN_VN_DATA))
        return false;
    drop_put(group);
    return true;
}

/* Ends the puts of a group that has failed: none before its packet counts as sent. */
static bool refuse_puts(struct soft_node *node, struct soft_group *group)
{
    if (!is_put(group) || (takes_part(group) && !group->failed))
        return false;
    for (; is_put(group); drop_put(group))
        (void)soft_op_acked(node, (uint16_t)TERN_GET(PKT, opid, group->puts.header[0]),
                            TERN_ST_NO_GROUP, false);
    return true;
}

/* Sends a result to the children and this node; false when there is no room. */
static bool go_down(struct soft_node *node, struct soft_group *group, const struct packet *result)
{
    for (unsigned p = 0; p < CHILDREN; p++)
        if (group->expect >> p & 1 && !has_room(node, p, result))
            return false;
    if (group->expect >> SELF & 1 && is_put(group) && !put_result(node, group, &result->part))
        return false;
    for (unsigned p = 0; p < CHILDREN; p++)
        if (group->expect >> p & 1)
            send(node, p, result);
    if (group->expect >> SELF & 1)
        end_oldest(node, group, TERN_TREE_OK, 0, result->part.some ? result->part.word[0] : 0);
    return true;
}

/* Passes one combination on, up or, at the root, down. */
static bool work_group(struct soft_node *node, struct soft_group *group)
{
    struct packet packet = {.type = TERN_TREE_DATA, .group = number_of(node, group),
                            .epoch = group->epoch};

    if (!is_complete(group))
        return false;
    if (!combine(node, group, &packet.part))
        return true;
    packet.rank = packet.part.rank;
    if (group->root ? !go_down(node, group, &packet) : !has_room(node, PARENT, &packet))
        return false;
    if (!group->root)
        send(node, PARENT, &packet);
    drop_oldest(group);
    group->since = node->sys.now;
    return true;
}

/* Takes a contribution of a port. */
static void take_part(struct soft_node *node, struct soft_group *group, unsigned port,
                      const struct soft_part *part)
{
    struct soft_parts *parts = &group->parts[port];

    if (group->failed || !(group->expect >> port & 1))
        return;
    if (parts->count == TERN_TREE_LONG_SLOTS) {
        fail(node, group, TERN_TREE_OVERRUN, part->rank);
        return;
    }
    parts->part[parts->count++] = *part;
}

/* ---- time */

/* Returns a port that the group misses while others have contributed; TERN_MODEL_TREE: none. */
static unsigned missing(const struct soft_group *group)
{
    unsigned have = 0, miss;

    if (!group->on || group->failed)
        return TERN_MODEL_TREE;
    for (unsigned p = 0; p < TERN_MODEL_TREE; p++)
        have |= (unsigned)(group->parts[p].count > 0) << p;
    miss = group->expect & ~have;
    if ((group->expect & have) == 0 || miss == 0)
        return TERN_MODEL_TREE;
    return miss >> SELF & 1 ? SELF : (unsigned)__builtin_ctz(miss);
}

static uint64_t due(const struct soft_group *group)
{
    return group->since + ((uint64_t)group->patience + 1) * TERN_TREE_TICK;
}

static bool look_at_clock(struct soft_node *node, struct soft_group *group)
{
    unsigned port = missing(group);

    if (port == TERN_MODEL_TREE) {
        group->since = node->sys.now;
        return false;
    }
    if (node->sys.now < due(group))
        return false;
    fail(node, group, TERN_TREE_TIMEOUT, port == SELF ? node->tree.rank : rank_behind(node, port));
    return true;
}

uint64_t soft_tree_timer(const struct soft_node *node)
{
    uint64_t first = SOFT_NEVER;

    for (unsigned g = 0; g < TERN_TREE_GROUPS; g++) {
        const struct soft_group *group = &node->tree.group[g];

        if (missing(group) != TERN_MODEL_TREE && due(group) < first)
            first = due(group);
    }
    for (unsigned port = 0; port < TERN_MODEL_TREE; port++) {
        const struct soft_tree_link *link = &node->tree.link[port];

        if (!link->up && link->hold_until > node->sys.now && link->hold_until < first)
            first = link->hold_until;
    }
    return first;
}

/* ---- links */

static bool hears(const struct soft_node *node, unsigned port)
{
    return tern_net_hears(node->tree.net, node->config.number, port) &&
           node->sys.now >= node->tree.link[port].hold_until;
}

/* Updates whether a link is up, as those of the torus are. */
static void look_at_link(struct soft_node *node, unsigned port)
{
    struct soft_tree_link *link = &node->tree.link[port];
    bool up = hears(node, port) && tern_net_heard(node->tree.net, node->config.number, port);

    if (!up && link->up)
        link->hold_until = node->sys.now + SOFT_LINK_HOLD;
    link->up = up;
    tern_net_say(node->tree.net, node->config.number, port, hears(node, port));
}

static void look_at_links(struct soft_node *node)
{
    uint64_t before = tern_net_changes(node->tree.net);

    for (unsigned port = 0; port < TERN_MODEL_TREE; port++)
        look_at_link(node, port);
    node->cost += tern_net_changes(node->tree.net) != before; /* the peer must check, too */
}

/* Fails the groups that a link which is down belongs to. */
static bool fail_over_links(struct soft_node *node, struct soft_group *group)
{
    for (unsigned port = 0; port < TERN_MODEL_TREE; port++)
        if (group->on && !group->failed && neighbours(group) >> port & 1 &&
            !node->tree.link[port].up) {
            fail(node, group, TERN_TREE_LINK_DOWN, rank_behind(node, port));
            return true;
        }
    return false;
}

/* ---- arrival */

/* Refuses a contribution to a group that is not here. */
static bool refuse(struct soft_node *node, unsigned port, const struct packet *packet)
{
    struct packet answer = {.type = TERN_TREE_FAILED, .group = packet->group,
                            .epoch = packet->epoch, .status = TERN_TREE_NO_GROUP,
                            .rank = node->tree.rank};

    if (!has_room(node, port, &answer))
        return false;
    send(node, port, &answer);
    return true;
}

/* Handles a packet; false when it must stay. */
static bool receive(struct soft_node *node, unsigned port, const struct packet *packet)
{
    struct soft_group *group = group_at(node, packet->group);
    bool known = group != NULL && group->on && group->epoch == packet->epoch;

    if (packet->type == TERN_TREE_FAILED) {
        if (known)
            fail(node, group, packet->status, packet->rank);
        return true;
    }
    if (packet->type != TERN_TREE_DATA)
        return true;
    if (port == PARENT)
        return !known || group->failed || go_down(node, group, packet);
    if (!known)
        return refuse(node, port, packet);
    take_part(node, group, port, &packet->part);
    return true;
}

static bool receive_all(struct soft_node *node, unsigned port, unsigned vn)
{
    unsigned channel = tern_net_channel(vn, false);
    const uint8_t *packet;
    size_t bytes;
    bool did = false;

    while ((packet = tern_net_first(node->tree.net, node->config.number, port, channel, &bytes)) !=
           NULL) {
        struct packet read = read_packet(packet, bytes);

        if (tern_wire_link_takes(packet, bytes) && !receive(node, port, &read))
            return did;
        node->cost += COST_PACKET + (unsigned)(bytes / 8) * COST_WORD;
        tern_net_drop_first(node->tree.net, node->config.number, port, channel);
        did = true;
    }
    return did;
}

bool soft_tree_work(struct soft_node *node)
{
    bool did = false;

    if (!node->config.tree)
        return false;
    node->tree.net = tern_net_tree(node->net);
    look_at_links(node);
    for (unsigned port = 0; port < TERN_MODEL_TREE; port++) {
        did = receive_all(node, port, TERN_VN_DATA) || did; /* a notice follows results */
        did = receive_all(node, port, TERN_VN_ACK) || did;
        did = soft_unicast_work(node, port) || did;
    }
    for (unsigned g = 0; g < TERN_TREE_GROUPS; g++) {
        struct soft_group *group = &node->tree.group[g];

        did = fail_over_links(node, group) || did;
        did = work_group(node, group) || did;
        did = look_at_clock(node, group) || did;
        did = (group->tell != 0 && send_notices(node, group)) || did;
        did = refuse_puts(node, group) || did;
    }
    return did;
}

/* ---- registers */

/* Gives all groups back: the core that had set them up is gone. */
void soft_tree_forget(struct soft_node *node)
{
    struct soft_tree *tree = &node->tree;

    for (unsigned g = 0; g < TERN_TREE_GROUPS; g++) {
        tree->group[g].pending = 0;
        tree->group[g].puts.count = 0;
        fail(node, &tree->group[g], TERN_TREE_NO_GROUP, tree->rank);
    }
    tree->end_count = 0;
    tree->held = false;
}

static void set_up(struct soft_node *node, uint32_t what)
{
    struct soft_group *group = group_at(node, TERN_F(TRS, group, what));

    if (group == NULL)
        return;
    if (!TERN_F(TRS, on, what)) {
        fail(node, group, TERN_TREE_NO_GROUP, node->tree.rank);
        return;
    }
    group->on = true;
    group->failed = false;
    group->root = TERN_F(TRS, root, what);
    group->epoch = (uint8_t)TERN_F(TRS, epoch, what);
    group->expect = TERN_F(TRS, children, what) | TERN_F(TRS, self, what) << SELF;
    group->fn = (uint8_t)TERN_F(TRG, fn, what);
    group->patience = node->tree.patience;
    group->tell = 0;
    memset(group->parts, 0, sizeof group->parts);
}

static void contribute(struct soft_node *node, uint32_t what)
{
    struct soft_group *group = group_at(node, TERN_F(TRO, group, what));
    unsigned bytes = TERN_F(TRO, bytes, what);
    struct soft_part part = {.some = bytes != 0,
                             .bytes = (uint16_t)bytes,
                             .rank = node->tree.rank,
                             .key = TERN_V(TRP, op, TERN_F(TRO, op, what)) |
                                    TERN_V(TRP, wide, TERN_F(TRO, wide, what)) |
                                    TERN_V(TRP, signed, TERN_F(TRO, signed, what)),
                             .number = TERN_V(TRP, number, TERN_F(TRO, number, what)),
                             .word = {node->tree.value}};

    if (group == NULL || group->pending == TERN_TREE_SLOTS)
        return;
    if (TERN_F(TRO, long, what)) {
        group->puts.key = part.key;
        group->puts.number = part.number | TERN_V(TRP, memory, 1) |
                             TERN_V(TRP, more, TERN_F(TRO, bytes, what));
        return;
    }
    group->slot[group->pending++] = what & 0x3f;
    if (!takes_part(group))
        end_oldest(node, group, TERN_TREE_NO_GROUP, node->tree.rank, 0);
    else if (group->failed)
        end_oldest(node, group, group->status, group->rank, 0);
    else
        take_part(node, group, SELF, &part);
}

bool soft_tree_take(struct soft_node *node, const uint8_t *packet, size_t bytes)
{
    uint32_t w[SOFT_HEADER_WORDS];
    struct soft_group *group;
    struct soft_part part = {.some = true, .rank = node->tree.rank};

    memcpy(w, packet, sizeof w);
    group = group_at(node, (unsigned)TERN_GET(PKT, type, w) - TERN_TREE_DATA);
    if (group == NULL || !node->config.tree)
        return true;
    if (group->puts.count == TERN_TREE_LONG_SLOTS)
        return false;
    memcpy(group->puts.header[group->puts.count++], w, sizeof w);
    part.key = group->puts.key;
    part.number = group->puts.number;
    part.bytes = (uint16_t)TERN_GET(PKT, length, w);
    memcpy(part.word, packet + sizeof w, bytes - sizeof w - TERN_PKT_TRAILER_BYTES);
    if (takes_part(group))
        take_part(node, group, SELF, &part);
    return true;
}

static uint32_t state_of(const struct soft_group *group)
{
    return TERN_V(TRG, epoch, group->epoch) | TERN_V(TRG, on, group->on) |
           TERN_V(TRG, active, group->on && !group->failed) |
           TERN_V(TRG, pending, group->pending) | TERN_V(TRG, long, is_put(group)) |
           TERN_V(TRG, fn, group->fn);
}

static uint32_t why_of(const struct soft_node *node, const struct soft_group *group)
{
    bool here = takes_part(group);

    return TERN_V(TRW, status, here ? group->status : TERN_TREE_NO_GROUP) |
           TERN_V(TRW, rank, here ? group->rank : node->tree.rank);
}

uint32_t soft_tree_read(struct soft_node *node, uint32_t offset)
{
    struct soft_tree *tree = &node->tree;
    uint32_t number = (offset - TERN_MMIO_TREE_STATE) / TERN_MMIO_TREE_STATE_STRIDE;

    if (!node->config.tree)
        return 0;
    if (number < TERN_TREE_GROUPS)
        return state_of(&tree->group[number]);
    if (number < 2 * TERN_TREE_GROUPS)
        return why_of(node, &tree->group[number - TERN_TREE_GROUPS]);
    if (offset == TERN_MMIO_TREE_LO)
        return (uint32_t)tree->result;
    if (offset != TERN_MMIO_TREE_HI)
        return 0;
    tree->held = false;
    if (has_event(tree))
        node->sys.pending |= UINT32_C(1) << TERN_EV_LINK;
    return (uint32_t)(tree->result >> 32);
}

void soft_tree_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    struct soft_tree *tree = &node->tree;

    if (!node->config.tree)
        return;
    switch (offset) {
    case TERN_MMIO_TREE_LO:
        tree->value = (tree->value & ~(uint64_t)UINT32_MAX) | value;
        break;
    case TERN_MMIO_TREE_HI:
        tree->value = (tree->value & UINT32_MAX) | (uint64_t)value << 32;
        break;
    case TERN_MMIO_TREE_GO:
        contribute(node, value);
        break;
    case TERN_MMIO_TREE_SET:
        set_up(node, value);
        break;
    case TERN_MMIO_TREE_RANK:
        tree->rank = (uint16_t)value;
        break;
    case TERN_MMIO_TREE_WAIT:
        tree->patience = value & 0xffffff;
        break;
    default:
        break;
    }
}
