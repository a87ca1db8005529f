/* SPDX-License-Identifier: Apache-2.0 */
/* FIFOs of remote gets, for the operations of the core that use them. */
#ifndef TERN_FIFO_H
#define TERN_FIFO_H

#include <tern/remote_get.h>

#include "queue.h"

/* Changes a completion of the FIFO. */
typedef void tern_fifo_reader(void *arg, struct tern_completion *completion);

/*
 * Makes `reader` see each completion of `fifo` from now on; NULL: none. BAD_ARGUMENT unless the
 * FIFO reports to `cq`.
 */
int tern_fifo_read_by(struct tern_fifo *fifo, struct tern_cq *cq, tern_fifo_reader *reader,
                      void *arg);

#endif
