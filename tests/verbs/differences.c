/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the table of docs/verbs.md that no sequence shows: what is refused here, or is otherwise
 * than a hardware HCA does it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ends.h"
#include "peers.h"

#define TABLE "docs/verbs.md"

enum {
    DATAGRAMS = 250, DATAGRAM = 4096, GRH = 40, ROOM = 8192,
    LOCAL = IBV_ACCESS_LOCAL_WRITE
};

static int refusal(struct ibv_mr *mr)
{
    int error = mr ? 0 : errno;

    if (mr)
        ibv_dereg_mr(mr);
    return error;
}

static void memory(void)
{
    struct ibv_mr *mine = ibv_reg_mr(b.pd, b.memory, MEMORY, LOCAL);
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    says(b.mr->lkey != b.mr->rkey, TABLE, "lkey and rkey are two numbers");
    couple(&wish);
    wr = request(&a, IBV_WR_RDMA_WRITE, 8, 1, &sge);
    wr.wr.rdma.rkey = mine->rkey;
    says(!mine->rkey && !post_wr(&a, &wr) && gives(&a, IBV_WC_REM_ACCESS_ERR, 1), TABLE,
         "memory without a remote right has the rkey 0, which nothing accepts");
    uncouple();
    ibv_dereg_mr(mine);

    says(refusal(ibv_reg_mr_iova(a.pd, a.memory, 4096, 0x10000, LOCAL)) == EOPNOTSUPP, TABLE,
         "an iova other than the address: EOPNOTSUPP");
    says(refusal(ibv_reg_mr(a.pd, a.memory, 4096, LOCAL | IBV_ACCESS_ZERO_BASED)) == EOPNOTSUPP,
         TABLE, "zero-based memory: EOPNOTSUPP");
    says(refusal(ibv_reg_mr(a.pd, a.memory, 4096, LOCAL | IBV_ACCESS_ON_DEMAND)) == EOPNOTSUPP,
         TABLE, "memory on demand: EOPNOTSUPP");
    says(ibv_rereg_mr(a.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, LOCAL) &&
             errno == EOPNOTSUPP,
         TABLE, "rereg: EOPNOTSUPP");
}

static void absent(void)
{
    struct ibv_device_attr_ex attr = {0};
    struct ibv_xrcd_init_attr xrc = {.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
                                     .fd = -1};
    struct ibv_alloc_dm_attr dm = {.length = 64};
    struct ibv_flow_attr flow = {.type = IBV_FLOW_ATTR_NORMAL, .size = sizeof(flow), .port = 1};
    struct ibv_srq_init_attr_ex tags = {.attr = {.max_wr = 4, .max_sge = 1},
                                        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
                                        .srq_type = IBV_SRQT_TM,
                                        .pd = a.pd};
    struct wish wish = wish_of(IBV_QPT_UD);
    union ibv_gid group = {.raw = {0xff, 0x0e}};

    ibv_query_device_ex(a.context, NULL, &attr);
    says(!attr.orig_attr.max_mw && !ibv_alloc_mw(a.pd, IBV_MW_TYPE_1), TABLE,
         "memory windows are reported as absent, and refused");
    says(!(attr.orig_attr.device_cap_flags & IBV_DEVICE_XRC) && !ibv_open_xrcd(a.context, &xrc),
         TABLE, "so is XRC");
    couple(&wish);
    says(!attr.orig_attr.max_mcast_grp && ibv_attach_mcast(a.qp, &group, 0), TABLE,
         "so is multicast");
    wish.type = IBV_QPT_RAW_PACKET;
    says(!attr.raw_packet_caps && !qp_make(&a, &wish) && errno == EOPNOTSUPP, TABLE,
         "so are raw packets");
    says(!ibv_create_flow(a.qp, &flow), TABLE, "so is flow steering");
    uncouple();
    says(!attr.max_dm_size && !ibv_alloc_dm(a.context, &dm), TABLE, "so is device memory");
    says(!attr.tm_caps.max_num_tags && !ibv_create_srq_ex(a.context, &tags), TABLE,
         "so is tag matching");
    says(attr.orig_attr.atomic_cap == IBV_ATOMIC_HCA, TABLE, "atomic operations: ATOMIC_HCA");
}

static void responder(void)
{
    struct pollfd event = {.fd = b.context->async_fd, .events = POLLIN};
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge sge;
    struct ibv_send_wr wr;

    couple(&wish);
    wr = request(&a, IBV_WR_RDMA_WRITE, 8, 1, &sge);
    wr.wr.rdma.rkey ^= 0x5a0000;
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_REM_ACCESS_ERR, 1) && !poll(&event, 1, 50), TABLE,
         "the responder of a refused access gets no event");
    uncouple();
}

/* ---- several processes */

/* Returns how many queue pairs this process can make at tern0; they are gone when it ends. */
static unsigned make_all(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    unsigned count = 0;

    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    while (a.cq && count < 1024 && qp_make(&a, &wish))
        count++;
    return errno == ENOMEM ? count : 0;
}

static void maker(int in, int out)
{
    unsigned count;
    char go;

    if (read(in, &go, 1) != 1 || !ends_open())
        _exit(1);
    count = make_all();
    (void)!write(out, &count, sizeof(count));
    (void)!read(in, &go, 1);
    _exit(0);
}

static unsigned ask_maker(const struct child *child)
{
    unsigned count = 0;

    (void)!write(child->to, "g", 1);
    (void)!read(child->from, &count, sizeof(count));
    return count;
}

static void end(const struct child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
}

