/* SPDX-License-Identifier: Apache-2.0 */
/* Check-in areas. */
#include <string.h>
#include <tern/checkin.h>

#include "queue.h"

int tern_area_arm(struct tern_device *device, const struct tern_area *area, struct tern_cq *cq)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_ADMIN_ARM_AREA);
    TERN_SET(ADM, id, words, area->id);
    TERN_SET(ADM, epoch, words, area->epoch);
    TERN_SET(ADM, length, words, area->slots);
    TERN_SET(ADM, pass, words, area->pass);
    TERN_SET(ADM, limit, words, area->limit);
    TERN_SET(ADM, addr, words, (uintptr_t)area->values);
    TERN_SET(ADM, key, words, area->region ? area->region->key : TERN_KEY_NONE);
    TERN_SET(ADM, cq, words, cq ? cq->number : 0);
    return tern_admin(device, words, NULL, 0, NULL);
}

int tern_area_missing(struct tern_device *device, uint16_t id, uint32_t *missing, uint32_t *first)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_GET_AREA);
    TERN_SET(ADM, id, words, id);
    status = tern_admin(device, words, NULL, 0, cqe);
    if (status)
        return status;
    *missing = (uint32_t)TERN_GET(CQE, length, cqe);
    *first = (uint32_t)TERN_GET(CQE, value, cqe);
    return 0;
}

int tern_checkin(struct tern_sq *sq, struct tern_area_name to, uint16_t slot, const uint64_t *value,
                 unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_CHECKIN);
    TERN_SET(DESC, dst_node, words, to.node);
    TERN_SET(CHK, epoch, words, to.epoch);
    TERN_SET(CHK, pass, words, to.pass);
    TERN_SET(CHK, area, words, to.id);
    TERN_SET(CHK, slot, words, slot);
    tern_desc_set_inline(words, value, value ? TERN_CHECKIN_BYTES : 0);
    return tern_post(sq, words, flags, context);
}

int tern_wait_area(struct tern_sq *sq, uint16_t id, uint16_t epoch, unsigned flags,
                   uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_WAIT);
    TERN_SET(CHK, area, words, id);
    TERN_SET(CHK, epoch, words, epoch);
    TERN_SET(CHK, guarded, words, TERN_GUARDED_ALL);
    return tern_post(sq, words, flags, context);
}
