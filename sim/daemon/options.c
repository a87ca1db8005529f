/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the simulator. */
#include "options.h"

#include <argp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"

enum {
    OPT_TORUS = 256,
    OPT_MESH,
    OPT_TREE,
    OPT_TIER,
    OPT_MODEL,
    OPT_DIR,
    OPT_FIRMWARE,
    OPT_NO_FIRMWARE,
    OPT_SCENARIO,
    OPT_SEED,
    OPT_THREADS,
    OPT_LINK_LATENCY,
    OPT_HOST_LATENCY,
    OPT_POSTED,
    OPT_EVENTS,
    OPT_REPORT,
    OPT_RETIRE,
    OPT_FST,
    OPT_FST_NODE,
    OPT_MAX_CYCLES,
    OPT_READY_FD,
    OPT_GDB,
    OPT_LINK,
    OPT_HALF,
    OPT_LINK_WAIT
};

enum { LINK_WAIT_MS = 60000 };

static const struct argp_option option_list[] = {
    {"torus", OPT_TORUS, "NxMxK", 0,
     "Nodes along x, y, z, 1 to 32 each and 512 in all (default 4x1x1)", 0},
    {"mesh", OPT_MESH, NULL, 0, "Leave out the links from the last node of a row to the first", 0},
    {"tree", OPT_TREE, NULL, 0,
     "Add the tree network: node N, x counting fastest, is the parent of nodes 2N+1 and 2N+2; on "
     "rtl for rings",
     0},
    {"tier", OPT_TIER, "TIER", 0,
     "rtl: the chip, clock by clock (default); soft: models of its blocks, for software", 0},
    {"model", OPT_MODEL, "NAME", 0,
     "Configuration of the rtl chip: sim (default) is 64 bits wide with large tables, board is "
     "what "
     "fits the FPGA, 32 bits wide, for rings",
     0},
    {"dir", OPT_DIR, "DIR", 0,
     "Folder of the sockets nic-X.Y.Z.sock (default $TERN_SIM_DIR, else "
     "${XDG_RUNTIME_DIR:-/tmp}/tern-sim-UID)",
     0},
    {"firmware", OPT_FIRMWARE, "FILE", 0, "ELF file or flash image for every node", 0},
    {"no-firmware", OPT_NO_FIRMWARE, NULL, 0, "Leave the flash blank", 0},
    {"scenario", OPT_SCENARIO, "FILE", 0, "Faults, see sim/scenario.h", 0},
    {"seed", OPT_SEED, "N", 0, "Seed of random faults (default 0)", 0},
    {"threads", OPT_THREADS, "N", 0,
     "Run rtl nodes in up to N threads, as long as that is faster (default 2, or 1 where there is "
     "one "
     "processor); the result is the same",
     0},
    {"link-latency", OPT_LINK_LATENCY, "CYCLES", 0, "Wire between two nodes (default 8)", 0},
    {"host-latency", OPT_HOST_LATENCY, "CYCLES", 0, "Round trip of a host read (default 120)", 0},
    {"posted", OPT_POSTED, "CYCLES", 0, "Posted writes and BAR accesses, one way (default 0)", 0},
    {"trace-events", OPT_EVENTS, "FILE", 0, "Write the chips' events as Chrome trace JSON", 0},
    {"report", OPT_REPORT, "FILE", 0, "Write a summary as JSON at the end", 0},
    {"retire-trace", OPT_RETIRE, "FILE[,node=N]", 0,
     "Write which instruction the core of node N (default 0) retired when, for "
     "`tern profile`; may be given for several nodes",
     0},
    {"fst", OPT_FST, "FILE", 0, "Write a waveform (tern-sim-traced only)", 0},
    {"fst-node", OPT_FST_NODE, "N", 0, "Waveform of this node only; else FILE gets -N", 0},
    {"max-cycles", OPT_MAX_CYCLES, "N", 0, "End after N cycles", 0},
    {"ready-fd", OPT_READY_FD, "N", 0, "Write a line to this descriptor when ready", 0},
    {"gdb", OPT_GDB, "PORT", 0,
     "Let gdb debug the firmware: node N at TCP port PORT + N of localhost (0: any free ones)", 0},
    {"link", OPT_LINK, "tcp:[HOST]:PORT", 0,
     "Run half of the torus, and link it over TCP with another simulator that runs the other half. "
     "Without HOST, listen at all addresses for it and take the first half of the nodes; with "
     "HOST, connect to it and take the second half.  The connection is not protected",
     0},
    {"half", OPT_HALF, "first|second", 0,
     "The half of --link: first listens at HOST, second connects to it", 0},
    {"link-wait", OPT_LINK_WAIT, "SECONDS", 0,
     "How long --link waits for the other simulator at the start (default 60)", 0},
    {0}};

