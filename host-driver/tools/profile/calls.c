/* SPDX-License-Identifier: Apache-2.0 */
/* See calls.h. */
#include "calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

/* Records why the analysis stops. */
__attribute__((format(printf, 2, 3))) static bool stop(struct calls *calls, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(calls->problem, sizeof calls->problem, format, arguments);
    va_end(arguments);
    return false;
}

bool calls_init(struct calls *calls, const struct program *program, uint64_t cycle,
                uint64_t from, uint64_t to)
{
    *calls = (struct calls){
        .program = program, .from = from, .to = to, .until = cycle, .node_room = 64};
    calls->node = calloc(calls->node_room, sizeof *calls->node);
    calls->cell = calloc(program->cells, sizeof *calls->cell);
    calls->entered = calloc(program->scopes + 1, sizeof *calls->entered);
    if (calls->node == NULL || calls->cell == NULL || calls->entered == NULL)
        return stop(calls, "out of memory");
    calls->node[0].scope = CALLS_ROOT;
    calls->nodes = 1;
    return true;
}

void calls_fini(struct calls *calls)
{
    free(calls->node);
    free(calls->cell);
    free(calls->entered);
}

const char *calls_name(const struct calls *calls, const struct calls_node *node)
{
    if (node->scope == CALLS_ROOT)
        return "all";
    return node->scope == CALLS_TRAP ? "[trap]" : calls->program->scope[node->scope].name;
}

/* ---- the tree of paths ---- */

/* Returns the child of a node for a scope, and makes it if necessary; 0 when there is no memory. */
static uint32_t child_of(struct calls *calls, uint32_t parent, int scope)
{
    uint32_t at = calls->node[parent].child;

    while (at != 0 && calls->node[at].scope != scope)
        at = calls->node[at].sibling;
    if (at != 0)
        return at;
    if (calls->nodes == calls->node_room) {
        struct calls_node *more =
            realloc(calls->node, 2 * calls->node_room * sizeof *calls->node);

        if (more == NULL)
            return 0;
        calls->node = more;
        calls->node_room *= 2;
    }
    at = (uint32_t)calls->nodes++;
    calls->node[at] = (struct calls_node){
        .parent = parent, .sibling = calls->node[parent].child, .scope = scope};
    calls->node[parent].child = at;
    return at;
}

/*
 * Returns the node of the code inlined at a place, below the node of its function; 0 when there is
 * no memory.
 */
static uint32_t inlined_node(struct calls *calls, uint32_t function, int scope)
{
    uint32_t node;

    if (calls->program->scope[scope].parent == PROGRAM_NONE)
        return function;
    node = inlined_node(calls, function, calls->program->scope[scope].parent);
    return node != 0 ? child_of(calls, node, calls->program->scope[scope].same) : 0;
}

/* ---- the stack ---- */

static struct calls_frame *top(struct calls *calls)
{
    return calls->depth > 0 ? &calls->frame[calls->depth - 1] : NULL;
}

static bool push(struct calls *calls, uint32_t parent, int function, struct calls_frame frame)
{
    /* Too deep to be true: forget the callers, as when a trace begins in the middle. */
    if (calls->depth == CALLS_DEPTH_MAX) {
        calls->depth = 0;
        parent = 0;
        frame.known = frame.trap = false;
    }
    frame.node = child_of(calls, parent, function);
    frame.function = function;
    calls->frame[calls->depth++] = frame;
    return frame.node != 0 || stop(calls, "out of memory");
}

/* Replaces the top function: by a tail call, or by a function whose call is not in the trace. */
static bool replace(struct calls *calls, int function)
{
    struct calls_frame *frame = top(calls);

    if (frame == NULL)
        return push(calls, 0, function, (struct calls_frame){0});
    frame->node = child_of(calls, calls->node[frame->node].parent, function);
    frame->function = function;
    return frame->node != 0 || stop(calls, "out of memory");
}

/*
 * Pops the frames that a return to `pc` ends; in a trap's handler, none below the trap. False when
 * no frame waits for that address.
 */
static bool unwind(struct calls *calls, uint32_t pc)
{
    for (unsigned i = calls->depth; i-- > 0;) {
        if (calls->frame[i].known && calls->frame[i].back == pc) {
            calls->depth = i;
            return true;
        }
        if (calls->frame[i].trap)
            return false;
    }
    return false;
}

