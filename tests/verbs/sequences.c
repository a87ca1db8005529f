/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequences of verbs between two nodes, with the status, errno or events that the manual pages and
 * the InfiniBand specification (IBA) name for them.  Run by `tern run`, which sequences.sh does.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ends.h"

#define SEND "ibv_post_send(3)"
#define RECV "ibv_post_recv(3)"
#define POLL "ibv_poll_cq(3)"
#define MODIFY "ibv_modify_qp(3)"
#define REG "ibv_reg_mr(3)"
#define CREATE "ibv_create_qp(3)"
#define EVENT "ibv_get_async_event(3)"
#define NOTIFY "ibv_req_notify_cq(3)"

static void rc(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    couple(&wish);
}

static bool both_in_error(void)
{
    return state_of(a.qp) == IBV_QPS_ERR && state_of(b.qp) == IBV_QPS_ERR;
}

/* ---- messages */

static void messages(void)
{
    static const uint32_t sizes[] = {0, 1, 4064, 4065, 20000, MEMORY};
    struct ibv_wc wc;

    for (unsigned at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
        rc();
        memset(a.memory, 0x5a, MEMORY);
        receive(&b, MEMORY, 1);
        post(&a, IBV_WR_SEND, sizes[at], 2);
        wc = next_wc(&b);
        says(gives(&a, IBV_WC_SUCCESS, 2) && wc.status == IBV_WC_SUCCESS &&
                 wc.byte_len == sizes[at] && wc.opcode == IBV_WC_RECV &&
                 wc.qp_num == b.qp->qp_num && !memcmp(a.memory, b.memory, sizes[at]),
             POLL, "a message of %u bytes: RECV with its length", sizes[at]);
        uncouple();
    }
    rc();
    receive(&b, 64, 1);
    post(&a, IBV_WR_SEND_WITH_IMM, 8, 2);
    wc = next_wc(&b);
    says(wc.status == IBV_WC_SUCCESS && wc.wc_flags & IBV_WC_WITH_IMM && wc.imm_data == 0x01020304,
         POLL, "SEND_WITH_IMM: the flag and the data");
    receive(&b, 64, 3);
    post(&a, IBV_WR_RDMA_WRITE_WITH_IMM, 8, 4);
    wc = next_wc(&b);
    says(wc.status == IBV_WC_SUCCESS && wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM && wc.wr_id == 3 &&
             wc.byte_len == 8,
         POLL, "RDMA_WRITE_WITH_IMM takes a receive request: RECV_RDMA_WITH_IMM");
    uncouple();

    rc();
    receive(&b, 16, 1);
    post(&a, IBV_WR_SEND, 17, 2);
    says(gives(&b, IBV_WC_LOC_LEN_ERR, 1) && gives(&a, IBV_WC_REM_INV_REQ_ERR, 2) &&
             both_in_error(),
         POLL, "a message longer than its buffer: LOC_LEN_ERR, REM_INV_REQ_ERR, both in ERR");
    uncouple();

    rc();
    receive(&b, 4096, 1);
    post(&a, IBV_WR_SEND, 20000, 2);
    says(gives(&b, IBV_WC_LOC_LEN_ERR, 1) && gives(&a, IBV_WC_REM_INV_REQ_ERR, 2), POLL,
         "a large message longer than its buffer: the same");
    uncouple();
}

static void not_ready(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    for (uint8_t tries = 0; tries < 3; tries++) {
        wish.rnr_retry = tries;
        couple(&wish);
        post(&a, IBV_WR_SEND, 8, 1);
        post(&a, IBV_WR_SEND, 8, 2);
        says(gives(&a, IBV_WC_RNR_RETRY_EXC_ERR, 1) && gives(&a, IBV_WC_WR_FLUSH_ERR, 2) &&
                 state_of(a.qp) == IBV_QPS_ERR,
             MODIFY ", " POLL,
             "no receive request, rnr_retry %u: RNR_RETRY_EXC_ERR, the next flushed", tries);
        uncouple();
    }
    wish.rnr_retry = 7;
    couple(&wish);
    post(&a, IBV_WR_SEND, 8, 1);
    says(gives_nothing(&a) && !receive(&b, 64, 2) && gives(&b, IBV_WC_SUCCESS, 2) &&
             gives(&a, IBV_WC_SUCCESS, 1),
         MODIFY, "rnr_retry 7 waits for ever: a request that comes late is found");
    uncouple();
}

/* ---- memory that the other side owns */

static struct ibv_qp_attr no_attr;

