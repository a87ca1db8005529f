/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern run: runs an unmodified verbs program on the NICs of the running simulator. It writes the
 * files that the program expects below /sys and /dev, and preloads the library that replaces the
 * kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

enum { OPT_TORUS = 0x100, OPT_TIER, OPT_SEED };

struct arguments {
    const char *node;
    bool debug;
    const char *scenario, *torus, *tier, *seed; /* for a simulator of this program alone */
    char **command;
};

/* Formats a text; it lives until this process executes the program. */
__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...)
{
    va_list list;
    char *text;
    int length;

    va_start(list, format);
    length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0)
        exit(tool_fail(-TERN_ST_NO_MEMORY, "cannot start"));
    return text;
}

/* ---- files */

enum { FILE_BYTES = 1024 }; /* more than any has */

static int make_folders(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = 0;
        if (mkdir(path, 0700) && errno != EEXIST)
            return -1;
        *at = '/';
    }
    return 0;
}

static bool has_text(const char *path, const char *text)
{
    char old[FILE_BYTES] = "";
    FILE *file = fopen(path, "re");

    if (!file)
        return false;
    old[fread(old, 1, sizeof(old) - 1, file)] = 0;
    fclose(file);
    return !strcmp(old, text);
}

/*
 * Writes a file if its text has changed. Replaces it as a whole, because other programs may be
 * reading it.
 */
__attribute__((format(printf, 3, 4))) static void put_file(const char *tree, const char *name,
                                                           const char *format, ...)
{
    char *path = text_of("%s/%s", tree, name), *fresh = text_of("%s.%ld", path, (long)getpid()),
         text[FILE_BYTES];
    va_list list;
    FILE *file;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (has_text(path, text) && *text)
        return;
    if (make_folders(fresh) || !(file = fopen(fresh, "we")))
        exit(tool_fail(-TERN_ST_SYSTEM, "cannot write %s", fresh));
    fputs(text, file);
    if (fclose(file) || rename(fresh, path))
        exit(tool_fail(-TERN_ST_SYSTEM, "cannot write %s", path));
}

/* Writes the files of one device, as a kernel shows them. */
static void describe(const char *tree, int index, uint16_t node)
{
    const unsigned x = node & 31, y = node >> 5 & 31, z = (node >> 10 & 31) + 1;
    const char *folder = text_of("%s/sys/class/infiniband/tern%d", tree, index);
    const char *uverbs = text_of("%s/sys/class/infiniband_verbs/uverbs%d", tree, index);
    char text[TERN_NODE_TEXT];

    put_file(folder, "tern_uri", "sim:%s\n", tern_node_format(node, text));
    put_file(folder, "node_type", "1: CA\n");
    put_file(folder, "node_guid", "027e:52ff:0a%02x:%02x%02x\n", x, y, z);
    put_file(folder, "sys_image_guid", "027e:52ff:0a%02x:%02x%02x\n", x, y, z);
    put_file(folder, "fw_ver", "1.0.0\n");
    put_file(folder, "hw_rev", "1\n");
    put_file(folder, "hca_type", "tern\n");
    put_file(folder, "device/vendor", "0x%04x\n", TERN_PCI_VENDOR);
    put_file(folder, "device/device", "0x%04x\n", TERN_PCI_DEVICE);
    put_file(folder, "device/numa_node", "-1\n");
    put_file(folder, "device/local_cpus", "ffffffff\n");
    put_file(folder, "device/net/lo/address", "00:00:00:00:00:00\n");
    put_file(folder, "ports/1/state", "4: ACTIVE\n");
    put_file(folder, "ports/1/phys_state", "5: LinkUp\n");
    put_file(folder, "ports/1/rate", "100 Gb/sec (4X EDR)\n");
    put_file(folder, "ports/1/link_layer", "Ethernet\n");
    put_file(folder, "ports/1/lid", "0x0\n");
    put_file(folder, "ports/1/sm_lid", "0x0\n");
    put_file(folder, "ports/1/sm_sl", "0\n");
    put_file(folder, "ports/1/lid_mask_count", "0\n");
    put_file(folder, "ports/1/cap_mask", "0x04000000\n");
    put_file(folder, "ports/1/pkeys/0", "0xffff\n");
    put_file(folder, "ports/1/gids/0", "fe80:0000:0000:0000:027e:52ff:0a%02x:%02x%02x\n", x, y, z);
    put_file(folder, "ports/1/gids/1", "0000:0000:0000:0000:0000:ffff:0a%02x:%02x%02x\n", x, y, z);
    for (int gid = 2; gid < 4; gid++) { /* the program must not find it */
        put_file(folder, text_of("ports/1/gids/%d", gid),
                 "0000:0000:0000:0000:0000:0000:0000:0000\n");
        put_file(folder, text_of("ports/1/gid_attrs/types/%d", gid), "%s", "");
        put_file(folder, text_of("ports/1/gid_attrs/ndevs/%d", gid), "%s", "");
    }
    for (int gid = 0; gid < 2; gid++) {
        put_file(folder, text_of("ports/1/gid_attrs/types/%d", gid), "RoCE v2\n");
        put_file(folder, text_of("ports/1/gid_attrs/ndevs/%d", gid), "lo\n");
    }
    put_file(uverbs, "ibdev", "tern%d\n", index);
    put_file(uverbs, "dev", "231:%d\n", 192 + index);
    put_file(uverbs, "abi_version", "2\n");
    put_file(tree, text_of("dev/infiniband/uverbs%d", index), "%s", "");
}

