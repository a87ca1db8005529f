/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool whose server is killed and whose keeper is stopped, on a ring of four: members go on, a
 * new server adopts the pool, nothing is lost. Also a hostile reader.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/atomic.h>

#include "pool_rig.h"

enum { BYTES = 1 << 16, MEMBERS = 8, WORDS = 64, ROUNDS = 50 };

static struct rig rig;

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 5000 : 6000;
}

static void begin(struct tern_pool *pool, bool adopted)
{
    struct tern_pool_object object;

    if (adopted) {
        gives(tern_pool_find(pool, "words", &object), 0, "tern_pool_find");
        return;
    }
    gives(tern_pool_make(pool, "words", 7, WORDS * 8, &object), 0, "tern_pool_make");
    gives(tern_pool_publish(pool, &object), 0, "tern_pool_publish");
}

static struct pool_serving serving = {.rig = &rig, .begin = begin};

/* ---- a member that keeps adding 1 to a word of its own */

/*
 * Commands to the member. SIXTEEN: add 16 times, then answer with the number of all additions.
 * FREELY: add without answers until the next command. QUIT: end.
 */
enum { SIXTEEN = 'a', FREELY = 'f', QUIT = 'q' };

static bool has_word(int fd)
{
    struct pollfd in = {.fd = fd, .events = POLLIN};

    return poll(&in, 1, 0) > 0;
}

struct tally {
    int64_t longest_ms;  /* between two successful additions */
    uint64_t added, wrong;
    enum tern_status first_wrong;
    struct tern_rptr before, after;
};

static void adding(const void *arg, int in, int out)
{
    static struct pool_client c;
    struct tally tally = {0};
    struct tern_pool_object object;
    int64_t last;
    char word = 0;

    pool_client_open(&c, &rig, 0, TERN_POOL_WRITE);
    gives(tern_member_find(c.member, "words", &object), 0, "tern_member_find");
    object.offset += *(const unsigned *)arg * 8;
    tally.before = tern_member_at(c.member, object.offset);
    last = pool_rig_now();
    while (word != QUIT) {
        uint64_t value = 0;
        unsigned entered;
        enum tern_status status;

        gives(tern_member_renew(c.member), 0, "tern_member_renew");
        entered = tern_member_enter(c.member);
        status = pool_client_add(&c, tern_member_at(c.member, object.offset), 1, &value);
        tern_member_leave(c.member, entered, -(int)status);
        if (status != TERN_ST_OK && !tally.wrong++)
            tally.first_wrong = status;
        tally.added += status == TERN_ST_OK;
        tally.wrong += status == TERN_ST_OK && value + 1 != tally.added;
        if (pool_rig_now() - last > tally.longest_ms)
            tally.longest_ms = pool_rig_now() - last;
        last = pool_rig_now();
        if (tally.added % 16 == 0 && (word != FREELY || has_word(in))) {
            if (word != FREELY)
                (void)give(out, &tally.added, sizeof(tally.added));
            (void)get(in, &word, 1);
        }
    }
    tally.after = tern_member_at(c.member, object.offset);
    (void)give(out, &tally, sizeof(tally));
    pool_client_close(&c);
}

/* Lets the member add another 16 times; returns how many additions it has made in all. */
static uint64_t go_on(struct child *member)
{
    uint64_t added = 0;

    gives(give_word(member, SIXTEEN) && get(member->from, &added, sizeof(added)), true, "a member");
    return added;
}

/* Lets a new member add while this process does something else, so that its lease is renewed. */
static void go_freely(struct child *member)
{
    uint64_t added;

    gives(get(member->from, &added, sizeof(added)) && give_word(member, FREELY), true, "a member");
}

static void go_on_for(struct child *member, unsigned ms)
{
    int64_t end = pool_rig_now() + ms;

    do
        (void)go_on(member);
    while (pool_rig_now() < end);
}

/*
 * Lets the member add until the server has buried the other one and counts one living member. The
 * member must go on meanwhile: its lease would expire.
 */
static void go_on_until_burial(struct child *member, const struct child *server)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    struct tern_pool_counts counts;

    do {
        (void)go_on(member);
        counts = pool_server_counts(server);
    } while ((counts.deaths == 0 || counts.live > 1) && pool_rig_now() < end);
}

/* ---- tests */

