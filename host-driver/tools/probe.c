/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern probe: how many instructions the firmware retires for one operation of each type.
 *
 * Reads the core's counter through the BAR before and after single operations, each time with the
 * core asleep. The smallest count of several runs is that of the operation without the timer's
 * tick. Ends with an 8-byte inline put with nothing else in flight, for programs that read the
 * trace.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <tern/counter.h>

#include "peer.h"
#include "tool.h"

enum {
    RUNS_MAX = 10,
    SEEN = 2,
    WAIT_MS = 60000,
    SETTLE_READS = 10000,
    SETTLE_CYCLES = 400,
    REGION_BYTES = 4096
};

struct probe {
    struct peer here, there;
    uint8_t local[REGION_BYTES], remote[REGION_BYTES];
    struct tern_region *local_region, *remote_region;
    /* objects that one step makes and a later one frees */
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    uint64_t stamp; /* last 8 bytes of the last put */
    FILE *report;
};

/*
 * An operation: posts it and waits for its end. Counts the core of node `whose`; subtracts the cost
 * of step `less`, which the operation includes.
 */
struct probe_step {
    const char *name;
    int (*run)(struct probe *probe);
    bool at_target;
    const char *less;
    uint64_t least; /* the result */
    int seen;       /* number of runs with that count */
};

static int await_puts(struct probe *p)
{
    int status = 0;

    while (!status && p->here.puts_out)
        status = peer_step(&p->here, WAIT_MS);
    return status ? status : p->here.put_failed ? -(int)p->here.put_error.status : 0;
}

/*
 * Waits for a put without completion: its last 8 bytes in the target's memory are different each
 * time.
 */
static int await_arrival(struct probe *p, uint32_t bytes)
{
    int64_t end = peer_now_ms() + WAIT_MS;
    volatile const uint8_t *there = p->remote + bytes - sizeof(p->stamp);

    for (size_t i = 0; i < sizeof(p->stamp); i++)
        while (there[i] != (uint8_t)(p->stamp >> 8 * i)) {
            if (peer_now_ms() > end)
                return -TERN_ST_WAIT_EXPIRED;
            sched_yield();
        }
    return 0;
}

static int put_some(struct probe *p, uint32_t bytes, bool by_descriptor, unsigned flags)
{
    struct tern_rptr to = tern_region_pointer(p->remote_region, 0);
    int status;

    p->stamp++;
    memcpy(p->local + bytes - sizeof(p->stamp), &p->stamp, sizeof(p->stamp));
    status = by_descriptor
                 ? tern_put_inline(p->here.sq, to, p->local, bytes, flags, bytes)
                 : tern_put(p->here.sq, to, p->local_region, p->local, bytes, flags, bytes);
    p->here.puts_out += !status && flags & TERN_DFLAG_SIGNAL;
    if (!status)
        status = await_puts(p);
    return status ? status : await_arrival(p, bytes);
}

static int run_put(struct probe *p) { return put_some(p, 64, false, 0); }
static int run_put_signal(struct probe *p) { return put_some(p, 64, false, TERN_DFLAG_SIGNAL); }
static int run_put_4096(struct probe *p) { return put_some(p, 4096, false, 0); }
static int run_inline(struct probe *p) { return put_some(p, 8, true, 0); }
static int run_inline_signal(struct probe *p) { return put_some(p, 8, true, TERN_DFLAG_SIGNAL); }

static int run_nop(struct probe *p)
{
    int status = tern_nop(p->here.sq, TERN_DFLAG_SIGNAL, UINT64_MAX);

    p->here.sending = !status;
    while (!status && p->here.sending)
        status = peer_step(&p->here, WAIT_MS);
    return status;
}

static int run_send(struct probe *p)
{
    struct tern_target to = {.node = p->there.info.node, .queue = tern_rq_number(p->there.rq)};
    struct filemsg message = filemsg_make(FILEMSG_ALIVE);
    uint16_t node;
    int status = peer_send(&p->here, to, &message);

    return status ? status : peer_receive(&p->there, &message, &node, WAIT_MS);
}