static void remote(enum ibv_wr_opcode opcode, const char *what, uint64_t addr, uint32_t rkey,
                   enum ibv_wc_status status)
{
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    rc();
    wr = request(&a, opcode, 8, 1, &sge);
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
        wr.wr.atomic.rkey = rkey;
        wr.wr.atomic.remote_addr = addr;
    } else {
        wr.wr.rdma.rkey = rkey;
        wr.wr.rdma.remote_addr = addr;
    }
    says(!post_wr(&a, &wr) && gives(&a, status, 1) &&
             state_of(a.qp) == (status ? IBV_QPS_ERR : IBV_QPS_RTS),
         POLL, "%s: %s", what, ibv_wc_status_str(status));
    uncouple();
}

static void keys(void)
{
    static const struct {
        enum ibv_wr_opcode opcode;
        const char *name;
        int right;
    } kinds[] = {{IBV_WR_RDMA_WRITE, "write", IBV_ACCESS_REMOTE_WRITE},
                 {IBV_WR_RDMA_READ, "read", IBV_ACCESS_REMOTE_READ},
                 {IBV_WR_ATOMIC_FETCH_AND_ADD, "fetch and add", IBV_ACCESS_REMOTE_ATOMIC},
                 {IBV_WR_ATOMIC_CMP_AND_SWP, "compare and swap", IBV_ACCESS_REMOTE_ATOMIC}};
    char text[64];

    for (unsigned at = 0; at < 4; at++) {
        uint64_t there = (uintptr_t)b.memory;
        struct ibv_mr *less = ibv_reg_mr(b.pd, b.memory, MEMORY, ALL & ~kinds[at].right);
        struct wish wish = wish_of(IBV_QPT_RC);
        struct ibv_sge sge;
        struct ibv_send_wr wr;

        snprintf(text, sizeof(text), "a %s", kinds[at].name);
        remote(kinds[at].opcode, text, there, b.mr->rkey, IBV_WC_SUCCESS);
        snprintf(text, sizeof(text), "a %s with a wrong key", kinds[at].name);
        remote(kinds[at].opcode, text, there, b.mr->rkey ^ 0x5a0000, IBV_WC_REM_ACCESS_ERR);
        snprintf(text, sizeof(text), "a %s behind the end of a region", kinds[at].name);
        remote(kinds[at].opcode, text, there + MEMORY, b.mr->rkey, IBV_WC_REM_ACCESS_ERR);
        snprintf(text, sizeof(text), "a %s in memory without that right", kinds[at].name);
        remote(kinds[at].opcode, text, there, less->rkey, IBV_WC_REM_ACCESS_ERR);
        ibv_dereg_mr(less);
        snprintf(text, sizeof(text), "a %s in memory that is no longer registered", kinds[at].name);
        less = ibv_reg_mr(b.pd, b.memory, MEMORY, ALL);
        {
            uint32_t rkey = less->rkey;

            ibv_dereg_mr(less);
            remote(kinds[at].opcode, text, there, rkey, IBV_WC_REM_ACCESS_ERR);
        }
        wish.access = ALL & ~kinds[at].right;
        couple(&wish);
        wr = request(&a, kinds[at].opcode, 8, 1, &sge);
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_REM_ACCESS_ERR, 1), MODIFY ", qp_access_flags",
             "a %s through a queue pair without that right: REM_ACCESS_ERR", kinds[at].name);
        uncouple();
    }
    (void)no_attr;
}

/* At the target a key is valid only through queue pairs of its own domain. */
static void other_domain(void)
{
    static const enum ibv_wr_opcode opcodes[] = {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
                                                 IBV_WR_ATOMIC_FETCH_AND_ADD,
                                                 IBV_WR_RDMA_WRITE_WITH_IMM};
    static const char *const names[] = {"a write", "a read", "an atomic operation",
                                        "a write with immediate"};
    struct ibv_pd *other = ibv_alloc_pd(b.context);
    struct ibv_mr *foreign = ibv_reg_mr(other, b.memory, MEMORY, ALL);
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    for (unsigned at = 0; at < 4; at++) {
        rc();
        receive(&b, 64, 9);
        wr = request(&a, opcodes[at], 8, 1, &sge);
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 1), "ibv_alloc_pd(3)",
             "%s to memory of its own one of two domains", names[at]);
        wr = request(&a, opcodes[at], 8, 2, &sge);
        if (opcodes[at] == IBV_WR_ATOMIC_FETCH_AND_ADD)
            wr.wr.atomic.rkey = foreign->rkey;
        else
            wr.wr.rdma.rkey = foreign->rkey;
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_REM_ACCESS_ERR, 2), "ibv_alloc_pd(3)",
             "%s to memory of another domain of the target: REM_ACCESS_ERR", names[at]);
        uncouple();
    }
    ibv_dereg_mr(foreign);
    ibv_dealloc_pd(other);
}

