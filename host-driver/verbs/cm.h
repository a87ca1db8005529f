/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections of rdma_cm: shared by the commands of librdmacm (ucma.c) and the messages between
 * nodes (cmwire.c).
 */
#ifndef TERN_VERBS_CM_H
#define TERN_VERBS_CM_H

#include <rdma/rdma_user_cm.h>

#include "inside.h"

enum {
    CM_ADDR_RESOLVED = 0,
    CM_ADDR_ERROR,
    CM_ROUTE_RESOLVED,
    CM_ROUTE_ERROR,
    CM_CONNECT_REQUEST,
    CM_CONNECT_RESPONSE,
    CM_CONNECT_ERROR,
    CM_UNREACHABLE,
    CM_REJECTED,
    CM_ESTABLISHED,
    CM_DISCONNECTED,
    CM_NO_LISTENER = 8, /* status of REJECTED: invalid service id */
    CM_CONSUMER = 28, /* ... the program refused */
    /* reason of NOT_MINE: the process listened at the port before, and may again */
    CM_MAY_LISTEN = 1
};

enum cm_state {
    CM_IDLE,
    CM_BOUND,
    CM_LISTENING,
    CM_CALLING,
    CM_ANSWERING,
    CM_CONNECTING,
    CM_CONNECTED,
    CM_ENDED
};

/* Messages between two processes, one packet each. */
enum cm_kind { CM_REQ = 1, CM_REP, CM_RTU, CM_REJ, CM_DREQ, CM_NOT_MINE, CM_PROBE };

struct cm_message {
    uint8_t kind, is_datagram;
    uint16_t port, space;
    uint16_t from_queue;
    uint32_t from_id, to_id;
    uint16_t source_port, reason;
    struct rdma_ucm_conn_param param;
};

struct cm_event {
    struct cm_event *next;
    struct cm_id *id; /* whose destruction waits for this message */
    struct rdma_ucm_event_resp resp;
};

struct cm_channel {
    int fd; /* an eventfd that counts the events */
    struct cm_event *first, **last;
};

struct cm_id {
    uint32_t handle;
    struct cm_channel *channel;
    uint64_t uid;
    uint16_t space, port, peer_port;
    uint8_t qp_type, state;
    uint8_t ack_timeout; /* 0: not set */
    bool is_any, reuses, is_passive;
    struct verbs_nic *nic;
    uint16_t peer_node, peer_queue;
    uint32_t peer_id, events;
    struct cm_id *listener;
    struct rdma_ucm_conn_param own, peer; /* peer: as received */
    unsigned attempt;                     /* box that was asked last */
    bool may_listen;                      /* a box of this round said CM_MAY_LISTEN */
    int64_t call_at, call_until;          /* next round of calls, 0: none waits; the last round */
    int64_t probed;
};

/* cm_lock guards all of it.  It may be taken with nic->lock held, never the other way round. */
extern pthread_mutex_t cm_lock;
extern struct verbs_table cm_ids;

/* ---- ucma.c */
struct cm_id *cm_id_new(struct cm_channel *channel, uint64_t uid, uint16_t space, uint8_t qp_type);
void cm_raise(struct cm_id *id, unsigned event, int status,
              const struct rdma_ucm_conn_param *param);
void cm_raise_request(struct cm_id *listener, struct cm_id *fresh);
void cm_fill_route(const struct cm_id *id, struct ib_uverbs_ah_attr *attr);

/* ---- cmwire.c */
/* Stores a message until cm_flush(); cm_lock is held. */
void cm_send(struct cm_id *id, enum cm_kind kind, unsigned reason);
/* Starts to ask the boxes of the peer's node for the port; cm_lock is held. */
void cm_call(struct cm_id *id);
/* Remembers the port of a listener that is closed; cm_lock is held. */
void cm_listener_ends(const struct cm_id *id);
/* Sends the stored messages of the NIC, whose lock is held; cm_lock is not. */
void cm_flush(struct verbs_nic *nic);
/*
 * Makes the NIC receive messages of rdma_cm; with `listens`, as one of the boxes that callers look
 * for.
 */
int cm_box(struct verbs_nic *nic, bool listens);

#endif