/* Runs in a child of a process that has devices open. */
static bool works_in_child(void)
{
    struct ibv_context *of_parent = a.context;
    struct wish wish = wish_of(IBV_QPT_RC);
    bool good;

    good = !ibv_alloc_pd(of_parent);
    if (!good || !ends_open())
        return false;
    couple(&wish);
    receive(&b, 64, 1);
    good = !post(&a, IBV_WR_SEND, 8, 2) && gives(&b, IBV_WC_SUCCESS, 1) &&
           gives(&a, IBV_WC_SUCCESS, 2);
    uncouple();
    return good;
}

static void after_fork(void)
{
    int status = 1;
    pid_t child = fork();

    if (!child)
        _exit(!works_in_child());
    waitpid(child, &status, 0);
    says(child > 0 && !status, TABLE,
         "a child opens devices of its own; those of its parent are gone for it");
}

/* ---- datagrams for a process that has no time for them */

static uint8_t pattern(uint64_t id, uint32_t at)
{
    return (uint8_t)(id * 31 + at);
}

static bool is_whole(const uint8_t *datagram)
{
    const uint8_t *from = datagram + GRH;

    for (uint32_t at = 1; at < DATAGRAM; at++)
        if (from[at] != (uint8_t)(from[0] + at))
            return false;
    return true;
}

/* Receives datagrams until a second has passed without one; tells how many, and how many whole. */
static void receiver(int in, int out)
{
    struct wish wish = wish_of(IBV_QPT_UD);
    struct name mine;
    uint8_t *room;
    struct ibv_mr *mr;
    unsigned count[2] = {0, 0};
    char go;

    if (read(in, &go, 1) != 1)
        _exit(0);
    wish.recv_wr = DATAGRAMS;
    peer_open(&wish);
    room = calloc(DATAGRAMS, ROOM);
    mr = ibv_reg_mr(b.pd, room, (size_t)DATAGRAMS * ROOM, LOCAL);
    for (uint64_t id = 0; mr && id < DATAGRAMS; id++) {
        struct ibv_sge sge = {(uintptr_t)room + id * ROOM, ROOM, mr->lkey};
        struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &sge, .num_sge = 1}, *bad;

        (void)ibv_post_recv(b.qp, &wr, &bad);
    }
    (void)to_rtr(b.qp, &a, 0, &wish);
    mine = (struct name){.number = b.qp->qp_num};
    (void)!write(out, &mine, sizeof(mine));
    raise(SIGSTOP);
    for (unsigned quiet = 0; quiet < 20;) {
        struct ibv_wc wc;

        if (ibv_poll_cq(b.cq, 1, &wc) != 1) {
            usleep(50000);
            quiet++;
            continue;
        }
        quiet = 0;
        count[0]++;
        count[1] += wc.status == IBV_WC_SUCCESS && wc.byte_len == DATAGRAM + GRH &&
                    is_whole(room + wc.wr_id * ROOM);
    }
    (void)!write(out, count, sizeof(count));
    _exit(0);
}

static bool send_datagrams(uint32_t number)
{
    struct ibv_ah_attr attr = {
        .is_global = 1, .port_num = 1, .grh = {.sgid_index = 1, .hop_limit = 1}};
    struct ibv_ah *ah;
    bool good;

    good = !ibv_query_gid(b.context, 1, 1, &attr.grh.dgid);
    ah = ibv_create_ah(a.pd, &attr);
    good = good && ah;
    for (uint64_t id = 0; good && id < DATAGRAMS; id++) {
        struct ibv_sge sge;
        struct ibv_send_wr wr = request(&a, IBV_WR_SEND, DATAGRAM, id, &sge);

        for (uint32_t at = 0; at < DATAGRAM; at++)
            a.memory[at] = pattern(id, at);
        wr.wr.ud.ah = ah;
        wr.wr.ud.remote_qpn = number;
        wr.wr.ud.remote_qkey = 0x11111111;
        good = !post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, id);
    }
    if (ah)
        ibv_destroy_ah(ah);
    return good;
}

static void datagrams(const struct child *child)
{
    struct wish wish = wish_of(IBV_QPT_UD);
    unsigned count[2] = {0, 1};
    struct name there;
    bool good;
    int status;

    couple(&wish);
    (void)!write(child->to, "g", 1);
    good = read(child->from, &there, sizeof(there)) == sizeof(there);
    waitpid(child->pid, &status, WUNTRACED);
    good = good && send_datagrams(there.number);
    kill(child->pid, SIGCONT);
    (void)!read(child->from, count, sizeof(count));
    says(good && count[0] > 0 && count[0] < DATAGRAMS && count[1] == count[0], TABLE,
         "a stopped receiver loses datagrams, and those it gets are whole");
    printf("# %u of %u datagrams, %u whole\n", count[0], (unsigned)DATAGRAMS, count[1]);
    uncouple();
    waitpid(child->pid, NULL, 0);
}

int main(void)
{
    struct child first = start_peer(maker), second = start_peer(maker),
                 stopped = start_peer(receiver);
    unsigned all, rest;

    all = ask_maker(&first);
    rest = ask_maker(&second);
    says(all == 120 && rest > 0 && all + rest >= 180 && rest < 120, TABLE,
         "a second process finds the NIC's table of queue pairs full: ENOMEM");
    printf("# %u and %u queue pairs\n", all, rest);
    end(&first);
    end(&second);
    if (!ends_open()) {
        printf("Bail out! no tern0 and tern1\n");
        return 1;
    }
    memory();
    absent();
    responder();
    datagrams(&stopped);
    after_fork();
    return ends_done();
}