/* Pops all frames except those below a trap: the function that returned has an unknown caller. */
static void forget(struct calls *calls)
{
    while (calls->depth > 0 && !top(calls)->trap)
        calls->depth--;
}

static void leave_trap(struct calls *calls)
{
    unsigned depth = calls->depth;

    while (depth > 0 && !calls->frame[depth - 1].trap)
        depth--;
    if (depth > 0)
        calls->depth = depth - 1;
}

/* ---- steps ---- */

static bool counts(const struct calls *calls, uint64_t until)
{
    return until > calls->from && until <= calls->to;
}

static bool enter(struct calls *calls, uint64_t until, int function)
{
    calls->entered[function] += counts(calls, until);
    return true;
}

static bool misfit(struct calls *calls, uint32_t pc)
{
    const struct program_cell *last = program_at(calls->program, calls->pc);

    return stop(calls, "%s: not the program of the trace: from 0x%" PRIx32
                        " (%s) it cannot get to 0x%" PRIx32,
                        calls->program->path, calls->pc,
                        calls->program->scope[program_function(calls->program, last->scope)].name,
                        pc);
}

/* Learns the address of a trap handler: a multiple of four, of which there are only a few. */
static bool learn_handler(struct calls *calls, uint32_t pc)
{
    enum { HANDLERS_MAX = sizeof calls->handler / sizeof calls->handler[0] };

    for (unsigned i = 0; i < calls->handlers; i++)
        if (calls->handler[i] == pc)
            return true;
    if (pc % 4 != 0 || calls->handlers == HANDLERS_MAX)
        return misfit(calls, pc);
    calls->handler[calls->handlers++] = pc;
    return true;
}

static bool is_handler(const struct calls *calls, uint32_t pc)
{
    for (unsigned i = 0; i < calls->handlers; i++)
        if (calls->handler[i] == pc)
            return true;
    return false;
}

/* Returns the node of the present place in the trace. */
static uint32_t node_here(struct calls *calls)
{
    const struct program_cell *last = program_at(calls->program, calls->pc);
    uint32_t node = inlined_node(calls, top(calls)->node, last->scope);

    if (node == 0)
        stop(calls, "out of memory");
    return node;
}

static bool take_call(struct calls *calls, uint64_t until, const struct program_cell *last,
                      int function)
{
    uint32_t caller = node_here(calls);

    return caller != 0 && enter(calls, until, function) &&
           push(calls, caller, function,
                (struct calls_frame){.known = true, .back = calls->pc + last->insn.bytes});
}

static bool take_trap(struct calls *calls, uint64_t until, uint32_t pc, int function)
{
    uint32_t here = node_here(calls);
    uint32_t trap = here != 0 ? child_of(calls, here, CALLS_TRAP) : 0;

    if (trap == 0)
        return stop(calls, "out of memory");
    calls->traps += counts(calls, until);
    return learn_handler(calls, pc) && enter(calls, until, function) &&
           push(calls, trap, function, (struct calls_frame){.trap = true});
}

static void take_reset(struct calls *calls, uint64_t until)
{
    calls->resets += counts(calls, until);
    calls->depth = 0;
}

/* Updates the stack from the last instruction to the one at `pc`, in `function`. */
static bool follow(struct calls *calls, uint64_t until, uint32_t pc, int function)
{
    const struct program_cell *last = program_at(calls->program, calls->pc);
    bool may = insn_may_lead(&last->insn, calls->pc, pc);

    if (!may && pc == calls->program->entry) {
        take_reset(calls, until);
    } else if (!may || (is_handler(calls, pc) && last->insn.kind >= INSN_JUMP_REG &&
                        !insn_is_call(&last->insn))) {
        return take_trap(calls, until, pc, function);
    } else if (insn_is_call(&last->insn)) {
        return take_call(calls, until, last, function);
    } else if (last->insn.kind == INSN_RETURN) {
        if (!unwind(calls, pc))
            forget(calls);
    } else if (last->insn.kind == INSN_MRET) {
        leave_trap(calls);
        if (calls->depth > 0 && top(calls)->function != function)
            unwind(calls, pc); /* the trap came immediately after a return */
    } else if (top(calls)->function != function) {
        enter(calls, until, function); /* a tail call */
    }
    return (calls->depth > 0 && top(calls)->function == function) || replace(calls, function);
}

/* ---- cycles ---- */

/* Returns how many of the cycles since the last instruction count. */
static uint64_t cost_until(const struct calls *calls, uint64_t until)
{
    uint64_t from = calls->until > calls->from ? calls->until : calls->from;
    uint64_t to = until < calls->to ? until : calls->to;

    return to > from ? to - from : 0;
}

