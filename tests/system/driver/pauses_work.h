/* SPDX-License-Identifier: Apache-2.0 */
/* A client of a run of pauses, for the files that make it. */
#ifndef TERN_PAUSES_WORK_H
#define TERN_PAUSES_WORK_H

#include "pauses.h"

enum { WORK_HELD = 6, WORK_BYTES = 640, WORK_BUFFER = 4096 };

/* Memory that the client holds. */
struct work_slab {
    struct tern_ptr at;      /* of a heap */
    struct tern_slab slab;   /* else */
    uint32_t place, bytes;   /* of the shadow map; as they are filled */
};

struct pause_worker {
    const struct pause_client *client;
    struct pause_board *board;
    uint64_t random;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_member *member;
    struct tern_holder me;
    unsigned life;                /* pauses_had() when it joined */
    struct tern_heap *heap;
    struct tern_allocator slabs;
    struct tern_table_writer writer;
    struct work_slab held[WORK_HELD];
    unsigned count;
    uint8_t out[WORK_BUFFER], in[WORK_BUFFER];
    uint64_t scratch[64];
};

/* Tells whether the client was paused in this life: then the server has buried it since. */
bool work_is_buried(const struct pause_worker *w);

/* Fills held memory by the member's own key, then enters it in the shadow map. */
int work_claim(struct pause_worker *w, struct tern_rptr at, const struct work_slab *slab);
/* Reads it back: all bytes must be as they were filled.  Then takes it out of the shadow map. */
int work_yield(struct pause_worker *w, struct tern_rptr at, const struct work_slab *slab);
/* One operation that has been posted to w->sq with a completion; brackets it for the member. */
int work_end(struct pause_worker *w, unsigned entered, int posted);

/* ---- one piece of work */
int work_with_heap(struct pause_worker *w);
int work_with_slabs(struct pause_worker *w);
int work_with_table(struct pause_worker *w);
/* Takes all keys out. */
int work_empty_table(struct pause_worker *w);

#endif
