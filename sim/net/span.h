/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One torus in two simulators: each has half of the nodes, and the wires between the halves go over
 * a connection (far.h).
 *
 * Both simulators are made for the whole torus. Each runs its own half and has only the wires of
 * the other half. A packet for the other half waits at the far end of its wire until the peer has a
 * place for it. On soft the peer gives credit for each place, so a wire delays its sender as any
 * other wire does. On rtl both simulators exchange the beats of each block of cycles before they
 * run the next one, which the latency of the wires allows: the chips see the same cycles as in one
 * simulator.
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
    const volatile int *stop; /* set by a signal: stop waiting */
};

/* Values that must be equal in both simulators. */
struct tern_span_shape {
    enum tern_tier tier;
    struct tern_torus torus;
    unsigned latency, beat; /* of wires; rtl */
};

/* Returns the half to which a node belongs: 0 or 1. */
unsigned tern_span_half(const struct tern_torus *torus, unsigned node);

/* Connects to the peer; returns NULL and the reason if that fails. */
struct tern_span *tern_span_open(const struct tern_span_config *config,
                                 const struct tern_span_shape *shape, struct tern_net *net,
                                 char error[TERN_FAR_ERROR_BYTES]);
void tern_span_close(struct tern_span *span);

/* Returns a descriptor that is readable when the peer has sent something. */
int tern_span_fd(const struct tern_span *span);

/* Soft: exchanges waiting packets and words. */
void tern_span_work(struct tern_span *span);

/*
 * Rtl: exchanges the beats sent in `cycles` cycles from `cycle` on; returns when those of the peer
 * have arrived. `idle` is sent to the peer with them.
 */
void tern_span_block(struct tern_span *span, uint64_t cycle, unsigned cycles, bool idle);

/* Rtl: tells whether the peer had nothing to do either. */
bool tern_span_idle(const struct tern_span *span);

/* Returns NULL while the peer lives, otherwise the reason why it is dead. */
const char *tern_span_dead(const struct tern_span *span);

#endif