static void take_torus(struct tern_sim_options *options, const char *text,
                       struct argp_state *state)
{
    unsigned *dims = options->config.dims;
    int used = 0;

    if (sscanf(text, "%ux%ux%u%n", &dims[0], &dims[1], &dims[2], &used) != 3 ||
        text[used] != 0)
        argp_error(state, "--torus wants NxMxK, as 4x1x1");
}

static void take_tier(struct tern_sim_options *options, const char *text,
                      struct argp_state *state)
{
    if (strcmp(text, "soft") == 0)
        options->config.tier = TERN_TIER_SOFT;
    else if (strcmp(text, "rtl") == 0)
        options->config.tier = TERN_TIER_RTL;
    else
        argp_error(state, "--tier is rtl or soft");
}

static uint64_t take_number(const char *text, uint64_t max, struct argp_state *state)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 0);

    if (end == text || *end != 0 || text[0] == '-' || number > max)
        argp_error(state, "`%s` is not a number from 0 to %llu", text,
                   (unsigned long long)max);
    return number;
}

/* Takes tcp:[HOST]:PORT; HOST may be an IPv6 address in brackets. */
static void take_link(struct tern_sim_options *options, char *text, struct argp_state *state)
{
    static const char scheme[] = "tcp:";
    char *host = text + sizeof scheme - 1, *colon = strrchr(text, ':');

    if (strncmp(text, scheme, sizeof scheme - 1) != 0 || colon < host)
        argp_error(state, "--link wants tcp:[HOST]:PORT");
    *colon = 0;
    if (take_number(colon + 1, UINT16_MAX, state) == 0)
        argp_error(state, "--link wants a port from 1 to 65535");
    options->span.address.port = colon + 1;
    if (host[0] == '[' && colon[-1] == ']') {
        colon[-1] = 0;
        host++;
    }
    options->span.address.host = host;
}

static void take_half(struct tern_sim_options *options, const char *text,
                      struct argp_state *state)
{
    if (strcmp(text, "first") == 0)
        options->half = 0;
    else if (strcmp(text, "second") == 0)
        options->half = 1;
    else
        argp_error(state, "--half is first or second");
}

static void take_path(char *to, const char *text, struct argp_state *state)
{
    if (strlen(text) >= TERN_PATH_BYTES)
        argp_error(state, "a path is too long");
    strcpy(to, text);
}

/* Parses FILE, or FILE,node=N. */
static void take_retire(struct tern_sim_options *options, char *text,
                        struct argp_state *state)
{
    static const char separator[] = ",node=";
    struct tern_retire_option *option = &options->retire[options->retires];
    char *comma = strrchr(text, ',');

    if (options->retires == TERN_SIM_NODES_MAX)
        argp_error(state, "--retire-trace is given too often");
    if (comma != NULL && strncmp(comma, separator, sizeof separator - 1) == 0) {
        *comma = 0;
        option->node = (unsigned)take_number(comma + sizeof separator - 1,
                                             TERN_SIM_NODES_MAX - 1, state);
    }
    if (text[0] == 0)
        argp_error(state, "--retire-trace wants FILE[,node=N]");
    option->path = text;
    options->retires++;
}

static error_t take_number_option(int key, char *text, struct tern_sim_options *options,
                                  struct argp_state *state)
{
    struct tern_timing *timing = &options->config.timing;

