/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that the firmware sees (mmio.def), implemented by the models of the blocks. */
#include "inside.h"

/* ---- windows ---- */

static uint32_t *region_word(struct soft_node *node, uint32_t offset)
{
    static const uint32_t bytes = TERN_MMIO_RG_WORD_STRIDE * TERN_MMIO_RG_WORD_COUNT;

    if (offset - TERN_MMIO_RG_WORD >= bytes || node->key.select >= SOFT_REGIONS)
        return NULL;
    return &node->key.entry[node->key.select][(offset - TERN_MMIO_RG_WORD) / 4];
}

static uint32_t *hwr_word(struct soft_node *node, uint32_t offset)
{
    uint32_t at = (offset - TERN_MMIO_HW_DATA) / TERN_MMIO_HW_DATA_STRIDE;

    return at < TERN_MMIO_HW_DATA_COUNT ? &node->writes.data[at] : NULL;
}

/* Returns a word of a slot or of a function in the windows of mmio.def. */
static uint32_t *window_word(struct soft_node *node, uint32_t offset)
{
    uint32_t at;

    if (offset >= TERN_MMIO_FN) {
        at = offset - TERN_MMIO_FN;
        return at / TERN_MMIO_FN_STRIDE < SOFT_FUNCTIONS
                   ? &node->bar.fn[at / TERN_MMIO_FN_STRIDE][at % TERN_MMIO_FN_STRIDE / 4]
                   : NULL;
    }
    at = offset - TERN_MMIO_SLOT;
    return at / TERN_MMIO_SLOT_STRIDE < SOFT_SLOTS
               ? &node->prefetch.slot[at / TERN_MMIO_SLOT_STRIDE]
                      .words[at % TERN_MMIO_SLOT_STRIDE / 4]
               : NULL;
}

static uint32_t link_word(const struct soft_node *node, uint32_t offset)
{
    uint32_t port = (offset - TERN_MMIO_LINK) / TERN_MMIO_LINK_STRIDE;
    const struct soft_link *link = &node->link[port % TERN_MODEL_PORTS];

    if (port >= node->config.ports)
        return 0;
    switch (offset % TERN_MMIO_LINK_STRIDE / 4) {
    case 0:
        return (uint32_t)link->broke << 2 | (uint32_t)link->forced << 1 | link->up;
    case 1:
        return link->drops;
    case 2:
        return link->bad_crc;
    default:
        return link->good;
    }
}

/* ---- reads ---- */

static uint32_t identity_read(struct soft_node *node, uint32_t offset)
{
    switch (offset) {
    case TERN_MMIO_RESET_CAUSE:
        return node->sys.cause;
    case TERN_MMIO_CONFIG:
        return SOFT_DATA_BITS | node->config.ports << 8 | SOFT_PAYLOAD / 8 << 16;
    case TERN_MMIO_LIMITS:
        return SOFT_QUEUES | SOFT_FUNCTIONS << 16;
    case TERN_MMIO_NODE:
        return node->config.coordinates;
    case TERN_MMIO_DIMS:
        return node->config.dims;
    case TERN_MMIO_INCARNATION:
        return node->sys.incarnation;
    case TERN_MMIO_FW_STATUS:
        return node->sys.status;
    case TERN_MMIO_FW_VERSION:
        return node->sys.version;
    case TERN_MMIO_REGIONS:
        return SOFT_REGIONS | (uint32_t)SOFT_COUNTERS << 16;
    case TERN_MMIO_SIZES:
        return SOFT_SLOTS | SOFT_SLOTS_OWN << 8 | SOFT_RX_SLOTS << 16 |
               (node->config.tree ? (uint32_t)TERN_TREE_GROUPS << 24 : 0);
    case TERN_MMIO_HOST_LATENCY:
        return node->config.timing.host_latency;
    default:
        return 0; /* CLOCK_HZ too: 0 in simulation */
    }
}

