/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern-sim: the simulator as a program.
 *
 * Serves DIR/nic-X.Y.Z.sock until SIGINT or SIGTERM (or the cycle limit), then removes the sockets.
 * While idle it runs at most 1000 cycles, or one millisecond, every 10 ms and waits for its clients
 * in between. So an idle simulator uses at most a tenth of a processor; a message wakes it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "boot.h"
#include "events.h"
#include "exits.h"
#include "firmware.h"
#include "gdbserver.h"
#include "measure.h"
#include "options.h"
#include "report.h"
#include "retire.h"
#include "sim.h"
#include "tern_abi.h"
#include "turns.h"

enum {
    IDLE_AFTER = 300000, /* cycles without activity */
    IDLE_CYCLES = 1000,  /* run in one go while idle ... */
    IDLE_RUN_US = 1000,  /* ... for at most this time ... */
    IDLE_WAIT_MS = 10    /* ... then wait */
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

struct daemon {
    struct tern_sim_options options;
    struct tern_sim *sim;
    struct tern_events *events;
    struct tern_measure *measure;
    struct tern_gdbserver *gdb; /* NULL: no debugger */
    struct tern_boot boot;
    struct tern_retire *retire[TERN_SIM_NODES_MAX]; /* in the order of the options */
    bool peer_dead; /* that was reported */
    struct timespec started;
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "tern-sim: %s%s%s\n", what, why != NULL ? ": " : "",
            why != NULL ? why : "");
    return false;
}

/* ---- start ---- */

static bool load(const char *path, uint8_t **bytes, size_t *count)
{
    char error[TERN_SIM_ERROR_BYTES];

    if (tern_firmware_load(path, bytes, count, error, sizeof error))
        return true;
    return complain(error, NULL);
}

static bool load_text(const char *path, char **text)
{
    uint8_t *bytes;
    size_t count;

    if (!load(path, &bytes, &count))
        return false;
    *text = realloc(bytes, count + 1);
    if (*text == NULL) {
        free(bytes);
        return false;
    }
    (*text)[count] = 0;
    return true;
}

static const char *status_name(int status)
{
    switch (status) {
    case TERN_ST_BAD_FIRMWARE:
        return "BAD_FIRMWARE";
    case TERN_ST_NO_MEMORY:
        return "NO_MEMORY";
    default:
        return "BAD_ARGUMENT";
    }
}

static bool create(struct daemon *daemon)
{
    struct tern_sim_config *config = &daemon->options.config;
    uint8_t *firmware = NULL;
    char *scenario = NULL;
    char error[TERN_SIM_ERROR_BYTES];
    int status = TERN_ST_BAD_ARGUMENT;

    if ((daemon->options.no_firmware ||
         load(daemon->options.firmware, &firmware, &config->firmware_bytes)) &&
        (daemon->options.scenario == NULL ||
         load_text(daemon->options.scenario, &scenario))) {
        config->firmware = firmware;
        config->scenario = scenario;
        daemon->sim = tern_sim_create(config, error, &status);
        if (daemon->sim == NULL)
            complain(status_name(status), error);
    }
    free(firmware);
    free(scenario);
    return daemon->sim != NULL;
}

