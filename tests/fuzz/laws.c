/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants during and after the work of the nodes. */
#include "laws.h"

#include <string.h>

/* ---- regions ---- */

static bool holds(const struct world_region *region, unsigned node, const struct tern_dma_op *op)
{
    uint64_t offset = op->address - region->base;

    return region->node == node && region->fn == op->function && offset <= region->bytes &&
           op->bytes <= region->bytes - offset;
}

/*
 * Tells whether the NIC may access a region. The check for a message's read was at its beginning:
 * the function itself may still read a region that is released meanwhile. Writes are ordered with
 * the completion of the release.
 */
static bool allows(const struct world_region *region, bool write)
{
    const unsigned rights = TERN_RIGHT_REMOTE_ATOMIC | (write
                                                        ? TERN_RIGHT_LOCAL_WRITE |
                                                        TERN_RIGHT_REMOTE_WRITE
                                                              : TERN_RIGHT_LOCAL_READ |
                                                              TERN_RIGHT_REMOTE_READ);
    bool late = !write && region->was_live && region->rights & TERN_RIGHT_LOCAL_READ;

    return (region->rights & rights) != 0 && (region->live || late);
}

static bool admin_lives(const struct world *world, const struct world_region *region)
{
    return world_fw(world, region->node)->fn[region->fn].state != TERN_FNSTATE_OFF;
}

void world_judge_access(struct world *world, unsigned node, const struct tern_dma_op *op)
{
    for (unsigned i = 0; i < world->regions; i++) {
        struct world_region *region = &world->region[i];

        if (region->node == node && (region->admin || !admin_lives(world, region)))
            region->live = region->admin && admin_lives(world, region);
        if (holds(region, node, op) && allows(region, op->write))
            return;
    }
    fuzz_fail("node %u, function %u: %s of %u bytes at offset %llx is in no region for that", node,
              op->function, op->write ? "a write" : "a read", op->bytes,
              (unsigned long long)(op->address - WORLD_BASE));
}

static void region_made(struct world *world, unsigned node, unsigned fn, const uint32_t *command,
                        uint32_t key)
{
    if (world->regions == WORLD_REGIONS_MAX)
        fuzz_fail("more regions than an input may make");
    world->region[world->regions++] =
        (struct world_region){.node = (uint8_t)node,
                              .fn = (uint8_t)fn,
                              .rights = (uint8_t)TERN_GET(ADM, rights, command),
                              .live = true,
                              .was_live = true,
                              .key = key,
                              .base = TERN_GET(ADM, addr, command),
                              .bytes = TERN_GET(ADM, size, command)};
}

static void regions_gone(struct world *world, unsigned node, unsigned fn, uint32_t key, bool all)
{
    for (unsigned i = 0; i < world->regions; i++) {
        struct world_region *region = &world->region[i];

        if (region->node == node && region->fn == fn && !region->admin &&
            (all || region->key == key))
            region->live = false;
    }
}

static void note_answer(struct world *world, unsigned node, unsigned fn, const uint32_t *w)
{
    const uint32_t *command = world->asked[node][fn][TERN_GET(CQE, index, w) % 64];

    if (TERN_GET(CQE, status, w) != TERN_ST_OK)
        return;
    switch (TERN_GET(CQE, opcode, w)) {
    case TERN_ADMIN_REG_REGION:
        region_made(world, node, fn, command, (uint32_t)TERN_GET(CQE, length, w));
        break;
    case TERN_ADMIN_REL_REGION:
        regions_gone(world, node, fn, (uint32_t)TERN_GET(ADM, key, command), false);
        break;
    case TERN_ADMIN_RESET:
        regions_gone(world, node, fn, 0, true);
        break;
    default:
        break;
    }
}

/* ---- completions ---- */

/* Identifies the firmware's own writes by their tags. */
static const struct soft_write *completion_behind(const struct soft_node *node,
                                                  const struct tern_dma_op *op)
{
    for (unsigned i = 0; i < node->writes.count; i++) {
        const struct soft_write *write =
            &node->writes.write[(node->writes.first + i) % SOFT_WRITES];

        if (&write->op == op && write->kind == WRITE_FIRMWARE && write->tag >= TERN_HWTAG_CQ &&
            write->tag < TERN_HWTAG_CQ + FW_QUEUES)
            return write;
    }
    return NULL;
}