static void words(void)
{
    struct ibv_sge sge;
    struct ibv_send_wr wr;
    uint64_t *here = (uint64_t *)a.memory, *there = (uint64_t *)b.memory;

    rc();
    *there = 5;
    wr = request(&a, IBV_WR_ATOMIC_CMP_AND_SWP, 8, 1, &sge);
    wr.wr.atomic.compare_add = 5;
    wr.wr.atomic.swap = 9;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 1) && *here == 5 && *there == 9, SEND,
         "compare and swap of a word that is alike: it is swapped, and what it was comes back");
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 1) && *here == 9 && *there == 9, SEND,
         "compare and swap of a word that is not: success, and nothing is changed");
    wr = request(&a, IBV_WR_ATOMIC_FETCH_AND_ADD, 8, 2, &sge);
    wr.wr.atomic.compare_add = 3;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 2) && *here == 9 && *there == 12, SEND,
         "fetch and add");
    wr.wr.atomic.remote_addr += 4;
    says(post_wr(&a, &wr) == -EINVAL || post_wr(&a, &wr) == EINVAL, "librxe's check of " SEND,
         "an atomic operation that is not aligned: EINVAL");
    uncouple();
}

/* ---- memory of one's own */

static void own_memory(void)
{
    struct ibv_pd *other = ibv_alloc_pd(a.context);
    struct ibv_mr *foreign = ibv_reg_mr(other, a.memory, MEMORY, ALL);
    struct ibv_mr *read_only = ibv_reg_mr(a.pd, a.memory, MEMORY, 0);
    static const enum ibv_wr_opcode opcodes[] = {IBV_WR_SEND, IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
                                                 IBV_WR_ATOMIC_FETCH_AND_ADD};
    static const char *const names[] = {"send", "write", "read", "atomic operation"};
    struct ibv_sge sge;
    struct ibv_send_wr wr;
    struct ibv_recv_wr recv = {.wr_id = 7, .sg_list = &sge, .num_sge = 1}, *bad;

    for (unsigned at = 0; at < 4; at++) {
        rc();
        wr = request(&a, opcodes[at], 8, 1, &sge);
        sge.lkey ^= 0xff;
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_LOC_PROT_ERR, 1), POLL,
             "a %s with a wrong local key: LOC_PROT_ERR", names[at]);
        uncouple();
        rc();
        wr = request(&a, opcodes[at], 8, 1, &sge);
        sge.lkey = foreign->lkey;
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_LOC_PROT_ERR, 1), REG,
             "a %s of another domain's memory: LOC_PROT_ERR", names[at]);
        uncouple();
        rc();
        wr = request(&a, opcodes[at], 8, 1, &sge);
        sge.addr += MEMORY;
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_LOC_PROT_ERR, 1), POLL,
             "a %s from behind the end: LOC_PROT_ERR", names[at]);
        uncouple();
    }
    rc();
    wr = request(&a, IBV_WR_RDMA_READ, 8, 1, &sge);
    sge.lkey = read_only->lkey;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_LOC_PROT_ERR, 1), REG,
         "a read into memory without LOCAL_WRITE: LOC_PROT_ERR");
    uncouple();
    rc();
    sge = (struct ibv_sge){(uintptr_t)b.memory, 64, b.mr->lkey ^ 0xff};
    ibv_post_recv(b.qp, &recv, &bad);
    post(&a, IBV_WR_SEND, 8, 1);
    says(gives(&b, IBV_WC_LOC_PROT_ERR, 7) && gives(&a, IBV_WC_REM_OP_ERR, 1), POLL,
         "a message into a buffer with a wrong local key: LOC_PROT_ERR, REM_OP_ERR");
    uncouple();
    says(ibv_dealloc_pd(other) == EBUSY, "ibv_alloc_pd(3)",
         "a domain that has memory is not freed: EBUSY");
    ibv_dereg_mr(foreign);
    ibv_dereg_mr(read_only);
    says(ibv_dealloc_pd(other) == 0, "ibv_alloc_pd(3)", "... and is, when it has none");
}

static int errno_of(struct ibv_mr *mr)
{
    int error = mr ? 0 : errno;

    if (mr)
        ibv_dereg_mr(mr);
    return error;
}

static void registering(void)
{
    uint8_t *gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    munmap(gone, 4096);
    says(errno_of(ibv_reg_mr(a.pd, a.memory, 64, IBV_ACCESS_REMOTE_WRITE)) == EINVAL, REG,
         "REMOTE_WRITE without LOCAL_WRITE: EINVAL");
    says(errno_of(ibv_reg_mr(a.pd, a.memory, 64, IBV_ACCESS_REMOTE_ATOMIC)) == EINVAL, REG,
         "REMOTE_ATOMIC without LOCAL_WRITE: EINVAL");
    says(errno_of(ibv_reg_mr(a.pd, a.memory, 64, IBV_ACCESS_REMOTE_READ)) == 0, REG,
         "REMOTE_READ alone is allowed");
    says(errno_of(ibv_reg_mr(a.pd, gone, 4096, ALL)) == EFAULT, REG,
         "memory that is not mapped: EFAULT");
    says(errno_of(ibv_reg_mr(a.pd, a.memory, 0, ALL)) == EINVAL, REG, "no bytes: EINVAL");
}

