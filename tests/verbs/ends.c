/* SPDX-License-Identifier: Apache-2.0 */
/* See ends.h. */
#include "ends.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NET_S = 30, QUIET_MS = 50, KEY = 0x11111111 };

struct end a, b;
static unsigned said, wrong;

void says(bool good, const char *source, const char *format, ...)
{
    va_list list;

    printf("%sok %u - ", good ? "" : "not ", ++said);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf(" (%s)\n", source);
    wrong += !good;
    fflush(stdout);
}

int ends_done(void)
{
    printf("1..%u\n", said);
    return wrong != 0;
}

/* ---- opening */

static void must(bool good, const char *what)
{
    if (good)
        return;
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(1);
}

static void open_end(struct end *end, struct ibv_device *device)
{
    end->context = ibv_open_device(device);
    must(end->context != NULL, "ibv_open_device");
    end->pd = ibv_alloc_pd(end->context);
    must(end->pd != NULL, "ibv_alloc_pd");
    end->channel = ibv_create_comp_channel(end->context);
    must(end->channel != NULL, "ibv_create_comp_channel");
    end->memory = aligned_alloc(4096, MEMORY);
    end->mr = ibv_reg_mr(end->pd, end->memory, MEMORY, ALL);
    must(end->mr != NULL, "ibv_reg_mr");
}

bool end_open(struct end *end, const char *name)
{
    struct ibv_device **list = ibv_get_device_list(NULL);

    for (unsigned at = 0; list && list[at]; at++)
        if (!strcmp(ibv_get_device_name(list[at]), name))
            open_end(end, list[at]);
    if (list)
        ibv_free_device_list(list);
    return end->context != NULL;
}

bool ends_open(void)
{
    return end_open(&a, "tern0") && end_open(&b, "tern1");
}

/* ---- queue pairs */

struct wish wish_of(enum ibv_qp_type type)
{
    return (struct wish){.type = type,
                         .send_wr = 16,
                         .recv_wr = 16,
                         .send_sge = 2,
                         .recv_sge = 2,
                         .access = ALL,
                         .rnr_retry = 7,
                         .min_rnr_timer = 1};
}

struct ibv_qp *qp_make(struct end *end, const struct wish *wish)
{
    struct ibv_qp_init_attr init = {
        .send_cq = end->cq,
        .recv_cq = end->cq,
        .srq = wish->with_srq ? end->srq : NULL,
        .cap = {wish->send_wr, wish->recv_wr, wish->send_sge, wish->recv_sge, wish->inline_data},
        .qp_type = wish->type,
        .sq_sig_all = !wish->is_quiet};

    return ibv_create_qp(end->pd, &init);
}

int to_init(struct ibv_qp *qp, const struct wish *wish)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
                               .port_num = 1,
                               .qkey = KEY,
                               .qp_access_flags = (unsigned)wish->access};

    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                             (wish->type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
}

static void fill_address(struct ibv_ah_attr *attr, const struct end *peer)
{
    memset(attr, 0, sizeof(*attr));
    attr->is_global = 1;
    attr->port_num = 1;
    attr->grh.sgid_index = 1;
    attr->grh.hop_limit = 1;
    must(!ibv_query_gid(peer->context, 1, 1, &attr->grh.dgid), "ibv_query_gid");
}

int to_rtr(struct ibv_qp *qp, const struct end *peer, uint32_t number, const struct wish *wish)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
                               .path_mtu = IBV_MTU_1024,
                               .dest_qp_num = number,
                               .max_dest_rd_atomic = 4,
                               .min_rnr_timer = wish->min_rnr_timer};
    int mask = IBV_QP_STATE;

    if (wish->type != IBV_QPT_UD)
        mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    if (wish->type == IBV_QPT_RC)
        mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    fill_address(&attr.ah_attr, peer);
    return ibv_modify_qp(qp, &attr, mask);
}

int to_rts(struct ibv_qp *qp, const struct wish *wish)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS,
                               .timeout = 14,
                               .retry_cnt = 7,
                               .rnr_retry = wish->rnr_retry,
                               .max_rd_atomic = 4};
    int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

    if (wish->type == IBV_QPT_RC)
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    return ibv_modify_qp(qp, &attr, mask);
}

int to_state(struct ibv_qp *qp, enum ibv_qp_state state)
{
    struct ibv_qp_attr attr = {.qp_state = state};

    return ibv_modify_qp(qp, &attr, IBV_QP_STATE);
}

enum ibv_qp_state state_of(struct ibv_qp *qp)
{
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;

    return ibv_query_qp(qp, &attr, IBV_QP_STATE, &init) ? IBV_QPS_UNKNOWN : attr.qp_state;
}