/* Checks that entries of a CQ are written in order, each once. */
static void judge_lap(struct world *world, unsigned node, unsigned cq, const uint32_t *w)
{
    uint32_t *lap = &world->laps[node][cq];
    uint32_t number = (uint32_t)TERN_GET(CQE, lap, w);
    unsigned log2 = world_fw(world, node)->queue[cq].log2_entries;

    if (number == 0)
        *lap = 0; /* a new queue with that number */
    if (number != *lap)
        fuzz_fail("node %u, CQ %u: completion %u after %u", node, cq, number, *lap);
    if (TERN_GET(CQE, phase, w) != (~(number >> log2) & 1))
        fuzz_fail("node %u, CQ %u: completion %u has the wrong phase", node, cq, number);
    ++*lap;
}

void world_note_write(struct world *world, unsigned node, const struct tern_dma_op *op)
{
    const struct soft_write *write = completion_behind(world->node[node], op);
    struct world_cqe *cqe = &world->cqe[world->cqes];

    if (write == NULL)
        return;
    if (op->bytes != TERN_CQE_BYTES || world->cqes == WORLD_CQES_MAX)
        fuzz_fail("node %u: a completion of %u bytes, %u before", node, op->bytes, world->cqes);
    world->cqes++;
    cqe->node = (uint8_t)node;
    cqe->cq = write->tag - TERN_HWTAG_CQ;
    memcpy(cqe->w, op->data, sizeof cqe->w);
    judge_lap(world, node, cqe->cq, cqe->w);
    if (TERN_GET(CQE, queue, cqe->w) == op->function)
        note_answer(world, node, op->function, cqe->w);
}

unsigned world_completions(const struct world *world, unsigned node, unsigned queue,
                           uint32_t index, unsigned *errors)
{
    unsigned count = 0;

    *errors = 0;
    for (unsigned i = 0; i < world->cqes; i++) {
        const uint32_t *w = world->cqe[i].w;

        if (world->cqe[i].node != node || TERN_GET(CQE, queue, w) != queue ||
            TERN_GET(CQE, index, w) != (index & 0xffff))
            continue;
        count++;
        *errors += TERN_GET(CQE, status, w) != TERN_ST_OK;
    }
    return count;
}

/* ---- work in flight ---- */

UNCHECKED static bool behind(const struct world *world, unsigned node)
{
    const struct soft_prefetch *prefetch = &world->node[node]->prefetch;
    const struct fw *fw = world_fw(world, node);

    for (unsigned n = 0; n < SOFT_QUEUES; n++) {
        const struct soft_queue *queue = &prefetch->queue[n];

        if (queue->type == TERN_QTYPE_SQ && queue->head != queue->doorbell &&
            !(fw->queue[n].flags & (QUEUE_CLOSING | QUEUE_DYING)))
            return true;
    }
    return prefetch->fetch.active;
}

static bool events_left(const struct soft_node *node)
{
    return soft_events_pending(node) != 0;
}

/*
 * A packet that breaks the rules of a link takes it down for a while; until it is up again, even
 * valid puts end with LINK_DOWN.
 */
static bool link_is_down(const struct soft_node *node)
{
    for (unsigned port = 0; port < node->config.ports; port++)
        if (!node->link[port].up)
            return true;
    return false;
}

static const char *unfinished_chip(const struct soft_node *node)
{
    if (node->tx.count != 0)
        return "messages in the transmit unit";
    if (node->writes.count != 0)
        return "host writes";
    if (node->rx.ack_count != 0)
        return "acks";
    if (soft_ops_busy(node) != 0)
        return "operations";
    if (node->bar.count != 0)
        return "register accesses";
    if (link_is_down(node))
        return "a link that is down";
    return events_left(node) ? "events" : NULL;
}

static const char *unfinished_firmware(const struct fw *fw)
{
    if (fw->work != 0)
        return "work left over";
    if (fw->stalled_first != FW_QUEUE_NIL)
        return "stalled queues";
    if (fw->parked != 0)
        return "descriptors that wait in their slots";
    if (fw->sends != 0)
        return "messages to be sent again";
    if (fw->own_busy != 0)
        return "messages of the firmware's own";
    if (fw->resetting != 0)
        return "functions being reset";
    return fw->job.active ? "a long answer" : NULL;
}

