/* SPDX-License-Identifier: Apache-2.0 */
/* FIFOs for remote gets, for others of the core that have puts placed in one. */
#ifndef TERN_FIFO_H
#define TERN_FIFO_H

#include <tern/remote_get.h>

#include "queue.h"

/* Changes the completion of what was placed in the FIFO. */
typedef void tern_fifo_reader(void *arg, struct tern_completion *completion);

/*
 * From here on `reader` is shown what completes in `fifo`; NULL: nobody is.  BAD_ARGUMENT
 * unless it reports to `cq`.
 */
int tern_fifo_read_by(struct tern_fifo *fifo, struct tern_cq *cq, tern_fifo_reader *reader,
                      void *arg);

#endif
