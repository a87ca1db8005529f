/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator as a program: clients attach, die, are refused; the program reports. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "attach.h"
#include "tern_abi.h"
#include "rig_tier.h"

enum { ARGS_MAX = 16, TEXT_BYTES = 4096 };

struct sim {
    char dir[64];
    pid_t pid;
    char text[TEXT_BYTES]; /* its output, after it has ended */
    int output;
};

static void run_sim(const struct sim *sim, char **args, int output, int ready)
{
    char ready_text[16];
    char *argv[ARGS_MAX] = {"tern-sim", "--dir", (char *)(uintptr_t)sim->dir, "--ready-fd",
                            ready_text};

    snprintf(ready_text, sizeof ready_text, "%d", ready);
    argv[5] = "--tier";
    argv[6] = (char *)(uintptr_t)rig_tier();
    for (int i = 0; args[i] != NULL; i++)
        argv[7 + i] = args[i];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv("build/bin/tern-sim", argv);
    _exit(127);
}

/* Starts one in sim->dir; returns whether it reports ready. */
static bool start(struct sim *sim, char **args)
{
    int output[2], ready[2];
    char byte;
    bool good;

    assert_int_equal(pipe(output), 0);
    assert_int_equal(pipe(ready), 0);
    sim->pid = fork();
    if (sim->pid == 0)
        run_sim(sim, args, output[1], ready[1]);
    close(output[1]);
    close(ready[1]);
    good = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    sim->output = output[0];
    return good;
}

/* Waits for its end; returns its exit status, -1 for a signal. */
static int ended(struct sim *sim)
{
    size_t have = 0;
    ssize_t count;
    int status = 0;

    while ((count = read(sim->output, sim->text + have, sizeof sim->text - 1 - have)) > 0)
        have += (size_t)count;
    sim->text[have] = 0;
    close(sim->output);
    waitpid(sim->pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int stopped(struct sim *sim)
{
    kill(sim->pid, SIGTERM);
    return ended(sim);
}

static void new_dir(struct sim *sim)
{
    strcpy(sim->dir, "/tmp/tern-sim-test-XXXXXX");
    assert_non_null(mkdtemp(sim->dir));
}

static char *path_of(const struct sim *sim, unsigned node)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/nic-%u.0.0.sock", sim->dir, node);
    return path;
}

static char *file_in(const struct sim *sim, const char *name, const void *bytes, size_t count)
{
    static char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", sim->dir, name);
    if (bytes == NULL)
        return path;
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
    return path;
}

static void await_ready(struct attach *attach)
{
    for (int i = 0; i < 100000; i++) {
        if ((attach_read(attach, TERN_REG_STATUS) & 0xff) == TERN_FWSTATE_READY)
            return;
    }
    fail_msg("the firmware does not come up");
}

/* Starts a client that enables its function, reports that, and sleeps. */
static pid_t spawn_client(const struct sim *sim, unsigned node)
{
    int told[2];
    char byte = 0;
    pid_t pid;

    assert_int_equal(pipe(told), 0);
    pid = fork();
    if (pid == 0) {
        struct attach attach;
        void *memory = aligned_alloc(4096, 4096);

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!attach_path(&attach, path_of(sim, node)))
            _exit(1);
        await_ready(&attach);
        attach_map(&attach, memory, 4096);
        attach_write(&attach, TERN_REG_ABI_WANTED, TERN_ABI_VERSION);
        attach_write(&attach, TERN_REG_AQ_BASE_LO, (uint32_t)(uintptr_t)memory);
        attach_write(&attach, TERN_REG_AQ_BASE_HI, (uint32_t)((uintptr_t)memory >> 32));
        attach_write(&attach, TERN_REG_AQ_SIZE, 3 | 3 << 8 | 0xffffu << 16);
        attach_write(&attach, TERN_REG_FN_CTRL, 1);
        while ((attach_read(&attach, TERN_REG_FN_STATUS) & 0xff) != TERN_FNSTATE_READY)
            ;
        if (write(told[1], &byte, 1) == 1)
            pause();
        _exit(0);
    }
    close(told[1]);
    assert_int_equal(read(told[0], &byte, 1), 1);
    close(told[0]);
    return pid;
}

