/* SPDX-License-Identifier: Apache-2.0 */
/* A task queue in the memory of one host, and two workers of this process. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include <tern/read.h>

#include "tasks_rig.h"

struct tern_tasks queue = {.priorities = PRIORITIES, .places = PLACES, .record_bytes = RECORD,
                           .life = LIFE};

struct record record_of(uint32_t id)
{
    struct record record = {.id = id};

    for (unsigned i = 0; i < RECORD / 4 - 1; i++)
        record.check[i] = id * 0x9e3779b9u + i;
    return record;
}

bool is_record(const void *at, uint32_t id)
{
    struct record record = record_of(id);

    return !memcmp(at, &record, sizeof(record));
}

/* ---- the host with the memory ---- */

static void keeping(const void *arg, int in, int out)
{
    static uint64_t memory[BYTES / 8] __attribute__((aligned(64)));
    struct tern_device *device = rig_open(arg, KEEPER);
    struct tern_region *region;
    char word;

    gives(tern_tasks_format(memory, sizeof(memory), &queue), 0, "tern_tasks_format");
    gives(tern_register(device, memory, sizeof(memory),
                        TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE |
                        TERN_RIGHT_REMOTE_READ, &region),
          0, "tern_register");
    queue.start = tern_region_pointer(region, 0);
    if (!give(out, &queue, sizeof(queue)))
        return;
    while (get(in, &word, 1) && word != 'q')
        ;
    tern_close(device);
}

/* ---- a worker ---- */

void open_end(struct end *end, const struct rig *rig, unsigned node, struct tern_holder holder)
{
    struct tern_worker *w = &end->worker;
    struct tern_region *region;

    end->device = rig_open(rig, node);
    *w = (struct tern_worker){
        .tasks = queue, .holder = holder, .timeout_ms = WAIT_MS, .scratch = end->scratch};
    gives(tern_worker_bytes(&queue) <= sizeof(end->scratch), true, "tern_worker_bytes");
    gives(tern_cq_create(end->device, 7, 0, &w->cq), 0, "tern_cq_create");
    gives(tern_sq_create(w->cq, 6, &w->sq), 0, "tern_sq_create");
    gives(tern_register(end->device, end->scratch, sizeof(end->scratch),
                        TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &region),
          0, "tern_register");
    w->region = region;
    tern_worker_init(w);
}

struct tern_completion next(const struct tern_worker *w)
{
    return next_completion(w->cq, WAIT_MS);
}

struct end here, there;
uint64_t copy[BYTES / 8], seen[2 * PRIORITIES * PLACES];
struct tern_region *copy_region;

/* Reads the whole queue, after all operations posted here have ended. */
static void look(void)
{
    struct tern_worker *w = &here.worker;

    gives(tern_read(w->sq, queue.start, copy_region, copy, (uint32_t)tern_tasks_bytes(&queue),
                    TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 9),
          0, "tern_read");
    gives(next(w).status, TERN_ST_OK, "a look at the queue");
}

unsigned ready_now(void)
{
    unsigned count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += 32 - (unsigned)__builtin_popcount((uint32_t)copy[word]);
    return count;
}

unsigned taken_now(void)
{
    unsigned count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += (unsigned)__builtin_popcount((uint32_t)copy[WORDS + word]);
    return count - PRIORITIES * (2 * TERN_BLOCK_SLABS - PLACES);
}

uint32_t freed_so_far(void)
{
    uint64_t count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += copy[WORDS + word] >> (64 - TERN_MAP_frees_BITS);
    return (uint32_t)count;
}

int push_to(struct end *end, uint32_t priority, uint32_t first, unsigned count)
{
    struct record records[2 * PLACES];

    for (unsigned i = 0; i < count; i++)
        records[i] = record_of(first + i);
    return tern_tpush_wait(&end->worker, priority, records, count);
}

bool pop_is(struct end *end, uint32_t id, struct tern_task *task)
{
    return tern_tpop_wait(&end->worker, task, 1) == 1 && is_record(task->record, id);
}

void settle(struct end *end)
{
    gives(tern_nop(end->worker.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 9), 0, "tern_nop");
    (void)next(&end->worker);
}

int done_by(struct end *end, const struct tern_task *task)
{
    int status = tern_tdone_wait(&end->worker, task);

    settle(end);
    return status;
}

static struct paces paces = {.member = {[HERE] = {{77, 1}, 3}, [THERE] = {{78, 1}, UINT32_MAX}}};
static struct tern_grace grace;

void sweep_anew(void)
{
    memset(seen, 0, sizeof(seen));
    grace = paces_grace(&paces);
}

int sweep_but(unsigned stopped)
{
    paces_go_on(&paces, stopped, PACE_PERIOD);
    look();
    return tern_tasks_sweep(&here.worker, copy, &grace, seen);
}

int sweep(void)
{
    return sweep_but(PACES);
}

int recovered(uint16_t name, uint16_t epoch)
{
    look();
    return tern_tasks_recover(&here.worker, copy, (struct tern_holder){name, epoch});
}

struct child keeper;

void tasks_start(struct rig *rig)
{
    sweep_anew();
    signal(SIGPIPE, SIG_IGN);
    rig_start(rig, (const char *const[]){"--torus", "4x1x1", NULL});
    keeper = child_start(keeping, rig);
    gives(get(keeper.from, &queue, sizeof(queue)), true, "the keeper");
    open_end(&here, rig, 0, (struct tern_holder){77, 1});
    open_end(&there, rig, 1, (struct tern_holder){78, 1});
    gives(tern_register(here.device, copy, sizeof(copy), TERN_RIGHT_REMOTE_WRITE, &copy_region), 0,
          "tern_register");
}

void tasks_stop(struct rig *rig)
{
    tern_close(here.device);
    tern_close(there.device);
    rig_stop(rig);
}