/* ---- queue pairs in states that do not allow it */

static void wrong_states(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    int errors[3];

    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    a.qp = qp_make(&a, &wish);
    errors[0] = post(&a, IBV_WR_SEND, 8, 1);
    to_init(a.qp, &wish);
    errors[1] = post(&a, IBV_WR_SEND, 8, 1);
    to_rtr(a.qp, &b, 200, &wish);
    errors[2] = post(&a, IBV_WR_SEND, 8, 1);
    says(errors[0] == EINVAL, "IBA 1 10.3.1", "a send request in RESET: EINVAL");
    says(errors[1] == EINVAL, "IBA 1 10.3.1", "a send request in INIT: EINVAL");
    says(errors[2] == EINVAL, "IBA 1 10.3.1", "a send request in RTR: EINVAL");
    says(gives_nothing(&a), "IBA 1 10.3.1", "... and none of them completes");
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);

    rc();
    for (uint64_t id = 0; id < 5; id++)
        receive(&a, 64, id);
    to_state(a.qp, IBV_QPS_ERR);
    {
        bool good = true;

        for (uint64_t id = 0; id < 5; id++)
            good = gives(&a, IBV_WC_WR_FLUSH_ERR, id) && good;
        says(good, "IBA 1 10.3.1.5",
             "receive requests of a queue pair in ERR are flushed in order");
    }
    says(!receive(&a, 64, 9) && gives(&a, IBV_WC_WR_FLUSH_ERR, 9), "IBA 1 10.3.1.5",
         "one that is posted in ERR is flushed");
    says(!post(&a, IBV_WR_SEND, 8, 10) && gives(&a, IBV_WC_WR_FLUSH_ERR, 10), "IBA 1 10.3.1.5",
         "a send request that is posted in ERR is flushed");
    says(!to_state(a.qp, IBV_QPS_RESET) && state_of(a.qp) == IBV_QPS_RESET && gives_nothing(&a),
         MODIFY, "ERR to RESET: nothing is left");
    uncouple();

    rc();
    receive(&b, 64, 1);
    receive(&b, 64, 2);
    to_state(a.qp, IBV_QPS_RESET);
    to_state(b.qp, IBV_QPS_RESET);
    to_init(a.qp, &wish);
    to_init(b.qp, &wish);
    to_rtr(a.qp, &b, b.qp->qp_num, &wish);
    to_rtr(b.qp, &a, a.qp->qp_num, &wish);
    to_rts(a.qp, &wish);
    to_rts(b.qp, &wish);
    receive(&b, 64, 3);
    post(&a, IBV_WR_SEND, 8, 4);
    says(gives(&b, IBV_WC_SUCCESS, 3) && gives(&a, IBV_WC_SUCCESS, 4), MODIFY,
         "after RESET both go on, without the requests of before");
    uncouple();

    rc();
    ibv_destroy_qp(b.qp);
    b.qp = NULL;
    post(&a, IBV_WR_SEND, 8, 1);
    says(gives(&a, IBV_WC_RETRY_EXC_ERR, 1), POLL,
         "a message to a queue pair that was destroyed: RETRY_EXC_ERR");
    uncouple();

    rc();
    to_state(b.qp, IBV_QPS_ERR);
    post(&a, IBV_WR_SEND, 8, 1);
    says(gives(&a, IBV_WC_RETRY_EXC_ERR, 1), "IBA 1 9.7.5.1.3",
         "a message to a queue pair in ERR: RETRY_EXC_ERR");
    uncouple();
}

static void quiet(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    wish.is_quiet = true;
    couple(&wish);
    wr = request(&a, IBV_WR_RDMA_WRITE, 8, 1, &sge);
    says(!post_wr(&a, &wr) && gives_nothing(&a), SEND,
         "a request that is not signaled gives no completion");
    wr.wr_id = 2;
    wr.send_flags = IBV_SEND_SIGNALED;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 2), SEND, "... one that is does");
    wr.wr_id = 3;
    wr.send_flags = 0;
    wr.wr.rdma.rkey ^= 0x5a0000;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_REM_ACCESS_ERR, 3), POLL,
         "... and one that fails does in any case");
    uncouple();
}

/* ---- limits */

static struct ibv_qp *with(uint32_t send_wr, uint32_t recv_wr, uint32_t send_sge, uint32_t recv_sge,
                           uint32_t inline_data)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    wish.send_wr = send_wr;
    wish.recv_wr = recv_wr;
    wish.send_sge = send_sge;
    wish.recv_sge = recv_sge;
    wish.inline_data = inline_data;
    return qp_make(&a, &wish);
}