static int run_register(struct probe *p)
{
    return tern_register(p->here.device, p->local, 64, TERN_RIGHT_LOCAL_READ, &p->region);
}

static int run_release(struct probe *p) { return tern_release(p->region); }

static int run_create_cq(struct probe *p)
{
    return tern_cq_create(p->here.device, 4, TERN_CQ_POLLED, &p->cq);
}

static int run_create_sq(struct probe *p) { return tern_sq_create(p->cq, 4, &p->sq); }
static int run_create_rq(struct probe *p)
{
    return tern_rq_create(p->cq, 4, 6, TERN_QUEUE_ANY, &p->rq);
}

static int run_delete_rq(struct probe *p) { return tern_rq_destroy(p->rq); }
static int run_delete_sq(struct probe *p) { return tern_sq_destroy(p->sq); }
static int run_delete_cq(struct probe *p) { return tern_cq_destroy(p->cq); }

static int run_stats(struct probe *p)
{
    uint64_t values[TERN_STAT_COUNT];

    return tern_stats(p->here.device, values);
}

static void no_line(void *arg, const char *text)
{
    (void)arg;
    (void)text;
}

static int run_log(struct probe *p)
{
    int lines = tern_log_read(p->here.device, no_line, NULL);

    return lines < 0 ? lines : 0;
}

static int run_set_counter(struct probe *p) { return tern_counter_set(p->here.device, 1, 100); }
static int run_get_counter(struct probe *p)
{
    uint32_t left;

    return tern_counter_get(p->here.device, 1, &left);
}

/* Ordered, so that each step finds the objects that it uses. */
static struct probe_step steps[] = {
    {"nop", run_nop, false, NULL, 0, 0},
    {"put 64 bytes", run_put, false, NULL, 0, 0},
    {"put 64 bytes, completion", run_put_signal, false, NULL, 0, 0},
    {"put 4096 bytes", run_put_4096, false, NULL, 0, 0},
    {"put 64 bytes, at the target", run_put, true, NULL, 0, 0},
    {"inline put 8 bytes", run_inline, false, NULL, 0, 0},
    {"inline put 8 bytes, completion", run_inline_signal, false, NULL, 0, 0},
    {"send", run_send, false, NULL, 0, 0},
    {"receive", run_send, true, NULL, 0, 0},
    {"register region", run_register, false, NULL, 0, 0},
    {"release region", run_release, false, NULL, 0, 0},
    {"create completion queue", run_create_cq, false, "register region", 0, 0},
    {"create send queue", run_create_sq, false, "register region", 0, 0},
    {"create reception FIFO", run_create_rq, false, "register region", 0, 0},
    {"delete reception FIFO", run_delete_rq, false, "release region", 0, 0},
    {"delete send queue", run_delete_sq, false, "release region", 0, 0},
    {"delete completion queue", run_delete_cq, false, "release region", 0, 0},
    {"statistics", run_stats, false, NULL, 0, 0},
    {"log", run_log, false, NULL, 0, 0},
    {"set counter", run_set_counter, false, NULL, 0, 0},
    {"get counter", run_get_counter, false, NULL, 0, 0},
};

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

/*
 * Reads the instructions so far, with the core asleep: it retired none for so many cycles that any
 * host read or ack has come.
 */
static int settled(struct tern_device *device, uint64_t *instructions)
{
    uint64_t before = UINT64_MAX, since = 0, now = 0, busy;

    for (int i = 0; i < SETTLE_READS; i++) {
        int status = tern_core_counters(device, instructions, &busy);

        if (!status)
            status = tern_cycles(device, &now);
        if (status || (*instructions == before && now - since > SETTLE_CYCLES))
            return status;
        if (*instructions != before)
            since = now;
        before = *instructions;
    }
    return 0;
}

static int measure(struct probe *p, struct probe_step *step)
{
    struct tern_device *device = step->at_target ? p->there.device : p->here.device;
    uint64_t before, after;
    int status = settled(device, &before);

    if (!status)
        status = step->run(p);
    if (!status)
        status = settled(device, &after);
    if (status)
        return status;
    if (after - before < step->least) {
        step->least = after - before;
        step->seen = 0;
    }
    step->seen += after - before == step->least;
    return 0;
}

