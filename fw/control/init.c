/* SPDX-License-Identifier: Apache-2.0 */
/* Initialises the firmware once, before the loop. */
#include "combine.h"
#include "counter.h"
#include "fn.h"
#include "fw.h"
#include "link.h"
#include "log.h"
#include "node.h"
#include "op.h"
#include "queue_hw.h"
#include "random.h"
#include "region.h"
#include "clock.h"

/* Numbers of the tests, as in the log and in STATUS. */
enum selftest { TEST_MAGIC_SIZES = 1, TEST_TIMER, TEST_NODE };

/* Tells whether the sizes fit the tables here, and are powers of two where indices are masked. */
static bool sizes_sane(const struct sys_identity *id)
{
    return id->queues <= FW_QUEUES && id->functions <= FW_FUNCTIONS &&
           id->regions <= FW_REGIONS && id->counters <= FW_COUNTERS &&
           id->slots <= FW_SLOTS && id->rx_slots <= FW_RX_SLOTS &&
           id->own_slots <= FW_OWN_SLOTS && id->own_slots <= id->rx_slots &&
           id->slots != 0 && id->functions != 0 &&
           id->queues > 2 * id->functions;
}

/* Returns 0, or the number of the test that failed, with `saw` for the log. */
static uint32_t self_test(const struct fw *fw, uint32_t *saw)
{
    const struct sys_identity *id = &fw->id;
    uint64_t before = sys_time64();

    *saw = rd32(TERN_MMIO_SIZES);
    if (!sizes_sane(id))
        return TEST_MAGIC_SIZES;
    *saw = (uint32_t)before;
    if (sys_time64() <= before)
        return TEST_TIMER;
    *saw = id->node;
    return (id->node & ~0x7fffu) == 0 ? 0 : TEST_NODE;
}

/* Frees what the firmware held before a reset: slots, operations, packets and queues. */
static void clear_hardware(struct fw *fw)
{
    fw->queue[FW_QUEUES].flags = QUEUE_BROKEN;
    for (uint32_t n = 0; n < fw->id.queues; n++) {
        queue_hw_config(n, QUEUE_HW_CFG(TERN_QTYPE_NONE, 0, 0));
        fw->queue[n].places = FW_PLACES_NIL;
    }
    for (uint32_t n = 0; n < fw->id.rx_slots; n++)
        wr32(TERN_MMIO_RX_FREE, n);
    fw_ops_forget(fw);
    fw_regions_init(fw);
    fw_counters_init(fw);
}

static void read_links(struct fw *fw)
{
    fw->links_up = node_ports_idle(fw->id.node, fw->id.dims);
    for (unsigned port = 0; port < fw->id.ports; port++)
        fw->links_up |= (uint32_t)link_is_up(port) << port;
}

bool fw_init(struct fw *fw, uint32_t image_bytes)
{
    uint32_t failed, saw;

    sys_state(TERN_FWSTATE_BOOT, 0);
    wr32(TERN_MMIO_FW_VERSION, FW_VERSION_WORD);
    sys_identity_read(&fw->id);
    failed = self_test(fw, &saw);
    if (failed != 0) {
        LOG(SELFTEST, failed, saw);
        sys_state(TERN_FWSTATE_FAILED, failed);
        return false;
    }
    fw->image_bytes = image_bytes;
    fw->first_queue = (uint16_t)(2 * fw->id.functions);
    fw->stalled_first = FW_QUEUE_NIL;
    fw->random = 1;
    random_stir(&fw->random,
                sys_time() ^ (uint32_t)fw->id.node << 16 ^ fw->id.incarnation);
    clear_hardware(fw);
    fw_fns_init(fw);
#ifndef TERN_NO_COMBINE
    fw_combines_init(fw);
#endif
    read_links(fw);
    fw_tick_init(fw);
    fw->mask = SYS_EVENTS_ALL;
    sys_event_mask(fw->mask);
    wake_sources_enable();
    LOG(BOOT, FW_VERSION_WORD, fw->id.reset_cause);
    sys_state(TERN_FWSTATE_READY, 0);
    return true;
}