static void one_limit(struct ibv_qp *most, struct ibv_qp *more, int error, const char *what)
{
    says(most && !more && error == EINVAL, CREATE,
         "as many %s as is reported, and with one more EINVAL", what);
    if (most)
        ibv_destroy_qp(most);
    if (more)
        ibv_destroy_qp(more);
}

static void limits(void)
{
    struct ibv_device_attr attr;
    struct ibv_qp *most, *more;
    struct ibv_cq *cq;

    ibv_query_device(a.context, &attr);
    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    most = with((uint32_t)attr.max_qp_wr, 1, 1, 1, 0),
    more = with((uint32_t)attr.max_qp_wr + 1, 1, 1, 1, 0);
    one_limit(most, more, errno, "send requests");
    most = with(1, (uint32_t)attr.max_qp_wr, 1, 1, 0),
    more = with(1, (uint32_t)attr.max_qp_wr + 1, 1, 1, 0);
    one_limit(most, more, errno, "receive requests");
    most = with(1, 1, (uint32_t)attr.max_sge, 1, 0),
    more = with(1, 1, (uint32_t)attr.max_sge + 1, 1, 0);
    one_limit(most, more, errno, "pieces of a send request");
    most = with(1, 1, 1, (uint32_t)attr.max_sge, 0),
    more = with(1, 1, 1, (uint32_t)attr.max_sge + 1, 0);
    one_limit(most, more, errno, "pieces of a receive request");
    most = with(1, 1, 1, 1, 256), more = with(1, 1, 1, 1, 257);
    one_limit(most, more, errno, "inline bytes");
    cq = ibv_create_cq(a.context, attr.max_cqe, NULL, NULL, 0);
    says(cq && !ibv_create_cq(a.context, attr.max_cqe + 1, NULL, NULL, 0) && errno == EINVAL,
         "ibv_create_cq(3)", "a completion queue as large as is reported, and one larger EINVAL");
    ibv_destroy_cq(cq);
    says(!ibv_create_cq(a.context, 0, NULL, NULL, 0) && errno == EINVAL, "ibv_create_cq(3)",
         "one of no entries: EINVAL");
    says(!ibv_create_cq(a.context, 1, NULL, NULL, 1) && errno == EINVAL, "ibv_create_cq(3)",
         "a vector that is not there: EINVAL");
    ibv_destroy_cq(a.cq);
}

static void many_pairs(void)
{
    struct ibv_device_attr attr;
    struct ibv_qp *all[1024];
    int count = 0;

    ibv_query_device(a.context, &attr);
    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    while (count < 1024 && (all[count] = with(1, 1, 1, 1, 0)))
        count++;
    says(count == attr.max_qp && errno == ENOMEM, CREATE,
         "%d queue pairs as reported, one more: ENOMEM", attr.max_qp);
    while (count-- > 0)
        ibv_destroy_qp(all[count]);
    ibv_destroy_cq(a.cq);
}

static void full_queues(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    int count = 0, error = 0;

    couple(&wish);
    while (count < 1000 && !(error = post(&a, IBV_WR_SEND, 8, 1)))
        count++;
    says(count >= 16 && (error == ENOMEM || error == -ENOMEM), SEND,
         "more send requests than the queue has places: ENOMEM");
    count = 0;
    while (count < 1000 && !(error = receive(&a, 8, 1)))
        count++;
    says(count >= 16 && (error == ENOMEM || error == -ENOMEM), RECV,
         "more receive requests than the queue has places: ENOMEM");
    uncouple();
}

static void pieces(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge from[16], to[16];
    struct ibv_send_wr wr;
    struct ibv_recv_wr recv = {.wr_id = 1, .sg_list = to, .num_sge = 16}, *bad;

    wish.send_sge = wish.recv_sge = 16;
    for (unsigned round = 0; round < 2; round++) {
        uint32_t bytes = round ? 1000 : 100;

        couple(&wish);
        for (unsigned at = 0; at < 16; at++) {
            from[at] = (struct ibv_sge){(uintptr_t)a.memory + at * 2048, bytes, a.mr->lkey};
            to[at] = (struct ibv_sge){(uintptr_t)b.memory + at * 2048, bytes, b.mr->lkey};
            memset(a.memory + at * 2048, (int)at + 1, bytes);
        }
        ibv_post_recv(b.qp, &recv, &bad);
        wr =
            (struct ibv_send_wr){.wr_id = 2, .sg_list = from, .num_sge = 16, .opcode = IBV_WR_SEND};
        says(!post_wr(&a, &wr) && gives(&b, IBV_WC_SUCCESS, 1) && gives(&a, IBV_WC_SUCCESS, 2) &&
                 !memcmp(a.memory, b.memory, MEMORY),
             SEND, "a message of 16 pieces of %u bytes into as many", bytes);
        uncouple();
    }
    couple(&wish);
    for (unsigned at = 0; at < 16; at++)
        memset(b.memory + at * 100, (int)at + 1, 100);
    wr = (struct ibv_send_wr){
        .wr_id = 2, .sg_list = from, .num_sge = 16, .opcode = IBV_WR_RDMA_READ};
    for (unsigned at = 0; at < 16; at++)
        from[at].length = 100;
    wr.wr.rdma.remote_addr = (uintptr_t)b.memory;
    wr.wr.rdma.rkey = b.mr->rkey;
    {
        bool good = !post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 2);

        for (unsigned at = 0; good && at < 16; at++)
            good = !memcmp(a.memory + at * 2048, b.memory + at * 100, 100);
        says(good, SEND, "a read into 16 pieces");
    }
    uncouple();
}