static bool book_work(struct calls *calls, uint64_t until, uint32_t pc,
                      const struct program_cell *cell, bool reset)
{
    struct calls_cell *flat = &calls->cell[(pc - calls->program->base) / 2];
    uint64_t cost = cost_until(calls, until);
    uint32_t node = inlined_node(calls, top(calls)->node, cell->scope);

    if (node == 0)
        return stop(calls, "out of memory");
    calls->node[node].instructions += counts(calls, until);
    flat->instructions += counts(calls, until);
    if (reset) {
        calls->reset += cost;
        return true;
    }
    calls->busy += cost;
    calls->node[node].cycles += cost;
    flat->cycles += cost;
    return true;
}

bool calls_step(struct calls *calls, uint64_t until, uint32_t pc)
{
    const struct program_cell *cell = program_at(calls->program, pc);
    bool reset;

    if (cell == NULL || cell->scope == PROGRAM_NONE)
        return stop(calls, "%s: not the program of the trace: it has no code at 0x%" PRIx32,
                            calls->program->path, pc);
    reset = pc == calls->program->entry &&
            (!calls->begun ||
             !insn_may_lead(&program_at(calls->program, calls->pc)->insn, calls->pc, pc));
    if (!(calls->begun
              ? follow(calls, until, pc, program_function(calls->program, cell->scope))
              : replace(calls, program_function(calls->program, cell->scope))))
        return false;
    calls->total += cost_until(calls, until);
    calls->instructions += counts(calls, until);
    if (cell->insn.kind == INSN_WFI) {
        calls->sleep += cost_until(calls, until);
        calls->sleeps += counts(calls, until);
    } else if (!book_work(calls, until, pc, cell, reset)) {
        return false;
    }
    calls->begun = true;
    calls->until = until;
    calls->pc = pc;
    return true;
}

/*
 * Tells whether the core sleeps after the last instruction: the only next one is wfi or, after a
 * branch, one of two.
 */
static bool falls_asleep(const struct calls *calls)
{
    const struct program_cell *last = program_at(calls->program, calls->pc);
    const struct program_cell *next =
        program_at(calls->program, calls->pc + last->insn.bytes);
    const struct program_cell *target = program_at(calls->program, last->insn.target);
    unsigned kind = last->insn.kind;

    if ((kind == INSN_NEXT || kind == INSN_WFI || kind == INSN_BRANCH) && next != NULL &&
        next->insn.kind == INSN_WFI)
        return true;
    return (kind == INSN_BRANCH || kind == INSN_JUMP || kind == INSN_CALL) &&
           target != NULL && target->insn.kind == INSN_WFI;
}

/* Adds cycles of sleep; a sleep that has not ended counts, too. */
static void book_sleep(struct calls *calls, uint64_t cost)
{
    calls->sleep += cost;
    calls->sleeps += cost > 0;
}

void calls_end(struct calls *calls, uint64_t until)
{
    uint64_t cost = cost_until(calls, until);

    calls->total += cost;
    if (!calls->begun)
        calls->reset += cost;
    else if (falls_asleep(calls))
        book_sleep(calls, cost);
    else
        calls->unfinished += cost;
    calls->until = until;
}

/* ---- afterwards ---- */

uint64_t *calls_totals(const struct calls *calls)
{
    uint64_t *total = calloc(calls->nodes, sizeof *total);

    if (total == NULL)
        profile_fail("out of memory");
    /* a child's number is higher than its parent's */
    for (size_t i = calls->nodes; total != NULL && i-- > 0;) {
        total[i] += calls->node[i].cycles;
        if (i > 0)
            total[calls->node[i].parent] += total[i];
    }
    return total;
}

/* Inserts a node into its parent's list, by name. */
static void insert(struct calls *calls, uint32_t node)
{
    uint32_t *link = &calls->node[calls->node[node].parent].child;

    while (*link != 0 && strcmp(calls_name(calls, &calls->node[*link]),
                                calls_name(calls, &calls->node[node])) < 0)
        link = &calls->node[*link].sibling;
    calls->node[node].sibling = *link;
    *link = node;
}

void calls_sort(struct calls *calls)
{
    for (size_t i = 0; i < calls->nodes; i++)
        calls->node[i].child = 0;
    for (size_t i = calls->nodes; i-- > 1;)
        insert(calls, (uint32_t)i);
}