/* Raises the limit of open files: each node and each client needs a socket. */
static void allow_sockets(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static bool listen_all(struct daemon *daemon)
{
    const char *dir = daemon->options.dir;

    allow_sockets();
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return complain(dir, strerror(errno));
    for (unsigned n = 0; n < daemon->sim->nodes; n++) {
        char path[TERN_PATH_BYTES + 32];
        unsigned at = tern_torus_coordinates(&daemon->sim->torus, n);

        int error;

        if (!tern_sim_has(daemon->sim, n))
            continue;
        snprintf(path, sizeof path, "%s/nic-%u.%u.%u.sock", dir, at & 31, at >> 5 & 31, at >> 10);
        error = tern_server_listen(daemon->sim->server, daemon->sim->node[n].nic, n, path);
        if (error == EADDRINUSE)
            return complain(path, "another simulator serves it");
        if (error != 0)
            return complain(path, strerror(error));
    }
    return true;
}

/* Meets the other simulator. */
static bool link_up(struct daemon *daemon)
{
    struct tern_span_config *span = &daemon->options.span;
    char error[TERN_SIM_ERROR_BYTES];

    if (span->address.port == NULL)
        return true;
    span->stop = &stop;
    if (tern_sim_span(daemon->sim, span, error))
        return true;
    return complain("--link", error);
}

static bool dump_node(struct daemon *daemon, unsigned node, const char *path)
{
    if (tern_sim_dump(daemon->sim, node, path))
        return true;
    return complain(path, "no waveform: --fst needs tern-sim-traced and a file it may write");
}

static bool dump(struct daemon *daemon)
{
    const struct tern_sim_options *options = &daemon->options;
    char path[TERN_PATH_BYTES];

    if (options->fst == NULL)
        return true;
    if (options->fst_node >= 0)
        return dump_node(daemon, (unsigned)options->fst_node, options->fst);
    for (unsigned n = 0; n < daemon->sim->nodes; n++) {
        snprintf(path, sizeof path, "%s-%u", options->fst, n);
        if (!dump_node(daemon, n, path))
            return false;
    }
    return true;
}

static bool trace_retired(struct daemon *daemon)
{
    for (unsigned i = 0; i < daemon->options.retires; i++) {
        const struct tern_retire_option *option = &daemon->options.retire[i];

        daemon->retire[i] = tern_retire_new(daemon->sim, option->node, option->path);
        if (daemon->retire[i] != NULL)
            continue;
        if (errno == EINVAL)
            return complain("--retire-trace", "there is no such node");
        if (errno == EBUSY)
            return complain("--retire-trace", "one node is named twice");
        return complain(option->path, strerror(errno));
    }
    return true;
}

static bool has_no_traces(const struct daemon *daemon)
{
    if (daemon->options.events != NULL)
        return complain("--trace-events", "the soft tier has no trace port");
    if (daemon->options.retires > 0)
        return complain("--retire-trace", "the soft tier retires no instructions");
    if (daemon->options.gdb_port >= 0)
        return complain("--gdb", "the soft tier has no core: debug tern-sim itself");
    return true;
}

static bool watch(struct daemon *daemon)
{
    if (daemon->sim->tier == TERN_TIER_SOFT)
        return has_no_traces(daemon);
    daemon->measure = tern_measure_new(daemon->sim);
    if (daemon->measure == NULL)
        return complain("out of memory", NULL);
    if (daemon->options.events == NULL)
        return true;
    daemon->events = tern_events_new(daemon->sim, daemon->options.events);
    return daemon->events != NULL || complain(daemon->options.events, strerror(errno));
}

static bool debug(struct daemon *daemon)
{
    const struct tern_sim_options *options = &daemon->options;

    if (options->gdb_port < 0)
        return true;
    daemon->gdb = tern_gdbserver_new(daemon->sim, (unsigned)options->gdb_port);
    return daemon->gdb != NULL || complain("--gdb: a port cannot be had", strerror(errno));
}

/* Prints the ports before the firmware starts, which a debugger may want to watch. */
static void say_ports(const struct daemon *daemon)
{
    for (unsigned n = 0; daemon->gdb != NULL && n < daemon->sim->nodes; n++)
        printf("gdb: node %u at localhost:%u\n", n, tern_gdbserver_port(daemon->gdb, n));
    fflush(stdout);
}

static unsigned own_nodes(const struct tern_sim *sim)
{
    unsigned count = 0;

    for (unsigned n = 0; n < sim->nodes; n++)
        count += tern_sim_has(sim, n);
    return count;
}

/* Prints the ready line; false when it cannot be written. */
static bool say_ready(struct daemon *daemon)
{
    int fd = daemon->options.ready_fd;

    if (daemon->sim->tier == TERN_TIER_SOFT)
        printf("tier soft: firmware and models run natively; its time means nothing\n");
    else
        tern_timing_print(stdout, &daemon->sim->timing, daemon->sim->shape->beat_bytes);
    printf("ready: %u nodes in %s%s\n", own_nodes(daemon->sim), daemon->options.dir,
           daemon->boot.blank ? ", without firmware" : "");
    if (fflush(stdout) != 0)
        return complain("standard output", strerror(errno));
    if (fd < 0)
        return true;
    if (write(fd, "ready\n", 6) != 6)
        complain("--ready-fd", strerror(errno));
    close(fd);
    return true;
}

static bool start(struct daemon *daemon)
{
    return create(daemon) && link_up(daemon) && watch(daemon) && trace_retired(daemon) &&
           dump(daemon) && debug(daemon) && listen_all(daemon);
}

/* ---- run ---- */

/* Runs until all firmware is up; false when the program must end. */
static bool booted(struct daemon *daemon)
{
    char error[TERN_SIM_ERROR_BYTES];

    if (daemon->boot.state == TERN_BOOT_READY)
        return true;
    switch (tern_boot_watch(&daemon->boot, daemon->sim, error)) {
    case TERN_BOOT_READY:
        return say_ready(daemon);
    case TERN_BOOT_FAILED:
        return complain(status_name(TERN_ST_BAD_FIRMWARE), error);
    default:
        return true;
    }
}

struct idle {
    uint64_t window;                      /* cycle of the last check of the cores */
    uint64_t retired[TERN_SIM_NODES_MAX]; /* instructions retired by then */
    uint64_t awake;                       /* cycle in which a core last had work */
};

/*
 * Detects idle cores: a firmware that only serves its timer is idle, one that is starting is not.
 */
static void watch_cores(struct idle *idle, const struct daemon *daemon)
{
    enum { WINDOW = 16384 };
    uint64_t cycle = daemon->sim->cycle;

    if (cycle < idle->window + WINDOW)
        return;
    for (unsigned n = 0; n < daemon->sim->nodes; n++) {
        uint64_t retired = tern_sim_retired(daemon->sim, n);

        if (retired - idle->retired[n] > WINDOW / 4)
            idle->awake = cycle;
        idle->retired[n] = retired;
    }
    idle->window = cycle;
}

static bool is_idle(const struct idle *idle, const struct daemon *daemon)
{
    uint64_t cycle = daemon->sim->cycle;

    return cycle > idle->awake + IDLE_AFTER &&
           cycle > tern_sim_active(daemon->sim) + IDLE_AFTER && !tern_sim_busy(daemon->sim);
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* Serves clients and debuggers; returns whether one had input. */
static bool serve(struct daemon *daemon, struct idle *idle, int timeout_ms)
{
    bool came = tern_sim_serve(daemon->sim, timeout_ms);

    if (daemon->gdb != NULL && tern_gdbserver_work(daemon->gdb, came))
        idle->awake = daemon->sim->cycle;
    return came;
}

/* Reports once that the peer simulator is dead. */
static void watch_peer(struct daemon *daemon)
{
    const char *dead = daemon->peer_dead ? NULL : tern_sim_peer_dead(daemon->sim);

    if (dead == NULL)
        return;
    daemon->peer_dead = true;
    fprintf(stderr, "tern-sim: --link: %s; the links to its nodes are down\n", dead);
}

static void run_idle(struct daemon *daemon, struct idle *idle)
{
    uint64_t end = daemon->sim->cycle + IDLE_CYCLES;
    struct timespec begun;

    if (serve(daemon, idle, IDLE_WAIT_MS))
        return;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    while (daemon->sim->cycle < end && seconds_since(&begun) < 1e-6 * IDLE_RUN_US)
        tern_sim_block(daemon->sim, UINT64_MAX);
}

/* ---- run, on soft ---- */

/*
 * While clients are attached a cycle takes at least 10 us, as on an idle rtl simulation, because
 * they need real time to answer. With a limit of cycles the program does not wait for clients.
 */
enum { CYCLE_NS = 10000, CYCLES_AT_ONCE = 4096, CYCLES_PER_MS = 1000000 / CYCLE_NS };

/*
 * Returns the cycles due since the last call, at most a bound: a stopped daemon does not catch up.
 */
static uint64_t cycles_due(struct timespec *last)
{
    uint64_t ns = (uint64_t)(1e9 * seconds_since(last));
    uint64_t cycles = ns / CYCLE_NS;

    last->tv_nsec += (long)(cycles * CYCLE_NS % 1000000000);
    last->tv_sec += (time_t)(cycles * CYCLE_NS / 1000000000);
    if (last->tv_nsec >= 1000000000) {
        last->tv_nsec -= 1000000000;
        last->tv_sec++;
    }
    return cycles < CYCLES_AT_ONCE ? cycles : CYCLES_AT_ONCE;
}

/* Returns how long to wait for the sockets. */
static int quiet_ms(const struct tern_sim *sim)
{
    uint64_t left = (tern_turns_timer(sim) - sim->cycle) / CYCLES_PER_MS;

    if (!sim->quiet)
        return 0;
    if (tern_sim_busy(sim))
        return 1; /* a client waits for the clock */
    return left < IDLE_WAIT_MS ? (int)left + 1 : IDLE_WAIT_MS;
}

static bool run_soft(struct daemon *daemon)
{
    uint64_t limit = daemon->options.max_cycles;
    struct tern_sim *sim = daemon->sim;
    struct timespec last;

    clock_gettime(CLOCK_MONOTONIC, &last);
    while (!stop && (limit == 0 || sim->cycle < limit)) {
        if (!booted(daemon))
            return false;
        tern_sim_serve(sim, limit == 0 ? quiet_ms(sim) : 0);
        watch_peer(daemon);
        sim->limit = limit == 0 ? sim->cycle + cycles_due(&last) : limit;
        tern_sim_block(sim, sim->limit);
    }
    return true;
}

static bool run(struct daemon *daemon)
{
    uint64_t limit = daemon->options.max_cycles;
    struct idle idle = {0};

    while (!stop && (limit == 0 || daemon->sim->cycle < limit)) {
        if (!booted(daemon))
            return false;
        watch_cores(&idle, daemon);
        watch_peer(daemon);
        daemon->sim->idle = limit == 0 && is_idle(&idle, daemon);
        if (daemon->sim->idle && tern_sim_peer_idle(daemon->sim)) {
            run_idle(daemon, &idle);
        } else {
            serve(daemon, &idle, 0);
            tern_sim_block(daemon->sim, UINT64_MAX);
        }
    }
    return true;
}

/* ---- end ---- */

static double cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
           (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
}

static bool finish_retired(struct daemon *daemon)
{
    bool good = true;

    for (unsigned i = 0; i < daemon->options.retires; i++) {
        if (!tern_retire_free(daemon->retire[i]))
            good = complain(daemon->options.retire[i].path, strerror(errno));
        daemon->retire[i] = NULL;
    }
    return good;
}

static bool finish(struct daemon *daemon)
{
    struct tern_report report = {.sim = daemon->sim,
                                 .measure = daemon->measure,
                                 .wall_seconds = seconds_since(&daemon->started),
                                 .cpu_seconds = cpu_seconds()};
    bool good = true;

    tern_gdbserver_free(daemon->gdb); /* the cores are still running, so its sessions can release
                                         them */
    if (daemon->sim != NULL && daemon->options.report != NULL &&
        !tern_report_write(&report, daemon->options.report))
        good = complain(daemon->options.report, "the report cannot be written");
    good = finish_retired(daemon) && good;
    if (!tern_events_free(daemon->events))
        good = complain(daemon->options.events, "the events cannot be written");
    tern_measure_free(daemon->measure);
    tern_sim_destroy(daemon->sim);
    return good;
}

int main(int argc, char **argv)
{
    static struct daemon daemon;
    struct sigaction action = {.sa_handler = on_signal};
    bool good;

    tern_sim_options_parse(&daemon.options, argc, argv);
    daemon.boot.blank = daemon.options.no_firmware;
    daemon.boot.debugged = daemon.options.gdb_port >= 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    clock_gettime(CLOCK_MONOTONIC, &daemon.started);
    if (!start(&daemon)) {
        tern_gdbserver_free(daemon.gdb);
        finish_retired(&daemon);
        tern_sim_destroy(daemon.sim);
        return EXIT_BAD;
    }
    say_ports(&daemon);
    good = daemon.sim->tier == TERN_TIER_SOFT ? run_soft(&daemon) : run(&daemon);
    good = finish(&daemon) && good;
    return good ? EXIT_DONE : EXIT_BAD;
}
