/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peers that leave at once after their last operation, in each way that a program may. Requests
 * that reached such a peer succeed. The next request is not acknowledged, and it breaks the queue
 * pair of this end. IBA 1 9.7.5: the responder's channel adapter acknowledges, not its software.
 *
 *   leaves [ROUNDS]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ends.h"
#include "peers.h"

enum { LAST = 3, BYTES = 8, MOST_ROUNDS = 32 };

enum way { BY_EXIT, BY_EXIT_AT_ONCE, BY_DESTROY, BY_ERR, BY_RESET, WAYS };

static const char *const names[WAYS] = {"exits", "exits at once, without exit handlers",
                                        "destroys its queue pair", "moves its queue pair to ERR",
                                        "moves its queue pair to RESET"};
static enum way way;
static enum kind { MESSAGES, WRITES, ANSWERED } kind;

static bool ends_by_itself(enum way how)
{
    return how == BY_EXIT || how == BY_EXIT_AT_ONCE;
}

/* ---- the peer */

static void leave(int out)
{
    const char left = 1;

    switch (way) {
    case BY_EXIT:
        exit(0);
    case BY_EXIT_AT_ONCE:
        _exit(0);
    case BY_DESTROY:
        ibv_destroy_qp(b.qp);
        break;
    case BY_ERR:
        to_state(b.qp, IBV_QPS_ERR);
        break;
    default:
        to_state(b.qp, IBV_QPS_RESET);
        break;
    }
    (void)!write(out, &left, 1);
    for (;;)
        pause();
}

static void peer(int in, int out)
{
    const volatile uint8_t *last;
    struct wish wish = wish_of(IBV_QPT_RC);
    char go;

    if (read(in, &go, 1) != 1)
        _exit(0);
    peer_open(&wish);
    last = b.memory + LAST * BYTES - 1;
    for (uint64_t id = 1; kind != WRITES && id <= LAST; id++)
        receive(&b, BYTES, id);
    peer_meet(in, out, &wish);
    for (uint64_t id = 1; kind != WRITES && id <= LAST; id++)
        if (next_wc(&b).wr_id != id)
            _exit(1);
    while (kind == WRITES && !*last)
        ;
    if (kind == ANSWERED) /* and never asks whether the answer arrived */
        (void)post(&b, IBV_WR_SEND, BYTES, LAST + 3);
    leave(out);
}

/* ---- this end */

static void post_all(const struct name *there)
{
    memset(a.memory, 0x5a, BYTES);
    for (uint64_t id = 1; id <= LAST; id++) {
        struct ibv_sge sge;
        struct ibv_send_wr wr =
            request(&a, kind == WRITES ? IBV_WR_RDMA_WRITE : IBV_WR_SEND, BYTES, id, &sge);

        wr.wr.rdma.remote_addr = there->addr + (id - 1) * BYTES;
        wr.wr.rdma.rkey = there->rkey;
        (void)post_wr(&a, &wr);
    }
}

static void wait_until_left(const struct child *child)
{
    char left;

    if (ends_by_itself(way))
        waitpid(child->pid, NULL, 0);
    else
        (void)!read(child->from, &left, 1);
}

/* All requests succeeded; an answer of the peer may have arrived. */
static bool all_succeeded(bool *answered)
{
    struct ibv_wc wc;

    *answered = false;
    for (uint64_t id = 1; id <= LAST;) {
        wc = next_wc(&a);
        if (wc.status != IBV_WC_SUCCESS || (wc.wr_id != id && wc.wr_id != LAST + 2)) {
            printf("# %s of %llu\n", ibv_wc_status_str(wc.status), (unsigned long long)wc.wr_id);
            return false;
        }
        if (wc.wr_id == id)
            id++;
        else
            *answered = true;
    }
    if (kind == ANSWERED && !*answered)
        *answered = gives(&a, IBV_WC_SUCCESS, LAST + 2);
    return gives_nothing(&a) && state_of(a.qp) == IBV_QPS_RTS;
}

static bool one_round(const struct child *child)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    const char go = 1;
    struct name there;
    bool good, answered;

    (void)!write(child->to, &go, 1);
    meet(child, &wish, &there);
    receive(&a, BYTES, LAST + 2);
    post_all(&there);
    wait_until_left(child);
    good = all_succeeded(&answered) && answered == (kind == ANSWERED) &&
           !post(&a, IBV_WR_SEND, BYTES, LAST + 1) &&
           gives(&a, IBV_WC_RETRY_EXC_ERR, LAST + 1) &&
           (answered || gives(&a, IBV_WC_WR_FLUSH_ERR, LAST + 2)) &&
           state_of(a.qp) == IBV_QPS_ERR;
    if (!ends_by_itself(way)) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);
    return good;
}

int main(int argc, char **argv)
{
    static const char *const last[] = {"message", "write", "message and its answer"};
    static struct child children[3][WAYS][MOST_ROUNDS];
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 6;

    if (!rounds || rounds > MOST_ROUNDS)
        return 2;
    for (unsigned each = 0; each < 3; each++)
        for (unsigned how = 0; how < WAYS; how++)
            for (unsigned at = 0; at < rounds; at++) {
                kind = (enum kind)each;
                way = (enum way)how;
                children[each][how][at] = start_peer(peer);
            }
    if (!ends_open()) {
        printf("Bail out! no tern0 and tern1\n");
        return 1;
    }
    for (unsigned each = 0; each < 3; each++)
        for (unsigned how = 0; how < WAYS; how++) {
            bool good = true;

            kind = (enum kind)each;
            way = (enum way)how;
            for (unsigned at = 0; at < rounds; at++)
                good &= one_round(&children[each][how][at]);
            says(good, "IBA 1 9.7.5",
                 "a peer that %s after the last %s: all succeeded, the next one is RETRY_EXC_ERR",
                 names[how], last[each]);
        }
    return ends_done();
}
