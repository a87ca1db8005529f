/* SPDX-License-Identifier: Apache-2.0 */
/* The call that all measurements make: `count` puts of 16 bytes to places of their own. */
#ifndef TERN_CALL_LIST_H
#define TERN_CALL_LIST_H

#include <tern/call.h>

enum { LIST_BYTES = 16, LIST_STRIDE = 64 };

struct call_list {
    struct tern_wr wr[TERN_CALL_OPS];
    struct tern_sge sges[TERN_CALL_OPS];
};

static inline void call_list_make(struct call_list *list, unsigned count,
                                  const struct tern_region *region, uint8_t *from,
                                  struct tern_rptr to)
{
    for (unsigned i = 0; i < count; i++) {
        list->sges[i] = (struct tern_sge){region, from + LIST_STRIDE * i, LIST_BYTES};
        list->wr[i] = (struct tern_wr){.next = i + 1 < count ? &list->wr[i + 1] : NULL,
                                       .id = i,
                                       .sges = &list->sges[i],
                                       .sge_count = 1,
                                       .opcode = TERN_WR_PUT,
                                       .flags = (uint8_t)(i + 1 < count ? 0 : TERN_WR_SIGNAL),
                                       .remote = tern_rptr_add(to, LIST_STRIDE * i)};
    }
}

#endif
