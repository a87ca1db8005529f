/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern doctor: checks whether this machine has all that tern needs, and names the remedy for what
 * is missing.
 *
 * Each check is independent; the exit status is EXIT_BAD when a required one failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

enum { SOCKET_NAME_BYTES = 108, NODES_FEW = 64 };

/* ---- output */

static int missing;

static void good(const char *what, const char *found)
{
    printf("ok       %-22s %s\n", what, found);
}

/* Reports that something required is missing. */
static void bad(const char *what, const char *found, const char *remedy)
{
    missing++;
    printf("MISSING  %-22s %s\n         %-22s -> %s\n", what, found, "", remedy);
}

/* Reports something without which tern is slower or less useful. */
static void weak(const char *what, const char *found, const char *remedy)
{
    printf("note     %-22s %s\n         %-22s -> %s\n", what, found, "", remedy);
}

/* ---- programs needed to build a checkout */

static bool on_path(const char *program)
{
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    bool found = false;

    for (char *rest = path, *dir; path && !found && (dir = strsep(&rest, ":"));) {
        char file[PATH_MAX];

        found = snprintf(file, sizeof(file), "%s/%s", dir, program) < (int)sizeof(file) &&
            !access(file, X_OK);
    }
    free(path);
    return found;
}

static const struct {
    const char *program, *package, *for_what;
    bool needed; /* required by `make`; otherwise by the goal in for_what */
} programs[] = {
    {"make", "make", "builds the tree", true},
    {"gcc", "gcc", "compiles simulator and driver", true},
    {"g++", "g++", "compiles the verilated chip", true},
    {"verilator", "verilator", "turns the chip into a program", true},
    {"riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf", "compiles the firmware", true},
    {"pkg-config", "pkg-config", "flags for programs that use libtern", true},
    {"gdb-multiarch", "gdb-multiarch", "debugs the firmware (make debug)", false},
    {"yosys", "yosys", "make check: synthesis", false},
    {"nextpnr-ecp5", "nextpnr-ecp5", "make fmax: place and route (Debian 13)", false},
};

static void check_programs(void)
{
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        char remedy[128];

        snprintf(remedy, sizeof(remedy), "apt-get install %s (%s)", programs[i].package,
                 programs[i].for_what);
        if (on_path(programs[i].program))
            good(programs[i].program, programs[i].for_what);
        else
            (programs[i].needed ? bad : weak)(programs[i].program, "not on PATH", remedy);
    }
}

/* ---- the machine */

static void check_processors(void)
{
    char text[64];
    cpu_set_t allowed;
    int count = sched_getaffinity(0, sizeof(allowed), &allowed) ? 1 : CPU_COUNT(&allowed);

    snprintf(text, sizeof(text), "%d usable", count);
    if (count > 1)
        good("processors", text);
    else
        weak("processors", text, "the simulator runs nodes in two threads where there are two");
}

static void check_memfd(void)
{
    int fd = memfd_create("tern-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        bad("shared memory", strerror(errno),
            "queues live in memfd files: allow memfd_create in this container");
    else
        good("shared memory", "memfd_create works");
    if (fd >= 0)
        close(fd);
}

/* Checks that a process may read its child's memory, as the simulator reads a client's. */
static void check_process_vm(void)
{
    static const char word[] = "tern";
    char copy[sizeof(word)] = "";
    struct iovec here = {copy, sizeof(word)}, there = {(void *)(uintptr_t)word, sizeof(word)};
    int held[2];
    pid_t child;

    if (pipe(held) || (child = fork()) < 0) {
        weak("process_vm_readv", strerror(errno), "not tried");
        return;
    }
    if (!child) {
        close(held[1]);
        _exit(read(held[0], copy, 1) < 0);
    }
    close(held[0]);
    if (process_vm_readv(child, &here, 1, &there, 1, 0) == (ssize_t)sizeof(word))
        good("process_vm_readv", "the NIC reads registered memory directly");
    else
        weak("process_vm_readv", strerror(errno),
             "memory is moved by messages instead: right, and slower (allow ptrace in this "
             "container)");
    close(held[1]);
    waitpid(child, NULL, 0);
}

static void check_files(void)
{
    char text[64];
    long most = sysconf(_SC_OPEN_MAX);

    snprintf(text, sizeof(text), "%ld", most);
    if (most >= 4 * NODES_FEW)
        good("open files", text);
    else
        weak("open files", text,
             "a torus of n nodes needs n and one for each client: ulimit -n 4096");
}

/* ---- the simulator */

static void check_folder(void)
{
    char dir[PATH_MAX];
    struct stat info;

    if (tern_sim_dir(dir, sizeof(dir)) ||
        strlen(dir) + sizeof("/nic-31.31.31.sock") > SOCKET_NAME_BYTES)
        bad("folder of the sockets", "its name is too long for a socket",
            "set TERN_SIM_DIR to a short path");
    else if (stat(dir, &info))
        good("folder of the sockets", "not there yet: `tern sim` makes it");
    else if (access(dir, R_OK | W_OK | X_OK))
        bad("folder of the sockets", strerror(errno),
            "it belongs to another user: set TERN_SIM_DIR");
    else
        good("folder of the sockets", dir);
}

static bool beside(const char *const *places, const char *what, const char *remedy)
{
    char self[PATH_MAX] = "", path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    self[length > 0 ? length : 0] = 0;
    dirname(self);
    for (; *places; places++) {
        snprintf(path, sizeof(path), "%s/%s", self, *places);
        if (!access(path, R_OK)) {
            good(what, *places);
            return true;
        }
    }
    bad(what, "not found beside this program", remedy);
    return false;
}

static void check_parts(void)
{
    static const char *const sim[] = {"tern-sim", "../libexec/tern/tern-sim", NULL};
    static const char *const firmware[] = {"../fw/tern-fw.elf", "../share/tern/tern-fw.elf", NULL};

    beside(sim, "simulator", "run `make`, or `make install PREFIX=folder`");
    beside(firmware, "firmware", "run `make`, or `make install PREFIX=folder`");
}

int cmd_doctor(int argc, char **argv)
{
    const struct argp argp =
        {.doc = "Checks this machine for what tern needs and names the remedy for what is "
                                     "missing. Fails when something is."};

    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    check_programs();
    check_processors();
    check_memfd();
    check_process_vm();
    check_files();
    check_folder();
    check_parts();
    if (missing)
        return tool_fail(0, "%d missing", missing);
    printf("nothing is missing\n");
    return EXIT_DONE;
}
