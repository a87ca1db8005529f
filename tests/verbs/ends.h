/* SPDX-License-Identifier: Apache-2.0 */
/* Two ends of verbs in one process, on tern0 and tern1, and the checks of a sequence. */
#ifndef TERN_TEST_ENDS_H
#define TERN_TEST_ENDS_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    MEMORY = 1 << 16,
    ALL = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
          IBV_ACCESS_REMOTE_ATOMIC
};

struct end {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel;
    struct ibv_cq *cq; /* of both queues */
    struct ibv_mr *mr;
    struct ibv_srq *srq;
    struct ibv_qp *qp;
    uint8_t *memory;
};

extern struct end a, b;

/* Opens both devices; false if there are none. */
bool ends_open(void);
/* Opens one device; false if there is none. */
bool end_open(struct end *end, const char *name);

/* The attributes of queue pairs, for sequences that need other than the default. */
struct wish {
    enum ibv_qp_type type;
    uint32_t send_wr, recv_wr, send_sge, recv_sge, inline_data;
    int access;        /* of the queue pairs */
    uint8_t rnr_retry, min_rnr_timer;
    bool with_srq, is_quiet; /* quiet: requests complete only on demand */
};

struct wish wish_of(enum ibv_qp_type type);
struct ibv_qp *qp_make(struct end *end, const struct wish *wish);
/* Makes a queue pair at each end and brings both up. */
void couple(const struct wish *wish);
void uncouple(void);
int to_init(struct ibv_qp *qp, const struct wish *wish);
int to_rtr(struct ibv_qp *qp, const struct end *peer, uint32_t number, const struct wish *wish);
int to_rts(struct ibv_qp *qp, const struct wish *wish);
int to_state(struct ibv_qp *qp, enum ibv_qp_state state);
enum ibv_qp_state state_of(struct ibv_qp *qp);

/* Posts; 0 or an errno. */
int post(struct end *end, enum ibv_wr_opcode opcode, uint32_t bytes, uint64_t id);
int post_wr(struct end *end, struct ibv_send_wr *wr);
int receive(struct end *end, uint32_t bytes, uint64_t id);
/* A request of `bytes` from the end's memory to the same place of the other one's. */
struct ibv_send_wr request(struct end *end, enum ibv_wr_opcode opcode, uint32_t bytes, uint64_t id,
                           struct ibv_sge *sge);

/* Returns the next completion, or one with status -1 after some seconds. */
struct ibv_wc next_wc(struct end *end);
/* Returns whether the next completion has this status and id. */
bool gives(struct end *end, enum ibv_wc_status status, uint64_t id);
/* Returns whether no completion comes within a time that is long for the simulator. */
bool gives_nothing(struct end *end);
/* Returns whether the next asynchronous event is of this type. */
bool raises(struct end *end, enum ibv_event_type type);
/* Returns the number of events in the completion channel. */
int events(struct end *end);

/* Reports a sequence: a test line with its source. */
void says(bool good, const char *source, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int ends_done(void);

void all_states(void);

#endif
