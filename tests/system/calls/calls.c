/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes every call of the public headers, from hosts in processes of their own: one offers memory
 * and receives messages, one puts and sends, one manages the NIC. tests/check/calls.sh compares
 * this with the headers. The parent has no device: it connects the hosts and collects their
 * results.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <tern/counter.h>
#include <tern/checkin.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    ARENA = 8192,
    COUNTED = 1000, /* initial bytes of the counter ... */
    DEPOSITED = 600, /* ... and bytes of the put that it counts */
    COUNTER = 5,
    AREA = 6,
    FIRST_MESSAGES = 3,
    WAIT_MS = 60000 /* a net */
};

/* The message of the offering host to the others. */
struct offer {
    struct tern_rptr plain, counted;
    uint32_t plain_key;
    uint16_t node, queue;
};

/* Exits with the name of the failed check; the parent notices that its answers are missing. */
static void is(bool good, const char *what)
{
    if (good)
        return;
    printf("# failed: %s\n", what);
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

static void fill(uint8_t *at, size_t bytes)
{
    rig_fill(at, bytes, 9);
}

/* ---- names, without a device ---- */

static void names(void)
{
    char text[TERN_NODE_TEXT], path[108], dir[108], line[160];
    const struct tern_completion completion = {.status = TERN_ST_BAD_KEY, .queue = 130, .node = 1};
    const char *end;
    uint16_t node;
    struct tern_rptr pointer = {{0}};

    is(strlen(tern_strerror(TERN_ST_BAD_KEY)) > 0 &&
           !strcmp(tern_strerror(TERN_ST_BAD_KEY), tern_strerror(-TERN_ST_BAD_KEY)),
       "tern_strerror");
    is(!strcmp(tern_node_format(tern_node(1, 2, 3), text), "1.2.3"), "tern_node_format");
    is(!tern_node_parse("1.2.3,", &node, &end) && node == tern_node(1, 2, 3) && *end == ',' &&
           tern_node_parse("x", &node, NULL) == -TERN_ST_BAD_ARGUMENT,
       "tern_node_parse");
    is(tern_rptr_node(tern_rptr_add(pointer, 8)) == 0 && tern_rptr_add(pointer, 8).w[0] == 8,
       "tern_rptr_add");
    is(!tern_sim_dir(dir, sizeof(dir)) && dir[0] == '/', "tern_sim_dir");
    is(!tern_uri_path("sim:1.0.0", path, sizeof(path)) && !strncmp(path, dir, strlen(dir)) &&
           tern_uri_path("sim:1", path, 3) == -TERN_ST_BAD_SIZE,
       "tern_uri_path");
    is(!strncmp(tern_completion_format(&completion, line, sizeof(line)),
                "queue 130, operation 0: key", 27),
       "tern_completion_format");
    is(!strcmp(tern_stat_name((unsigned)tern_stat_find("rx_put_bytes")), "rx_put_bytes") &&
           tern_stat_text(0) != NULL && tern_stat_name(TERN_STAT_COUNT) == NULL,
       "tern_stat_name");
}

/* Opens a node of the simulator in the rig's folder by its short name. */
static struct tern_device *open_short(const struct rig *rig, const char *uri)
{
    struct tern_device *device = NULL;

    setenv("TERN_SIM_DIR", rig->dir, 1);
    is(tern_open("sim:7.0.0", &device) == -TERN_ST_NO_DEVICE && !tern_open(uri, &device),
       "tern_open");
    return device;
}

/* ---- the host that offers ---- */

static void offer(struct tern_device *device, struct tern_cq *cq, uint8_t *memory,
                  struct offer *out, struct tern_rq **rq)
{
    static struct tern_region *plain, *counted;
    struct tern_info info;

    is(!tern_query(device, &info) && info.node == tern_node(1, 0, 0), "tern_query");
    is(!tern_counter_set(device, COUNTER, COUNTED), "tern_counter_set");
    is(!tern_register(device, memory, ARENA, TERN_RIGHT_REMOTE_WRITE, &plain), "tern_register");
    is(!tern_register_with(device,
            &(struct tern_region_attr){.addr = memory, .bytes = ARENA,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = COUNTER},
            &counted),
       "tern_register_with");
    is(!tern_rq_create(cq, 3, 9, TERN_QUEUE_ANY, rq), "tern_rq_create");
    *out = (struct offer){.plain = tern_region_pointer(plain, 0),
                          .counted = tern_region_pointer(counted, 0),
                          .plain_key = tern_region_key(plain),
                          .node = info.node,
                          .queue = tern_rq_number(*rq)};
}

/* Sleeps on the queue's descriptor, as an event loop does. */
static struct tern_completion next_by_event(struct tern_cq *cq)
{
    struct pollfd fd = {.fd = tern_cq_fd(cq), .events = POLLIN};
    struct tern_completion got;
    eventfd_t count;

    is(fd.fd >= 0, "tern_cq_fd");
    while (tern_cq_poll(cq, &got, 1) == 0)
        if (poll(&fd, 1, WAIT_MS) > 0)
            (void)eventfd_read(fd.fd, &count);
    return got;
}

static void offering(const void *arg, int in, int out)
{
    static uint8_t memory[ARENA], expected[ARENA];
    struct tern_device *device = open_short(arg, "sim:1.0.0");
    struct tern_cq *cq;
    struct tern_rq *rq;
    struct offer mine;
    uint32_t left = 0;
    char word;

    is(!tern_cq_create(device, 5, 0, &cq), "tern_cq_create");
    offer(device, cq, memory, &mine, &rq);
    is(give(out, &mine, sizeof(mine)), "offer");
    for (uint32_t i = 0; i < FIRST_MESSAGES; i++) {
        struct tern_completion got = next_by_event(cq);

        is(got.opcode == TERN_OP_RECV && got.imm == 100 + i && got.flags & TERN_DFLAG_IMM,
           "a message");
        is(!tern_rq_release(rq, 1), "tern_rq_release");
    }
    is(get(in, &word, 1), "a word"); /* all puts have completed */
    fill(expected, ARENA);
    is(!memcmp(memory, expected, ARENA), "what was put");
    is(!tern_counter_get(device, COUNTER, &left) && left == COUNTED - DEPOSITED,
       "tern_counter_get");
    is(!tern_rq_destroy(rq) && !tern_cq_destroy(cq), "tern_rq_destroy");
    tern_close(device);
    is(give(out, "y", 1), "the end");
}

/* ---- the host that puts and sends ---- */

static struct tern_completion completed(struct tern_cq *cq, uint64_t context)
{
    struct tern_completion done = {0};

    do
        is(!tern_cq_wait(cq, WAIT_MS), "tern_cq_wait");
    while (tern_cq_poll(cq, &done, 1) == 0);
    is(done.status == TERN_ST_OK && done.context == context, "a completion");
    return done;
}

static void put_everything(struct tern_device *device, struct tern_sq *sq, struct tern_cq *cq,
                           const struct tern_region *region, const uint8_t *from,
                           const struct offer *to)
{
    const uint32_t half = ARENA / 2;
    uint32_t left = 0;

    is(!tern_put_inline(sq, to->plain, from, 32, TERN_DFLAG_SIGNAL, 1), "tern_put_inline");
    completed(cq, 1);
    is(!tern_put(sq, to->counted, region, from, DEPOSITED, TERN_DFLAG_SIGNAL, 2), "tern_put");
    completed(cq, 2);
    is(!tern_counter_set(device, COUNTER, half) && !tern_sq_count(sq, COUNTER), "tern_sq_count");
    is(!tern_put(sq, tern_rptr_add(to->plain, DEPOSITED), region, from + DEPOSITED,
                 half - DEPOSITED, TERN_MORE, 3),
       "tern_put");
    is(!tern_sq_count(sq, TERN_COUNTER_NONE), "tern_sq_count");
    is(!tern_nop(sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE | TERN_MORE, 4), "tern_nop");
    is(!tern_sq_flush(sq), "tern_sq_flush");
    completed(cq, 4);
    is(!tern_counter_get(device, COUNTER, &left) && left == DEPOSITED, "what left is counted");
    is(!tern_put_long(sq, tern_rptr_add(to->plain, half), region, from + half, half,
                      TERN_DFLAG_SIGNAL, 5),
       "tern_put_long");
    completed(cq, 5);
}

static void send_everything(struct tern_sq *sq, struct tern_cq *cq,
                            const struct tern_region *region, const uint8_t *from,
                            const struct offer *to)
{
    for (uint32_t i = 0; i < FIRST_MESSAGES; i++) {
        struct tern_target target = {.node = to->node, .queue = to->queue, .imm = 100 + i};

        is(!tern_send(sq, target, i == 0 ? NULL : region, from, i == 0 ? 32 : 200,
                      TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, 10 + i),
           "tern_send");
        completed(cq, 10 + i);
    }
}

/* Waits for a check-in with its own NIC, and checks in. */
static void check_in(struct tern_device *device, struct tern_sq *sq, struct tern_cq *cq)
{
    const struct tern_area area = {.id = AREA, .epoch = 1, .slots = 1, .pass = 77};
    const struct tern_area_name name = {.id = AREA, .epoch = 1, .pass = 77};
    uint32_t missing = 0, first = 0;
    unsigned told = 0, checked = 0, waited = 0;

    is(!tern_area_arm(device, &area, cq), "tern_area_arm");
    is(!tern_area_missing(device, AREA, &missing, &first) && missing == 1 && first == 0,
       "tern_area_missing");
    is(!tern_checkin(sq, name, 0, NULL, TERN_DFLAG_SIGNAL, 20), "tern_checkin");
    is(!tern_wait_area(sq, AREA, 1, TERN_DFLAG_SIGNAL, 21), "tern_wait_area");
    while (told + checked + waited < 3) {
        struct tern_completion done = {0};

        is(!tern_cq_wait(cq, WAIT_MS), "tern_cq_wait");
        if (tern_cq_poll(cq, &done, 1) == 0)
            continue;
        is(done.status == TERN_ST_OK, "a completion of a check-in");
        told += done.opcode == TERN_OP_AREA && done.index == AREA;
        checked += done.opcode == TERN_OP_CHECKIN && done.context == 20;
        waited += done.opcode == TERN_OP_WAIT && done.context == 21;
    }
    is(told == 1 && checked == 1 && waited == 1, "the completions of a check-in");
}

/* Uses a key that does not exist, and reads the error from the NIC. */
static void ask_after_errors(struct tern_device *device, struct tern_sq *sq)
{
    enum tern_status status = TERN_ST_OK;
    uint16_t queue = 0;
    unsigned count = 1;

    is(!tern_last_error(device, &status, &queue, &count) && count == 0, "tern_last_error");
    is(tern_sq_number(sq) >= 128, "tern_sq_number");
}

static void putting(const void *arg, int in, int out)
{
    static uint8_t memory[ARENA];
    struct tern_device *device = open_short(arg, "sim:0");
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct offer to;

    fill(memory, ARENA);
    is(get(in, &to, sizeof(to)) && tern_rptr_node(to.plain) == to.node && to.plain_key != 0,
       "an offer");
    is(!tern_register(device, memory, ARENA, TERN_RIGHT_LOCAL_READ, &region), "tern_register");
    is(!tern_cq_create(device, 6, TERN_CQ_POLLED, &cq) && tern_cq_fd(cq) == -1, "tern_cq_create");
    is(!tern_sq_create(cq, 4, &sq), "tern_sq_create");
    put_everything(device, sq, cq, region, memory, &to);
    send_everything(sq, cq, region, memory, &to);
    check_in(device, sq, cq);
    ask_after_errors(device, sq);
    is(tern_cq_destroy(cq) == -TERN_ST_QUEUE_BUSY, "tern_cq_destroy");
    is(!tern_sq_destroy(sq) && !tern_cq_destroy(cq) && !tern_release(region), "tern_sq_destroy");
    is(!tern_reset(device), "tern_reset");
    tern_close(device);
    is(give(out, "y", 1), "the end");
}

/* ---- the host that manages the NIC, and serves its memory when it polls ---- */

static int connect_to(const struct rig *rig, unsigned x)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s/nic-%u.0.0.sock", rig->dir, x);
    is(fd >= 0 && !connect(fd, (const struct sockaddr *)&address, sizeof(address)), "connect");
    return fd;
}