static void inline_bytes(void)
{
    static const uint32_t sizes[] = {1, 32, 33, 256};
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    wish.inline_data = 256;
    for (unsigned at = 0; at < 4; at++) {
        couple(&wish);
        memset(a.memory, 0x33, 256);
        wr = request(&a, IBV_WR_RDMA_WRITE, sizes[at], 1, &sge);
        wr.send_flags = IBV_SEND_INLINE;
        sge.lkey = 0;
        says(!post_wr(&a, &wr) && memset(a.memory, 0, 256) && gives(&a, IBV_WC_SUCCESS, 1) &&
                 b.memory[sizes[at] - 1] == 0x33 && !b.memory[sizes[at]],
             SEND, "%u bytes inline: no key, and the memory is free at once", sizes[at]);
        uncouple();
    }
}

static void largest(void)
{
    enum { MOST = 16777216 };
    uint8_t *from =
        mmap(NULL, MOST + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *to =
        mmap(NULL, MOST + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *here = ibv_reg_mr(a.pd, from, MOST + 4096, ALL),
                  *there = ibv_reg_mr(b.pd, to, MOST + 4096, ALL);
    struct ibv_sge sge, target = {(uintptr_t)to, MOST, there->lkey};
    struct ibv_recv_wr recv = {.wr_id = 1, .sg_list = &target, .num_sge = 1}, *bad;
    struct ibv_port_attr port;
    struct ibv_send_wr wr;

    rc();
    ibv_query_port(a.context, 1, &port);
    memset(from, 0x44, MOST);
    ibv_post_recv(b.qp, &recv, &bad);
    wr = request(&a, IBV_WR_SEND, MOST, 2, &sge);
    sge.addr = (uintptr_t)from;
    sge.lkey = here->lkey;
    says(port.max_msg_sz == MOST && !post_wr(&a, &wr) && gives(&b, IBV_WC_SUCCESS, 1) &&
             gives(&a, IBV_WC_SUCCESS, 2) && !memcmp(from, to, MOST),
         "ibv_query_port(3)", "a message of max_msg_sz");
    sge.length = MOST + 1;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_LOC_LEN_ERR, 2), POLL,
         "one of a byte more: LOC_LEN_ERR");
    uncouple();
    ibv_dereg_mr(here);
    ibv_dereg_mr(there);
    munmap(from, MOST + 4096);
    munmap(to, MOST + 4096);
}

/* ---- events */

static void completion_events(void)
{
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    rc();
    receive(&b, 64, 1);
    receive(&b, 64, 2);
    receive(&b, 64, 3);
    post(&a, IBV_WR_SEND, 8, 1);
    says(gives(&b, IBV_WC_SUCCESS, 1) && events(&b) == 0, NOTIFY,
         "a queue that is not armed raises no event");
    ibv_req_notify_cq(b.cq, 0);
    post(&a, IBV_WR_SEND, 8, 2);
    post(&a, IBV_WR_SEND, 8, 3);
    says(gives(&b, IBV_WC_SUCCESS, 2) && gives(&b, IBV_WC_SUCCESS, 3) && events(&b) == 1, NOTIFY,
         "one that is armed raises one, however many completions come");
    uncouple();
    rc();
    for (uint64_t id = 1; id <= 3; id++)
        receive(&b, 64, id);
    ibv_req_notify_cq(b.cq, 1);
    post(&a, IBV_WR_SEND, 8, 1);
    says(gives(&b, IBV_WC_SUCCESS, 1) && events(&b) == 0, NOTIFY,
         "armed for solicited ones: another raises none");
    wr = request(&a, IBV_WR_SEND, 8, 2, &sge);
    wr.send_flags = IBV_SEND_SOLICITED;
    says(!post_wr(&a, &wr) && gives(&b, IBV_WC_SUCCESS, 2) && events(&b) == 1, NOTIFY,
         "... a solicited one does");
    ibv_req_notify_cq(b.cq, 1);
    to_state(b.qp, IBV_QPS_ERR);
    says(gives(&b, IBV_WC_WR_FLUSH_ERR, 3) && events(&b) == 1, NOTIFY, "... and one that failed");
    uncouple();
}

