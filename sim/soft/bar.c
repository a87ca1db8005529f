/* SPDX-License-Identifier: Apache-2.0 */
/* BAR 0 of every function, as tern_bar: registers, function words, doorbell windows. */
#include "inside.h"

size_t soft_bar_room(const struct soft_node *node)
{
    return TERN_BAR_QUEUE - node->bar.count;
}

void soft_bar_push(struct soft_node *node, const struct tern_bar_access *access)
{
    struct soft_bar *bar = &node->bar;

    bar->access[(bar->first + bar->count++) % TERN_BAR_QUEUE] = *access;
}

static bool low_half(const struct tern_bar_access *access)
{
    return access->enables & 0x0f;
}

static bool high_half(const struct tern_bar_access *access)
{
    return (access->enables & 0xf0) != 0;
}

/* ---- reads ---- */

static uint32_t status_word(const struct soft_node *node)
{
    uint32_t state = soft_core_state(node);
    uint32_t links = 0;

    for (unsigned p = 0; p < node->config.ports; p++)
        links |= (uint32_t)node->link[p].up << p;
    return (state & ~UINT32_C(0xff00)) | links << 8;
}

/*
 * Returns a word of a 64-bit counter: a read of the low word saves the high word for the next read.
 */
static uint32_t latched(uint64_t value, uint32_t *high, bool is_high)
{
    if (is_high)
        return *high;
    *high = (uint32_t)(value >> 32);
    return (uint32_t)value;
}

/* If the daemon slows the clock down, busy cycles must not exceed elapsed cycles. */
static uint64_t busy_cycles(const struct soft_sys *sys)
{
    return sys->busy < sys->now ? sys->busy : sys->now;
}

static uint32_t page_word(struct soft_node *node, unsigned function, uint32_t offset)
{
    struct soft_bar *bar = &node->bar;

    switch (offset) {
    case TERN_REG_MAGIC:
        return TERN_ABI_MAGIC;
    case TERN_REG_VERSION:
        return TERN_ABI_VERSION;
    case TERN_REG_CONFIG:
        return SOFT_DATA_BITS | node->config.ports << 8 | SOFT_PAYLOAD / 8 << 16;
    case TERN_REG_LIMITS:
        return SOFT_QUEUES | SOFT_FUNCTIONS << 16;
    case TERN_REG_NODE:
        return node->config.coordinates;
    case TERN_REG_DIMS:
        return node->config.dims;
    case TERN_REG_STATUS:
        return status_word(node);
    case TERN_REG_INCARNATION:
        return node->sys.incarnation;
    case TERN_REG_CYCLE_LO:
    case TERN_REG_CYCLE_HI:
        return latched(node->sys.now, &bar->cycle_high, offset == TERN_REG_CYCLE_HI);
    case TERN_REG_BUSY_LO:
    case TERN_REG_BUSY_HI:
        return latched(busy_cycles(&node->sys), &bar->busy_high, offset == TERN_REG_BUSY_HI);
    case TERN_REG_FUNCTION:
        return function;
    case TERN_REG_REGIONS:
        return SOFT_REGIONS | (uint32_t)SOFT_COUNTERS << 16;
    case TERN_REG_FW_VERSION:
        return node->sys.version;
    case TERN_REG_CORE_CTRL:
        return function == 0 ? (uint32_t)bar->hold << TERN_CORE_CTRL_HOLD |
                                   (uint32_t)bar->path << TERN_CORE_CTRL_PATH
                             : 0;
    case TERN_REG_LOG_POP:
        return function == 0 ? soft_log_pop(node) : 0;
    case TERN_REG_DROPS:
        return node->sys.drops;
    default:
        return 0; /* INSTRET too: the soft tier counts no instructions */
    }
}

static uint32_t read_word(struct soft_node *node, unsigned function, uint32_t offset)
{
    uint32_t fn_word = (offset - TERN_BAR_FN_REGS) / 4;

    if (offset < TERN_BAR_FN_REGS)
        return page_word(node, function, offset);
    return fn_word < TERN_BAR_FN_WORDS ? node->bar.fn[function][fn_word] : 0;
}

static uint64_t read_beat(struct soft_node *node, const struct tern_bar_access *access)
{
    uint64_t low = 0, high = 0;

    if (access->function >= SOFT_FUNCTIONS)
        return 0;
    if (low_half(access))
        low = read_word(node, access->function, access->address);
    if (high_half(access))
        high = read_word(node, access->function, access->address + 4);
    return high << 32 | low;
}

/* ---- writes ---- */

static void write_control(struct soft_node *node, const struct tern_bar_access *access)
{
    node->bar.control |= UINT64_C(1) << access->function;
    node->bar.control_value[access->function] = (uint8_t)access->data;
}

/*
 * Writes a function register.  Among the registers that are the high half of 64 bits the host may
 * write AQ_BASE_HI only; the firmware writes the others.
 */
