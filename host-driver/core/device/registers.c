/* SPDX-License-Identifier: Apache-2.0 */
/* BAR registers and doorbells. */
#include "barrier.h"
#include "device.h"

int tern_reg_read(struct tern_device *device, uint32_t offset, uint32_t *value)
{
    return tern_transport_read(device->transport, offset, value, sizeof(*value));
}

int tern_reg_write(struct tern_device *device, uint32_t offset, uint32_t value)
{
    return tern_transport_write(device->transport, offset, &value, sizeof(value), false);
}

/* Reads a 64-bit counter: a read of the low word latches the high word. */
int tern_reg_read_pair(struct tern_device *device, uint32_t offset_low, uint64_t *value)
{
    uint32_t low = 0, high = 0;
    int status = tern_reg_read(device, offset_low, &low);

    if (!status)
        status = tern_reg_read(device, offset_low + (uint32_t)sizeof(low), &high);
    *value = (uint64_t)high << 32 | low;
    return status;
}

static uint32_t window(uint16_t queue)
{
    return (uint32_t)TERN_BAR_DB + (uint32_t)queue * TERN_BAR_DB_STRIDE;
}

int tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index)
{
    uint32_t rung = index & 0xffffff; /* the NIC's index has 24 bits */

    tern_to_device();
    return tern_transport_write(device->transport, window(queue) + TERN_DB_INDEX, &rung,
                                sizeof(rung), true);
}

int tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words)
{
    tern_to_device();
    return tern_transport_write(device->transport, window(queue), words, TERN_DESC_BYTES, true);
}

int tern_cycles(struct tern_device *device, uint64_t *cycles)
{
    return tern_reg_read_pair(device, TERN_REG_CYCLE_LO, cycles);
}

int tern_core_counters(struct tern_device *device, uint64_t *instructions, uint64_t *busy_cycles)
{
    int status = tern_reg_read_pair(device, TERN_REG_INSTRET_LO, instructions);

    return status ? status : tern_reg_read_pair(device, TERN_REG_BUSY_LO, busy_cycles);
}

int tern_core_hold(struct tern_device *device, bool hold)
{
    return tern_reg_write(device, TERN_REG_CORE_CTRL, (uint32_t)hold << TERN_CORE_CTRL_HOLD);
}

int tern_path_reset(struct tern_device *device)
{
    return tern_reg_write(device, TERN_REG_CORE_CTRL,
                          1u << TERN_CORE_CTRL_HOLD | 1u << TERN_CORE_CTRL_PATH);
}

int tern_path_busy(struct tern_device *device, bool *busy)
{
    uint32_t word = 0;
    int status = tern_reg_read(device, TERN_REG_CORE_CTRL, &word);

    *busy = word >> TERN_CORE_CTRL_PATH & 1;
    return status;
}

int tern_last_error(struct tern_device *device, enum tern_status *status, uint16_t *queue,
                    unsigned *count)
{
    uint32_t word = 0;
    int failed = tern_reg_read(device, TERN_REG_FN_ERROR, &word);

    *status = (enum tern_status)(word & 0xff);
    *queue = (uint16_t)(word >> 8);
    *count = word >> 24;
    return failed;
}
