/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces boot loader and soft core: reads and checks the flash like tern_boot, then runs the
 * firmware natively.
 *
 * Through the table `access` the firmware reaches the registers of a node.
 */
#include <string.h>

#include "inside.h"
#include "native.h"
#include "wire.h"

enum { CAUSE_HOST = 1, CAUSE_WATCHDOG = 2, STEPS = 64 };

static uint32_t read(void *node, uint32_t offset)
{
    return soft_register_read(node, offset);
}

static void write(void *node, uint32_t offset, uint32_t value)
{
    soft_register_write(node, offset, value);
}

static bool timer_due(void *of)
{
    const struct soft_node *node = of;

    return node->sys.now >= node->sys.compare;
}

/* Called when the firmware has no work: lets the hardware run; returns whether it has an event. */
static bool sleep(void *of)
{
    struct soft_node *node = of;

    if (soft_hardware_work(node) && soft_events_pending(node) & node->sys.mask)
        return true;
    node->asleep = true;
    return false;
}

static const struct hal_access access = {
    .read = read, .write = write, .sleep = sleep, .timer_due = timer_due};

/* ---- boot ---- */

uint8_t soft_next_life(uint8_t life)
{
    return life == UINT8_MAX ? SOFT_INCARNATION_FIRST : (uint8_t)(life + 1);
}

static uint32_t flash_word(const struct soft_node *node, size_t at)
{
    return at < node->config.flash_words ? node->config.flash[at] : UINT32_MAX; /* erased flash */
}

static bool image_good(const struct soft_node *node, uint32_t bytes)
{
    uint32_t crc = UINT32_MAX;

    if (bytes == 0 || bytes > TERN_MEM_ITCM_BYTES || bytes % 4 != 0)
        return false;
    for (size_t at = 0; at < bytes / 4; at++) {
        uint32_t word = flash_word(node, TERN_FW_HEADER_BYTES / 4 + at);

        crc = tern_wire_crc32c(crc, (const uint8_t *)&word, sizeof word);
    }
    return ~crc == flash_word(node, 2);
}

static void boot(struct soft_node *node)
{
    uint32_t bytes = flash_word(node, 1);

    node->sys.life = node->sys.incarnation; /* stored before any other read */
    if (flash_word(node, 0) != TERN_FW_MAGIC) {
        node->core = CORE_NO_IMAGE;
    } else if (!image_good(node, bytes)) {
        node->core = CORE_BAD_IMAGE;
    } else {
        node->core = CORE_RUNS;
        node->asleep = false;
        if (!fw_native_boot(node->firmware, bytes, &access, node))
            node->core = CORE_FAILED;
    }
}

/* Resets the registers that a reset of the core affects. */
static void reset_registers(struct soft_sys *sys)
{
    sys->mask = UINT32_MAX;
    sys->compare = SOFT_NEVER;
    sys->watchdog = SOFT_NEVER;
    sys->status = TERN_FWSTATE_BOOT;
}

static void life_ends(struct soft_node *node, uint8_t cause)
{
    node->sys.incarnation = soft_next_life(node->sys.incarnation);
    node->sys.cause = cause;
    node->core = CORE_HELD;
    SOFT_COUNT(node, core_resets);
    reset_registers(&node->sys);
    soft_rx_forget(node);
    soft_tree_forget(node);
}

void soft_core_hold(struct soft_node *node, bool hold)
{
    if (hold && !node->bar.hold)
        life_ends(node, CAUSE_HOST);
    node->bar.hold = hold;
}

void soft_core_bite(struct soft_node *node)
{
    life_ends(node, CAUSE_WATCHDOG);
}

/* ---- the datapath ---- */

void soft_path_reset(struct soft_node *node)
{
    node->bar.path = true;
}

/* Tells whether no packet is halfway, and no access to the host open. */
static bool path_still(const struct soft_node *node)
{
    bool still = !node->prefetch.fetch.active && !node->atomic.busy && node->writes.count == 0 &&
                 node->rx.ack_count == 0 && node->owed == 0;

    for (unsigned i = 0; still && i < node->tx.begun; i++)
        still = !node->tx.message[node->tx.order[i]].fetching;
    return still;
}

