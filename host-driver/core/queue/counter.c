/* SPDX-License-Identifier: Apache-2.0 */
/* Byte counters of the NIC. */
#include <tern/counter.h>

#include "queue.h"

int tern_counter_set(struct tern_device *device, uint16_t id, uint32_t bytes)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, words, id);
    TERN_SET(ADM, length, words, bytes);
    return tern_admin(device, words, NULL, 0, NULL);
}

/* Watches a counter. Queue 0 is an admin queue, so number 0 means no queue. */
int tern_counter_watch(struct tern_cq *cq, uint16_t id, uint32_t bytes)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, words, id);
    TERN_SET(ADM, length, words, bytes);
    TERN_SET(ADM, cq, words, cq->number);
    return tern_admin(cq->device, words, NULL, 0, NULL);
}

int tern_counter_get(struct tern_device *device, uint16_t id, uint32_t *bytes)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_GET_COUNTER);
    TERN_SET(ADM, id, words, id);
    status = tern_admin(device, words, NULL, 0, cqe);
    if (!status)
        *bytes = (uint32_t)TERN_GET(CQE, value, cqe);
    return status;
}

int tern_counter_fills_area(struct tern_device *device, uint16_t counter, uint32_t bytes,
                            uint16_t area)
{
    uint32_t words[DESC_WORDS] = {0};

    if (bytes == 0)
        return -TERN_ST_BAD_ARGUMENT;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, words, counter);
    TERN_SET(ADM, length, words, bytes);
    TERN_SET(ADM, area, words, area);
    TERN_SET(ADM, by_area, words, 1);
    return tern_admin(device, words, NULL, 0, NULL);
}

int tern_sq_count(struct tern_sq *sq, uint16_t counter)
{
    if (counter != TERN_COUNTER_NONE && counter >> TERN_DESC_counter_BITS)
        return -TERN_ST_BAD_COUNTER;
    sq->counter = counter;
    return 0;
}
