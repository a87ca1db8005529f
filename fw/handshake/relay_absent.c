/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces relay.c in configurations without the feature RELAY. */
#include "desc.h"
#include "relay.h"

const uint32_t fw_feature_relay = 0;

void fw_relay(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_desc_not_started(fw, q, event, TERN_ST_UNSUPPORTED);
}

uint32_t fw_relay_take(struct fw *fw, uint32_t slot)
{
    (void)fw;
    (void)slot;
    return TERN_ST_UNSUPPORTED;
}

bool fw_relay_has(const struct fw *fw, uint32_t slot)
{
    (void)fw;
    (void)slot;
    return false;
}

uint32_t fw_relay_stored(struct fw *fw, uint32_t slot, uint32_t status)
{
    (void)fw;
    (void)slot;
    (void)status;
    return TERN_ST_UNSUPPORTED;
}

void fw_relay_failed(struct fw *fw, uint32_t slot, uint32_t status)
{
    (void)fw;
    (void)slot;
    (void)status;
}