static void write_function(struct soft_node *node, const struct tern_bar_access *access)
{
    uint32_t *words = node->bar.fn[access->function];
    uint32_t at = (access->address - TERN_BAR_FN_REGS) / 4;

    if (low_half(access))
        words[at] = (uint32_t)access->data;
    if (high_half(access) && access->address == TERN_REG_AQ_BASE_LO)
        words[at + 1] = (uint32_t)(access->data >> 32);
    if (access->address == TERN_REG_FN_CTRL && low_half(access))
        write_control(node, access);
}

/* Tells whether the beat begins a descriptor, or continues the one in the buffer. */
static bool follows(const struct soft_bar *bar, const struct tern_bar_access *access,
                    unsigned queue, unsigned word)
{
    return word == 0 || (bar->whole && word == bar->next_word &&
                         access->function == bar->function && queue == bar->queue);
}

static void write_descriptor(struct soft_node *node, const struct tern_bar_access *access,
                             unsigned queue, unsigned pair)
{
    struct soft_bar *bar = &node->bar;
    struct soft_doorbell bell = {.function = access->function,
                                 .queue = queue,
                                 .commit = true,
                                 .desc = bar->desc};

    bar->whole = follows(bar, access, queue, 2 * pair + !low_half(access));
    bar->next_word = 2 * pair + (high_half(access) ? 2 : 1);
    bar->function = access->function;
    bar->queue = queue;
    if (low_half(access))
        bar->desc[2 * pair] = (uint32_t)access->data;
    if (high_half(access))
        bar->desc[2 * pair + 1] = (uint32_t)(access->data >> 32);
    if (bar->next_word < SOFT_DESC_WORDS)
        return;
    bell.inlined = bar->whole;
    bar->whole = false;
    soft_doorbell(node, &bell);
}

static void write_window(struct soft_node *node, const struct tern_bar_access *access)
{
    uint32_t offset = access->address - TERN_BAR_DB;
    unsigned queue = offset / TERN_BAR_DB_STRIDE;
    struct soft_doorbell bell = {.function = access->function,
                                 .queue = queue,
                                 .index = access->data & 0xffffff};

    offset %= TERN_BAR_DB_STRIDE;
    if (offset < TERN_DB_INDEX)
        write_descriptor(node, access, queue, offset / 8);
    else if (offset == TERN_DB_INDEX && low_half(access))
        soft_doorbell(node, &bell);
}

static void write_core(struct soft_node *node, uint64_t value)
{
    bool hold = value >> TERN_CORE_CTRL_HOLD & 1;

    soft_core_hold(node, hold);
    if (hold && value >> TERN_CORE_CTRL_PATH & 1)
        soft_path_reset(node);
}

static void write_beat(struct soft_node *node, const struct tern_bar_access *access)
{
    if (access->function >= SOFT_FUNCTIONS)
        return;
    if (access->address >= TERN_BAR_DB)
        write_window(node, access);
    else if (access->address >= TERN_BAR_FN_REGS &&
             access->address < TERN_BAR_FN_REGS + 4 * TERN_BAR_FN_WORDS)
        write_function(node, access);
    else if (access->address == TERN_REG_CORE_CTRL && low_half(access) &&
             access->function == 0)
        write_core(node, access->data);
}

bool soft_bar_work(struct soft_node *node)
{
    struct soft_bar *bar = &node->bar;
    const struct tern_host *host = &node->config.host;
    bool did = bar->count > 0;

    while (bar->count > 0) {
        const struct tern_bar_access *access = &bar->access[bar->first];

        node->cost += COST_BAR;
        if (access->write)
            write_beat(node, access);
        else
            host->bar_answer(host->ctx, access->cookie, read_beat(node, access));
        bar->first = (bar->first + 1) % TERN_BAR_QUEUE;
        bar->count--;
    }
    return did;
}

void soft_bar_forget(struct soft_node *node)
{
    struct soft_bar *bar = &node->bar;
    const struct tern_host *host = &node->config.host;

    for (; bar->count > 0; bar->count--) {
        const struct tern_bar_access *access = &bar->access[bar->first];

        if (!access->write)
            host->bar_answer(host->ctx, access->cookie, UINT64_MAX);
        bar->first = (bar->first + 1) % TERN_BAR_QUEUE;
    }
}

/* Functions take turns. */
uint32_t soft_bar_event(struct soft_node *node)
{
    struct soft_bar *bar = &node->bar;

    for (unsigned i = 1; i <= SOFT_FUNCTIONS && bar->control != 0; i++) {
        unsigned function = (bar->control_turn + i) % SOFT_FUNCTIONS;

        if (!(bar->control >> function & 1))
            continue;
        bar->control &= ~(UINT64_C(1) << function);
        bar->control_turn = function;
        return TERN_V(EV, type, TERN_EV_BAR) | TERN_V(EV, fn, function) |
               TERN_V(EV, value, bar->control_value[function]);
    }
    return 0;
}