/*
 * The command `rdma link`, which scripts ask for the network interface of a device.  The system's
 * own asks a kernel, so this one comes before it in PATH and passes all other commands on to it.
 */
static void put_rdma(const char *tree)
{
    static const char script[] =
        "case \" $* \" in\n"
        "*' link '*) ;;\n"
        "*) PATH=${PATH#*:} exec rdma \"$@\" ;;\n"
        "esac\n"
        "next=[\n"
        "for at in \"${0%/bin/rdma}\"/sys/class/infiniband/*; do\n"
        "case \" $* \" in\n"
        "*' -j'*) printf '%s{\"ifname\":\"%s\",\"port\":1,\"state\":\"ACTIVE\",'\\\n"
        "'\"physical_state\":\"LINK_UP\",\"netdev\":\"lo\"}' \"$next\" \"${at##*/}\" ;;\n"
        "*) echo \"link ${at##*/}/1 state ACTIVE physical_state LINK_UP netdev lo\" ;;\n"
        "esac\n"
        "next=,\n"
        "done\n"
        "case \" $* \" in *' -j'*) echo ']' ;; esac\n";
    const char *path = getenv("PATH");

    put_file(tree, "bin/rdma", "#!/bin/sh\n%s", script);
    if (chmod(text_of("%s/bin/rdma", tree), 0700))
        exit(tool_fail(-TERN_ST_SYSTEM, "cannot write %s/bin/rdma", tree));
    setenv("PATH", text_of("%s/bin:%s", tree, path && *path ? path : "/usr/bin:/bin"), 1);
}

/* Describes all devices, or `only` one. The numbers are those of all NICs in either case. */
static int describe_all(const char *tree, const char *only)
{
    uint16_t wanted = 0, node;
    char **uris;
    int count = tool_nics(&uris), found = 0;

    if (count < 0)
        return EXIT_BAD;
    if (only && tern_node_parse(only, &wanted, NULL))
        return tool_fail(0, "'%s' is no node", only);
    for (int at = 0; at < count; at++) {
        if (tern_node_parse(strchr(uris[at], ':') + 1, &node, NULL) || (only && node != wanted))
            continue;
        describe(tree, at, node);
        found++;
    }
    tool_nics_free(uris, count);
    if (!found)
        return tool_fail(0, "the running simulator has no node %s", only ? only : "");
    put_file(tree, "sys/class/infiniband_verbs/abi_version", "6\n");
    put_file(tree, "sys/class/misc/rdma_cm/abi_version", "4\n");
    put_file(tree, "sys/class/misc/rdma_cm/dev", "10:58\n");
    put_file(tree, "dev/infiniband/rdma_cm", "%s", "");
    return 0;
}

/* ---- the program */

static const char *find_library(void)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    const char *path;

    if (length < 0)
        exit(tool_fail(-TERN_ST_SYSTEM, "cannot find out where this program stands"));
    self[length] = 0;
    path = text_of("%s/../lib/libtern-verbs.so", dirname(self));
    if (access(path, R_OK))
        exit(tool_fail(-TERN_ST_SYSTEM, "no %s", path));
    return path;
}

/* Preloads the library before any others, because they may call functions that it replaces. */
static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");

    setenv("LD_PRELOAD",
           text_of("%s%s%s", library, others && *others ? ":" : "", others ? others : ""), 1);
}

