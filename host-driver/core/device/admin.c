/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The admin queue. It runs one command at a time and waits for each. Its memory holds the ring,
 * then the completion ring, then the scratch area for the answers of commands.
 */
#include <string.h>

#include "device.h"

static uint8_t *scratch(struct tern_device *device)
{
    return device->admin_memory.base + ADMIN_SCRATCH;
}

static bool admin_ready(const void *arg)
{
    const struct tern_device *device = arg;

    return tern_cqring_ready(&device->admin_ring);
}

/* Takes completions up to that of `index`; older ones belong to commands whose caller timed out. */
static int admin_result(struct tern_device *device, uint16_t index, uint32_t *cqe)
{
    for (;;) {
        int status = tern_wait_until(device, admin_ready, device, device->admin_event_fd,
                                     tern_patience_ms());

        if (status)
            return status;
        tern_cqring_take(&device->admin_ring, cqe);
        if (tern_cqring_owes(&device->admin_ring)) {
            device->admin_ring.rung = device->admin_ring.head;
            status = tern_doorbell(device, device->admin_cq, device->admin_ring.head);
        }
        if (status || TERN_GET(CQE, index, cqe) == index)
            return status ? status : -(int)TERN_GET(CQE, status, cqe);
    }
}

static int admin_run(struct tern_device *device, uint32_t *words, uint32_t *cqe)
{
    uint32_t *ring = (uint32_t *)(void *)device->admin_memory.base;
    uint16_t index = (uint16_t)device->admin_made;
    uint32_t place = device->admin_made & ((1u << ADMIN_LOG2) - 1);
    int status;

    TERN_SET(DESC, version, words, TERN_DESC_VERSION);
    TERN_SET(DESC, index, words, index);
    memcpy(ring + (size_t)place * DESC_WORDS, words, TERN_DESC_BYTES);
    device->admin_made++;
    status = tern_doorbell(device, device->admin_queue, device->admin_made);
    return status ? status : admin_result(device, index, cqe);
}

int tern_admin(struct tern_device *device, uint32_t words[DESC_WORDS], void *answer, size_t bytes,
               uint32_t *cqe)
{
    uint32_t own_cqe[CQE_WORDS];
    int status = tern_transport_state(device->transport);

    if (status)
        return status;
    pthread_mutex_lock(&device->admin_lock);
    if (answer) {
        TERN_SET(ADM, addr, words, (uintptr_t)scratch(device));
        TERN_SET(ADM, key, words, device->scratch_key);
        TERN_SET(ADM, length, words, bytes);
    }
    status = admin_run(device, words, own_cqe);
    if (!status && answer)
        memcpy(answer, scratch(device), bytes);
    pthread_mutex_unlock(&device->admin_lock);
    if (cqe)
        memcpy(cqe, own_cqe, sizeof(own_cqe));
    return status;
}

int tern_admin_remove(struct tern_device *device, uint32_t opcode, uint16_t id,
                      enum tern_status gone)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    TERN_SET(DESC, opcode, words, opcode);
    TERN_SET(ADM, id, words, id);
    status = tern_admin(device, words, NULL, 0, NULL);
    return status == -(int)gone ? 0 : status;
}

/* The firmware answers FN_CTRL in FN_STATUS. */
static int await_enabled(struct tern_device *device)
{
    int64_t end = tern_now_ms() + tern_patience_ms();

    do {
        uint32_t word = 0;
        int status = tern_reg_read(device, TERN_REG_FN_STATUS, &word);

        if (status)
            return status;
        if ((word & 0xff) == TERN_FNSTATE_READY)
            return 0;
        if ((word & 0xff) == TERN_FNSTATE_ERROR)
            return word & 0xff00 ? -(int)(word >> 8 & 0xff) : -TERN_ST_INTERNAL;
    } while (tern_now_ms() < end);
    return -TERN_ST_TIMEOUT;
}

static int enable_function(struct tern_device *device)
{
    uint64_t base = (uintptr_t)device->admin_memory.base;
    const struct {
        uint32_t offset, value;
    } writes[] = {
        {TERN_REG_AQ_BASE_LO, (uint32_t)base},
        {TERN_REG_AQ_BASE_HI, (uint32_t)(base >> 32)},
        {TERN_REG_AQ_SIZE, ADMIN_LOG2 | ADMIN_CQ_LOG2 << 8 | (uint32_t)ADMIN_VECTOR << 16},
        {TERN_REG_ABI_WANTED, TERN_ABI_VERSION},
        {TERN_REG_FN_CTRL, 1},
    };
    uint32_t queues = 0;
    int status = 0;

    for (size_t i = 0; !status && i < sizeof(writes) / sizeof(writes[0]); i++)
        status = tern_reg_write(device, writes[i].offset, writes[i].value);
    if (!status)
        status = await_enabled(device);
    if (!status)
        status = tern_reg_read(device, TERN_REG_AQ_QUEUE, &queues);
    device->admin_queue = (uint16_t)queues;
    device->admin_cq = (uint16_t)(queues >> 16);
    return status;
}

/* Registers the scratch area alone, as a region of its own for answers. */
static int register_scratch(struct tern_device *device)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_REG_REGION);
    TERN_SET(ADM, addr, words, (uintptr_t)scratch(device));
    TERN_SET(ADM, size, words, ADMIN_BYTES - ADMIN_SCRATCH);
    TERN_SET(ADM, rights, words, TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE);
    TERN_SET(ADM, counter, words, TERN_COUNTER_NONE);
    status = tern_admin(device, words, NULL, 0, cqe);
    if (!status)
        device->scratch_key = (uint32_t)TERN_GET(CQE, length, cqe);
    return status;
}

int tern_admin_start(struct tern_device *device)
{
    int vector = ADMIN_VECTOR;
    int status = tern_shared_create(device, ADMIN_BYTES, &device->admin_memory);

    if (status)
        return status;
    device->admin_ring.words =
        (uint32_t *)(void *)(device->admin_memory.base + (TERN_DESC_BYTES << ADMIN_LOG2));
    device->admin_ring.log2_entries = ADMIN_CQ_LOG2;
    status = tern_event_create(device, &vector, &device->admin_event_fd);
    if (!status)
        status = enable_function(device);
    return status ? status : register_scratch(device);
}

void tern_admin_stop(struct tern_device *device)
{
    if (device->admin_event_fd >= 0)
        tern_event_destroy(device, ADMIN_VECTOR);
    tern_shared_destroy(device, &device->admin_memory);
}
