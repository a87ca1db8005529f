/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How two queue pairs connect, and how they detect that the other is gone.
 *
 * Programs may start their two ends in any order. The end with the smaller name repeats HELLO until
 * the other is ready to receive and answers WELCOME; neither sends anything before that. So a pair
 * of the NIC that has received something is never reset, and sequences agree.
 */
#include "inside.h"

enum {
    FIRST_PAUSE_MS = 1, LONGEST_PAUSE_MS = 64,
    PATIENCE_MS = 10000, /* how long requests wait for a peer that does not become ready */
    PAUSE_COMMANDS = 4,            /* a slow NIC has more time between two HELLOs, ... */
    PEER_COMMANDS = 2 * VERBS_QPS, /* and the peer to connect all of its other queue pairs first */
    SILENCE_MS = 500     /* then the library probes a peer that owes an answer */
};

static uint32_t name_of(uint16_t node, uint16_t number)
{
    return (uint32_t)node << 16 | number;
}

/* Averages over the last commands to the NIC. */
static void took(struct verbs_nic *nic, int64_t us)
{
    nic->command_us += (us - nic->command_us) / 4;
}

/* The commands of a peer take as long as those of this end: both NICs are of one simulator. */
static int64_t patience_ms(const struct verbs_nic *nic)
{
    return PATIENCE_MS + PEER_COMMANDS * nic->command_us / 1000;
}

static void connect_pair(struct verbs_qp *qp)
{
    struct tern_pair_peer peer = {
        .name = {qp->peer_node, (uint16_t)qp->attr.dest_qp_num, qp->peer_incarnation}, .first = 0};
    const int64_t began = now_us();

    if (tern_pair_connect(qp->pair, &peer) || tern_pair_start(qp->pair, 0, TERN_PAIR_FOR_EVER))
        qp->link = LINK_AGAIN;
    took(qp->nic, now_us() - began);
}

static void hello(struct verbs_qp *qp)
{
    struct envelope envelope = {.type = ENVELOPE_HELLO,
                                .access = qp->attr.qp_access_flags,
                                .domains = domain_several(qp->nic)};

    qp->link = LINK_ASKING;
    connect_pair(qp);
    if (qp->link == LINK_ASKING && !control_send(qp, FOR_HELLO, &envelope))
        link_failed(qp);
}

static void up(struct verbs_qp *qp)
{
    qp->link = LINK_UP;
    qp->waiting_since = 0;
    qp_busy(qp);
}

void link_begin(struct verbs_qp *qp)
{
    uint32_t here = name_of(qp->nic->node, qp->number);
    uint32_t there = name_of(qp->peer_node, (uint16_t)qp->attr.dest_qp_num);

    qp->link_tries = 0;
    if (here < there) {
        hello(qp);
        return;
    }
    qp->link = LINK_WAITING;
    connect_pair(qp);
    if (here == there && qp->link == LINK_WAITING) {
        qp->peer_access = qp->attr.qp_access_flags;
        qp->peer_domains = domain_several(qp->nic);
        up(qp);
    }
}

void link_failed(struct verbs_qp *qp)
{
    unsigned pause = FIRST_PAUSE_MS << (qp->link_tries < 6 ? qp->link_tries : 6);

    if (qp->link != LINK_ASKING)
        return;
    qp->link_tries++;
    qp->link = LINK_AGAIN;
    qp->link_at = now_ms() + (pause > LONGEST_PAUSE_MS ? LONGEST_PAUSE_MS : pause) +
                  PAUSE_COMMANDS * qp->nic->command_us / 1000;
}

void link_heard(struct verbs_qp *qp, const struct envelope *envelope)
{
    struct envelope answer = {.type = ENVELOPE_WELCOME,
                                .access = qp->attr.qp_access_flags,
                                .domains = domain_several(qp->nic)};

    qp->peer_access = envelope->access;
    qp->peer_domains = envelope->domains != 0;
    if (envelope->type == ENVELOPE_HELLO)
        (void)control_send(qp, FOR_CONTROL, &answer);
    if (qp->link == LINK_WAITING || qp->link == LINK_ASKING)
        up(qp);
}

void link_tell_access(struct verbs_qp *qp)
{
    struct envelope envelope = {.type = ENVELOPE_ACCESS,
                                .acked = qp->received,
                                .access = qp->attr.qp_access_flags,
                                .domains = domain_several(qp->nic)};

    if (qp->link == LINK_UP)
        (void)control_send(qp, FOR_CONTROL, &envelope);
}

/* Resets the pair so that it can be connected; QUEUE_BUSY while an operation is in flight. */
int link_reset(struct verbs_qp *qp)
{
    if (tern_pair_state(qp->pair) == TERN_PAIR_RESET)
        return 0;
    if (tern_pair_state(qp->pair) != TERN_PAIR_ERROR)
        (void)tern_pair_fail(qp->pair);
    return tern_pair_reset(qp->pair);
}

static void try_again(struct verbs_qp *qp, int64_t now)
{
    if (now >= qp->link_at && !link_reset(qp))
        hello(qp);
}

/* Probes a peer that owes an answer: its NIC reports if it no longer exists. */
static void ask(struct verbs_qp *qp, int64_t now)
{
    struct envelope envelope = {.type = ENVELOPE_PING, .acked = qp->received};

    if (qp->lost || now - qp->heard < SILENCE_MS || now - qp->pinged < SILENCE_MS)
        return;
    if (tern_pair_state(qp->pair) == TERN_PAIR_ERROR) { /* no answer can arrive any more */
        qp_lose(qp, WC_RETRY);
        return;
    }
    qp->pinged = now;
    (void)control_send(qp, FOR_PING, &envelope);
}

void link_step(struct verbs_qp *qp, int64_t now)
{
    if (qp->state == QPS_ERR)
        return;
    if (qp->link == LINK_AGAIN)
        try_again(qp, now);
    if (qp->link != LINK_UP && qp->waiting_since &&
        now - qp->waiting_since > patience_ms(qp->nic)) {
        qp_break(qp, WC_RETRY);
        return;
    }
    if (qp->rnr_until && now >= qp->rnr_until) {
        qp_break(qp, WC_RNR);
        return;
    }
    if (qp->link == LINK_UP && qp->heard)
        ask(qp, now);
}