static struct tern_device *tended;

/* The simulator is another process: this host need not advance it. */
static int progress(void *arg)
{
    const struct timespec pause = {.tv_nsec = 100000};

    (void)arg;
    if (tended != NULL)
        tern_serve(tended);
    nanosleep(&pause, NULL);
    return 0;
}

static void count_line(void *arg, const char *text)
{
    *(unsigned *)arg += text[0] != 0;
}

static void look_at_figures(struct tern_device *device)
{
    uint64_t stats[TERN_STAT_COUNT], cycles = 0, instructions = 0, busy = 0;
    unsigned lines = 0;

    is(!tern_stats(device, stats) && stats[TERN_STAT_used_queues] >= 2 &&
           stats[TERN_STAT_fw_admin] > 0,
       "tern_stats");
    is(!tern_cycles(device, &cycles) && cycles > 0, "tern_cycles");
    is(!tern_core_counters(device, &instructions, &busy) && busy > 0 && busy <= cycles + busy,
       "tern_core_counters");
    is(rig_tier_is_soft() || instructions > 0, "tern_core_counters on rtl");
    is(tern_log_read(device, count_line, &lines) > 0 && lines > 0, "tern_log_read");
}

/* The NIC accesses this host's memory by messages, which the host answers while it waits. */
static void tending(const void *arg, int in, int out)
{
    static uint8_t memory[256];
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_info info;
    struct tern_device *device;
    bool busy = true;
    char word;

    setenv("TERN_NO_PROCESS_VM", "1", 1);
    is(!tern_open_fd(connect_to(arg, 2), progress, NULL, &device), "tern_open_fd");
    tended = device;
    fill(memory + 128, 128);
    is(!tern_query(device, &info) && info.node == tern_node(2, 0, 0) && info.function == 0,
       "tern_query");
    is(!tern_register(device, memory, 256, TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE,
                      &region),
       "tern_register");
    is(!tern_cq_create(device, 4, 0, &cq) && !tern_sq_create(cq, 4, &sq), "tern_cq_create");
    is(!tern_put(sq, tern_region_pointer(region, 0), region, memory + 128, 128, TERN_DFLAG_SIGNAL,
                 7),
       "tern_put");
    completed(cq, 7);
    is(!memcmp(memory, memory + 128, 128), "what it has put to itself by messages");
    look_at_figures(device);
    is(give(out, "o", 1) && get(in, &word, 1), "a word"); /* another host now waits at this node */
    is(!tern_path_reset(device), "tern_path_reset");
    do
        is(!tern_path_busy(device, &busy), "tern_path_busy");
    while (busy);
    is(!tern_core_hold(device, true) && !tern_core_hold(device, false), "tern_core_hold");
    tended = NULL;
    tern_close(device);
    is(give(out, "y", 1), "the end");
}

