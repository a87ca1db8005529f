/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A member's lease, its quiescent number, and its operations.
 *
 * A member publishes a number by a put, only when all operations have ended that began before the
 * put of the last number ended. So it needs two counts: operations begun since that put ended, and
 * those begun before. The end of the put decides, not its post: an operation may overtake a put in
 * flight, and the server must count it before it sees the number.
 */
#define _GNU_SOURCE
#include <string.h>

#include <tern/read.h>

#include "member.h"

enum { RENEWALS = 4 /* per lease */, CONTEXT_PUT = 1, CONTEXT_READ = 2 };

/* ---- keys */

static struct tern_rptr with_key(struct tern_rptr at, uint32_t key)
{
    TERN_SET(RPTR, key, at.w, key);
    return at;
}

/* Uses the keys of another server, which now has the same memory. */
static void go_over(struct tern_member *m)
{
    const struct pool_lease *page = &m->memory->page;
    uint64_t adoption = __atomic_load_n(&page->adoption, __ATOMIC_ACQUIRE);

    if (adoption == m->adoption || adoption == 0)
        return;
    m->shared = with_key(m->shared, page->key);
    m->lease = with_key(m->lease, page->lease_key != TERN_KEY_NONE ? page->lease_key : page->key);
    m->adoption = adoption;
    m->moved_at = m->number;
}

/* ---- what ended */

static void heard_put(struct tern_member *m, enum tern_status status)
{
    m->putting = false;
    if (status != TERN_ST_OK) {
        m->over = true;
        return;
    }
    m->renewed = m->renewing;
    if (m->advancing)
        m->current = 1 - m->current; /* the new current count is 0 */
    m->advancing = false;
}

static void heard_read(struct tern_member *m, enum tern_status status)
{
    m->reading = false;
    if (status == TERN_ST_OK)
        go_over(m);
    else
        m->over = true;
}

/* Keeps the answer to the request under way; one that comes too late is dropped. */
static void heard_answer(struct tern_member *m, const struct tern_completion *done)
{
    struct wire_answer answer = {.magic = 0};

    if (done->status == TERN_ST_OK && done->length == sizeof(answer))
        memcpy(&answer, done->data, sizeof(answer));
    (void)tern_rq_release(m->rq, 1);
    if (!m->answer || answer.magic != WIRE_MAGIC || answer.nonce != m->nonce ||
        answer.number != m->memory->request.number)
        return;
    *m->answer = answer;
    m->answered = true;
}

void pool_member_heard(struct tern_member *m, const struct tern_completion *done)
{
    if (done->opcode == TERN_OP_RECV)
        heard_answer(m, done);
    else if (done->context == CONTEXT_PUT)
        heard_put(m, done->status);
    else if (done->context == CONTEXT_READ)
        heard_read(m, done->status);
}

void pool_member_hear(struct tern_member *m)
{
    struct tern_completion done;
    int count;

    while ((count = tern_cq_poll(m->cq, &done, 1)) > 0)
        pool_member_heard(m, &done);
    m->over |= count < 0;
}

/* ---- the lease */

static bool is_expired(const struct tern_member *m)
{
    return pool_now_ms() - m->renewed >= (int64_t)m->pool.lease_ms;
}

bool tern_member_alive(const struct tern_member *m)
{
    return !m->over && !m->spoiled && !is_expired(m);
}

int tern_member_left(const struct tern_member *m)
{
    int64_t left = m->renewed + (int64_t)m->pool.lease_ms - pool_now_ms();

    return tern_member_alive(m) && left > 0 ? (int)left : 0;
}

uint32_t tern_member_lease(const struct tern_member *m)
{
    return m->pool.lease_ms;
}

/*
 * Advances the number if the last number's put has ended, and all operations begun before that end
 * have.
 */
static void advance(struct tern_member *m)
{
    if (m->open[1 - m->current])
        return;
    m->number++;
    m->advancing = true;
    /* After two more numbers, all operations begun with the old keys have ended. */
    if (m->moved != m->adoption && m->number - m->moved_at >= 2)
        m->moved = m->adoption;
}

static int post_renewal(struct tern_member *m)
{
    struct pool_lease page = {.alive = m->alive + 1};
    size_t bytes = offsetof(struct pool_lease, key);
    int status;

    if (!tern_sq_room(m->sq, 2))
        return 0;
    advance(m);
    page.number = m->number;
    page.moved = m->moved;
    m->renewing = pool_now_ms();
    status = tern_put_inline(m->sq, m->lease, &page, (uint32_t)bytes, TERN_DFLAG_SIGNAL,
                             CONTEXT_PUT);
    if (status)
        return status;
    m->alive++;
    m->putting = true;
    status = tern_read(m->sq, m->lease, m->region, &m->memory->page, sizeof(m->memory->page),
                       TERN_DFLAG_SIGNAL, CONTEXT_READ);
    m->reading = status == 0;
    return status;
}

int tern_member_renew(struct tern_member *m)
{
    int64_t quarter = m->pool.lease_ms / RENEWALS;

    if (pool_now_ms() - m->renewing < quarter && tern_member_alive(m))
        return 0;
    pool_member_hear(m);
    if (!tern_member_alive(m)) {
        m->over = true;
        return -TERN_ST_LEASE_OVER;
    }
    if (m->putting || m->reading)
        return 0;
    return post_renewal(m);
}

/* ---- operations */

unsigned tern_member_enter(struct tern_member *m)
{
    m->open[m->current]++;
    return m->current;
}

/*
 * Tells whether, after this status, the operation may still change memory, or the key is released.
 */
static bool spoils(int status)
{
    switch (-status) {
    case TERN_ST_TIMEOUT:
    case TERN_ST_LINK_DOWN:
    case TERN_ST_WAIT_EXPIRED:
    case TERN_ST_FLUSHED:
    case TERN_ST_DISCONNECTED:
    case TERN_ST_BAD_KEY:
        return true;
    default:
        return false;
    }
}

void tern_member_leave(struct tern_member *m, unsigned entered, int status)
{
    if (spoils(status))
        m->spoiled = true;
    else
        m->open[entered]--;
}

/* ---- names and pointers */

struct tern_holder tern_member_holder(const struct tern_member *m)
{
    return m->pool.holder;
}

uint16_t tern_member_node(const struct tern_member *m)
{
    return m->node;
}

uint16_t tern_member_pool(const struct tern_member *m)
{
    return m->pool.pool;
}

uint8_t tern_member_life(const struct tern_member *m)
{
    return m->pool.life;
}

struct tern_rptr tern_member_at(const struct tern_member *m, uint64_t offset)
{
    return tern_rptr_add(m->shared, m->pool.objects + offset);
}

struct tern_rptr tern_member_rptr(const struct tern_member *m, struct tern_ptr at)
{
    return tern_member_at(m, at.offset);
}