const char *world_unfinished(const struct world *world)
{
    for (unsigned n = 0; n < WORLD_NODES; n++) {
        const char *chip = unfinished_chip(world->node[n]);
        const char *firmware = unfinished_firmware(world_fw(world, n));

        if (chip != NULL || firmware != NULL)
            return chip != NULL ? chip : firmware;
        if (behind(world, n))
            return "descriptors not fetched";
        if (tern_net_waiting(world->net, n) != 0)
            return "packets on a wire";
    }
    return NULL;
}

/* ---- occupancy ---- */

void world_judge_tables(const struct world *world, unsigned node)
{
    const struct soft_node *n = world->node[node];
    const struct fw *fw = world_fw(world, node);

    if (n->core != CORE_RUNS || n->sys.stat[TERN_STAT_core_resets] != 0)
        fuzz_fail("the core of node %u was reset", node);
    if (n->prefetch.free != (UINT32_C(1) << SOFT_POOL) - 1)
        fuzz_fail("node %u: descriptor slots lost: %x", node, n->prefetch.free);
    for (unsigned slot = 0; slot < SOFT_RX_SLOTS; slot++)
        if (n->rx.taken[slot])
            fuzz_fail("node %u: receive slot %u lost", node, slot);
    if (fw->marked != ~((UINT32_C(1) << SOFT_POOL) - 1)) /* the firmware's own slots are always
                                                          * marked */
        fuzz_fail("node %u: operations marked that are gone: %x", node, fw->marked);
    for (unsigned word = REGIONS_KEPT / 32; word < FW_REGIONS / 32; word++)
        if (fw->region_used[word] != 0)
            fuzz_fail("node %u: a region far behind the others", node);
}

/*
 * Counts an object that reports to a completion queue as a user of the queue; if `holds`, the queue
 * also reserves an entry for it.
 */
static void count_teller(unsigned cq, bool holds, unsigned *users, unsigned *promised)
{
    users[cq] += cq != 0;
    promised[cq] += cq != 0 && holds;
}

static void count_tellers(const struct fw *fw, unsigned *users, unsigned *promised)
{
    for (unsigned i = 0; i < FW_COUNTERS; i++)
        if (fw->counter_cq[i] < FW_QUEUES) /* otherwise a check-in area */
            count_teller(fw->counter_cq[i], true, users, promised);
    for (unsigned i = 0; i < FW_AREAS; i++)
        if (fw->area[i].state != AREA_FREE)
            count_teller(fw->area[i].cq, true, users, promised);
    for (unsigned i = 0; i < FW_ARENAS; i++)
        if (fw->arena[i].state != ARENA_FREE)
            count_teller(fw->arena[i].cq, fw->arena[i].state == ARENA_GRANTED, users, promised);
}

/* Checks reserved entries that were never used, and user counts of removed queues. */
UNCHECKED static void judge_queues(const struct world *world, unsigned node)
{
    const struct fw *fw = world_fw(world, node);
    unsigned users[FW_QUEUES] = {0}, promised[FW_QUEUES] = {0};

    count_tellers(fw, users, promised);
    for (unsigned i = 0; i < FW_QUEUES; i++) {
        const struct fw_queue *q = &fw->queue[i];

        if ((q->type == TERN_QTYPE_SQ || q->type == TERN_QTYPE_RQ) && q->cq < FW_QUEUES)
            users[q->cq]++;
    }
    for (unsigned i = 0; i < FW_QUEUES; i++) {
        const struct fw_queue *q = &fw->queue[i];

        if (q->type == TERN_QTYPE_CQ && q->reserved != promised[i])
            fuzz_fail("node %u, CQ %u: %u places promised, not %u", node, i, q->reserved,
                      promised[i]);
        if (q->type == TERN_QTYPE_CQ && q->users != users[i])
            fuzz_fail("node %u, CQ %u: %u users, not %u", node, i, users[i], q->users);
        if (q->type == TERN_QTYPE_RQ && q->users != 0)
            fuzz_fail("node %u, RQ %u: %u messages lost", node, i, q->users);
        if ((q->type == TERN_QTYPE_PAIR ? TERN_QTYPE_NONE
             : q->type) != world->node[node]->prefetch.queue[i].type)
            fuzz_fail("node %u: chip and firmware differ about queue %u", node, i);
    }
}

/* ---- counters ---- */

static uint32_t stat(const struct world *world, unsigned node, unsigned row)
{
    return world->node[node]->sys.stat[row];
}