static void begin(struct end *end, const struct wish *wish)
{
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = 16, .max_sge = 2}};

    memset(end->memory, 0, MEMORY);
    end->cq = ibv_create_cq(end->context, 256, end, end->channel, 0);
    must(end->cq != NULL, "ibv_create_cq");
    end->srq = wish->with_srq ? ibv_create_srq(end->pd, &srq) : NULL;
    end->qp = qp_make(end, wish);
    must(end->qp != NULL, "ibv_create_qp");
    must(!to_init(end->qp, wish), "to INIT");
}

void couple(const struct wish *wish)
{
    begin(&a, wish);
    begin(&b, wish);
    must(!to_rtr(a.qp, &b, b.qp->qp_num, wish) && !to_rtr(b.qp, &a, a.qp->qp_num, wish), "to RTR");
    must(!to_rts(a.qp, wish) && !to_rts(b.qp, wish), "to RTS");
}

static void finish(struct end *end)
{
    if (end->qp)
        must(!ibv_destroy_qp(end->qp), "ibv_destroy_qp");
    if (end->srq)
        must(!ibv_destroy_srq(end->srq), "ibv_destroy_srq");
    must(!ibv_destroy_cq(end->cq), "ibv_destroy_cq");
    end->qp = NULL;
    end->srq = NULL;
    end->cq = NULL;
}

void uncouple(void)
{
    finish(&a);
    finish(&b);
}

/* ---- requests */

struct ibv_send_wr request(struct end *end, enum ibv_wr_opcode opcode, uint32_t bytes, uint64_t id,
                           struct ibv_sge *sge)
{
    const struct end *peer = end == &a ? &b : &a;
    struct ibv_send_wr wr = {
        .wr_id = id, .sg_list = sge, .num_sge = 1, .opcode = opcode, .imm_data = 0x01020304};

    *sge = (struct ibv_sge){(uintptr_t)end->memory, bytes, end->mr->lkey};
    if (opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        wr.wr.atomic.remote_addr = (uintptr_t)peer->memory;
        wr.wr.atomic.rkey = peer->mr->rkey;
    } else {
        wr.wr.rdma.remote_addr = (uintptr_t)peer->memory;
        wr.wr.rdma.rkey = peer->mr->rkey;
    }
    return wr;
}

int post_wr(struct end *end, struct ibv_send_wr *wr)
{
    struct ibv_send_wr *bad;

    return ibv_post_send(end->qp, wr, &bad);
}

int post(struct end *end, enum ibv_wr_opcode opcode, uint32_t bytes, uint64_t id)
{
    struct ibv_sge sge;
    struct ibv_send_wr wr = request(end, opcode, bytes, id, &sge);

    return post_wr(end, &wr);
}

int receive(struct end *end, uint32_t bytes, uint64_t id)
{
    struct ibv_sge sge = {(uintptr_t)end->memory, bytes, end->mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &sge, .num_sge = 1}, *bad;

    return end->srq ? ibv_post_srq_recv(end->srq, &wr, &bad) : ibv_post_recv(end->qp, &wr, &bad);
}

/* ---- completions and events */

struct ibv_wc next_wc(struct end *end)
{
    time_t began = time(NULL);
    struct ibv_wc wc;

    while (time(NULL) - began < NET_S)
        if (ibv_poll_cq(end->cq, 1, &wc) == 1)
            return wc;
    return (struct ibv_wc){.status = (enum ibv_wc_status)-1};
}

bool gives(struct end *end, enum ibv_wc_status status, uint64_t id)
{
    struct ibv_wc wc = next_wc(end);

    if (wc.status == status && wc.wr_id == id)
        return true;
    printf("# %s gave %s of %llu, not %s of %llu\n", end == &a ? "a" : "b",
           ibv_wc_status_str(wc.status), (unsigned long long)wc.wr_id, ibv_wc_status_str(status),
           (unsigned long long)id);
    return false;
}

bool gives_nothing(struct end *end)
{
    struct timespec pause = {.tv_nsec = 1000000};
    struct ibv_wc wc;

    for (unsigned at = 0; at < QUIET_MS; at++) {
        if (ibv_poll_cq(end->cq, 1, &wc))
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

bool raises(struct end *end, enum ibv_event_type type)
{
    struct pollfd ready = {.fd = end->context->async_fd, .events = POLLIN};
    struct ibv_async_event event;
    bool good;

    if (poll(&ready, 1, NET_S * 1000) != 1 || ibv_get_async_event(end->context, &event))
        return false;
    good = event.event_type == type;
    if (!good)
        printf("# event %s\n", ibv_event_type_str(event.event_type));
    ibv_ack_async_event(&event);
    return good;
}

int events(struct end *end)
{
    struct pollfd ready = {.fd = end->channel->fd, .events = POLLIN};
    struct ibv_cq *cq;
    void *context;
    int count = 0;

    while (poll(&ready, 1, QUIET_MS) == 1 && !ibv_get_cq_event(end->channel, &cq, &context)) {
        ibv_ack_cq_events(cq, 1);
        count++;
    }
    return count;
}