static void asynchronous_events(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1};
    struct ibv_srq_attr limit = {.srq_limit = 2};
    struct ibv_cq *small;

    rc();
    says(!ibv_modify_qp(a.qp, &attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY) &&
             raises(&a, IBV_EVENT_SQ_DRAINED),
         EVENT, "RTS to SQD with en_sqd_async_notify: SQ_DRAINED");
    receive(&b, 64, 1);
    says(!post(&a, IBV_WR_SEND, 8, 2) && gives_nothing(&a), MODIFY,
         "a request that is posted in SQD waits");
    says(!to_state(a.qp, IBV_QPS_RTS) && gives(&a, IBV_WC_SUCCESS, 2), MODIFY, "... until RTS");
    uncouple();

    wish.with_srq = true;
    couple(&wish);
    for (uint64_t id = 1; id <= 3; id++)
        receive(&b, 64, id);
    says(!ibv_modify_srq(b.srq, &limit, IBV_SRQ_LIMIT), "ibv_modify_srq(3)", "a limit is set");
    post(&a, IBV_WR_SEND, 8, 1);
    post(&a, IBV_WR_SEND, 8, 2);
    says(gives(&b, IBV_WC_SUCCESS, 1) && gives(&b, IBV_WC_SUCCESS, 2) &&
             raises(&b, IBV_EVENT_SRQ_LIMIT_REACHED),
         EVENT, "fewer requests than the limit: SRQ_LIMIT_REACHED");
    says(!ibv_query_srq(b.srq, &limit) && limit.srq_limit == 0, "ibv_modify_srq(3)",
         "... and the limit is off");
    says(!to_state(b.qp, IBV_QPS_ERR) && raises(&b, IBV_EVENT_QP_LAST_WQE_REACHED), EVENT,
         "ERR of a queue pair with a shared receive queue: QP_LAST_WQE_REACHED");
    says(ibv_destroy_srq(b.srq) == EBUSY, "ibv_create_srq(3)",
         "a shared receive queue that is in use is not destroyed: EBUSY");
    says(ibv_destroy_cq(b.cq) == EBUSY, "ibv_create_cq(3)", "nor is a completion queue");
    uncouple();

    rc();
    small = ibv_create_cq(a.context, 1, NULL, NULL, 0);
    ibv_destroy_qp(a.qp);
    {
        struct ibv_cq *kept = a.cq;

        a.cq = small;
        wish = wish_of(IBV_QPT_RC);
        a.qp = qp_make(&a, &wish);
        to_init(a.qp, &wish);
        for (uint64_t id = 0; id < 4; id++)
            receive(&a, 8, id);
        to_state(a.qp, IBV_QPS_ERR);
        says(raises(&a, IBV_EVENT_CQ_ERR), EVENT,
             "more completions than a queue has places: CQ_ERR");
        ibv_destroy_qp(a.qp);
        a.qp = NULL;
        a.cq = kept;
        ibv_destroy_cq(small);
    }
    uncouple();
}

/* ---- datagrams, and connections that lose */

static struct ibv_ah *handle_to(struct end *end, const struct end *peer)
{
    struct ibv_ah_attr attr = {
        .is_global = 1, .port_num = 1, .grh = {.sgid_index = 1, .hop_limit = 1}};

    if (ibv_query_gid(peer->context, 1, 1, &attr.grh.dgid))
        return NULL;
    return ibv_create_ah(end->pd, &attr);
}

static bool datagram(uint32_t bytes, uint32_t qkey, uint64_t id)
{
    struct ibv_ah *ah = handle_to(&a, &b);
    struct ibv_sge sge;
    struct ibv_send_wr wr = request(&a, IBV_WR_SEND, bytes, id, &sge);
    bool good;

    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = b.qp->qp_num;
    wr.wr.ud.remote_qkey = qkey;
    good = !post_wr(&a, &wr);
    if (bytes <= 4096)
        good = good && gives(&a, IBV_WC_SUCCESS, id);
    ibv_destroy_ah(ah);
    return good;
}

