/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas: the target side of a rendezvous. */
#include <stdlib.h>

#include <tern/rendezvous.h>

#include "queue.h"

struct tern_arena {
    struct tern_work work; /* added to the completion queue */
    struct tern_end end;
    struct tern_cq *cq;
    const uint8_t *base;
    uint16_t number;
};

/* Handles an arrived transfer: sets `data` to its bytes. */
static bool arrived_here(struct tern_end *end, struct tern_completion *out)
{
    const struct tern_arena *arena =
        (struct tern_arena *)(void *)((uint8_t *)end - offsetof(struct tern_arena, end));

    out->data = arena->base + out->value;
    return true;
}

static void arena_free(struct tern_work *work)
{
    free((uint8_t *)work - offsetof(struct tern_arena, work));
}

static const struct tern_work_calls arena_calls = {.free = arena_free};

int tern_arena_open(struct tern_cq *cq, uint32_t key, const struct tern_arena_memory *memory,
                    struct tern_arena **out)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    struct tern_arena *arena;
    int status;

    if (!memory->region)
        return -TERN_ST_BAD_ARGUMENT;
    arena = calloc(1, sizeof(*arena));
    if (!arena)
        return -TERN_ST_NO_MEMORY;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_OPEN_ARENA);
    TERN_SET(ADM, addr, words, (uintptr_t)memory->base);
    TERN_SET(ADM, size, words, memory->bytes);
    TERN_SET(ADM, key, words, memory->region->key);
    TERN_SET(ADM, group, words, key);
    TERN_SET(ADM, cq, words, cq->number);
    TERN_SET(ADM, counter, words, memory->counter);
    TERN_SET(ADM, asks, words, memory->asks);
    status = tern_admin(cq->device, words, NULL, 0, cqe);
    if (status) {
        free(arena);
        return status;
    }
    arena->cq = cq;
    arena->base = memory->base;
    arena->number = (uint16_t)TERN_GET(CQE, length, cqe);
    arena->end = (struct tern_end){cq, arrived_here};
    cq->device->arrivals[arena->number % TERN_ARENAS] = &arena->end;
    tern_work_add(cq, &arena->work, &arena_calls);
    *out = arena;
    return 0;
}

int tern_arena_release(struct tern_arena *arena, const struct tern_completion *arrived)
{
    uint32_t words[DESC_WORDS] = {0};
    uint64_t end = arrived->value + arrived->length + TERN_ARENA_ALIGN - 1;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_GIVE_ARENA);
    TERN_SET(ADM, id, words, arena->number);
    TERN_SET(ADM, length, words, end - end % TERN_ARENA_ALIGN);
    return tern_admin(arena->cq->device, words, NULL, 0, NULL);
}

static int answer(struct tern_arena *arena, const struct tern_completion *asked,
                  uint64_t offset, enum tern_status why)
{
    uint32_t words[DESC_WORDS] = {0};

    if (asked->opcode != TERN_OP_ASKED || offset > UINT32_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_ANSWER_ARENA);
    TERN_SET(ADM, id, words, arena->number);
    TERN_SET(ADM, pass, words, asked->value);
    TERN_SET(ADM, length, words, offset);
    TERN_SET(ADM, refusal, words, why);
    return tern_admin(arena->cq->device, words, NULL, 0, NULL);
}

int tern_arena_accept(struct tern_arena *arena, const struct tern_completion *asked, const void *to)
{
    return answer(arena, asked, (uintptr_t)to - (uintptr_t)arena->base, TERN_ST_OK);
}

int tern_arena_refuse(struct tern_arena *arena, const struct tern_completion *asked,
                      enum tern_status why)
{
    if (why == TERN_ST_OK || why >= TERN_ST_BAD_ARGUMENT)
        return -TERN_ST_BAD_ARGUMENT;
    return answer(arena, asked, 0, why);
}

int tern_arena_close(struct tern_arena *arena)
{
    int status = tern_admin_remove(arena->cq->device, TERN_ADMIN_CLOSE_ARENA, arena->number,
                                   TERN_ST_BAD_ARENA);

    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    arena->cq->device->arrivals[arena->number % TERN_ARENAS] = NULL;
    tern_work_remove(&arena->work);
    free(arena);
    return status;
}

uint16_t tern_arena_number(const struct tern_arena *arena)
{
    return arena->number;
}
