/* SPDX-License-Identifier: Apache-2.0 */
/* The region table and its check, as tern_key. */
#include "inside.h"

static bool key_good(const uint32_t *entry, uint32_t key)
{
    return TERN_F(RGN, valid, entry[TERN_RGN_valid_WORD]) &&
           TERN_F(RGN, tag, entry[TERN_RGN_tag_WORD]) == key >> 16;
}

/* Tells whether [offset, offset + bytes) lies inside the region, and its address does not wrap. */
static bool range_good(const uint32_t *entry, const struct soft_check *check,
                       uint64_t *host_address)
{
    uint64_t start = TERN_GET(RGN, iova, entry);
    uint64_t length = TERN_GET(RGN, length, entry);
    uint64_t base = TERN_GET(RGN, base, entry);
    uint64_t offset = check->offset ? check->address : check->address - start;
    uint64_t last = check->address + check->bytes;

    *host_address = base + offset;
    if (!check->offset && check->address < start)
        return false;
    if (offset > length || check->bytes > length - offset || *host_address < base)
        return false;
    return last >= check->address || last == 0;
}

static uint8_t status_of(const struct soft_node *node, const struct soft_check *check,
                         struct soft_grant *grant)
{
    uint32_t index = check->key & 0xffff;
    const uint32_t *entry;

    if (index == 0 || index >= SOFT_REGIONS)
        return TERN_ST_BAD_KEY;
    entry = node->key.entry[index];
    grant->function = (uint8_t)TERN_GET(RGN, fn, entry);
    grant->counter = (uint16_t)TERN_GET(RGN, counter, entry);
    if (!key_good(entry, check->key))
        return TERN_ST_BAD_KEY;
    if (!check->any_function && grant->function != check->function)
        return TERN_ST_NOT_OWNER;
    if (check->right & ~TERN_GET(RGN, rights, entry))
        return TERN_ST_BAD_RIGHTS;
    return range_good(entry, check, &grant->address) ? TERN_ST_OK : TERN_ST_BAD_RANGE;
}

uint8_t soft_key_check(struct soft_node *node, const struct soft_check *check,
                       struct soft_grant *grant)
{
    uint8_t status;

    *grant = (struct soft_grant){.counter = TERN_COUNTER_NONE};
    status = status_of(node, check, grant);
    SOFT_COUNT(node, key_checks);
    if (status != TERN_ST_OK)
        SOFT_COUNT(node, key_refusals);
    return status;
}
