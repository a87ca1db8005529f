/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One torus in two simulators: each has half of the nodes, and the wires between the halves go over
 * a connection (far.h).
 *
 * Both simulators are made for the whole torus.  Each runs its own half; of the other half it has
 * the wires alone.  A packet for the other half waits at the far end of its wire until the peer has
 * a place for it.  On soft the peer gives credit for each place, so a wire holds back its sender as
 * any other wire does.  On rtl both simulators exchange the beats of each block
 * of cycles before they run the next one, which the latency of the wires allows: the chips see the
 * same cycles as in one simulator.
 *
 * When the peer dies, or is silent for TERN_FAR_SILENT_MS, all links to its half are cut, for good.
 */
#ifndef TERN_SIM_SPAN_H
#define TERN_SIM_SPAN_H

#include "far.h"
#include "net.h"
#include "tier.h"

struct tern_span;

struct tern_span_config {
    struct tern_far_address address;
    unsigned half;            /* 0: the nodes with the lower numbers */
    const volatile int *stop; /* set by a signal: do not go on waiting */
};

/* What both simulators have to agree on. */
struct tern_span_shape {
    enum tern_tier tier;
    struct tern_torus torus;
    unsigned latency, beat; /* of wires; rtl */
};

/* The half that a node belongs to: 0 or 1. */
unsigned tern_span_half(const struct tern_torus *torus, unsigned node);

/* Meets the peer; NULL and the reason when that fails. */
struct tern_span *tern_span_open(const struct tern_span_config *config,
                                 const struct tern_span_shape *shape, struct tern_net *net,
                                 char error[TERN_FAR_ERROR_BYTES]);
void tern_span_close(struct tern_span *span);

/* Becomes readable when something has come from the peer. */
int tern_span_fd(const struct tern_span *span);

/* Soft: exchanges what there is. */
void tern_span_work(struct tern_span *span);

/*
 * Rtl: exchanges the beats that were sent in `cycles` cycles from `cycle` on; returns when those of
 * the peer have come.  `idle` goes to the peer with them.
 */
void tern_span_block(struct tern_span *span, uint64_t cycle, unsigned cycles, bool idle);

/* Rtl: the peer had nothing to do either. */
bool tern_span_idle(const struct tern_span *span);

/* NULL as long as the peer lives, else why it is dead. */
const char *tern_span_dead(const struct tern_span *span);

#endif
