/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two programs at once at the same two NICs, which check all that they move, while a third one
 * makes errors and is killed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ends.h"

enum { PROGRAMS = 2, ROUNDS = 200, ERRORS = 20, AT_ONCE = 8 };

/* Messages between the processes. */
struct board {
    volatile unsigned rounds[PROGRAMS];
    volatile unsigned errors; /* that the third program has made */
};

static struct board *board;

static uint8_t pattern(unsigned program, unsigned round, unsigned at)
{
    return (uint8_t)((program + 1) * 97 + round * 31 + at * 7 + (at >> 8));
}

static void fill(uint8_t *memory, unsigned program, unsigned round)
{
    for (unsigned at = 0; at < MEMORY; at++)
        memory[at] = pattern(program, round, at);
}

/* The first `bytes` are of one round, and all others of another one. */
static bool holds(const uint8_t *memory, unsigned program, unsigned round, unsigned bytes,
                  unsigned other)
{
    for (unsigned at = 0; at < MEMORY; at++)
        if (memory[at] != pattern(program, at < bytes ? round : other, at))
            return false;
    return true;
}

static bool writes(unsigned program, unsigned round, unsigned bytes)
{
    fill(a.memory, program, round);
    fill(b.memory, program, round + 1);
    for (unsigned i = 0; i < AT_ONCE; i++)
        if (post(&a, IBV_WR_RDMA_WRITE, bytes, i))
            return false;
    for (unsigned i = 0; i < AT_ONCE; i++)
        if (!gives(&a, IBV_WC_SUCCESS, i))
            return false;
    return holds(b.memory, program, round, bytes, round + 1);
}

static bool reads(unsigned program, unsigned round, unsigned bytes)
{
    fill(a.memory, program, round);
    fill(b.memory, program, round + 2);
    return !post(&a, IBV_WR_RDMA_READ, bytes, round) && gives(&a, IBV_WC_SUCCESS, round) &&
           holds(a.memory, program, round + 2, bytes, round) &&
           holds(b.memory, program, round + 2, MEMORY, 0);
}

static bool sends(unsigned program, unsigned round, unsigned bytes)
{
    fill(a.memory, program, round);
    fill(b.memory, program, round + 3);
    receive(&b, bytes, round);
    return !post(&a, IBV_WR_SEND, bytes, round) && gives(&b, IBV_WC_SUCCESS, round) &&
           gives(&a, IBV_WC_SUCCESS, round) &&
           holds(b.memory, program, round, bytes, round + 3);
}

static bool adds(unsigned program, unsigned round)
{
    uint64_t before, after = 1000 * program + round;
    struct ibv_sge sge;
    struct ibv_send_wr wr = request(&a, IBV_WR_ATOMIC_FETCH_AND_ADD, 8, round, &sge);

    memcpy(b.memory, &after, sizeof after);
    wr.wr.atomic.remote_addr = (uintptr_t)b.memory;
    wr.wr.atomic.rkey = b.mr->rkey;
    wr.wr.atomic.compare_add = 5;
    if (post_wr(&a, &wr) || !gives(&a, IBV_WC_SUCCESS, round))
        return false;
    memcpy(&before, a.memory, sizeof before);
    memcpy(&after, b.memory, sizeof after);
    return before == 1000 * program + round && after == before + 5;
}

static bool gives_no_more(void)
{
    struct ibv_wc wc;

    return ibv_poll_cq(a.cq, 1, &wc) == 0 && ibv_poll_cq(b.cq, 1, &wc) == 0;
}

/* Goes on until all programs have had their rounds, so that they really run at once. */
static void program(unsigned number)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    bool good = ends_open();

    if (good)
        couple(&wish);
    for (unsigned round = 0; good; round++) {
        unsigned bytes = 1 + (round * 1237 + number * 511) % (MEMORY - 1);

        good = writes(number, round, bytes) && reads(number, round, bytes) &&
               sends(number, round, bytes) && adds(number, round) && gives_no_more();
        board->rounds[number] = round;
        if (board->rounds[0] >= ROUNDS && board->rounds[1] >= ROUNDS && board->errors >= ERRORS)
            break;
    }
    if (!good)
        fprintf(stderr, "# program %u: round %u went wrong\n", number, board->rounds[number]);
    board->rounds[number] = ROUNDS; /* do not hold up the other one */
    exit(good ? 0 : 1);
}

/* Wrong keys, one queue pair after the other, and a message that nothing waits for. */
static void errors(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    if (!ends_open())
        exit(1);
    for (;;) {
        struct ibv_sge sge;
        struct ibv_send_wr wr;

        couple(&wish);
        wr = request(&a, IBV_WR_RDMA_WRITE, MEMORY, 1, &sge);
        wr.wr.rdma.rkey ^= 0x5a00;
        if (post_wr(&a, &wr) || !gives(&a, IBV_WC_REM_ACCESS_ERR, 1))
            exit(1);
        board->errors++;
        if (board->errors >= ERRORS)
            break;
        uncouple();
    }
    couple(&wish);
    post(&a, IBV_WR_SEND, MEMORY, 2);
    for (;;)
        post(&a, IBV_WR_RDMA_READ, MEMORY, 3); /* until it is killed */
}

int main(void)
{
    pid_t pid[PROGRAMS], third;
    bool good = true;
    int status;

    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED)
        return 1;
    for (unsigned p = 0; p < PROGRAMS; p++) {
        pid[p] = fork();
        if (pid[p] == 0)
            program(p);
    }
    third = fork();
    if (third == 0)
        errors();
    while (board->errors < ERRORS && waitpid(third, &status, WNOHANG) == 0)
        usleep(10000);
    usleep(200000);
    kill(third, SIGKILL);
    says(board->errors >= ERRORS, "this test", "a third program makes its errors");
    board->errors = ERRORS;
    waitpid(third, NULL, 0);
    for (unsigned p = 0; p < PROGRAMS; p++) {
        waitpid(pid[p], &status, 0);
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    says(good && board->rounds[0] >= ROUNDS && board->rounds[1] >= ROUNDS, "this test",
         "two programs at once at the same NICs find what they moved, and nothing else");
    return ends_done();
}