/* ---- the host whose waits time out ---- */

static void waiting(const void *arg, int in, int out)
{
    struct tern_device *device = rig_open(arg, 2);
    struct tern_cq *cq;

    (void)in;
    is(!tern_cq_create(device, 4, 0, &cq) && give(out, "o", 1), "tern_cq_create");
    is(tern_cq_wait(cq, -1) == -TERN_ST_DISCONNECTED, "tern_cq_wait");
    tern_close(device);
    is(give(out, "y", 1), "the end");
}

/* ---- all hosts ---- */

static void naming(const void *arg, int in, int out)
{
    (void)arg;
    (void)in;
    names();
    is(give(out, "y", 1), "the end");
}

static bool ends_well(struct child *child)
{
    char word = 0;
    bool good = get(child->from, &word, 1) && word == 'y';

    return child_end(child) && good;
}

static void put_and_send(const struct rig *rig)
{
    struct child offers = child_start(offering, rig), puts = child_start(putting, rig);
    struct offer offered;
    bool good = get(offers.from, &offered, sizeof(offered)) &&
                give(puts.to, &offered, sizeof(offered));

    good = good && ends_well(&puts);
    tap(good, "a host of its own puts and sends by every call there is for it");
    good = give_word(&offers, 'e') && ends_well(&offers);
    tap(good, "a host of its own offers and receives by every call there is for it");
}

static void tend_and_wait(const struct rig *rig)
{
    struct child tends = child_start(tending, rig), waits;
    char word;
    bool good = get(tends.from, &word, 1) && word == 'o';

    waits = child_start(waiting, rig);
    good = good && get(waits.from, &word, 1) && word == 'o' && give_word(&tends, 'g');
    tap(good && ends_well(&tends),
        "a host of its own looks after a NIC by every call there is for it");
    tap(good && ends_well(&waits), "a host of its own that waits is told when the core is reset");
}

int main(void)
{
    struct rig rig;
    struct child other;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "3x1x1", NULL});
    put_and_send(&rig);
    tend_and_wait(&rig);
    other = child_start(naming, &rig);
    tap(ends_well(&other), "a host of its own names things by every call there is for it");
    rig_stop(&rig);
    return tap_end();
}
