/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups at their origin: makes them, asks members whether they are ready, and broadcasts.
 *
 * The origin asks a member by a put of one byte to the twin of its memory (tern_register_with()),
 * which the member's NIC acks like any put. These puts use queues of their own, so they do not
 * delay the application's operations. Every poll posts them and takes their acks; only
 * tern_group_open() waits for them.
 */
#include <stdlib.h>
#include <string.h>

#include <tern/group.h>

#include "box.h"
#include "queue.h"

enum { ASK_LOG2 = 4, ASK_OUT = 1 << ASK_LOG2 };

struct held {
    struct held *next;
    struct tern_completion completion;
};

struct tern_group {
    /* owner of the broadcasts; awake while it asks members or has completions to deliver */
    struct tern_work work;
    struct tern_work *served; /* gets the completions first, or NULL */
    struct tern_cq *cq;
    struct tern_box box;
    uint32_t key;
    uint64_t bytes;
    int status; /* 0: open */
    /* queues for the puts that ask members */
    struct tern_cq *ask_cq;
    struct tern_sq *ask_sq;
    bool asking;
    unsigned asked, answered;
    struct held *held, **held_end;
    /* constant, except for the statuses */
    unsigned count;
    struct tern_member members[];
};

/* ---- making and ending */

static struct tern_group *group_new(struct tern_cq *cq, uint32_t members)
{
    struct tern_group *group =
        calloc(1, sizeof(*group) + (size_t)members * sizeof(group->members[0]));

    if (!group)
        return NULL;
    group->cq = cq;
    group->status = -TERN_ST_NO_BASE; /* no member has been asked yet */
    group->held_end = &group->held;
    return group;
}

static void add_member(struct tern_group *group, uint16_t node)
{
    if (node != group->cq->device->info.node)
        group->members[group->count++] =
            (struct tern_member){.node = node, .status = TERN_ST_NO_BASE};
}

static const struct tern_work_calls group_calls;

/* Makes the queues. Hands the group to the caller or, on an error, frees it. */
static int group_start(struct tern_group *group, struct tern_group **out)
{
    struct tern_cq *cq = group->cq;
    int status = tern_cq_create_beside(cq, ASK_LOG2 + 1, &group->ask_cq);

    if (!status) {
        status = tern_sq_create(group->ask_cq, ASK_LOG2, &group->ask_sq);
        if (status)
            (void)tern_cq_destroy(group->ask_cq);
    }
    if (status) {
        free(group);
        return status;
    }
    tern_work_add(cq, &group->work, &group_calls);
    *out = group;
    return 0;
}

int tern_group_create(struct tern_cq *cq, struct tern_box box, uint32_t key, uint64_t bytes,
                      struct tern_group **out)
{
    const struct tern_info *info = &cq->device->info;
    struct tern_group *group;
    struct tern_box fit;
    int status = tern_box_fit(box, info->dims, info->node, &fit);

    if (status)
        return status;
    if (!bytes)
        return -TERN_ST_BAD_ARGUMENT;
    group = group_new(cq, tern_box_nodes(fit, info->dims));
    if (!group)
        return -TERN_ST_NO_MEMORY;
    group->box = fit;
    group->key = key;
    group->bytes = bytes;
    for (unsigned node = 0; node < TORUS_NODES_MAX; node++)
        if (tern_node_inside((uint16_t)node, info->dims) &&
            tern_box_holds(fit, info->dims, (uint16_t)node))
            add_member(group, (uint16_t)node);
    return group_start(group, out);
}

int tern_group_create_list(struct tern_cq *cq, const uint16_t *members, unsigned count,
                           uint32_t key,
                           uint64_t bytes, struct tern_group **out)
{
    const struct tern_info *info = &cq->device->info;
    struct tern_group *group;
    struct tern_box around;
    int status = tern_box_around(members, count, info->dims, info->node, &around);

    if (status)
        return status;
    if (!bytes)
        return -TERN_ST_BAD_ARGUMENT;
    group = group_new(cq, count);
    if (!group)
        return -TERN_ST_NO_MEMORY;
    group->box = around;
    group->key = key;
    group->bytes = bytes;
    for (unsigned i = 0; i < count; i++)
        add_member(group, members[i]);
    return group_start(group, out);
}

int tern_group_destroy(struct tern_group *group)
{
    int status = 0;

    if (group->asking || group->held)
        return -TERN_ST_QUEUE_BUSY;
    if (group->ask_sq)
        status = tern_sq_destroy(group->ask_sq);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    group->ask_sq = NULL;
    status = tern_cq_destroy(group->ask_cq);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    tern_work_leave(&group->work, NULL);
    free(group);
    return status;
}