static uint64_t least_of(const char *name)
{
    for (int i = 0; name && i < STEPS; i++)
        if (!strcmp(steps[i].name, name))
            return steps[i].least;
    return 0;
}

static bool all_seen(void)
{
    for (int i = 0; i < STEPS; i++)
        if (steps[i].seen < SEEN)
            return false;
    return true;
}

static int measure_all(struct probe *p)
{
    for (int i = 0; i < STEPS; i++)
        steps[i].least = UINT64_MAX;
    for (int run = 0; run < RUNS_MAX && !all_seen(); run++)
        for (int i = 0; i < STEPS; i++) {
            int status = measure(p, &steps[i]);

            if (status)
                return tool_fail(status, "%s failed", steps[i].name);
        }
    return 0;
}

/* Prints a report line; its key is the name with underscores. */
static void print_report(FILE *out, const struct probe_step *step, uint64_t instructions)
{
    fputs("instructions_", out);
    for (const char *c = step->name; *c; c++)
        if (*c != ',')
            fputc(*c == ' ' ? '_' : *c, out);
    fprintf(out, "=%" PRIu64 "\n", instructions);
}

static int print_all(struct probe *p)
{
    int status = 0;

    printf("firmware instructions of one operation\n");
    for (int i = 0; i < STEPS; i++) {
        uint64_t less = least_of(steps[i].less);
        uint64_t own = steps[i].least > less ? steps[i].least - less : steps[i].least;

        printf("  %-32s %6" PRIu64 "\n", steps[i].name, own);
        if (p->report)
            print_report(p->report, &steps[i], own);
        if (!own && !steps[i].at_target)
            status = tool_fail(0, "no instructions counted for: %s", steps[i].name);
    }
    return status;
}

static int run_probe(struct probe *p)
{
    int status = tern_register(p->here.device, p->local, REGION_BYTES, TERN_RIGHT_LOCAL_READ,
                               &p->local_region);

    if (!status)
        status = tern_register(p->there.device, p->remote, REGION_BYTES, TERN_RIGHT_REMOTE_WRITE,
                               &p->remote_region);
    if (status)
        return tool_fail(status, "cannot register memory");
    status = measure_all(p);
    if (!status)
        status = print_all(p);
    /* ends with an isolated put */
    return status ? status : measure(p, &(struct probe_step){.run = run_inline});
}

struct probe_options {
    struct tool_ends ends;
    const char *report;
};

static const struct argp_option options[] = {
    {"from", 'f', "URI", 0, "the NIC that posts", 0},
    {"to", 't', "URI", 0, "the NIC that is the target", 0},
    {"report", 'r', "FILE", 0, "write figures to FILE, key=value", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct probe_options *to = state->input;

    if (key != 'r')
        return tool_parse_ends(key, arg, state, &to->ends);
    to->report = arg;
    return 0;
}

int cmd_probe(int argc, char **argv)
{
    const struct argp argp = {options, parse, NULL,
                              "Counts firmware instructions of every operation type.", NULL, NULL,
                              NULL};
    struct probe_options chosen = {0};
    struct probe *p = calloc(1, sizeof(*p));
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    status = p ? peer_open(&p->here, chosen.ends.from, TERN_QUEUE_ANY) : -TERN_ST_NO_MEMORY;
    if (status)
        return tool_fail_open(status, chosen.ends.from);
    status = peer_open(&p->there, chosen.ends.to, TERN_QUEUE_ANY);
    if (status)
        return tool_fail_open(status, chosen.ends.to);
    p->report = chosen.report ? fopen(chosen.report, "w") : NULL;
    if (chosen.report && !p->report)
        status = tool_fail(-TERN_ST_SYSTEM, "cannot write %s", chosen.report);
    else
        status = run_probe(p);
    if (p->report)
        fclose(p->report);
    peer_close(&p->there);
    peer_close(&p->here);
    free(p);
    return status;
}