/* Checks that every packet was accepted or dropped, once; a broadcast counts once per copy. */
static void judge_packets(const struct world *world)
{
    uint32_t sent = (uint32_t)world->injected, arrived = 0;

    for (unsigned n = 0; n < WORLD_NODES; n++) {
        sent += stat(world, n, TERN_STAT_tx_packets) + stat(world, n, TERN_STAT_tx_acks) +
                stat(world, n, TERN_STAT_tx_naks) + world->node[n]->copies;
        arrived += stat(world, n, TERN_STAT_rx_packets) + world->node[n]->sys.drops;
    }
    if (sent != arrived)
        fuzz_fail("%u packets sent, %u arrived or dropped", sent, arrived);
}

static void judge_counts(const struct world *world, unsigned node)
{
    const uint32_t *s = world->node[node]->sys.stat;
    uint32_t given = s[TERN_STAT_rx_acks] + s[TERN_STAT_rx_naks] + s[TERN_STAT_rx_put_packets] +
                     s[TERN_STAT_rx_refused] + s[TERN_STAT_rx_not_member] +
                     s[TERN_STAT_rx_fw_packets] - world->node[node]->rx.told;
    uint32_t answers = s[TERN_STAT_tx_acks] + s[TERN_STAT_tx_naks];

    if (s[TERN_STAT_key_refusals] > s[TERN_STAT_key_checks] ||
        s[TERN_STAT_rx_stale_acks] > s[TERN_STAT_rx_acks] + s[TERN_STAT_rx_naks])
        fuzz_fail("node %u: counters that count parts count more than the whole", node);
    /* A put whose write fails counts neither as deposited nor as refused. */
    if (given > s[TERN_STAT_rx_packets] ||
        s[TERN_STAT_rx_packets] - given > s[TERN_STAT_host_faults])
        fuzz_fail("node %u: of %u packets %u came to anything", node, s[TERN_STAT_rx_packets],
                  given);
    if (answers > s[TERN_STAT_rx_packets])
        fuzz_fail("node %u: %u answers to %u packets", node, answers, s[TERN_STAT_rx_packets]);
}

/* ---- the bystander ---- */

/*
 * Counts completions after `first`. Objects that an input left armed may still complete meanwhile,
 * in other queues.
 */
static unsigned completions_in(const struct world *world, unsigned first, unsigned node,
                               unsigned cq)
{
    unsigned count = 0;

    for (unsigned i = first; i < world->cqes; i++)
        count += world->cqe[i].node == node && world->cqe[i].cq == cq;
    return count;
}

static void judge_put(struct world *world, unsigned from)
{
    static uint8_t mark;
    unsigned to = 1 - from, first = world->cqes, errors;
    struct world_function *f = &world->fn[from][WORLD_BYSTANDER];
    struct world_function *target = &world->fn[to][WORLD_BYSTANDER];
    uint32_t w[SOFT_DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, index, w, f->posted & 0xffff);
    TERN_SET(DESC, dst_node, w, to);
    TERN_SET(DESC, length, w, 16);
    TERN_SET(DESC, remote_addr, w, WORLD_BASE + AT_DATA + 8);
    TERN_SET(DESC, remote_key, w, target->keys[KEY_DATA]);
    TERN_SET(DESC, local_addr, w, WORLD_BASE + AT_SOURCE);
    TERN_SET(DESC, local_key, w, f->keys[KEY_SOURCE]);
    memset(f->memory + AT_SOURCE, ++mark, 16);
    memcpy(f->memory + AT_SQ + (f->posted & ((1u << SQ_LOG2) - 1)) * TERN_DESC_BYTES, w, sizeof w);
    world_bell(world, from, WORLD_BYSTANDER, f->sq, ++f->posted);
    world_settle(world);
    if (completions_in(world, first, from, f->cq) != 1 ||
        completions_in(world, first, to, target->cq) != 0 ||
        world_completions(world, from, f->sq, f->posted - 1, &errors) != 1 || errors != 0)
        fuzz_fail("node %u: a good put has ended badly", from);
    if (memcmp(target->memory + AT_DATA + 8, f->memory + AT_SOURCE, 16) != 0)
        fuzz_fail("node %u: a good put has put nothing", from);
}

void world_judge(struct world *world)
{
    for (unsigned n = 0; n < WORLD_NODES; n++) {
        world_judge_tables(world, n);
        judge_queues(world, n);
        judge_counts(world, n);
    }
    judge_packets(world);
    for (unsigned n = 0; n < WORLD_NODES; n++)
        judge_put(world, n);
}
