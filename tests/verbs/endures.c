/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose peers fail, and which reports the outcome of its requests.
 *
 *   endures killed        sends to a peer that is killed meanwhile, then to another one
 *   endures daemon PID    the simulator PID is killed: every queue pair must end in an error
 *   endures connects N    makes and ends N connections; prints the memory of the process before and
 *                         after
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ends.h"
#include "peers.h"

enum { FIRST = 600, LATE_S = 10 };

/* ---- a peer that is killed */

/* Receives one message, then does nothing until it is killed. */
static void sleeper(int in, int out)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    peer_open(&wish);
    receive(&b, 64, 1);
    peer_meet(in, out, &wish);
    (void)next_wc(&b);
    for (;;)
        pause();
}

static void part(void)
{
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);
}

/* Sends a message so long that this end reads it once it has a request for it. */
static void talker(int in, int out)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    peer_open(&wish);
    peer_meet(in, out, &wish);
    post(&b, IBV_WR_SEND, MEMORY, 1);
    for (;;)
        pause();
}

static void killed_in_the_middle(const struct child *child)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct name there;

    meet(child, &wish, &there);
    (void)gives_nothing(&a); /* the peer's message arrives, and waits */
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    receive(&a, MEMORY, 6);
    says(gives_nothing(&a) && state_of(a.qp) == IBV_QPS_RTS, "IBA 1 9.9.2.4.1",
         "a peer that is killed in the middle of its message: the receiver waits");
    says(!post(&a, IBV_WR_SEND, 8, 7) && gives(&a, IBV_WC_RETRY_EXC_ERR, 7) &&
             gives(&a, IBV_WC_WR_FLUSH_ERR, 6),
         "ibv_poll_cq(3)", "... and its own first request ends with RETRY_EXC_ERR");
    part();
}

/* One message waits for the peer when it is killed, and another one finds it dead. */
static void killed_between(const struct child *child)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct name there;

    meet(child, &wish, &there);
    (void)(!post(&a, IBV_WR_SEND, 8, 1) && gives(&a, IBV_WC_SUCCESS, 1));
    post(&a, IBV_WR_SEND, 8, 2);
    (void)gives_nothing(&a);
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    post(&a, IBV_WR_SEND, 8, 3);
    says(gives(&a, IBV_WC_RETRY_EXC_ERR, 2) && gives(&a, IBV_WC_WR_FLUSH_ERR, 3) &&
             gives_nothing(&a),
         "IBA 1 10.3.1.5", "of two messages to a peer that was killed the second is flushed");
    part();
}

static void killed(void)
{
    struct child first = start_peer(sleeper), second = start_peer(sleeper),
                 third = start_peer(sleeper), fourth = start_peer(talker),
                 fifth = start_peer(sleeper);
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge sge;
    struct ibv_send_wr wr;
    struct name there;
    time_t began;

    if (!ends_open())
        exit(1);
    meet(&first, &wish, &there);
    says(!post(&a, IBV_WR_SEND, 8, 1) && gives(&a, IBV_WC_SUCCESS, 1), "ibv_poll_cq(3)",
         "a message reaches the peer");
    post(&a, IBV_WR_SEND, 8, 2); /* finds no request, and waits indefinitely */
    (void)gives_nothing(&a);
    kill(first.pid, SIGKILL);
    waitpid(first.pid, NULL, 0);
    began = time(NULL);
    says(gives(&a, IBV_WC_RETRY_EXC_ERR, 2) && time(NULL) - began <= LATE_S &&
             state_of(a.qp) == IBV_QPS_ERR,
         "ibv_poll_cq(3)",
         "a peer that is killed: what waits for it ends with RETRY_EXC_ERR within 10 seconds");
    part();
    meet(&second, &wish, &there);
    says(!post(&a, IBV_WR_SEND, 8, 3) && gives(&a, IBV_WC_SUCCESS, 3), "ibv_poll_cq(3)",
         "another peer can be sent to");
    kill(second.pid, SIGKILL);
    waitpid(second.pid, NULL, 0);
    wr = request(&a, IBV_WR_RDMA_WRITE, 8, 4, &sge);
    wr.wr.rdma.remote_addr = there.addr;
    wr.wr.rdma.rkey = there.rkey;
    {
        struct ibv_wc wc = {.status = IBV_WC_SUCCESS};

        /* The simulator detects it a little later than this program. */
        for (began = time(NULL);
             wc.status == IBV_WC_SUCCESS && time(NULL) - began <= LATE_S && !post_wr(&a, &wr);)
            wc = next_wc(&a);
        says(wc.status == IBV_WC_REM_ACCESS_ERR || wc.status == IBV_WC_RETRY_EXC_ERR,
             "ibv_poll_cq(3)", "a write into memory of a peer that was killed ends with an error");
    }
    part();
    meet(&third, &wish, &there);
    kill(third.pid, SIGSTOP);
    wr = request(&a, IBV_WR_RDMA_WRITE, 8, 5, &sge);
    wr.wr.rdma.remote_addr = there.addr;
    wr.wr.rdma.rkey = there.rkey;
    kill(third.pid, SIGCONT);
    says(!post_wr(&a, &wr) && gives(&a, IBV_WC_SUCCESS, 5), "ibv_post_send(3)",
         "a peer that was stopped goes on");
    kill(third.pid, SIGKILL);
    waitpid(third.pid, NULL, 0);
    part();
    killed_in_the_middle(&fourth);
    killed_between(&fifth);
}

