/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the descriptors of a call. */
#include <string.h>

#include "plan.h"

enum { FLAGS = TERN_WR_SIGNAL | TERN_WR_INLINE | TERN_WR_FENCE | TERN_WR_SOLICITED | TERN_WR_IMM };

/* The flags of a descriptor: of the first, of the last, of one between. */
static unsigned desc_flags(const struct tern_wr *wr, unsigned number, unsigned count)
{
    bool first = number == 0, last = number + 1 == count;
    unsigned flags = 0;

    if (last && wr->flags & TERN_WR_SIGNAL)
        flags |= TERN_DFLAG_SIGNAL;
    if ((first && wr->flags & TERN_WR_FENCE) || (last && !first))
        flags |= TERN_DFLAG_FENCE;
    if (wr->flags & TERN_WR_SOLICITED)
        flags |= TERN_DFLAG_SOLICITED;
    if (wr->flags & TERN_WR_IMM)
        flags |= TERN_DFLAG_IMM;
    return flags;
}

/* Gathers the bytes of an inline request; BAD_LENGTH: too many, or none. */
static int gather(const struct tern_wr *wr, uint8_t *bytes, uint32_t *count)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < wr->sge_count; i++)
        total += wr->sges[i].bytes;
    if (total > TERN_INLINE_BYTES_MAX || total == 0)
        return -TERN_ST_BAD_LENGTH;
    *count = 0;
    for (unsigned i = 0; i < wr->sge_count; i++) {
        if (wr->sges[i].bytes)
            memcpy(bytes + *count, wr->sges[i].addr, wr->sges[i].bytes);
        *count += wr->sges[i].bytes;
    }
    return 0;
}

static int build_inline(const struct tern_wr *wr, struct tern_desc *desc)
{
    uint8_t bytes[TERN_INLINE_BYTES_MAX];
    uint32_t count;
    int status = gather(wr, bytes, &count);

    if (status)
        return status;
    if (wr->opcode == TERN_WR_SEND)
        return tern_desc_send(desc, wr->target, NULL, bytes, count, desc_flags(wr, 0, 1));
    return tern_desc_put_inline(desc, wr->remote, bytes, count, desc_flags(wr, 0, 1));
}

/* One operation a segment; places at the other end follow each other. */
static int build_moves(const struct tern_wr *wr, struct tern_desc *desc)
{
    struct tern_rptr remote = wr->remote;
    int status = 0;

    for (unsigned i = 0; i < wr->sge_count && !status; i++) {
        const struct tern_sge *sge = &wr->sges[i];
        unsigned flags = desc_flags(wr, i, wr->sge_count);

        if (sge->bytes == 0 || sge->bytes > TERN_PUT_BYTES_MAX)
            return -TERN_ST_BAD_LENGTH;
        status = wr->opcode == TERN_WR_PUT
                     ? tern_desc_put(&desc[i], remote, sge->region, sge->addr, sge->bytes, flags)
                     : tern_desc_read(&desc[i], remote, sge->region, sge->addr, sge->bytes, flags);
        remote = tern_rptr_add(remote, sge->bytes);
    }
    return status;
}

static int build_atomic(const struct tern_wr *wr, struct tern_desc *desc)
{
    const bool add = wr->opcode == TERN_WR_ADD;
    const struct tern_masked masked = {.compare = add ? 0 : wr->compare,
                                       .compare_mask = add ? 0 : UINT64_MAX,
                                       .swap = wr->swap,
                                       .swap_mask = UINT64_MAX};

    return tern_desc_masked(desc, add ? TERN_OP_ADD : TERN_OP_CAS, wr->remote, &masked,
                            desc_flags(wr, 0, 1));
}

/* Flags that only messages have; inline only where bytes leave; segments as the opcode has them. */
static int check(const struct tern_wr *wr)
{
    const bool message = wr->opcode == TERN_WR_SEND;
    const bool leaves = message || wr->opcode == TERN_WR_PUT;
    const bool atomic = wr->opcode == TERN_WR_CAS || wr->opcode == TERN_WR_ADD;

    if (!leaves && !atomic && wr->opcode != TERN_WR_READ)
        return -TERN_ST_BAD_OPCODE;
    if (wr->flags & ~FLAGS || (!message && wr->flags & (TERN_WR_SOLICITED | TERN_WR_IMM)) ||
        (!leaves && wr->flags & TERN_WR_INLINE) || (atomic && wr->sge_count))
        return -TERN_ST_BAD_ARGUMENT;
    if ((!atomic && !wr->sge_count) ||
        (message && !(wr->flags & TERN_WR_INLINE) && wr->sge_count != 1))
        return -TERN_ST_BAD_LENGTH;
    return 0;
}

static int build_request(const struct tern_wr *wr, struct tern_desc *desc)
{
    if (wr->flags & TERN_WR_INLINE)
        return build_inline(wr, desc);
    switch (wr->opcode) {
    case TERN_WR_SEND:
        return tern_desc_send(desc, wr->target, wr->sges->region, wr->sges->addr, wr->sges->bytes,
                              desc_flags(wr, 0, 1));
    case TERN_WR_CAS:
    case TERN_WR_ADD:
        return build_atomic(wr, desc);
    default:
        return build_moves(wr, desc);
    }
}

static unsigned ops_of(const struct tern_wr *wr)
{
    bool one = wr->flags & TERN_WR_INLINE || wr->opcode == TERN_WR_CAS ||
               wr->opcode == TERN_WR_ADD || wr->opcode == TERN_WR_SEND;

    return one ? 1 : wr->sge_count;
}

int call_build(const struct tern_wr *list, struct plan *plan, const struct tern_wr **bad)
{
    plan->ops = 0;
    plan->requests = 0;
    for (const struct tern_wr *wr = list; wr; wr = wr->next) {
        int status = check(wr);
        unsigned ops = ops_of(wr);

        if (!status && plan->ops + ops > TERN_CALL_OPS)
            status = -TERN_ST_BAD_LENGTH;
        if (!status)
            status = build_request(wr, &plan->desc[plan->ops]);
        if (status) {
            *bad = wr;
            return status;
        }
        plan->request[plan->requests++] = (struct plan_request){
            (uint8_t)plan->ops, (uint8_t)ops, wr->opcode, wr->flags};
        plan->ops += ops;
    }
    return 0;
}

/* Writes the bytes alone: a hole beside them may have been filled. */
void call_refresh(const struct tern_wr *list, struct plan *plan)
{
    unsigned r = 0;

    for (const struct tern_wr *wr = list; wr; wr = wr->next, r++) {
        uint32_t *words = plan->desc[plan->request[r].first].words;
        uint32_t bytes;

        if (wr->flags & TERN_WR_INLINE)
            (void)gather(wr, (uint8_t *)words + TERN_INLINE_OFFSET, &bytes);
    }
}

void call_contexts(const struct tern_wr *list, const struct plan *plan, uint64_t *contexts)
{
    unsigned r = 0;

    for (const struct tern_wr *wr = list; wr; wr = wr->next, r++) {
        for (unsigned i = 0; i < plan->request[r].count; i++)
            *contexts++ = wr->id;
    }
}