static void held_free(struct tern_group *group)
{
    while (group->held) {
        struct held *held = group->held;

        group->held = held->next;
        free(held);
    }
    group->held_end = &group->held;
}

static struct tern_group *group_of(const struct tern_work *work)
{
    return (struct tern_group *)(void *)
        ((uint8_t *)(uintptr_t)work - offsetof(struct tern_group, work));
}

static void group_free(struct tern_work *work)
{
    held_free(group_of(work));
    free(group_of(work));
}

struct tern_box tern_group_box(const struct tern_group *group)
{
    return group->box;
}

unsigned tern_group_members(const struct tern_group *group, struct tern_member *members,
                            unsigned max)
{
    if (max > group->count)
        max = group->count;
    if (max)
        memcpy(members, group->members, max * sizeof(members[0]));
    return group->count;
}

uint32_t tern_group_region_key(const struct tern_group *group)
{
    return group->key;
}

uint32_t tern_group_key(uint16_t index, uint16_t tag)
{
    return (uint32_t)tag << 16 | index;
}

/* ---- asking */

static void ask_start(struct tern_group *group)
{
    group->asking = true;
    group->asked = group->answered = 0;
    group->status = -TERN_ST_AGAIN;
    tern_work_wake(&group->work);
}

/* Asks the next member by a put of one byte to the end of the bytes that the group needs. */
static int ask_one(struct tern_group *group)
{
    static const uint8_t byte;
    struct tern_rptr to = {{0}};
    int status;

    TERN_SET(RPTR, addr, to.w, group->bytes - 1);
    TERN_SET(RPTR, key, to.w, tern_group_twin(group->key));
    TERN_SET(RPTR, node, to.w, group->members[group->asked].node);
    status = tern_put_inline(group->ask_sq, to, &byte, sizeof(byte),
                             TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, group->asked);
    group->asked += !status;
    return status;
}

static enum tern_status status_of_answer(enum tern_status answer)
{
    switch (answer) {
    case TERN_ST_TIMEOUT:
    case TERN_ST_LINK_DOWN:
        return TERN_ST_DEAD_MEMBER;
    case TERN_ST_BAD_KEY:
        return TERN_ST_NO_BASE;
    default:
        return answer;
    }
}

static const struct tern_member *first_bad(const struct tern_group *group)
{
    for (unsigned i = 0; i < group->count; i++)
        if (group->members[i].status != TERN_ST_OK)
            return &group->members[i];
    return NULL;
}

/*
 * Ends the round after all members have answered or, with `status`, because no more answers can
 * come.
 */
static void ask_end(struct tern_group *group, int status)
{
    const struct tern_member *bad = first_bad(group);

    group->asking = false;
    if (!group->held)
        tern_work_sleep(&group->work);
    group->status = status ? status : bad ? -(int)bad->status : 0;
}

/* Takes acks and asks further members, without waiting. */
static void ask_step(struct tern_group *group)
{
    struct tern_completion answers[ASK_OUT];
    int status = 0;
    int got = tern_cq_poll(group->ask_cq, answers, ASK_OUT);

    for (int i = 0; i < got; i++) {
        group->members[answers[i].context].status = status_of_answer(answers[i].status);
        group->answered++;
        if (answers[i].status == TERN_ST_DISCONNECTED)
            got = -TERN_ST_DISCONNECTED;
    }
    while (got >= 0 && !status && group->asked < group->count &&
           group->asked - group->answered < ASK_OUT)
        status = ask_one(group);
    if (status == -TERN_ST_AGAIN)
        status = 0;
    if (got < 0 || status)
        ask_end(group, got < 0 ? got : status);
    else if (group->answered == group->count)
        ask_end(group, 0);
}

static bool answer_came(const void *arg)
{
    const struct tern_group *group = arg;

    return tern_cqring_ready(&group->ask_cq->ring);
}

int tern_group_open(struct tern_group *group, uint16_t *node)
{
    const struct tern_member *bad;

    if (group->asking || group->held)
        return -TERN_ST_AGAIN;
    ask_start(group);
    for (;;) {
        int status;

        ask_step(group);
        if (!group->asking)
            break;
        status = tern_wait_until(group->cq->device, answer_came, group, -1, tern_patience_ms());
        if (status == -TERN_ST_WAIT_EXPIRED)
            return status; /* the next poll goes on with it */
    }
    bad = first_bad(group);
    if (bad && node)
        *node = bad->node;
    return group->status;
}

/* ---- completions of broadcasts that failed */

/*
 * Tells whether a failure concerns a member, so that the members have to be asked; a refusal here,
 * or a failed link of this node, needs no diagnosis.
 */
