/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a heap from beginning to end. */
#include <string.h>

#include "heap.h"

enum { LOOKS = 8 /* per lease */ };

struct heap_op *heap_op_new(struct tern_heap *heap, struct heap_part *part)
{
    for (unsigned i = 0; i < HEAP_OPS; i++) {
        struct heap_op *op = &heap->op[i];

        if (op->used)
            continue;
        *op = (struct heap_op){.heap = heap, .part = part, .used = true,
                               .landing = &heap->memory->landing[i]};
        return op;
    }
    return NULL;
}

void heap_op_drop(struct heap_op *op)
{
    op->used = false;
}

static struct heap_op *op_of(struct tern_steps *steps)
{
    return (struct heap_op *)(void *)steps;
}

static int next(struct tern_steps *steps)
{
    struct heap_op *op = op_of(steps);

    if (op->answered) {
        op->answered = false;
        if (op->heard.status == TERN_ST_OK)
            op->judge(op);
        else
            heap_op_fail(op, -(int)op->heard.status);
    }
    return op->step == STEP_DONE ? op->status : heap_step_post(op);
}

static bool heard(struct tern_steps *steps, const struct tern_completion *completion)
{
    struct heap_op *op = op_of(steps);

    op->heard = *completion;
    op->answered = true;
    return true;
}

/* Ends the member's operation, unless posted operations remain that will end it. */
static void leave(struct heap_op *op, int status)
{
    op->over = true;
    op->status = status;
    if (!op->tailed)
        tern_member_leave(op->part->member, op->entered, status);
}

static int start(struct heap_op *op)
{
    int status;

    op->over = op->tailed = op->ask = op->answered = false;
    op->entered = tern_member_enter(op->part->member);
    if (op->step == STEP_DONE) {
        leave(op, op->status);
        return 0;
    }
    status = tern_steps_start(&op->steps, op->heap->sq, next, heard, TERN_OP_TAKE,
                              (uint64_t)(uintptr_t)op);
    if (status)
        leave(op, status);
    return status;
}

int heap_op_start(struct heap_op *op, void (*begin)(struct heap_op *op),
                  void (*judge)(struct heap_op *op))
{
    int status = tern_member_renew(op->part->member);

    if (status)
        return status;
    op->judge = judge;
    op->status = 0;
    begin(op); /* the operation may already end here */
    return start(op);
}

int heap_hear(struct tern_heap *heap, int timeout_ms)
{
    struct tern_completion done;
    int count = tern_cq_poll(heap->cq, &done, 1);

    if (count == 0 && timeout_ms > 0) {
        int status = tern_cq_wait(heap->cq, timeout_ms);

        if (status && status != -TERN_ST_WAIT_EXPIRED)
            return status;
        count = tern_cq_poll(heap->cq, &done, 1);
    }
    for (; count > 0; count = tern_cq_poll(heap->cq, &done, 1))
        leave((struct heap_op *)(uintptr_t)done.context, -(int)done.status);
    return count;
}

int heap_told(struct heap_part *part, int status)
{
    return status == -TERN_ST_BAD_KEY || status == -TERN_ST_LEASE_OVER
               ? tern_member_why(part->member)
               : status;
}

int heap_ask_server(struct tern_heap *heap, struct heap_part *part, struct heap_ask *ask)
{
    uint8_t words[TERN_POOL_ASK] = {0};
    int status;

    ask->magic = HEAP_KIND;
    ask->heap = part->object.offset;
    memcpy(words, ask, sizeof(*ask));
    heap->counts.asked++;
    status = tern_member_ask(part->member, words, sizeof(words));
    if (!status)
        memcpy(ask, words, sizeof(*ask));
    return status ? status : ask->status;
}

/* Asks the server for a block, with which the operation begins again. */
static int ask_block(struct heap_op *op)
{
    struct heap_ask ask = {.kind = HEAP_ASK_BLOCK, .klass = op->klass,
                           .counted = op->judge == heap_literal_judge};
    int status;

    if (op->asks == 2)
        return -TERN_ST_FULL;
    status = heap_ask_server(op->heap, op->part, &ask);
    if (status)
        return status;
    if (ask.block >= op->part->head.blocks)
        return -TERN_ST_PROTOCOL;
    op->asks++;
    op->block = ask.block;
    op->part->known[ask.block] = op->header = ask.header;
    op->tries = op->words = op->blocks = op->windows = 0;
    op->mapped = false;
    op->step = STEP_MAP;
    op->status = 0;
    return 0;
}

int heap_op_result(struct heap_op *op)
{
    int status = op->status;

    if (op->ask)
        status = ask_block(op);
    if (op->ask && !status)
        status = start(op);
    else
        return heap_told(op->part, status);
    return status ? heap_told(op->part, status) : 1;
}

int heap_op_run(struct heap_op *op, void (*begin)(struct heap_op *op),
                void (*judge)(struct heap_op *op))
{
    int pause = (int)tern_member_lease(op->part->member) / LOOKS + 1;
    int status = heap_op_start(op, begin, judge);

    if (status)
        return heap_told(op->part, status);
    do {
        while (!op->over) {
            status = heap_hear(op->heap, pause);
            if (status < 0)
                return status;
            (void)tern_member_renew(op->part->member);
        }
        status = heap_op_result(op);
    } while (status == 1);
    return status;
}