static uint32_t sys_read(struct soft_node *node, uint32_t offset)
{
    switch (offset) {
    case TERN_MMIO_EV_POP:
        return soft_event_pop(node);
    case TERN_MMIO_EV_MASK:
        return node->sys.mask;
    case TERN_MMIO_EV_PENDING:
        return soft_events_pending(node);
    case TERN_MMIO_MTIME_LO:
        return (uint32_t)soft_time_read(node);
    case TERN_MMIO_MTIME_HI:
        return (uint32_t)(soft_time_seen(node) >> 32);
    case TERN_MMIO_MTIMECMP_LO:
        return (uint32_t)node->sys.compare;
    case TERN_MMIO_MTIMECMP_HI:
        return (uint32_t)(node->sys.compare >> 32);
    case TERN_MMIO_WDOG:
        return node->sys.watchdog > node->sys.now
                   ? (uint32_t)(node->sys.watchdog - node->sys.now)
                   : 0;
    case TERN_MMIO_LOG_POP:
        return soft_log_pop(node);
    default:
        return identity_read(node, offset);
    }
}

static uint32_t block_read(struct soft_node *node, uint32_t offset)
{
    switch (offset) {
    case TERN_MMIO_TX_SPACE:
        return soft_tx_space(node);
    case TERN_MMIO_OP_SENT:
        return soft_ops_sent(node);
    case TERN_MMIO_OP_BUSY:
        return soft_ops_busy(node);
    case TERN_MMIO_OP_PROGRESS:
        return soft_ops_progress(node);
    case TERN_MMIO_ACK_SPACE:
        return soft_rx_ack_space(node);
    case TERN_MMIO_HW_SPACE:
        return soft_hwr_space(node);
    case TERN_MMIO_RG_SEL:
        return node->key.select;
    case TERN_MMIO_CTR_VALUE:
        return node->sys.counter_select < SOFT_COUNTERS
                   ? node->sys.counter[node->sys.counter_select]
                   : 0;
    default:
        return 0;
    }
}

/*
 * Tells whether the offset is in a window: first receive slots, then descriptor slots and function
 * words; the registers follow.
 */
static bool is_window(uint32_t offset)
{
    return offset < TERN_MMIO_EV_POP;
}

static uint32_t window_read(struct soft_node *node, uint32_t offset)
{
    const uint32_t *word;

    if (offset < TERN_MMIO_SLOT)
        return soft_rx_window(node, offset - TERN_MMIO_RXSLOT);
    word = window_word(node, offset);
    return word != NULL ? *word : 0;
}

uint32_t soft_register_read(struct soft_node *node, uint32_t offset)
{
    const uint32_t *word;

    if (is_window(offset))
        return window_read(node, offset);
    if (offset < TERN_MMIO_TX_SPACE)
        return sys_read(node, offset);
    if (offset >= TERN_MMIO_STAT)
        return node->sys.stat[(offset - TERN_MMIO_STAT) / 4 % TERN_STAT_COUNT];
    if (offset >= TERN_MMIO_OWNER)
        return soft_slot_queue(node, (offset - TERN_MMIO_OWNER) / TERN_MMIO_OWNER_STRIDE);
    if (offset >= TERN_MMIO_LINK)
        return link_word(node, offset);
    if (offset >= TERN_MMIO_TREE_STATE)
        return soft_tree_read(node, offset);
    if (offset >= TERN_MMIO_Q_SEL && offset <= TERN_MMIO_Q_DB)
        return soft_queue_read(node, offset);
    word = region_word(node, offset);
    return word != NULL ? *word : block_read(node, offset);
}

/* ---- writes ---- */

static uint64_t with_low(uint64_t value, uint32_t low)
{
    return (value & ~(uint64_t)UINT32_MAX) | low;
}

static uint64_t with_high(uint64_t value, uint32_t high)
{
    return (value & UINT32_MAX) | (uint64_t)high << 32;
}

static void sys_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    struct soft_sys *sys = &node->sys;

    switch (offset) {
    case TERN_MMIO_EV_MASK:
        sys->mask = value & 0xffff;
        break;
    case TERN_MMIO_MTIMECMP_LO:
        sys->compare = with_low(sys->compare, value);
        break;
    case TERN_MMIO_MTIMECMP_HI:
        sys->compare = with_high(sys->compare, value);
        break;
    case TERN_MMIO_WDOG:
        sys->watchdog = value != 0 ? sys->now + value : SOFT_NEVER;
        break;
    case TERN_MMIO_FW_STATUS:
        sys->status = value;
        break;
    case TERN_MMIO_FW_VERSION:
        sys->version = value;
        break;
    case TERN_MMIO_LOG_PUSH:
        soft_log_push(node, value);
        break;
    default:
        break;
    }
}