static void forget_event(struct soft_node *node, unsigned type)
{
    node->sys.events[type].count = 0;
    node->sys.pending &= ~(UINT32_C(1) << type);
}

/* Resets the blocks between network, host and core, as tern_path_reset does in the chip. */
static void path_work(struct soft_node *node)
{
    static const uint8_t types[] = {TERN_EV_OP, TERN_EV_HWR, TERN_EV_RX, TERN_EV_DESC,
                                    TERN_EV_DBERR, TERN_EV_CTR};

    if (!node->bar.path || !path_still(node))
        return;
    memset(&node->prefetch, 0, sizeof node->prefetch);
    memset(&node->key, 0, sizeof node->key);
    memset(&node->ops, 0, sizeof node->ops);
    memset(&node->tx, 0, sizeof node->tx);
    memset(&node->rx, 0, sizeof node->rx);
    memset(node->sys.counter, 0, sizeof node->sys.counter);
    memset(node->sys.counter_listed, 0, sizeof node->sys.counter_listed);
    soft_prefetch_init(node);
    node->waits_here = false;
    for (unsigned i = 0; i < sizeof types; i++)
        forget_event(node, types[i]);
    node->bar.path = false;
}

uint32_t soft_core_state(const struct soft_node *node)
{
    switch (node->core) {
    case CORE_NO_IMAGE:
        return TERN_FWSTATE_NOIMAGE;
    case CORE_BAD_IMAGE:
        return TERN_FWSTATE_BADIMAGE;
    case CORE_HELD:
        return TERN_FWSTATE_RESET;
    default:
        return node->sys.status;
    }
}

/* ---- running ---- */

static bool awake(const struct soft_node *node)
{
    const struct soft_sys *sys = &node->sys;

    return !node->asleep || soft_events_pending(node) & sys->mask || sys->now >= sys->compare;
}

static bool core_work(struct soft_node *node)
{
    if (node->core == CORE_HELD && !node->bar.hold && !node->bar.path) {
        boot(node);
        return true;
    }
    if (node->core != CORE_RUNS)
        return false;
    if (node->sys.now >= node->sys.watchdog) {
        soft_core_bite(node);
        return true;
    }
    if (!awake(node))
        return false;
    node->asleep = false;
    node->cost += COST_FIRMWARE;
    node->sys.busy += COST_FIRMWARE;
    fw_native_step(node->firmware, &access, node);
    return true;
}

/* Runs all hardware blocks until none can go on. */
bool soft_hardware_work(struct soft_node *node)
{
    bool did = false;

    for (bool more = true; more; did = did || more) {
        more = soft_bar_work(node);
        more = (node->waits_here && soft_tx_work(node)) || more;
        more = soft_link_work(node) || more;
        more = soft_tree_work(node) || more;
        more = soft_prefetch_work(node) || more;
        more = soft_tx_work(node) || more;
        more = soft_atomic_work(node) || more;
        more = soft_writes_work(node) || more;
        more = soft_rx_work(node) || more;
    }
    return did;
}

unsigned soft_node_turn(struct soft_node *node, struct tern_net *net, uint64_t cycle)
{
    bool more = true;

    node->net = net;
    node->sys.now = cycle;
    node->cost = 0;
    if (!soft_links_up(node))
        soft_links_look(node);
    for (unsigned i = 0; i < STEPS && more; i++) {
        more = soft_hardware_work(node);
        path_work(node);
        more = core_work(node) || more;
    }
    return node->cost;
}

uint64_t soft_node_timer(const struct soft_node *node)
{
    uint64_t first = soft_links_timer(node);

    uint64_t writes = soft_writes_timer(node);

    uint64_t tree = soft_tree_timer(node);

    first = writes < first ? writes : first;
    first = tree < first ? tree : first;
    if (node->core != CORE_RUNS)
        return first;
    if (node->sys.compare < first)
        first = node->sys.compare;
    return node->sys.watchdog < first ? node->sys.watchdog : first;
}