static bool is_of_a_member(const struct tern_completion *completion)
{
    enum { TARGET = 2 };

    return completion->status == TERN_ST_TIMEOUT ||
           (completion->status != TERN_ST_OK && completion->fault == TARGET);
}

/* Keeps a completion back until the members have been asked. */
static bool hold(struct tern_group *group, const struct tern_completion *completion)
{
    struct held *held = malloc(sizeof(*held));

    if (!held)
        return false;
    held->completion = *completion;
    held->next = NULL;
    *group->held_end = held;
    group->held_end = &held->next;
    if (!group->asking)
        ask_start(group);
    return true;
}

void tern_group_serve(struct tern_group *group, struct tern_work *work)
{
    group->served = work;
}

/* Tells whether the application gets the completion. */
static bool is_for_application(const struct tern_group *group, struct tern_completion *completion,
                               bool wanted)
{
    if (group->served && group->served->calls->ended)
        return group->served->calls->ended(group->served, completion, wanted);
    return wanted || completion->status != TERN_ST_OK;
}

static bool broadcast_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    if (is_of_a_member(completion) && hold(group_of(work), completion))
        return false;
    return is_for_application(group_of(work), completion, wanted);
}

/* Names the member that caused the failure in the completion. */
static void blame(const struct tern_group *group, struct tern_completion *completion)
{
    const struct tern_member *bad = first_bad(group);

    if (!bad || group->status != -(int)bad->status)
        return; /* all members answer now, or this NIC is lost */
    completion->status = bad->status;
    completion->node = bad->node;
    completion->link = 0;
}

static bool deliver(struct tern_group *group, struct tern_completion *out)
{
    struct held *held = group->held;

    if (!held)
        return false;
    *out = held->completion;
    blame(group, out);
    group->held = held->next;
    free(held);
    if (!group->held) {
        group->held_end = &group->held;
        tern_work_sleep(&group->work);
    }
    return is_for_application(group, out, true);
}

static bool group_step(struct tern_work *work, struct tern_completion *out)
{
    struct tern_group *group = group_of(work);

    if (group->asking)
        ask_step(group);
    return out && !group->asking && deliver(group, out);
}

static bool group_ready(const struct tern_work *work)
{
    const struct tern_group *group = group_of(work);

    return group->asking ? answer_came(group) : group->held != NULL;
}

static const struct tern_work_calls group_calls = {
    .ended = broadcast_ended, .step = group_step, .ready = group_ready, .free = group_free};

/* ---- broadcasts */

static int post(struct tern_sq *sq, struct tern_group *group, uint32_t *words, uint64_t to_offset,
                uint32_t bytes, unsigned flags, uint64_t context)
{
    if (sq->cq != group->cq || sq->chain.steps || flags & TERN_LINK)
        return -TERN_ST_BAD_ARGUMENT;
    if (to_offset > group->bytes || bytes > group->bytes - to_offset)
        return -TERN_ST_BAD_RANGE;
    if (group->status)
        return group->status;
    TERN_SET(DESC, opcode, words, TERN_OP_BCAST);
    TERN_SET(BOX, low, words, group->box.low);
    TERN_SET(BOX, high, words, group->box.high);
    TERN_SET(BOX, members, words, group->count);
    TERN_SET(DESC, length, words, bytes);
    TERN_SET(DESC, remote_addr, words, to_offset);
    TERN_SET(DESC, remote_key, words, group->key);
    return tern_post_for(sq, words, flags | TERN_DFLAG_OFFSET, context, &group->work);
}

int tern_bcast(struct tern_sq *sq, struct tern_group *group, const struct tern_region *region,
               uint64_t from_offset, uint32_t bytes, uint64_t to_offset, unsigned flags,
               uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region || flags & (TERN_DFLAG_INLINE | TERN_DFLAG_IMM))
        return -TERN_ST_BAD_ARGUMENT;
    if (from_offset > region->bytes || bytes > region->bytes - from_offset)
        return -TERN_ST_BAD_RANGE;
    tern_desc_set_local(words, region, (const void *)(uintptr_t)(region->addr + from_offset));
    return post(sq, group, words, to_offset, bytes, flags, context);
}

int tern_bcast_inline(struct tern_sq *sq, struct tern_group *group, const void *from,
                      uint32_t bytes,
                      uint64_t to_offset, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (flags & TERN_DFLAG_IMM)
        return -TERN_ST_BAD_ARGUMENT;
    if (bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_LENGTH;
    tern_desc_set_inline(words, from, bytes);
    return post(sq, group, words, to_offset, bytes, flags, context);
}