static void a_killed_client_frees_its_function_and_no_other(void **state)
{
    struct sim sim;
    char *args[] = {"--torus", "2x1x1", NULL};
    struct attach other, next;
    pid_t victim;

    (void)state;
    new_dir(&sim);
    assert_true(start(&sim, args));
    victim = spawn_client(&sim, 0);
    assert_true(attach_path(&other, path_of(&sim, 0)));
    assert_int_equal(other.function, 1);
    attach_write(&other, TERN_REG_AQ_BASE_LO, 0x77000);
    for (int round = 0; round < 3; round++) {
        kill(victim, SIGKILL);
        waitpid(victim, NULL, 0);
        assert_true(attach_path(&next, path_of(&sim, 0)));
        assert_int_equal(next.function, 0);
        assert_int_equal(attach_read(&next, TERN_REG_FN_STATUS) & 0xff, TERN_FNSTATE_OFF);
        attach_end(&next);
        victim = spawn_client(&sim, 0);
    }
    assert_int_equal(attach_read(&other, TERN_REG_AQ_BASE_LO), 0x77000);
    assert_int_equal(attach_read(&other, TERN_REG_FN_STATUS) >> 16, 0);
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    attach_end(&other);
    assert_int_equal(stopped(&sim), 0);
    assert_int_equal(rmdir(sim.dir), 0); /* no socket is left */
}

static void one_folder_has_one_simulator(void **state)
{
    struct sim first, second;
    char *args[] = {"--torus", "1x1x1", NULL};
    struct attach attach;

    (void)state;
    new_dir(&first);
    second = first;
    assert_true(start(&first, args));
    assert_false(start(&second, args));
    assert_int_equal(ended(&second), 1);
    assert_non_null(strstr(second.text, "another simulator"));
    assert_true(attach_path(&attach, path_of(&first, 0))); /* the first still works */
    attach_end(&attach);
    kill(first.pid, SIGKILL); /* its sockets remain ... */
    ended(&first);
    assert_int_equal(access(path_of(&first, 0), F_OK), 0);
    assert_true(start(&second, args)); /* ... and are replaced */
    assert_true(attach_path(&attach, path_of(&second, 0)));
    attach_end(&attach);
    assert_int_equal(stopped(&second), 0);
    assert_int_equal(rmdir(first.dir), 0);
}

/* On soft: so many chips would take long to boot. */
static void a_torus_of_512_has_a_socket_for_each(void **state)
{
    struct sim sim;
    char *args[] = {"--tier", "soft", "--torus", "8x4x16", "--mesh", NULL};
    struct attach attach;

    (void)state;
    new_dir(&sim);
    assert_true(start(&sim, args));
    assert_true(attach_path(&attach, file_in(&sim, "nic-7.3.15.sock", NULL, 0)));
    await_ready(&attach);
    assert_int_equal(attach_read(&attach, TERN_REG_NODE), 7 | 3 << 5 | 15 << 10);
    assert_int_equal(attach_read(&attach, TERN_REG_DIMS), 7 | 3 << 5 | 15 << 10 | 1 << 15);
    assert_int_equal(attach_read(&attach, TERN_REG_CONFIG) >> 8 & 0xff, 6);
    assert_int_equal(attach_read(&attach, TERN_REG_STATUS) >> 8 & 0xff, 0x2a); /* X-, Y-, Z- */
    attach_end(&attach);
    for (unsigned n = 0; n < 512; n++) {
        char name[64];

        snprintf(name, sizeof name, "nic-%u.%u.%u.sock", n & 7, n >> 3 & 3, n >> 5);
        assert_int_equal(access(file_in(&sim, name, NULL, 0), F_OK), 0);
    }
    assert_int_equal(stopped(&sim), 0);
    assert_int_equal(rmdir(sim.dir), 0);
}

