/* SPDX-License-Identifier: Apache-2.0 */
/* See pool_rig.h. */
#define _GNU_SOURCE
#include "pool_rig.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tern/atomic.h>
#include <tern/read.h>

int64_t pool_rig_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void pool_rig_pause(unsigned ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    nanosleep(&pause, NULL);
}

/* ---- the server */

static void answer_words(const struct pool_serving *serving, struct tern_pool *pool, int in,
                         int out)
{
    char word;

    while (get(in, &word, 1) && word != 'q') {
        struct tern_pool_counts counts;
        size_t bytes;
        const void *memory = tern_pool_memory(pool, &bytes);
        int number;

        if (word == 'c') {
            tern_pool_counts(pool, &counts);
            (void)give(out, &counts, sizeof(counts));
        } else if (word == 'm') {
            (void)get(in, &bytes, sizeof(bytes));
            (void)give(out, memory, bytes);
        } else {
            number = serving->word ? serving->word(pool, word) : 0;
            (void)give(out, &number, sizeof(number));
        }
    }
}

static void server(const void *arg, int in, int out)
{
    const struct pool_serving *serving = arg;
    struct tern_device *device = rig_open(serving->rig, POOL_NODE);
    struct tern_pool *pool = NULL;
    int status = serving->adopt ? tern_pool_adopt(device, serving->config.name, &pool)
                                : tern_pool_create(device, &serving->config, &pool);

    if (!status && serving->begin)
        serving->begin(pool, serving->adopt);
    if (!status)
        status = tern_pool_thread(pool);
    if (give(out, &status, sizeof(status)) && !status)
        answer_words(serving, pool, in, out);
    tern_pool_close(pool);
    tern_close(device);
}

struct child pool_server_start(const struct pool_serving *serving, int *status)
{
    struct child child = child_start(server, serving);
    int made = -TERN_ST_SYSTEM;

    (void)get(child.from, &made, sizeof(made));
    if (status)
        *status = made;
    else
        gives(made, 0, "the server of the pool");
    return child;
}

struct tern_pool_counts pool_server_counts(const struct child *child)
{
    struct tern_pool_counts counts = {0};

    gives(give_word(child, 'c') && get(child->from, &counts, sizeof(counts)), true, "the server");
    return counts;
}

int pool_server_ask(const struct child *child, char word)
{
    int number = -1;

    gives(give_word(child, word) && get(child->from, &number, sizeof(number)), true, "the server");
    return number;
}

void pool_server_memory(const struct child *child, void *to, size_t bytes)
{
    gives(give_word(child, 'm') && give(child->to, &bytes, sizeof(bytes)) &&
              get(child->from, to, bytes),
          true, "the server's memory");
}

bool pool_server_end(struct child *child)
{
    return give_word(child, 'q') && child_end(child);
}

bool pool_server_buries(const struct child *child, uint64_t deaths)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS;

    while (pool_server_counts(child).deaths < deaths && pool_rig_now() < end)
        pool_rig_pause(5);
    return pool_server_counts(child).deaths == deaths;
}

/* ---- a client */

struct tern_member *pool_rig_join(struct tern_device *device, unsigned rights)
{
    struct tern_member *member = NULL;

    gives(tern_member_join(device, tern_node(POOL_NODE, 0, 0), POOL_TEST_NAME, rights, &member), 0,
          "tern_member_join");
    return member;
}

void pool_client_open(struct pool_client *c, const struct rig *rig, unsigned x, unsigned rights)
{
    c->device = rig_open(rig, x);
    gives(tern_cq_create(c->device, 6, 0, &c->cq), 0, "tern_cq_create");
    gives(tern_sq_create(c->cq, 4, &c->sq), 0, "tern_sq_create");
    gives(tern_register(c->device, c->words, sizeof(c->words), TERN_RIGHT_REMOTE_WRITE,
                        &c->region),
          0, "tern_register");
    c->member = pool_rig_join(c->device, rights);
}

void pool_client_close(struct pool_client *c)
{
    tern_member_quit(c->member);
    tern_close(c->device);
}

enum tern_status pool_client_put(struct pool_client *c, struct tern_rptr to, uint64_t word)
{
    gives(tern_put_inline(c->sq, to, &word, sizeof(word), TERN_DFLAG_SIGNAL, 0), 0,
          "tern_put_inline");
    return next_completion(c->cq, POOL_WAIT_MS).status;
}

enum tern_status pool_client_read(struct pool_client *c, struct tern_rptr from, uint64_t *word)
{
    enum tern_status status;

    gives(tern_read(c->sq, from, c->region, c->words, sizeof(*word), TERN_DFLAG_SIGNAL, 0), 0,
          "tern_read");
    status = next_completion(c->cq, POOL_WAIT_MS).status;
    *word = c->words[0];
    return status;
}

enum tern_status pool_client_add(struct pool_client *c, struct tern_rptr at, uint64_t add,
                                 uint64_t *before)
{
    struct tern_completion done;

    gives(tern_fetch_add(c->sq, at, add, TERN_DFLAG_SIGNAL, 0), 0, "tern_fetch_add");
    done = next_completion(c->cq, POOL_WAIT_MS);
    *before = done.value;
    return done.status;
}

/* ---- the keeper's process */

/* Returns the parent of a process; 0: the process has ended, or is a zombie. */
pid_t pool_rig_parent(pid_t pid)
{
    char path[64], text[256] = "", state = 'Z';
    FILE *file;
    int parent = 0;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (fgets(text, sizeof(text), file)) {
        const char *end = strrchr(text, ')');

        if (end)
            (void)sscanf(end + 1, " %c %d", &state, &parent);
    }
    (void)fclose(file);
    return state == 'Z' ? 0 : parent;
}

/* The only child of the server. */
pid_t pool_rig_keeper(pid_t server)
{
    DIR *all = opendir("/proc");
    const struct dirent *one;
    pid_t found = 0;

    while (all && !found && (one = readdir(all))) {
        pid_t pid = (pid_t)strtol(one->d_name, NULL, 10);

        if (pid > 0 && pool_rig_parent(pid) == server)
            found = pid;
    }
    if (all)
        (void)closedir(all);
    gives(found > 0, true, "a keeper");
    return found;
}