/* ---- a simulator for this program alone */

/* Starts the simulator, which ends when this process does. */
static pid_t start_sim(const struct arguments *arguments, const char *folder)
{
    int ready[2];
    pid_t sim;
    char byte;

    if (pipe(ready))
        exit(tool_fail(-TERN_ST_SYSTEM, "cannot start a simulator"));
    sim = fork();
    if (sim == 0) {
        const char *fd = text_of("%d", ready[1]);
        char *argv[] = {"tern",       "sim",
                        "--dir",      (char *)folder,
                        "--scenario", (char *)arguments->scenario,
                        "--torus",    (char *)arguments->torus,
                        "--tier",     (char *)arguments->tier,
                        "--seed",     (char *)arguments->seed,
                        "--ready-fd", (char *)fd,
                        NULL};

        close(ready[0]);
        prctl(PR_SET_PDEATHSIG, SIGINT);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execv("/proc/self/exe", argv);
        _exit(EXIT_BAD);
    }
    close(ready[1]);
    if (sim < 0 || read(ready[0], &byte, 1) != 1)
        exit(tool_fail(0, "the simulator did not start"));
    close(ready[0]);
    return sim;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about;
    (void)type;
    (void)walk;
    return remove(path);
}

/* Runs the program, then ends the simulator; returns the program's exit status. */
static int run_inside(char **command, pid_t sim, const char *folder)
{
    pid_t program = fork();
    int status = 0;

    if (program == 0) {
        execvp(command[0], command);
        _exit(tool_fail(-TERN_ST_SYSTEM, "cannot run %s", command[0]));
    }
    while (program > 0 && waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    kill(sim, SIGINT);
    waitpid(sim, NULL, 0);
    (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (program < 0)
        return tool_fail(-TERN_ST_SYSTEM, "cannot run %s", command[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'n':
        arguments->node = arg;
        return 0;
    case 'd':
        arguments->debug = true;
        return 0;
    case 's':
        arguments->scenario = arg;
        return 0;
    case OPT_TORUS:
        arguments->torus = arg;
        return 0;
    case OPT_TIER:
        arguments->tier = arg;
        return 0;
    case OPT_SEED:
        arguments->seed = arg;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->command = state->argv + state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_run(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"node", 'n', "X.Y.Z", 0, "Show the program the NIC of this node alone", 0},
        {"scenario", 's', "FILE", 0,
         "Start a simulator with these faults, which ends with the program", 0},
        {"torus", OPT_TORUS, "NxMxK", 0, "... of so many nodes (2x1x1)", 0},
        {"tier", OPT_TIER, "TIER", 0, "... rtl or soft (soft)", 0},
        {"seed", OPT_SEED, "N", 0, "... whose faults are drawn from N (0)", 0},
        {"debug", 'd', NULL, 0, "Tell which commands of the program were refused", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "-- PROGRAM [ARGUMENT...]",
        .doc =
            "Runs a verbs program on the NICs of the running simulator, tern0, tern1 and so on."};
    struct arguments arguments = {.torus = "2x1x1", .tier = "soft", .seed = "0"};
    char folder[PATH_MAX] = "/tmp/tern-run.XXXXXX";
    pid_t sim = 0;
    const char *tree;
    int status;

    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &arguments);
    if (arguments.scenario) {
        if (!mkdtemp(folder))
            return tool_fail(-TERN_ST_SYSTEM, "no folder for a simulator");
        sim = start_sim(&arguments, folder);
        setenv("TERN_SIM_DIR", folder, 1);
    }
    status = tern_sim_dir(folder, sizeof(folder));
    if (status)
        return tool_fail(status, "no folder of a simulator");
    tree = text_of("%s/verbs/%s", folder, arguments.node ? arguments.node : "all");
    if (describe_all(tree, arguments.node))
        return EXIT_BAD;
    setenv("TERN_SIM_DIR", folder, 1);
    setenv("TERN_VERBS_TREE", tree, 1);
    if (arguments.debug)
        setenv("TERN_VERBS_DEBUG", "1", 1);
    put_rdma(tree);
    preload(find_library());
    if (sim)
        return run_inside(arguments.command, sim, folder);
    execvp(arguments.command[0], arguments.command);
    return tool_fail(-TERN_ST_SYSTEM, "cannot run %s", arguments.command[0]);
}