/* ---- the simulator is killed */

static void daemon_killed(pid_t pid)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    if (!ends_open())
        exit(1);
    couple(&wish);
    receive(&a, 64, 1);
    receive(&b, 64, 2);
    post(&a, IBV_WR_SEND, 8, 3);
    (void)(gives(&b, IBV_WC_SUCCESS, 2) && gives(&a, IBV_WC_SUCCESS, 3));
    kill(pid, SIGKILL);
    says(raises(&a, IBV_EVENT_DEVICE_FATAL) && raises(&b, IBV_EVENT_DEVICE_FATAL),
         "ibv_get_async_event(3)", "the simulator is killed: DEVICE_FATAL at every device");
    says(gives(&a, IBV_WC_WR_FLUSH_ERR, 1) && state_of(a.qp) == IBV_QPS_ERR &&
             state_of(b.qp) == IBV_QPS_ERR,
         "IBA 1 10.3.1.5", "... and every queue pair is in ERR, its requests flushed");
    says(!post(&a, IBV_WR_SEND, 8, 4) && gives(&a, IBV_WC_WR_FLUSH_ERR, 4), "IBA 1 10.3.1.5",
         "... what is posted then is flushed");
    uncouple();
}

/* ---- many connections */

static long resident_kb(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2)
        pages = -1;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void connects(unsigned long count)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_qp *many[100];
    long before = 0, after;
    bool good = true;

    if (!ends_open())
        exit(1);
    /*
     * The first rounds do not count: in them the library uses all of its own memory for the first
     * time.
     */
    for (unsigned long at = 0; good && at < FIRST + count; at++) {
        if (at == FIRST)
            before = resident_kb();
        couple(&wish);
        receive(&b, 64, 1);
        good = !post(&a, IBV_WR_SEND, 8, 2) && gives(&b, IBV_WC_SUCCESS, 1) &&
               gives(&a, IBV_WC_SUCCESS, 2);
        uncouple();
    }
    after = resident_kb();
    says(good && after - before < 1024, "this test",
         "%lu connections, each with a message, leave nothing behind", count);
    printf("# figures connections=%lu grown_kb=%ld\n", count, after - before);

    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    before = resident_kb();
    for (unsigned at = 0; at < 100; at++)
        many[at] = qp_make(&a, &wish);
    after = resident_kb();
    says(many[99] && after - before <= 6400, "this test",
         "100 queue pairs take 64 KiB each or less");
    printf("# figures kb_of_100_pairs=%ld\n", after - before);
    for (unsigned at = 0; at < 100; at++)
        ibv_destroy_qp(many[at]);
    ibv_destroy_cq(a.cq);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "killed"))
        killed();
    else if (argc == 3 && !strcmp(argv[1], "daemon"))
        daemon_killed((pid_t)atoi(argv[2]));
    else if (argc == 3 && !strcmp(argv[1], "connects"))
        connects(strtoul(argv[2], NULL, 10));
    else
        return 2;
    return ends_done();
}
