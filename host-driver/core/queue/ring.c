/* SPDX-License-Identifier: Apache-2.0 */
/* Rings: memory that this process shares with the NIC, and the NIC's queue that uses it. */
#include "queue.h"

int tern_queue_create(struct tern_device *device, const struct tern_queue_request *request,
                      size_t ring_bytes, struct tern_shared *memory, struct tern_region **region,
                      uint16_t *number)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status = tern_shared_create(device, ring_bytes, memory);

    if (status)
        return status;
    status = tern_shared_register(device, memory, region);
    if (status)
        goto no_region;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, words, request->number);
    TERN_SET(ADM, addr, words, (uintptr_t)memory->base);
    TERN_SET(ADM, key, words, tern_region_key(*region));
    TERN_SET(ADM, qtype, words, request->qtype);
    TERN_SET(ADM, log2_entries, words, request->log2_entries);
    TERN_SET(ADM, log2_bytes, words, request->log2_bytes);
    TERN_SET(ADM, remote, words, request->remote);
    TERN_SET(ADM, cq, words, request->cq);
    TERN_SET(ADM, vector, words, request->vector);
    status = tern_admin(device, words, NULL, 0, cqe);
    if (status)
        goto no_queue;
    *number = (uint16_t)TERN_GET(CQE, length, cqe);
    return 0;

no_queue:
    (void)tern_release(*region);
no_region:
    tern_shared_destroy(device, memory);
    return status;
}

int tern_queue_delete(struct tern_device *device, uint16_t number, struct tern_shared *memory,
                      struct tern_region *region)
{
    int status = tern_admin_remove(device, TERN_ADMIN_DELETE_QUEUE, number, TERN_ST_BAD_QUEUE);

    if (!status || status == -TERN_ST_DISCONNECTED) {
        (void)tern_release(region);
        tern_shared_destroy(device, memory);
    }
    return status;
}

void tern_end_set(struct tern_device *device, uint16_t number, struct tern_end *end)
{
    device->ends[number] = end;
}
