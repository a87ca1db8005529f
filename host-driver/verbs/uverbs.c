/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of libibverbs to a device, in the layout of linux/rdma/ib_user_verbs.h. A command
 * contains the address of its answer in the caller's memory; the answer is cut to the room there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"

enum {
    MAX_PD = 1024, MAX_MR = 1024, MAX_CQ = 1024, MAX_SRQ = 64, MAX_AH = 4096,
    PAIR_LOG2 = 8, OBJECT_BYTES = 1024 /* of a provider's completion queue, which contains its
                                        * lock */
};

/* A command of the provider in progress. */
struct call {
    struct verbs_context *context;
    struct verbs_nic *nic;
    const uint8_t *body;
    size_t bytes;         /* of the body, the provider's part included */
    const void *provider; /* data added by the provider */
    size_t provider_bytes;
    uint8_t *answer;
    size_t room, provider_room;
    bool extended;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The body as a separate struct: a shorter one is padded with zeros. */
#define BODY(type, name) \
    struct type name; \
    memset(&name, 0, sizeof(name)); \
    memcpy(&name, call->body, least(sizeof(name), call->bytes))

/*
 * Finds the address of the answer: at the start of an old command, in the header of an extended
 * one.
 */
static void find_answer(struct call *call)
{
    uint64_t address;

    if (call->extended || call->bytes < sizeof(address))
        return;
    memcpy(&address, call->body, sizeof(address));
    call->answer = (uint8_t *)(uintptr_t)address;
}

static int answer(const struct call *call, const void *core, size_t bytes)
{
    if (!call->answer)
        return EFAULT;
    memcpy(call->answer, core, least(bytes, call->room));
    return 0;
}

/*
 * Writes the provider's part of an answer, after `core_bytes` of an old command, or after the core
 * of an extended one.
 */
static void answer_provider(const struct call *call, size_t core_bytes, const void *part,
                            size_t bytes)
{
    size_t at = call->extended ? call->room : core_bytes;
    size_t room = call->extended            ? call->provider_room
                  : call->room > core_bytes ? call->room - core_bytes
                                            : 0;

    memcpy(call->answer + at, part, least(bytes, room));
}

/* ---- devices and ports */

static int get_context(struct call *call)
{
    struct ib_uverbs_get_context_resp resp = {.num_comp_vectors = 1};

    find_answer(call);
    if (!call->context->async)
        call->context->async = channel_create(true);
    if (!call->context->async)
        return ENOMEM;
    resp.async_fd = (uint32_t)call->context->async->fd;
    call->context->started = true;
    return answer(call, &resp, sizeof(resp));
}

static uint64_t guid(const struct verbs_nic *nic)
{
    uint8_t bytes[8] = {0x02,
                        0x7e,
                        0x52,
                        0xff,
                        10,
                        nic->node & 31,
                        nic->node >> 5 & 31,
                        (uint8_t)((nic->node >> 10 & 31) + 1)};
    uint64_t value;

    memcpy(&value, bytes, sizeof(value));
    return value;
}

static struct ib_uverbs_query_device_resp device_attributes(const struct verbs_nic *nic)
{
    return (struct ib_uverbs_query_device_resp){
        .fw_ver = (uint64_t)(nic->info.fw_version >> 16) << 32 | (nic->info.fw_version & 0xffff)
                                                                     << 16,
        .node_guid = guid(nic),
        .sys_image_guid = guid(nic),
        .max_mr_size = UINT64_C(1) << 40,
        .page_size_cap = 4096,
        .vendor_id = TERN_PCI_VENDOR,
        .vendor_part_id = TERN_PCI_DEVICE,
        .hw_ver = nic->info.abi_version,
        .max_qp = VERBS_QPS,
        .max_qp_wr = (1u << VERBS_WR_LOG2) - 1,
        .device_cap_flags = IB_UVERBS_DEVICE_SYS_IMAGE_GUID | IB_UVERBS_DEVICE_RC_RNR_NAK_GEN |
                            IB_UVERBS_DEVICE_CURR_QP_STATE_MOD,
        .max_sge = VERBS_SGE,
        .max_sge_rd = VERBS_SGE,
        .max_cq = MAX_CQ,
        .max_cqe = (1u << VERBS_CQE_LOG2),
        .max_mr = MAX_MR,
        .max_pd = MAX_PD,
        .max_qp_rd_atom = 16,
        .max_res_rd_atom = 16 * VERBS_QPS,
        .max_qp_init_rd_atom = 16,
        .atomic_cap = 1, /* only among NICs: IBV_ATOMIC_HCA */
        .max_ah = MAX_AH,
        .max_srq = MAX_SRQ,
        .max_srq_wr = (1u << VERBS_WR_LOG2) - 1,
        .max_srq_sge = VERBS_SGE,
        .max_pkeys = 1,
        .local_ca_ack_delay = 15,
        .phys_port_cnt = 1};
}

static int query_device(struct call *call)
{
    struct ib_uverbs_query_device_resp resp = device_attributes(call->nic);

    find_answer(call);
    return answer(call, &resp, sizeof(resp));
}

static int query_device_ex(struct call *call)
{
    struct ib_uverbs_ex_query_device_resp resp = {.base = device_attributes(call->nic)};

    resp.response_length = (uint32_t)least(sizeof(resp), call->room);
    return answer(call, &resp, sizeof(resp));
}

static int query_port(struct call *call)
{
    BODY(ib_uverbs_query_port, command);
    struct ib_uverbs_query_port_resp resp = {.port_cap_flags = 1u << 26, /* GIDs are IP addresses */
                                             .max_msg_sz = VERBS_MESSAGE,
                                             .gid_tbl_len = 4,
                                             .pkey_tbl_len = 1,
                                             .state = 4,
                                             .max_mtu = 5,
                                             .active_mtu = 5,
                                             .max_vl_num = 1,
                                             .active_width = 2,
                                             .active_speed = 32,
                                             .phys_state = 5,
                                             .link_layer = 2};

    find_answer(call);
    if (command.port_num != 1)
        return EINVAL;
    if (call->nic->dead)
        resp.state = 1;
    return answer(call, &resp, sizeof(resp));
}

/* ---- protection domains, memory, addresses */

static int alloc_pd(struct call *call)
{
    struct ib_uverbs_alloc_pd_resp resp = {0};
    struct verbs_pd *pd = calloc(1, sizeof(*pd));
    int error = pd ? table_add(&call->nic->pds, pd, &resp.pd_handle) : ENOMEM;

    find_answer(call);
    if (error) {
        free(pd);
        return error;
    }
    pd->context = call->context;
    pd->handle = resp.pd_handle;
    domain_added(call->nic);
    return answer(call, &resp, sizeof(resp));
}

static int pd_destroy(struct verbs_nic *nic, struct verbs_pd *pd)
{
    if (pd->users)
        return EBUSY;
    table_remove(&nic->pds, pd->handle);
    free(pd);
    return 0;
}

static int dealloc_pd(struct call *call)
{
    BODY(ib_uverbs_dealloc_pd, command);
    struct verbs_pd *pd = table_get(&call->nic->pds, command.pd_handle);

    return pd ? pd_destroy(call->nic, pd) : EINVAL;
}

/* Returns whether all pages of the range are mapped. */
static bool is_mapped(uint64_t start, uint64_t length)
{
    enum { PAGE = 4096, PAGES = 4096 };
    unsigned char seen[PAGES];
    uint64_t at = start & ~(uint64_t)(PAGE - 1);

    while (at < start + length) {
        uint64_t bytes = start + length - at;

        if (bytes > (uint64_t)PAGES * PAGE)
            bytes = (uint64_t)PAGES * PAGE;
        if (mincore((void *)(uintptr_t)at, bytes, seen))
            return false;
        at += (uint64_t)PAGES * PAGE;
    }
    return true;
}

static int check_memory(const struct ib_uverbs_reg_mr *command)
{
    const uint32_t known = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ |
                           ACCESS_REMOTE_ATOMIC | 1u << 4 /* windows, of which there are none */ |
                           1u << 7 /* huge pages */ | ACCESS_OPTIONAL;

    if (command->access_flags & ~known)
        return command->access_flags & (ACCESS_ZERO_BASED | ACCESS_ON_DEMAND) ? EOPNOTSUPP : EINVAL;
    if ((command->access_flags & (ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC)) &&
        !(command->access_flags & ACCESS_LOCAL_WRITE))
        return EINVAL;
    if (!command->length || command->start + command->length < command->start)
        return EINVAL;
    if (command->hca_va != command->start)
        return EOPNOTSUPP;
    return is_mapped(command->start, command->length) ? 0 : EFAULT;
}

static int register_regions(struct verbs_nic *nic, struct verbs_mr *mr)
{
    const uint32_t access = mr->access;
    unsigned local = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ;
    unsigned remote = (access & ACCESS_REMOTE_WRITE ? TERN_RIGHT_REMOTE_WRITE : 0u) |
                      (access & ACCESS_REMOTE_READ ? TERN_RIGHT_REMOTE_READ : 0u) |
                      (access & ACCESS_REMOTE_ATOMIC ? TERN_RIGHT_REMOTE_ATOMIC : 0u);
    void *start = (void *)(uintptr_t)mr->start;
    int status;

    if (access & ACCESS_LOCAL_WRITE)
        local |= TERN_RIGHT_LOCAL_WRITE | TERN_RIGHT_REMOTE_WRITE;
    status = tern_register(nic->device, start, mr->length, local, &mr->local);
    if (!status && remote)
        status = tern_register(nic->device, start, mr->length, remote, &mr->remote);
    if (status && mr->local)
        (void)tern_release(mr->local);
    if (status)
        return status == -TERN_ST_DISCONNECTED ? EIO : ENOMEM;
    mr->rkey = mr->remote ? tern_region_key(mr->remote) : TERN_KEY_NONE;
    return 0;
}

static void release_regions(struct verbs_mr *mr)
{
    if (mr->remote)
        (void)tern_release(mr->remote);
    if (mr->local)
        (void)tern_release(mr->local);
    mr->remote = mr->local = NULL;
}

static int reg_mr(struct call *call)
{
    BODY(ib_uverbs_reg_mr, command);
    static uint8_t tag;
    struct ib_uverbs_reg_mr_resp resp = {0};
    struct verbs_pd *pd = table_get(&call->nic->pds, command.pd_handle);
    int error = pd ? check_memory(&command) : EINVAL;
    struct verbs_mr *mr = error ? NULL : calloc(1, sizeof(*mr));

    find_answer(call);
    if (error)
        return error;
    if (!mr)
        return ENOMEM;
    mr->pd = pd;
    mr->start = command.start;
    mr->length = command.length;
    mr->access = command.access_flags;
    error = register_regions(call->nic, mr);
    if (!error)
        error = table_add(&call->nic->mrs, mr, &mr->handle);
    if (error) {
        release_regions(mr);
        free(mr);
        return error;
    }
    mr->lkey = mr->handle << 8 | ++tag;
    pd->users++;
    resp.mr_handle = mr->handle;
    resp.lkey = mr->lkey;
    resp.rkey = mr->rkey;
    return answer(call, &resp, sizeof(resp));
}

static void mr_destroy(struct verbs_nic *nic, struct verbs_mr *mr)
{
    if (!nic->gone)
        release_regions(mr);
    table_remove(&nic->mrs, mr->handle);
    mr->pd->users--;
    free(mr);
}

static int dereg_mr(struct call *call)
{
    BODY(ib_uverbs_dereg_mr, command);
    struct verbs_mr *mr = table_get(&call->nic->mrs, command.mr_handle);

    if (!mr)
        return EINVAL;
    mr_destroy(call->nic, mr);
    return 0;
}

static int create_ah(struct call *call)
{
    BODY(ib_uverbs_create_ah, command);
    struct ib_uverbs_create_ah_resp resp = {0};
    struct rxe_create_ah_resp part = {0};
    struct verbs_pd *pd = table_get(&call->nic->pds, command.pd_handle);
    struct verbs_ah *ah;
    int error;

    find_answer(call);
    if (!pd || !command.attr.is_global || command.attr.port_num != 1 ||
        command.attr.grh.sgid_index > 1)
        return EINVAL;
    ah = calloc(1, sizeof(*ah));
    error = ah ? table_add(&call->nic->ahs, ah, &ah->handle) : ENOMEM;
    if (error) {
        free(ah);
        return error;
    }
    ah->pd = pd;
    ah->attr = command.attr;
    pd->users++;
    resp.ah_handle = part.ah_num = ah->handle;
    error = answer(call, &resp, sizeof(resp));
    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static void ah_destroy(struct verbs_nic *nic, struct verbs_ah *ah)
{
    table_remove(&nic->ahs, ah->handle);
    ah->pd->users--;
    free(ah);
}

static int destroy_ah(struct call *call)
{
    BODY(ib_uverbs_destroy_ah, command);
    struct verbs_ah *ah = table_get(&call->nic->ahs, command.ah_handle);

    if (!ah)
        return EINVAL;
    ah_destroy(call->nic, ah);
    return 0;
}

/* ---- completion queues */

static int create_comp_channel(struct call *call)
{
    struct verbs_channel *channel = channel_create(false);
    struct ib_uverbs_create_comp_channel_resp resp = {0};

    find_answer(call);
    if (!channel)
        return EMFILE;
    resp.fd = (uint32_t)channel->fd;
    return answer(call, &resp, sizeof(resp));
}

static int make_cq(struct call *call, uint64_t user_handle, uint32_t cqe, uint32_t vector,
                   int32_t channel_fd, struct verbs_cq **out)
{
    struct verbs_cq *cq;
    int error;

    if (!cqe || cqe > 1u << VERBS_CQE_LOG2 || vector)
        return EINVAL;
    cq = calloc(1, sizeof(*cq));
    if (!cq)
        return ENOMEM;
    cq->context = call->context;
    cq->user_handle = user_handle;
    cq->size = cqe;
    error = channel_fd >= 0 && !(cq->channel = channel_hold(channel_fd)) ? EBADF : 0;
    if (!error)
        error = ring_create(call->context, &cq->ring, cqe, sizeof(struct ib_uverbs_wc));
    if (!error)
        error = table_add(&call->nic->cqs, cq, &cq->handle);
    if (error) {
        ring_destroy(call->context, &cq->ring);
        channel_drop(cq->channel);
        free(cq);
        return error;
    }
    spin_expect(cq, user_handle, OBJECT_BYTES);
    *out = cq;
    return 0;
}

static int create_cq(struct call *call)
{
    BODY(ib_uverbs_create_cq, command);
    struct ib_uverbs_create_cq_resp resp;
    struct rxe_create_cq_resp part;
    struct verbs_cq *cq;
    int error = make_cq(call, command.user_handle, command.cqe, command.comp_vector,
                        command.comp_channel, &cq);

    find_answer(call);
    if (error)
        return error;
    resp.cq_handle = cq->handle;
    resp.cqe = ring_entries(&cq->ring);
    part.mi = ring_info(&cq->ring);
    error = answer(call, &resp, sizeof(resp));
    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static int create_cq_ex(struct call *call)
{
    BODY(ib_uverbs_ex_create_cq, command);
    struct ib_uverbs_ex_create_cq_resp resp = {0};
    struct rxe_create_cq_resp part;
    struct verbs_cq *cq;
    int error = command.comp_mask || (command.flags & ~(uint32_t)IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN)
                    ? EOPNOTSUPP
                    : 0;

    if (!error)
        error = make_cq(call, command.user_handle, command.cqe, command.comp_vector,
                        command.comp_channel, &cq);
    if (error)
        return error;
    resp.base.cq_handle = cq->handle;
    resp.base.cqe = ring_entries(&cq->ring);
    resp.response_length = sizeof(resp);
    part.mi = ring_info(&cq->ring);
    error = answer(call, &resp, sizeof(resp));
    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static bool has_work_out(const struct verbs_nic *nic, const struct verbs_cq *cq)
{
    for (uint32_t at = 1; at <= nic->qps.room; at++) {
        const struct verbs_qp *qp = table_get(&nic->qps, at);

        for (uint32_t place = qp && qp->send_cq == cq ? qp->done : 0;
             qp && qp->send_cq == cq && place != qp->next; place = ring_next(&qp->sq, place))
            if (qp->work[place].parts)
                return true;
    }
    return false;
}

/* Waits for operations in flight that will need a place in `cq`; each has a time limit. */
static void settle(struct verbs_nic *nic, const struct verbs_cq *cq)
{
    while (!nic->dead && has_work_out(nic, cq))
        nic_progress(nic);
}

static int resize_cq(struct call *call)
{
    BODY(ib_uverbs_resize_cq, command);
    struct ib_uverbs_resize_cq_resp resp = {0};
    struct rxe_resize_cq_resp part;
    struct verbs_cq *cq = table_get(&call->nic->cqs, command.cq_handle);
    struct verbs_ring ring;
    uint32_t count = 0;
    int error;

    find_answer(call);
    if (!cq || !command.cqe || command.cqe > 1u << VERBS_CQE_LOG2)
        return EINVAL;
    if (command.cqe < ring_entries(&cq->ring))
        settle(call->nic, cq);
    if (command.cqe < ring_filled(&cq->ring))
        return EINVAL;
    error = ring_create(call->context, &ring, command.cqe, sizeof(struct ib_uverbs_wc));
    if (error)
        return error;
    for (uint32_t at = ring_consumer(&cq->ring); at != ring_producer(&cq->ring);
         at = ring_next(&cq->ring, at))
        memcpy(ring_at(&ring, count++), ring_at(&cq->ring, at), sizeof(struct ib_uverbs_wc));
    ring_produce(&ring, count);
    ring_destroy(call->context, &cq->ring);
    cq->ring = ring;
    cq->size = command.cqe;
    resp.cqe = ring_entries(&ring);
    part.mi = ring_info(&ring);
    error = answer(call, &resp, sizeof(resp));
    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static void cq_destroy(struct verbs_nic *nic, struct verbs_cq *cq)
{
    if (cq->armed != CQ_UNARMED)
        atomic_fetch_sub(&nic->armed, 1);
    spin_forget(cq);
    channel_forget(cq->channel, cq);
    channel_forget(cq->context->async, cq);
    channel_drop(cq->channel);
    ring_destroy(cq->context, &cq->ring);
    table_remove(&nic->cqs, cq->handle);
    free(cq);
}

static int destroy_cq(struct call *call)
{
    BODY(ib_uverbs_destroy_cq, command);
    struct ib_uverbs_destroy_cq_resp resp;
    struct verbs_cq *cq = table_get(&call->nic->cqs, command.cq_handle);

    find_answer(call);
    if (!cq)
        return EINVAL;
    if (cq->users)
        return EBUSY;
    channel_forget(cq->channel, cq);
    resp.comp_events_reported = cq->comp_events;
    resp.async_events_reported = cq->async_events;
    cq_destroy(call->nic, cq);
    return answer(call, &resp, sizeof(resp));
}

static int req_notify_cq(struct call *call)
{
    BODY(ib_uverbs_req_notify_cq, command);
    struct verbs_cq *cq = table_get(&call->nic->cqs, command.cq_handle);

    return cq ? cq_arm(cq, command.solicited_only != 0) : EINVAL;
}

/* ---- shared receive queues */

static size_t receive_bytes(uint32_t sge)
{
    return sizeof(struct rxe_recv_wqe) + sge * sizeof(struct rxe_sge);
}

static int make_srq(struct call *call, struct ib_uverbs_create_srq *command, struct verbs_srq **out)
{
    struct verbs_pd *pd = table_get(&call->nic->pds, command->pd_handle);
    struct verbs_srq *srq;
    int error;

    if (!pd || !command->max_wr || command->max_wr >= 1u << VERBS_WR_LOG2 ||
        command->max_sge > VERBS_SGE)
        return EINVAL;
    srq = calloc(1, sizeof(*srq));
    if (!srq)
        return ENOMEM;
    srq->context = call->context;
    srq->pd = pd;
    srq->user_handle = command->user_handle;
    srq->max_sge = command->max_sge ? command->max_sge : 1;
    error = ring_create(call->context, &srq->ring, command->max_wr, receive_bytes(srq->max_sge));
    if (!error)
        error = table_add(&call->nic->srqs, srq, &srq->handle);
    if (error) {
        ring_destroy(call->context, &srq->ring);
        free(srq);
        return error;
    }
    pd->users++;
    *out = srq;
    return 0;
}

static int answer_srq(struct call *call, const struct verbs_srq *srq)
{
    struct ib_uverbs_create_srq_resp resp = {.srq_handle = srq->handle,
                                             .max_wr = ring_entries(&srq->ring),
                                             .max_sge = srq->max_sge,
                                             .srqn = srq->handle};
    struct rxe_create_srq_resp part = {.mi = ring_info(&srq->ring), .srq_num = srq->handle};
    int error = answer(call, &resp, sizeof(resp));

    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static int create_srq(struct call *call)
{
    BODY(ib_uverbs_create_srq, command);
    struct verbs_srq *srq;
    int error = make_srq(call, &command, &srq);

    find_answer(call);
    return error ? error : answer_srq(call, srq);
}

static int create_xsrq(struct call *call)
{
    BODY(ib_uverbs_create_xsrq, command);
    struct ib_uverbs_create_srq plain = {.user_handle = command.user_handle,
                                         .pd_handle = command.pd_handle,
                                         .max_wr = command.max_wr,
                                         .max_sge = command.max_sge};
    struct verbs_srq *srq;
    int error = command.srq_type ? EOPNOTSUPP : make_srq(call, &plain, &srq);

    find_answer(call);
    return error ? error : answer_srq(call, srq);
}

static int modify_srq(struct call *call)
{
    BODY(ib_uverbs_modify_srq, command);
    enum { MAX_WR = 1, LIMIT = 2 };
    struct verbs_srq *srq = table_get(&call->nic->srqs, command.srq_handle);

    if (!srq)
        return EINVAL;
    if (command.attr_mask & MAX_WR)
        return EOPNOTSUPP;
    if (command.attr_mask & LIMIT) {
        if (command.srq_limit > ring_entries(&srq->ring))
            return EINVAL;
        srq->limit = command.srq_limit;
    }
    return 0;
}

static int query_srq(struct call *call)
{
    BODY(ib_uverbs_query_srq, command);
    struct verbs_srq *srq = table_get(&call->nic->srqs, command.srq_handle);
    struct ib_uverbs_query_srq_resp resp = {0};

    find_answer(call);
    if (!srq)
        return EINVAL;
    resp.max_wr = ring_entries(&srq->ring);
    resp.max_sge = srq->max_sge;
    resp.srq_limit = srq->limit;
    return answer(call, &resp, sizeof(resp));
}

static void srq_destroy(struct verbs_nic *nic, struct verbs_srq *srq)
{
    channel_forget(srq->context->async, srq);
    ring_destroy(srq->context, &srq->ring);
    table_remove(&nic->srqs, srq->handle);
    srq->pd->users--;
    free(srq);
}

static int destroy_srq(struct call *call)
{
    BODY(ib_uverbs_destroy_srq, command);
    struct ib_uverbs_destroy_srq_resp resp;
    struct verbs_srq *srq = table_get(&call->nic->srqs, command.srq_handle);

    find_answer(call);
    if (!srq)
        return EINVAL;
    if (srq->users)
        return EBUSY;
    channel_forget(srq->context->async, srq);
    resp.events_reported = srq->async_events;
    srq_destroy(call->nic, srq);
    return answer(call, &resp, sizeof(resp));
}

/* ---- queue pairs */

static int check_qp(const struct ib_uverbs_create_qp *command)
{
    if (command->qp_type != QPT_RC && command->qp_type != QPT_UC && command->qp_type != QPT_UD)
        return EOPNOTSUPP;
    if (command->max_send_wr >= 1u << VERBS_WR_LOG2 ||
        command->max_recv_wr >= 1u << VERBS_WR_LOG2 || command->max_send_sge > VERBS_SGE ||
        command->max_recv_sge > VERBS_SGE || command->max_inline_data > VERBS_INLINE)
        return EINVAL;
    return 0;
}

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

static int make_queues(struct call *call, struct verbs_qp *qp)
{
    size_t data = qp->max_send_sge * sizeof(struct rxe_sge);
    int error;

    if (data < qp->max_inline)
        data = qp->max_inline;
    error = ring_create(call->context, &qp->sq, at_least_one(qp->max_send_wr),
                        sizeof(struct rxe_send_wqe) + data);
    if (!error && !qp->srq)
        error = ring_create(call->context, &qp->rq, at_least_one(qp->max_recv_wr),
                            receive_bytes(qp->max_recv_sge));
    if (error)
        return error;
    qp->work = calloc(ring_entries(&qp->sq) + 1, sizeof(*qp->work));
    return qp->work ? 0 : ENOMEM;
}

static int make_pair(struct verbs_qp *qp)
{
    struct verbs_nic *nic = qp->nic;
    const unsigned kind = qp->type == QPT_UD ? TERN_PAIR_UD : TERN_PAIR_RC;
    int status =
        nic->dead ? -TERN_ST_DISCONNECTED
                  : tern_pair_create(nic->cq, kind, PAIR_LOG2,
                                     kind == TERN_PAIR_UD ? nic->datagrams : nic->inbox, &qp->pair);

    if (status)
        return status == -TERN_ST_DISCONNECTED ? EIO : ENOMEM;
    qp_serve(qp);
    qp->number = tern_pair_name(qp->pair).number;
    nic->by_number[qp->number] = qp;
    return 0;
}

static void drop_qp(struct verbs_qp *qp)
{
    if (qp->handle)
        table_remove(&qp->nic->qps, qp->handle);
    ring_destroy(qp->context, &qp->sq);
    ring_destroy(qp->context, &qp->rq);
    free(qp->work);
    free(qp);
}

static int make_qp(struct call *call, const struct ib_uverbs_create_qp *command,
                   struct verbs_qp **out)
{
    struct verbs_nic *nic = call->nic;
    struct verbs_qp *qp;
    int error = check_qp(command);

    if (error)
        return error;
    qp = calloc(1, sizeof(*qp));
    if (!qp)
        return ENOMEM;
    qp->context = call->context;
    qp->nic = nic;
    qp->pd = table_get(&nic->pds, command->pd_handle);
    qp->send_cq = table_get(&nic->cqs, command->send_cq_handle);
    qp->recv_cq = table_get(&nic->cqs, command->recv_cq_handle);
    qp->srq = command->is_srq ? table_get(&nic->srqs, command->srq_handle) : NULL;
    qp->user_handle = command->user_handle;
    qp->type = command->qp_type;
    qp->sq_sig_all = command->sq_sig_all;
    qp->max_send_sge = at_least_one(command->max_send_sge);
    qp->max_recv_sge = at_least_one(command->max_recv_sge);
    qp->max_send_wr = command->max_send_wr;
    qp->max_recv_wr = command->max_recv_wr;
    qp->max_inline = command->max_inline_data;
    qp->stash_end = &qp->stash;
    error = qp->pd && qp->send_cq && qp->recv_cq && (qp->srq || !command->is_srq) ? 0 : EINVAL;
    if (!error)
        error = table_add(&nic->qps, qp, &qp->handle);
    qp->index = qp->handle;
    if (!error)
        error = make_queues(call, qp);
    if (!error)
        error = make_pair(qp);
    if (error) {
        drop_qp(qp);
        return error;
    }
    qp->max_send_wr = ring_entries(&qp->sq);
    qp->max_recv_wr = qp->srq ? 0 : ring_entries(&qp->rq);
    qp->pd->users++;
    qp->send_cq->users++;
    qp->recv_cq->users++;
    if (qp->srq)
        qp->srq->users++;
    *out = qp;
    return 0;
}

static struct ib_uverbs_create_qp_resp describe(const struct verbs_qp *qp)
{
    struct ib_uverbs_create_qp_resp resp = {.qp_handle = qp->handle,
                                            .qpn = qp->number,
                                            .max_send_wr = qp->max_send_wr,
                                            .max_recv_wr = qp->max_recv_wr,
                                            .max_send_sge = qp->max_send_sge,
                                            .max_recv_sge = qp->srq ? 0 : qp->max_recv_sge,
                                            .max_inline_data = qp->max_inline};

    return resp;
}

static struct rxe_create_qp_resp queues_of(const struct verbs_qp *qp)
{
    struct rxe_create_qp_resp part = {.sq_mi = ring_info(&qp->sq)};

    if (!qp->srq)
        part.rq_mi = ring_info(&qp->rq);
    return part;
}

static int create_qp(struct call *call)
{
    BODY(ib_uverbs_create_qp, command);
    struct ib_uverbs_create_qp_resp resp;
    struct rxe_create_qp_resp part;
    struct verbs_qp *qp;
    int error = make_qp(call, &command, &qp);

    find_answer(call);
    if (error)
        return error;
    resp = describe(qp);
    part = queues_of(qp);
    error = answer(call, &resp, sizeof(resp));
    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static int create_qp_ex(struct call *call)
{
    BODY(ib_uverbs_ex_create_qp, command);
    struct ib_uverbs_create_qp plain = {.user_handle = command.user_handle,
                                        .pd_handle = command.pd_handle,
                                        .send_cq_handle = command.send_cq_handle,
                                        .recv_cq_handle = command.recv_cq_handle,
                                        .srq_handle = command.srq_handle,
                                        .max_send_wr = command.max_send_wr,
                                        .max_recv_wr = command.max_recv_wr,
                                        .max_send_sge = command.max_send_sge,
                                        .max_recv_sge = command.max_recv_sge,
                                        .max_inline_data = command.max_inline_data,
                                        .sq_sig_all = command.sq_sig_all,
                                        .qp_type = command.qp_type,
                                        .is_srq = command.is_srq};
    struct ib_uverbs_ex_create_qp_resp resp = {0};
    struct rxe_create_qp_resp part;
    struct verbs_qp *qp;
    int error = command.comp_mask || command.create_flags ? EOPNOTSUPP : make_qp(call, &plain, &qp);

    if (error)
        return error;
    resp.base = describe(qp);
    resp.response_length = sizeof(resp);
    part = queues_of(qp);
    error = answer(call, &resp, sizeof(resp));
    answer_provider(call, sizeof(resp), &part, sizeof(part));
    return error;
}

static int modify_qp(struct call *call)
{
    BODY(ib_uverbs_modify_qp, command);
    struct verbs_qp *qp = table_get(&call->nic->qps, command.qp_handle);
    int error = qp ? qp_modify(qp, &command) : EINVAL;

    if (!error)
        nic_kick(call->nic);
    return error;
}

static int modify_qp_ex(struct call *call)
{
    struct ib_uverbs_ex_modify_qp_resp resp = {.response_length = sizeof(resp)};
    int error = modify_qp(call);

    if (!error && call->answer && call->room)
        error = answer(call, &resp, sizeof(resp));
    return error;
}

static int query_qp(struct call *call)
{
    BODY(ib_uverbs_query_qp, command);
    const struct verbs_qp *qp = table_get(&call->nic->qps, command.qp_handle);
    struct ib_uverbs_query_qp_resp resp = {0};

    find_answer(call);
    if (!qp)
        return EINVAL;
    resp.dest = qp->attr.dest;
    resp.max_send_wr = qp->max_send_wr;
    resp.max_recv_wr = qp->max_recv_wr;
    resp.max_send_sge = qp->max_send_sge;
    resp.max_recv_sge = qp->srq ? 0 : qp->max_recv_sge;
    resp.max_inline_data = qp->max_inline;
    resp.qkey = qp->attr.qkey;
    resp.rq_psn = qp->attr.rq_psn;
    resp.sq_psn = qp->attr.sq_psn;
    resp.dest_qp_num = qp->attr.dest_qp_num;
    resp.qp_access_flags = qp->attr.qp_access_flags;
    resp.pkey_index = qp->attr.pkey_index;
    resp.qp_state = resp.cur_qp_state = qp->state;
    resp.path_mtu = qp->attr.path_mtu;
    resp.path_mig_state = qp->attr.path_mig_state;
    resp.sq_draining = qp->draining;
    resp.max_rd_atomic = qp->attr.max_rd_atomic;
    resp.max_dest_rd_atomic = qp->attr.max_dest_rd_atomic;
    resp.min_rnr_timer = qp->attr.min_rnr_timer;
    resp.port_num = qp->attr.port_num;
    resp.timeout = qp->attr.timeout;
    resp.retry_cnt = qp->attr.retry_cnt;
    resp.rnr_retry = qp->attr.rnr_retry;
    resp.sq_sig_all = qp->sq_sig_all;
    return answer(call, &resp, sizeof(resp));
}

static int destroy_qp(struct call *call)
{
    BODY(ib_uverbs_destroy_qp, command);
    struct verbs_qp *qp = table_get(&call->nic->qps, command.qp_handle);
    struct ib_uverbs_destroy_qp_resp resp;

    find_answer(call);
    if (!qp)
        return EINVAL;
    channel_forget(qp->context->async, qp);
    resp.events_reported = qp->async_events;
    qp_destroy(qp);
    return answer(call, &resp, sizeof(resp));
}

static int post_send(struct call *call)
{
    BODY(ib_uverbs_post_send, command);
    struct verbs_qp *qp = table_get(&call->nic->qps, command.qp_handle);

    return qp ? send_doorbell(qp) : EINVAL;
}

/* ---- one command after another */

static int (*const commands[])(struct call *call) = {
    [IB_USER_VERBS_CMD_GET_CONTEXT] = get_context,
    [IB_USER_VERBS_CMD_QUERY_DEVICE] = query_device,
    [IB_USER_VERBS_CMD_QUERY_PORT] = query_port,
    [IB_USER_VERBS_CMD_ALLOC_PD] = alloc_pd,
    [IB_USER_VERBS_CMD_DEALLOC_PD] = dealloc_pd,
    [IB_USER_VERBS_CMD_CREATE_AH] = create_ah,
    [IB_USER_VERBS_CMD_DESTROY_AH] = destroy_ah,
    [IB_USER_VERBS_CMD_REG_MR] = reg_mr,
    [IB_USER_VERBS_CMD_DEREG_MR] = dereg_mr,
    [IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL] = create_comp_channel,
    [IB_USER_VERBS_CMD_CREATE_CQ] = create_cq,
    [IB_USER_VERBS_CMD_RESIZE_CQ] = resize_cq,
    [IB_USER_VERBS_CMD_DESTROY_CQ] = destroy_cq,
    [IB_USER_VERBS_CMD_REQ_NOTIFY_CQ] = req_notify_cq,
    [IB_USER_VERBS_CMD_CREATE_QP] = create_qp,
    [IB_USER_VERBS_CMD_QUERY_QP] = query_qp,
    [IB_USER_VERBS_CMD_MODIFY_QP] = modify_qp,
    [IB_USER_VERBS_CMD_DESTROY_QP] = destroy_qp,
    [IB_USER_VERBS_CMD_POST_SEND] = post_send,
    [IB_USER_VERBS_CMD_CREATE_SRQ] = create_srq,
    [IB_USER_VERBS_CMD_MODIFY_SRQ] = modify_srq,
    [IB_USER_VERBS_CMD_QUERY_SRQ] = query_srq,
    [IB_USER_VERBS_CMD_DESTROY_SRQ] = destroy_srq,
    [IB_USER_VERBS_CMD_CREATE_XSRQ] = create_xsrq,
};

static int (*const extended[])(struct call *call) = {
    [IB_USER_VERBS_EX_CMD_QUERY_DEVICE] = query_device_ex,
    [IB_USER_VERBS_EX_CMD_CREATE_CQ] = create_cq_ex,
    [IB_USER_VERBS_EX_CMD_CREATE_QP] = create_qp_ex,
    [IB_USER_VERBS_EX_CMD_MODIFY_QP] = modify_qp_ex,
};

/* Parses the headers; 0 or an errno. */
static int open_call(struct call *call, const void *command, size_t bytes, unsigned *number)
{
    struct ib_uverbs_cmd_hdr head;
    struct ib_uverbs_ex_cmd_hdr ex;

    if (bytes < sizeof(head))
        return EINVAL;
    memcpy(&head, command, sizeof(head));
    *number = head.command & IB_USER_VERBS_CMD_COMMAND_MASK;
    call->extended = (head.command & IB_USER_VERBS_CMD_FLAG_EXTENDED) != 0;
    call->body = (const uint8_t *)command + sizeof(head);
    call->bytes = bytes - sizeof(head);
    call->room = head.out_words * 4u;
    if (!call->extended)
        return 0;
    if (call->bytes < sizeof(ex))
        return EINVAL;
    memcpy(&ex, call->body, sizeof(ex));
    call->body += sizeof(ex);
    call->bytes = least(call->bytes - sizeof(ex), head.in_words * 8u);
    call->room = head.out_words * 8u;
    call->provider_room = ex.provider_out_words * 8u;
    call->answer = (uint8_t *)(uintptr_t)ex.response;
    return 0;
}

/* Handles a doorbell, by far the most frequent command; it has no answer. */
static ssize_t ring(struct verbs_nic *nic, const struct ib_uverbs_post_send *command, size_t bytes)
{
    struct verbs_qp *qp;
    int error;

    nic_lock(nic);
    qp = table_get(&nic->qps, command->qp_handle);
    error = qp ? send_doorbell(qp) : EINVAL;
    nic_unlock(nic);
    if (!error)
        return (ssize_t)bytes;
    errno = error;
    return -1;
}

static __attribute__((noinline)) ssize_t carry_out(struct verbs_context *context,
                                                   const void *command, size_t bytes)
{
    struct call call = {.context = context, .nic = context->nic};
    int (*run)(struct call *) = NULL;
    unsigned number = 0;
    int error = context->nic->gone ? EIO : open_call(&call, command, bytes, &number);

    if (!error && call.extended && number < sizeof(extended) / sizeof(extended[0]))
        run = extended[number];
    else if (!error && !call.extended && number < sizeof(commands) / sizeof(commands[0]))
        run = commands[number];
    if (!error && !run)
        error = EOPNOTSUPP;
    if (!error) {
        nic_lock(context->nic);
        error = run(&call);
        nic_unlock(context->nic);
    }
    if (!error)
        return (ssize_t)bytes;
    say_refused(call.extended ? "extended uverbs" : "uverbs", number, error);
    errno = error;
    return -1;
}

ssize_t uverbs_write(struct verbs_context *context, const void *command, size_t bytes)
{
    const struct ib_uverbs_cmd_hdr *head = command;

    if (bytes >= sizeof(*head) + sizeof(struct ib_uverbs_post_send) &&
        head->command == IB_USER_VERBS_CMD_POST_SEND && !context->nic->gone)
        return ring(context->nic, (const struct ib_uverbs_post_send *)(head + 1), bytes);
    return carry_out(context, command, bytes);
}

/* ---- opening and closing */

struct verbs_context *context_open(const char *device)
{
    struct verbs_nic *nic = nic_get(device);
    struct verbs_context *context = nic ? calloc(1, sizeof(*context)) : NULL;

    if (!context)
        return NULL;
    context->fd = memfd_create(device, MFD_CLOEXEC);
    if (context->fd < 0) {
        free(context);
        return NULL;
    }
    context->nic = nic;
    context->opens = 1;
    nic_lock(nic);
    context->next = nic->contexts;
    nic->contexts = context;
    nic_unlock(nic);
    fd_set_object(context->fd, FD_CONTEXT, context);
    return context;
}

/* Destroys the objects that a program left, dependent ones first. */
#define DESTROY_ALL(table, type, is_its, destroy) \
    for (uint32_t at = 1; at <= nic->table.room; at++) { \
        type *object = table_get(&nic->table, at); \
        if (object && (is_its)) \
            destroy; \
    }

static void destroy_objects(struct verbs_nic *nic, const struct verbs_context *context)
{
    DESTROY_ALL(qps, struct verbs_qp, object->context == context, (void)qp_destroy(object))
    DESTROY_ALL(cqs, struct verbs_cq, object->context == context, cq_destroy(nic, object))
    DESTROY_ALL(srqs, struct verbs_srq, object->context == context, srq_destroy(nic, object))
    DESTROY_ALL(ahs, struct verbs_ah, object->pd->context == context, ah_destroy(nic, object))
    DESTROY_ALL(mrs, struct verbs_mr, object->pd->context == context, mr_destroy(nic, object))
    DESTROY_ALL(pds, struct verbs_pd, object->context == context, (void)pd_destroy(nic, object))
}

void context_close(struct verbs_context *context)
{
    struct verbs_nic *nic = context->nic;
    struct verbs_context **link = &nic->contexts;

    if (--context->opens || nic->gone)
        return;
    nic_lock(nic);
    destroy_objects(nic, context);
    while (*link && *link != context)
        link = &(*link)->next;
    if (*link)
        *link = context->next;
    nic_unlock(nic);
    channel_drop(context->async);
    free(context);
}