static void survives(void)
{
    static const unsigned first = 0, second = 1;
    struct child server = pool_server_start(&serving, NULL), next, member, other;
    struct tally tally = {0};
    pid_t keeper = pool_rig_keeper(server.pid);
    struct tern_device *device;
    struct tern_pool *pool;
    uint64_t added, in_memory = 0;
    int64_t asked;
    int status;

    member = child_start(adding, &first);
    other = child_start(adding, &second);
    go_freely(&member);
    go_freely(&other);
    device = rig_open(&rig, POOL_NODE);
    tap(tern_pool_adopt(device, POOL_TEST_NAME, &pool) == -TERN_ST_QUEUE_BUSY,
        "a pool whose server lives cannot be adopted");
    tern_close(device);

    child_kill(&server);
    kill(keeper, SIGSTOP);
    child_kill(&other); /* not before: the server would bury it */
    added = go_on(&member);
    go_on_for(&member, 3 * lease());
    tap(go_on(&member) > added, "members go on when the server is killed and its keeper stopped");

    serving.adopt = true;
    gives(give_word(&member, FREELY), true, "a member");
    asked = pool_rig_now();
    next = pool_server_start(&serving, &status);
    asked = pool_rig_now() - asked;
    tap(status == 0, "another server adopts the pool");
    tap_note("adopting took %lld ms", (long long)asked);
    go_on_until_burial(&member, &next);
    added = go_on(&member);
    tap(pool_server_buries(&next, 1) && pool_server_counts(&next).live == 1,
        "who died meanwhile is buried, who lives has moved to a new key");
    tap(pool_rig_parent(keeper) == 0, "the keeper has gone");
    gives(give_word(&member, QUIT) && get(member.from, &tally, sizeof(tally)), true, "the member");
    (void)child_end(&member);
    pool_server_memory(&next, &in_memory, sizeof(in_memory));
    tap(tally.wrong == 0 && tally.added >= added && in_memory == tally.added,
        "no operation failed and no addition was lost");
    tap(tally.before.w[2] != tally.after.w[2], "the member has another key");
    tap_evidence("M14", "added=%llu wrong=%llu first_wrong=%d adopted_ms=%lld",
                 (unsigned long long)tally.added, (unsigned long long)tally.wrong,
                 (int)tally.first_wrong, (long long)asked);
    tap_note("longest time between two additions %lld ms", (long long)tally.longest_ms);
    keeper = pool_rig_keeper(next.pid);
    tap(pool_server_end(&next) && pool_rig_parent(keeper) == 0,
        "a server that ends well takes its keeper along");
    serving.adopt = false;
}

static void no_keeper(void)
{
    struct pool_serving without = serving;
    struct child server;
    struct tern_device *device;
    struct tern_pool *pool;

    without.config.keep = false;
    server = pool_server_start(&without, NULL);
    child_kill(&server);
    device = rig_open(&rig, POOL_NODE);
    tap(tern_pool_adopt(device, POOL_TEST_NAME, &pool) == -TERN_ST_NO_POOL,
        "a pool without a keeper dies with its server");
    tern_close(device);
}

/* Tries everything that its two keys might allow, at every word of the pool and around it. */
static void hostile(void)
{
    static uint8_t before[BYTES], after[BYTES];
    static struct pool_client c;
    struct child server = pool_server_start(&serving, NULL);
    unsigned put_in = 0, added = 0, read_out = 0;
    uint64_t value;

    pool_client_open(&c, &rig, 1, TERN_POOL_READ);
    pool_server_memory(&server, before, sizeof(before));
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t at = (uint64_t)i * (BYTES / ROUNDS) / 8 * 8;

        gives(tern_member_renew(c.member), 0, "tern_member_renew");
        put_in += pool_client_put(&c, tern_member_at(c.member, at), ~UINT64_C(0)) == TERN_ST_OK;
        added += pool_client_add(&c, tern_member_at(c.member, at), 3, &value) == TERN_ST_OK;
    }
    tap(put_in == 0 && added == 0, "a reader's key writes nothing of the pool");
    for (unsigned i = 1; i < 4; i++) /* the leases and keys of others */
        read_out += pool_client_read(&c, tern_member_at(c.member, -(uint64_t)i * 4096 - 4096),
                                     &value) == TERN_ST_OK;
    tap(read_out == 0, "and reads no key of others");
    tap(pool_client_read(&c, tern_member_at(c.member, 0), &value) == TERN_ST_OK,
        "and reads the pool");
    pool_server_memory(&server, after, sizeof(after));
    tap(memcmp(before, after, sizeof(before)) == 0, "a hostile reader changes no byte of the pool");
    pool_client_close(&c);
    tap(pool_server_end(&server), "the server ends well");
}

int main(void)
{
    const char *args[] = {"--torus", "4x1x1", NULL};

    serving.config = (struct tern_pool_config){.name = POOL_TEST_NAME, .bytes = BYTES,
                                               .members = MEMBERS, .lease_ms = lease(),
                                               .keep = true};
    rig_start(&rig, args);
    survives();
    no_keeper();
    hostile();
    rig_stop(&rig);
    return tap_end();
}
