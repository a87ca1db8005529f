/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the simulator with every node busy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "traffic.h"

enum {
    NODES = TRAFFIC_NODES_MAX,
    PUTS = 400, /* of each node: more writes than the host bus can queue */
    NODE_KIB = 1024,
    REST_KIB = 32 * 1024
};

static char dir[] = "/tmp/tern-memory-XXXXXX";

static pid_t start(int ready)
{
    char torus[16], ready_fd[16], report[64];
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    snprintf(torus, sizeof torus, "%ux1x1", NODES);
    snprintf(ready_fd, sizeof ready_fd, "%d", ready);
    snprintf(report, sizeof report, "%s/report", dir);
    if (freopen("/dev/null", "w", stdout) != NULL)
        execl("build/bin/tern-sim", "tern-sim", "--torus", torus, "--dir", dir, "--threads", "2",
              "--report", report, "--ready-fd", ready_fd, (char *)NULL);
    _exit(127);
}

static void await_ready(int ready)
{
    char line[8];

    assert_int_equal(read(ready, line, 6), 6);
    close(ready);
}

static void put_for_a_while(void)
{
    struct traffic traffic;
    unsigned least = 0;

    traffic_attach(&traffic, NODES, dir);
    while (least < PUTS) {
        traffic_post(&traffic);
        least = UINT32_MAX;
        for (unsigned n = 0; n < NODES; n++)
            least = traffic.end[n].posted < least ? traffic.end[n].posted : least;
    }
    traffic_close(&traffic);
}

static long long number(const json_t *report, const char *key)
{
    const json_t *value = json_object_get(report, key);

    assert_non_null(value);
    return (long long)json_number_value(value);
}

static void a_node_at_work_takes_a_mebibyte_at_most(void **state)
{
    int ends[2], status;
    char path[64];
    json_t *report;
    pid_t pid;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid = start(ends[1]);
    close(ends[1]);
    await_ready(ends[0]);
    put_for_a_while();
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    snprintf(path, sizeof path, "%s/report", dir);
    report = json_load_file(path, 0, NULL);
    assert_non_null(report);
    printf("# evidence B5.3 nodes=%d kib=%lld packets=%lld\n", NODES, number(report, "rss_kib"),
           number(report, "packets"));
    assert_int_equal(number(report, "threads"), 2);
    assert_true(number(report, "packets") > NODES * PUTS);
    assert_true(number(report, "rss_kib") <= NODES * NODE_KIB + REST_KIB);
    json_decref(report);
    unlink(path);
}

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) == NULL;
}

static int remove_dir(void **state)
{
    (void)state;
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_at_work_takes_a_mebibyte_at_most),
    };

    setvbuf(stdout, NULL, _IOLBF, 0);
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
