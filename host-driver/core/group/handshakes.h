/* SPDX-License-Identifier: Apache-2.0 */
/* What queues and completions have to do with arenas, rendezvous and remote gets. */
#ifndef TERN_HANDSHAKES_H
#define TERN_HANDSHAKES_H

#include <tern/rendezvous.h>

#include "queue.h"

/* Points the completion at what arrived.  False when its arena is gone. */
bool tern_arenas_complete(struct tern_cq *cq, struct tern_completion *completion);

/*
 * A descriptor of rendezvous `number` has ended.  True when nobody needs to know: the put's own completion
 * will say it.  That one is filled in here.
 */
bool tern_rendezvous_take(struct tern_cq *cq, uint32_t number, struct tern_completion *completion);

/* Fills in the completion of what was placed in a FIFO for a rendezvous; false: it was not for one. */
bool tern_rendezvous_placed(struct tern_cq *cq, struct tern_completion *completion);

/* The same as tern_rendezvous_take() of a descriptor of a getter. */
bool tern_getter_take(struct tern_cq *cq, uint32_t number, struct tern_completion *completion);

/* Is queue `number` a FIFO for remote gets that reports to `cq`? */
bool tern_fifo_has(const struct tern_cq *cq, uint16_t number);

/* Frees the FIFOs and getters of `cq`. */
void tern_gets_free(struct tern_cq *cq);

/* Frees the rendezvous of `cq`. */
void tern_rendezvous_free(struct tern_cq *cq);

/* Does something use `cq`? */
bool tern_handshakes_use(const struct tern_cq *cq);

/* Frees those of `cq`; what they are on the NIC is the device's matter. */
void tern_handshakes_free(struct tern_cq *cq);

#endif
