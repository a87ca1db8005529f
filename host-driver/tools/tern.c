/* SPDX-License-Identifier: Apache-2.0 */
/* The `tern` command: finds the subcommand, and the simulator. */
#define _GNU_SOURCE
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"sim", cmd_sim, "run a simulated torus of NICs"},
    {"bridge", cmd_bridge, "serve the NIC of a board at a serial line"},
    {"list", cmd_list, "list the NICs of the running simulator"},
    {"info", cmd_info, "show what a NIC is"},
    {"stat", cmd_stat, "show the statistics of a NIC"},
    {"log", cmd_log, "show the log of a NIC's firmware"},
    {"put", cmd_put, "put bytes from one NIC to another, and time it"},
    {"recv", cmd_recv, "offer memory for `tern put` and show what arrives"},
    {"send-file", cmd_send_file, "put a file into the memory of a receiver"},
    {"recv-file", cmd_recv_file, "receive a file from a sender"},
    {"bcast", cmd_bcast, "put a file into the memory of all receivers in a box at once"},
    {"lock", cmd_lock, "take turns at a lock that all nodes share, by compare-and-swap"},
    {"table", cmd_table, "look keys up in a table of another node's memory"},
    {"alloc", cmd_alloc, "serve memory of a node to all, show it, and allocate from it"},
    {"cache", cmd_cache, "get, set or watch a key of a cache, show its figures"},
    {"cached", cmd_cached, "serve clients of memcached from caches in the memory of NICs"},
    {"collective", cmd_collective, "time collective operations of all NICs"},
    {"dag", cmd_dag, "run a graph of tasks on workers at many nodes, check it, draw it, watch it"},
    {"run", cmd_run, "run an unmodified verbs program on the NICs of the running simulator"},
    {"top", cmd_top, "show live what the NICs do: links, packets, queues, firmware load"},
    {"probe", cmd_probe, "count firmware instructions of every operation type"},
    {"profile", cmd_profile, "show where the cycles of a NIC's firmware went"},
    {"doctor", cmd_doctor, "check this machine for what tern needs"},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int usage(FILE *out)
{
    fprintf(out, "usage: tern COMMAND [ARGUMENT...]\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].text);
    fprintf(
        out,
        "\nA NIC is named by a URI: sim:X.Y.Z or sim:X (a node of the running simulator), or\n"
        "sim:PATH (its socket). `tern COMMAND --help` explains a command, `man tern` all of "
        "them.\n");
    return out == stdout ? EXIT_DONE : EXIT_USAGE;
}

static int version(void)
{
    printf("tern %s, contract %d.%d\n", TERN_VERSION_TEXT, TERN_ABI_VERSION >> 16,
           TERN_ABI_VERSION & 0xffff);
    return EXIT_DONE;
}

/* Returns the status; a command fails if its output could not be written. */
static int finish(int status)
{
    if (!ferror(stdout) && !fflush(stdout))
        return status;
    return tool_fail(-TERN_ST_SYSTEM, "cannot write to standard output");
}

/*
 * Runs a program from this program's folder, or from the folder of the installation: `other` where
 * there is no `name`.
 */
static int run_beside(const char *name, const char *other, char **argv)
{
    static const char *const places[] = {"", "../libexec/tern/"};
    const char *const names[] = {name, other};
    char self[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (length < 0)
        return tool_fail(-TERN_ST_SYSTEM, "cannot find out where this program stands");
    self[length] = 0;
    dirname(self);
    for (size_t i = 0; i < 2 * sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s%s", self, places[i % 2], names[i / 2]);
        if (access(path, X_OK) == 0) {
            execv(path, argv);
            return tool_fail(-TERN_ST_SYSTEM, "cannot run %s", path);
        }
    }
    return tool_fail(0, "no %s beside %s", name, self);
}

int cmd_sim(int argc, char **argv)
{
    (void)argc;
    return run_beside("tern-sim", "tern-sim-soft", argv);
}

int cmd_bridge(int argc, char **argv)
{
    (void)argc;
    return run_beside("tern-bridge", "tern-bridge", argv);
}

int cmd_profile(int argc, char **argv)
{
    (void)argc;
    return run_beside("tern-profile", "tern-profile", argv);
}

int cmd_cached(int argc, char **argv)
{
    (void)argc;
    return run_beside("tern-cached", "tern-cached", argv);
}

int main(int argc, char **argv)
{
    char name[64];

    if (argc < 2)
        return usage(stderr);
    argp_err_exit_status = EXIT_USAGE;
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
        return finish(usage(stdout));
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version"))
        return finish(version());
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name))
            continue;
        snprintf(name, sizeof(name), "tern %s", commands[i].name);
        argv[1] = name; /* argp shows it as the program's name */
        program_invocation_name = name;
        return finish(commands[i].run(argc - 1, argv + 1));
    }
    fprintf(stderr, "tern: no command '%s'\n", argv[1]);
    return usage(stderr);
}