static void bad_arguments_and_files_are_refused_with_the_reason(void **state)
{
    struct sim sim;
    static uint8_t elf[1 << 20];
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");
    size_t bytes = file != NULL ? fread(elf, 1, sizeof elf, file) : 0;
    char cut[128], scenario[128];

    (void)state;
    assert_true(bytes > 8192);
    fclose(file);
    new_dir(&sim);
    strcpy(cut, file_in(&sim, "cut.elf", elf, 8192)); /* cut in the middle of its code */
    strcpy(scenario, file_in(&sim, "bad.scenario", "at 1 hit 0 X+\n", 14));

    struct {
        char *args[5];
        const char *says;
    } rows[] = {
        {{"--firmware", "/nowhere/fw.elf"}, "No such file"},
        {{"--firmware", scenario}, "BAD_FIRMWARE"},
        {{"--firmware", cut}, "BAD_FIRMWARE"},
        {{"--scenario", scenario}, "line 1: unknown or missing action"},
        {{"--torus", "32x32x1"}, "512 nodes"},
        {{"--torus", "4x0x1"}, "1 to 32"},
        {{"--torus", "33x1x1"}, "1 to 32"},
        {{"--torus", "four"}, "--torus wants"},
        {{"--host-latency", "-5"}, "is not a number"},
        {{"--host-latency", "1"}, "host latency"},
        {{"--fst", "/tmp/x.fst"}, "tern-sim-traced"},
        {{"--gdb", "70000"}, "is not a number"},
        {{"--tier", "soft", "--gdb", "0"}, "the soft tier has no core"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_false(start(&sim, rows[i].args));
        assert_true(ended(&sim) > 0);
        if (strstr(sim.text, rows[i].says) == NULL)
            fail_msg("row %zu: %s", i, sim.text);
    }
    unlink(cut);
    unlink(scenario);
    assert_int_equal(rmdir(sim.dir), 0);
    printf("# evidence A5.22 refused_by_the_simulator=1\n");
}

static int64_t number(const json_t *report, const char *name)
{
    const json_t *value = json_object_get(report, name);

    if (!json_is_number(value))
        fail_msg("the report lacks %s", name);
    return (int64_t)json_number_value(value);
}

static void a_run_is_reported(void **state)
{
    struct sim sim;
    char report_path[128], events_path[128];
    char *args[] = {"--torus", "2x1x1", "--max-cycles", "400000", "--report", report_path,
                    "--trace-events", events_path, NULL};
    json_t *report, *events;

    (void)state;
    new_dir(&sim);
    strcpy(report_path, file_in(&sim, "report.json", NULL, 0));
    strcpy(events_path, file_in(&sim, "events.json", NULL, 0));
    assert_true(start(&sim, args));
    assert_int_equal(ended(&sim), 0);
    assert_non_null(strstr(sim.text, "host read round trip 120 cycles"));
    report = json_load_file(report_path, 0, NULL);
    events = json_load_file(events_path, 0, NULL);
    assert_int_equal(number(report, "cycles"), 400000);
    assert_int_equal(number(report, "nodes"), 2);
    assert_true(number(report, "node_cycles_per_second") > 0);
    assert_int_equal(json_array_size(json_object_get(report, "links")), 4);
    assert_true(json_array_size(json_object_get(events, "traceEvents")) >
                2 * TERN_TRACE_LANES);
    printf("# %lld node-cycles a CPU second, %lld KiB resident\n",
           (long long)number(report, "node_cycles_per_cpu_second"),
           (long long)number(report, "rss_kib"));
    json_decref(report);
    json_decref(events);
    unlink(report_path);
    unlink(events_path);
    assert_int_equal(rmdir(sim.dir), 0);
}

/* Sends bytes that are no valid message, as a client that has attached. */
static void send_bytes(const struct sim *sim, const void *bytes, size_t count)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char end;

    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path_of(sim, 0));
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(send(fd, bytes, count, MSG_NOSIGNAL), count);
    shutdown(fd, SHUT_WR);
    while (recv(fd, &end, 1, 0) > 0)
        ; /* until the simulator has closed it */
    close(fd);
}

static void broken_connections_harm_nobody(void **state)
{
    static const struct vu_header rows[] = {
        {.command = VU_VERSION, .bytes = 100},          /* without a body */
        {.command = VU_REGION_WRITE, .bytes = 3},       /* too small for a write */
        {.command = VU_REGION_WRITE, .bytes = 1u << 31}, /* oversize */
    };
    struct sim sim;
    char *args[] = {"--torus", "1x1x1", NULL};
    struct attach other;

    (void)state;
    new_dir(&sim);
    assert_true(start(&sim, args));
    assert_true(attach_path(&other, path_of(&sim, 0)));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        send_bytes(&sim, &rows[i], sizeof rows[i]);
        send_bytes(&sim, &rows[i], 5); /* not even a complete header */
        assert_int_equal(attach_read(&other, TERN_REG_MAGIC), TERN_ABI_MAGIC);
    }
    attach_end(&other);
    assert_int_equal(stopped(&sim), 0);
    assert_int_equal(rmdir(sim.dir), 0);
}

/* Tests of the second list need the trace port, or figures in cycles. */
#define ON_BOTH_TIERS \
    cmocka_unit_test(a_killed_client_frees_its_function_and_no_other), \
    cmocka_unit_test(one_folder_has_one_simulator), \
    cmocka_unit_test(a_torus_of_512_has_a_socket_for_each), \
    cmocka_unit_test(bad_arguments_and_files_are_refused_with_the_reason), \
    cmocka_unit_test(broken_connections_harm_nobody)

int main(void)
{
    const struct CMUnitTest on_soft[] = {ON_BOTH_TIERS};
    const struct CMUnitTest on_rtl[] = {
        ON_BOTH_TIERS,
        cmocka_unit_test(a_run_is_reported),
    };

    if (rig_tier_is_soft())
        return cmocka_run_group_tests(on_soft, NULL, NULL);
    return cmocka_run_group_tests(on_rtl, NULL, NULL);
}