    switch (key) {
    case OPT_SEED:
        options->config.seed = take_number(text, UINT64_MAX, state);
        return 0;
    case OPT_THREADS:
        options->config.threads = (unsigned)take_number(text, UINT32_MAX, state);
        return 0;
    case OPT_LINK_LATENCY:
        timing->link_latency = (unsigned)take_number(text, UINT32_MAX, state);
        return 0;
    case OPT_HOST_LATENCY:
        timing->host_latency = (unsigned)take_number(text, UINT32_MAX, state);
        return 0;
    case OPT_POSTED:
        timing->posted = (unsigned)take_number(text, UINT32_MAX, state);
        return 0;
    case OPT_FST_NODE:
        options->fst_node = (int)take_number(text, TERN_SIM_NODES_MAX - 1, state);
        return 0;
    case OPT_MAX_CYCLES:
        options->max_cycles = take_number(text, UINT64_MAX, state);
        return 0;
    case OPT_GDB:
        options->gdb_port = (int)take_number(text, 65535 - TERN_SIM_NODES_MAX, state);
        return 0;
    case OPT_LINK_WAIT:
        options->span.address.wait_ms =
            1000 * (unsigned)take_number(text, UINT32_MAX / 1000, state);
        return 0;
    case OPT_READY_FD:
        options->ready_fd = (int)take_number(text, 65535, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t take_option(int key, char *text, struct argp_state *state)
{
    struct tern_sim_options *options = state->input;

    switch (key) {
    case OPT_TORUS:
        take_torus(options, text, state);
        return 0;
    case OPT_MESH:
        options->config.mesh = true;
        return 0;
    case OPT_TREE:
        options->config.tree = true;
        return 0;
    case OPT_TIER:
        take_tier(options, text, state);
        return 0;
    case OPT_MODEL:
        options->config.model = text;
        return 0;
    case OPT_DIR:
        take_path(options->dir, text, state);
        return 0;
    case OPT_FIRMWARE:
        take_path(options->firmware, text, state);
        return 0;
    case OPT_NO_FIRMWARE:
        options->no_firmware = true;
        return 0;
    case OPT_SCENARIO:
        options->scenario = text;
        return 0;
    case OPT_EVENTS:
        options->events = text;
        return 0;
    case OPT_REPORT:
        options->report = text;
        return 0;
    case OPT_RETIRE:
        take_retire(options, text, state);
        return 0;
    case OPT_LINK:
        take_link(options, text, state);
        return 0;
    case OPT_HALF:
        take_half(options, text, state);
        return 0;
    case OPT_FST:
        options->fst = text;
        return 0;
    default:
        return take_number_option(key, text, options, state);
    }
}

static void default_dir(char *dir)
{
    const char *named = getenv("TERN_SIM_DIR");
    const char *runtime = getenv("XDG_RUNTIME_DIR");

    if (named != NULL && named[0] != 0)
        snprintf(dir, TERN_PATH_BYTES, "%s", named);
    else
        snprintf(dir, TERN_PATH_BYTES, "%s/tern-sim-%u",
                 runtime != NULL && runtime[0] != 0 ? runtime : "/tmp", (unsigned)getuid());
}

/*
 * Finds the firmware next to the program, built or installed; the board's chip takes the image for
 * its small memories.
 */
static void default_firmware(char *path, const char *model)
{
    static const char *const places[] = {"../fw/", "../share/tern/", "../../share/tern/"};
    const char *image = model != NULL && strcmp(model, "board") == 0 ? "tern-fw-lean.elf"
                                                                     : "tern-fw.elf";
    char self[TERN_PATH_BYTES - 64];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    path[0] = 0;
    if (length <= 0)
        return;
    self[length] = 0;
    slash = strrchr(self, '/');
    if (slash == NULL)
        return;
    slash[1] = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, TERN_PATH_BYTES, "%s%s%s", self, places[i], image);
        if (access(path, R_OK) == 0)
            return;
    }
}

/* Chooses a number of threads that saves time at little cost; the soft tier needs only one. */
static unsigned default_threads(const struct tern_sim_config *config)
{
    cpu_set_t allowed;

    if (config->tier == TERN_TIER_SOFT || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    return CPU_COUNT(&allowed) < 2 ? 1 : 2;
}

/* Decides which half this simulator has; the first one listens. */
static void settle_link(struct tern_sim_options *options)
{
    bool linked = options->span.address.port != NULL;

    if (options->half >= 0 && !linked) {
        fprintf(stderr, "tern-sim: --half needs --link\n");
        exit(EXIT_USAGE);
    }
    if (!linked)
        return;
    if (options->half < 0)
        options->half = options->span.address.host[0] != 0;
    options->span.half = (unsigned)options->half;
    options->span.address.listens = options->half == 0;
}

void tern_sim_options_parse(struct tern_sim_options *options, int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_list,
        .parser = take_option,
        .doc = "Simulates a torus of tern NICs, each served on a socket of its own."};
    char first[TERN_PATH_BYTES];

    *options = (struct tern_sim_options){
        .config = tern_sim_config_default(), .fst_node = -1, .ready_fd = -1, .gdb_port = -1,
        .half = -1, .span.address.wait_ms = LINK_WAIT_MS};
    argp_err_exit_status = EXIT_USAGE;
    default_dir(options->dir);
    default_firmware(options->firmware, NULL);
    snprintf(first, sizeof first, "%s", options->firmware);
    argp_parse(&argp, argc, argv, 0, NULL, options);
    if (options->config.model != NULL && strcmp(options->firmware, first) == 0)
        default_firmware(options->firmware, options->config.model);
    settle_link(options);
    if (options->config.threads == 0)
        options->config.threads = default_threads(&options->config);
}