static void datagrams(void)
{
    static const uint32_t sizes[] = {0, 1, 496, 497, 4096};
    struct wish wish = wish_of(IBV_QPT_UD);
    struct ibv_ah_attr local = {.port_num = 1, .dlid = 1};
    struct ibv_wc wc;

    for (unsigned at = 0; at < 5; at++) {
        couple(&wish);
        memset(a.memory, 0x66, MEMORY);
        receive(&b, 8192, 1);
        says(datagram(sizes[at], 0x11111111, 2) &&
                 (wc = next_wc(&b), wc.status == IBV_WC_SUCCESS) && wc.byte_len == sizes[at] + 40 &&
                 wc.wc_flags & IBV_WC_GRH && wc.src_qp == a.qp->qp_num &&
                 !memcmp(b.memory + 40, a.memory, sizes[at]),
             POLL, "a datagram of %u bytes: behind 40 bytes, with its sender", sizes[at]);
        uncouple();
    }
    couple(&wish);
    receive(&b, 8192, 1);
    says(datagram(8, 0x22222222, 2) && gives_nothing(&b), "IBA 1 10.2.5",
         "a datagram with another Q_Key is dropped");
    says(datagram(8, 0x11111111, 3) && gives(&b, IBV_WC_SUCCESS, 1), "IBA 1 10.2.5",
         "... the next one arrives");
    says(datagram(8, 0x11111111, 4) && gives_nothing(&b) && !receive(&b, 8192, 5) &&
             gives_nothing(&b),
         "IBA 1 9.8.3", "one without a receive request is dropped");
    says(datagram(4097, 0x11111111, 6) && gives(&a, IBV_WC_LOC_LEN_ERR, 6), POLL,
         "one longer than the path MTU: LOC_LEN_ERR");
    says(!ibv_create_ah(a.pd, &local) && errno == EINVAL, "ibv_create_ah(3)",
         "an address without a global route: EINVAL");
    uncouple();

    wish = wish_of(IBV_QPT_UC);
    couple(&wish);
    says(!post(&a, IBV_WR_SEND, 8, 1) && gives(&a, IBV_WC_SUCCESS, 1) && !receive(&b, 64, 2) &&
             gives_nothing(&b),
         "IBA 1 9.8.2", "UC: a message without a receive request is lost, and ends well");
    says(!post(&a, IBV_WR_SEND, 8, 3) && gives(&b, IBV_WC_SUCCESS, 2) &&
             gives(&a, IBV_WC_SUCCESS, 3),
         "IBA 1 9.8.2", "... the next one arrives");
    says(post(&a, IBV_WR_RDMA_READ, 8, 4) || gives(&a, IBV_WC_LOC_QP_OP_ERR, 4), SEND,
         "UC has no reads: LOC_QP_OP_ERR");
    uncouple();
    couple(&wish);
    {
        struct ibv_sge sge;
        struct ibv_send_wr wr = request(&a, IBV_WR_RDMA_WRITE, 8, 5, &sge);

        wr.wr.rdma.rkey ^= 0x5a00;
        says(!post_wr(&a, &wr) && gives(&a, IBV_WC_REM_ACCESS_ERR, 5), "docs/verbs.md",
             "UC: a write with a wrong key ends with REM_ACCESS_ERR");
    }
    uncouple();
}

/* ---- values that a change of state refuses */

static void values(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 2};
    struct ibv_qp_init_attr init;
    const int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;

    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    a.qp = qp_make(&a, &wish);
    says(ibv_modify_qp(a.qp, &attr, mask) == EINVAL, MODIFY, "a port that is not there: EINVAL");
    attr.port_num = 1;
    attr.pkey_index = 1;
    says(ibv_modify_qp(a.qp, &attr, mask) == EINVAL, MODIFY, "a P_Key that is not there: EINVAL");
    to_init(a.qp, &wish);
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
                                .path_mtu = IBV_MTU_1024,
                                .dest_qp_num = 200,
                                .ah_attr = {.port_num = 1}};
    says(ibv_modify_qp(a.qp, &attr,
                       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                           IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) ==
             EINVAL,
         MODIFY, "RTR without a global route: EINVAL");
    to_rtr(a.qp, &b, 200, &wish);
    to_rts(a.qp, &wish);
    says(!ibv_query_qp(a.qp, &attr, IBV_QP_STATE, &init) && attr.dest_qp_num == 200 &&
             attr.path_mtu == IBV_MTU_1024 && attr.rnr_retry == wish.rnr_retry &&
             attr.retry_cnt == 7 && attr.timeout == 14 && attr.min_rnr_timer == 1 &&
             attr.qp_access_flags == ALL && attr.max_rd_atomic == 4 && init.cap.max_send_wr >= 16,
         "ibv_query_qp(3)", "a query returns the values that were set");
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);
}

int main(void)
{
    if (!ends_open()) {
        printf("Bail out! no tern0 and tern1\n");
        return 1;
    }
    all_states();
    values();
    messages();
    not_ready();
    keys();
    other_domain();
    words();
    own_memory();
    registering();
    wrong_states();
    quiet();
    limits();
    many_pairs();
    full_queues();
    pieces();
    inline_bytes();
    largest();
    completion_events();
    asynchronous_events();
    datagrams();
    return ends_done();
}
