/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that survives a dead peer. It sends numbered messages to tern1 until a fault ends the
 * connection, then sends the rest to tern2, from the first one that was not acknowledged on. No
 * message may be lost. Run by `tern run --scenario` on a ring of three nodes.
 *
 *   survives MESSAGES   all messages of the connection to tern2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ends.h"
#include "peers.h"

enum { WINDOW = 8, BYTES = 64 };

#define POLL "ibv_poll_cq(3)"

static struct ibv_qp *between(struct end *peer)
{
    struct wish wish = wish_of(IBV_QPT_RC);

    single(&a, &wish);
    single(peer, &wish);
    if (to_rtr(a.qp, peer, peer->qp->qp_num, &wish) || to_rtr(peer->qp, &a, a.qp->qp_num, &wish) ||
        to_rts(a.qp, &wish) || to_rts(peer->qp, &wish))
        exit(1);
    for (uint64_t slot = 0; slot < WINDOW; slot++)
        receive(peer, BYTES, slot);
    return a.qp;
}

/* Sends message `number`; the peer gets it, unless a completion with an error comes first. */
static enum ibv_wc_status send_one(struct end *peer, uint64_t number, uint64_t *got)
{
    struct ibv_wc wc;

    memcpy(a.memory, &number, sizeof(number));
    if (post(&a, IBV_WR_SEND, BYTES, number))
        return (enum ibv_wc_status)-1;
    wc = next_wc(&a);
    if (wc.status != IBV_WC_SUCCESS)
        return wc.status;
    wc = next_wc(peer);
    memcpy(got, peer->memory, sizeof(*got));
    receive(peer, BYTES, wc.wr_id);
    return wc.status;
}

int main(int argc, char **argv)
{
    const uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    enum ibv_wc_status status = IBV_WC_SUCCESS;
    uint64_t sent = 0, got = 0, first;
    static struct end spare;
    bool in_order = true;

    if (!ends_open() || !end_open(&spare, "tern2")) {
        printf("Bail out! no tern0, tern1 and tern2\n");
        return 1;
    }
    between(&b);
    for (; status == IBV_WC_SUCCESS; sent += status == IBV_WC_SUCCESS) {
        status = send_one(&b, sent, &got);
        in_order &= status != IBV_WC_SUCCESS || got == sent;
    }
    says(sent > 0 && in_order, POLL, "messages reach the first peer in order");
    says(status == IBV_WC_RETRY_EXC_ERR && state_of(a.qp) == IBV_QPS_ERR, POLL,
         "its NIC dies: RETRY_EXC_ERR, and the queue pair is in ERR");
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);

    between(&spare);
    first = sent;
    for (status = IBV_WC_SUCCESS; status == IBV_WC_SUCCESS && sent < first + most; sent++) {
        status = send_one(&spare, sent, &got);
        in_order &= got == sent;
    }
    says(status == IBV_WC_SUCCESS && in_order && got == first + most - 1, POLL,
         "the second peer gets the message that was not acknowledged, and all others");
    return ends_done();
}