static void counter_write(struct soft_node *node, uint32_t value)
{
    if (node->sys.counter_select < SOFT_COUNTERS)
        node->sys.counter[node->sys.counter_select] = value;
}

static void hwr_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    struct soft_writes *writes = &node->writes;

    switch (offset) {
    case TERN_MMIO_HW_ADDR_LO:
        writes->address = with_low(writes->address, value);
        break;
    case TERN_MMIO_HW_ADDR_HI:
        writes->address = with_high(writes->address, value);
        break;
    case TERN_MMIO_HW_KEY:
        writes->key = value;
        break;
    case TERN_MMIO_HW_FN:
        writes->function = (uint8_t)value;
        break;
    case TERN_MMIO_HW_GO:
        soft_hwr_go(node, value);
        break;
    default:
        break;
    }
}

static void block_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case TERN_MMIO_TX_CMD:
        soft_tx_command(node, value);
        break;
    case TERN_MMIO_OP_MEMBERS:
        soft_op_members(node, value & 0x3f, value >> 16);
        break;
    case TERN_MMIO_OP_KILL:
        soft_op_kill(node, value & 0x3f, (uint8_t)(value >> 8));
        break;
    case TERN_MMIO_SLOT_FREE:
        soft_slot_free(node, value & 0x3f);
        break;
    case TERN_MMIO_RX_COPY:
        soft_rx_copy(node, value);
        break;
    case TERN_MMIO_RX_FREE:
        if ((value & 0x3f) < SOFT_RX_SLOTS)
            node->rx.taken[value & 0x3f] = false;
        break;
    case TERN_MMIO_RX_ACK:
        soft_rx_ack(node, value);
        break;
    case TERN_MMIO_RX_ATOMIC:
        soft_atomic_push(node, value);
        break;
    case TERN_MMIO_RG_SEL:
        node->key.select = value & 0xffff;
        break;
    case TERN_MMIO_CTR_SEL:
        node->sys.counter_select = value & 0xffff;
        break;
    case TERN_MMIO_CTR_VALUE:
        counter_write(node, value);
        break;
    case TERN_MMIO_CTR_TAKE:
        soft_counter_take(node, node->sys.counter_select, value);
        break;
    default:
        hwr_write(node, offset, value);
    }
}

static void link_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    uint32_t port = (offset - TERN_MMIO_LINK) / TERN_MMIO_LINK_STRIDE;

    if (port < node->config.ports && offset % TERN_MMIO_LINK_STRIDE / 4 == 0)
        soft_link_force(node, port, value >> 1 & 1);
}

void soft_register_write(struct soft_node *node, uint32_t offset, uint32_t value)
{
    uint32_t *word = NULL;

    if (is_window(offset)) {
        if (offset >= TERN_MMIO_SLOT)
            word = window_word(node, offset);
        if (word != NULL)
            *word = value;
        return;
    }
    if (offset < TERN_MMIO_TX_SPACE) {
        sys_write(node, offset, value);
        return;
    }
    if (offset >= TERN_MMIO_LINK) {
        if (offset < TERN_MMIO_OWNER)
            link_write(node, offset, value);
        return;
    }
    if (offset >= TERN_MMIO_TREE_STATE) {
        soft_tree_write(node, offset, value);
        return;
    }
    if (offset == TERN_MMIO_Q_COMPLETE) {
        soft_complete(node, value);
        return;
    }
    if (offset >= TERN_MMIO_Q_SEL && offset <= TERN_MMIO_Q_DB) {
        soft_queue_write(node, offset, value);
        return;
    }
    word = offset < TERN_MMIO_RG_SEL ? hwr_word(node, offset) : region_word(node, offset);
    if (word != NULL)
        *word = value;
    else
        block_write(node, offset, value);
}
